/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_POWER_MACHINE_DATA_H
#define GEARTRAIN_POWER_MACHINE_DATA_H

/* What the two readers of machine data share, and the writer. */
#include <geartrain/power.h>

/* How a number changes from the base of the machine to that of the case. */
typedef enum gt_base { GT_BASE_NONE, GT_BASE_IMPEDANCE, GT_BASE_POWER } gt_base;

/* One number of gt_power_machine: its name in tables, where it is, and what sizes it can have. The
 * ranges are wide enough for any base, for whole areas as one machine and for infinite buses; what
 * lies outside is a slip of the pen that would overflow later on. */
typedef struct gt_machine_field {
    const char *name, *alias;
    size_t offset;
    gt_base base;
    double least, most; /* its size is 0 or lies between these */
} gt_machine_field;

extern const gt_machine_field gt_machine_fields[]; /* ends with a row without a name */
extern const char *const gt_machine_kinds[], *const gt_exciter_kinds[],
                                                 *const gt_governor_kinds[]; /* end with NULL */

static inline double *gt_machine_number(gt_power_machine *m, const gt_machine_field *field)
{
    return (double *)((char *)m + field->offset);
}

/* From the base of the machine to that of the case. */
void gt_machine_rebase(gt_power_machine *m, double mva_machine, double mva_case);

/* a (u - b)^2 / u through two points; all zero when both are. */
gt_status gt_saturation_through(double u1, double s1, double u2, double s2,
                                gt_saturation *out) GT_MUST_CHECK;
double gt_saturation_at(const gt_saturation *s, double u,
                        double *slope); /* S, and dS/du when wanted */

/* Says which number of a machine cannot be. where: "file:line" */
gt_status gt_machine_check(const gt_power_machine *m, const char *where, int bus,
                           gt_message *message) GT_MUST_CHECK;

/* The first part of that, for a machine that is not complete yet. */
gt_status gt_machine_check_sizes(const gt_power_machine *m, const char *where, int bus,
                                 gt_message *message) GT_MUST_CHECK;

/* The generator of this unit at the bus with this number; n_gen and an error message when there is
 * none.
 */
size_t gt_machine_gen(const gt_power_case *c, int bus, int unit, const char *where,
                      gt_message *message);

gt_status gt_dynamics_from_table(const char *text, const char *file, const gt_power_case *c,
                                 gt_power_dynamics *out, bool *given,
                                 gt_message *message) GT_MUST_CHECK;
gt_status gt_dynamics_from_dyr(const char *text, const char *file, const gt_power_case *c,
                               double z_source, gt_power_dynamics *out, bool *given,
                               gt_message *message) GT_MUST_CHECK;

#endif
