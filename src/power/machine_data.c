/* SPDX-License-Identifier: BSD-3-Clause */
/* The list of machine numbers, what they must satisfy, and the way from a file to the machines of a
 * case. */
#include "power/machine_data.h"
#include "number/ascii.h"
#include "power/text_file.h"
#include <math.h>
#include <string.h>

#define FIELD(name, alias, base, least, most)                                                      \
    {#name, alias, offsetof(gt_power_machine, name), base, least, most},
#define INERTIA(name) FIELD(name, NULL, GT_BASE_POWER, 1e-6, 1e9) /* s */
#define POWER(name, alias) FIELD(name, alias, GT_BASE_POWER, 0, 1e9)
#define IMPEDANCE(name, alias) FIELD(name, alias, GT_BASE_IMPEDANCE, 1e-9, 1e6)
#define TIME(name, alias) FIELD(name, alias, GT_BASE_NONE, 1e-9, 1e6) /* s */
#define NUMBER(name, alias) FIELD(name, alias, GT_BASE_NONE, 0, 1e9)
const gt_machine_field gt_machine_fields[] = {
    INERTIA(H) POWER(D, NULL) IMPEDANCE(ra, "rs") IMPEDANCE(xd, NULL) IMPEDANCE(xq, NULL)
        IMPEDANCE(xd1, "x'd") IMPEDANCE(xq1, "x'q") IMPEDANCE(xd2, "x''d") IMPEDANCE(xl, NULL)
            TIME(Td0, "T'd0") TIME(Tq0, "T'q0") TIME(Td02, "T''d0") TIME(Tq02, "T''q0")
                TIME(TR, NULL) NUMBER(KA, NULL) TIME(TA, NULL) TIME(TB, NULL) TIME(TC, NULL)
                    NUMBER(KE, NULL) TIME(TE, NULL) NUMBER(KF, NULL) TIME(TF, NULL)
                        NUMBER(VR_max, "VRmax") NUMBER(VR_min, "VRmin") IMPEDANCE(R, NULL)
                            TIME(TSV, NULL) TIME(TCH, NULL) TIME(TRH, NULL) NUMBER(KHP, NULL)
                                TIME(T1, NULL) TIME(T2, NULL) TIME(T3, NULL) POWER(Dt, NULL)
                                    POWER(P_max, "Pmax") POWER(P_min, "Pmin"){0},
};
#undef NUMBER

const char *const gt_machine_kinds[] = {"load", "classical", "twoaxis", "genrou", NULL};
const char *const gt_exciter_kinds[] = {"none", "dc1a", NULL};
const char *const gt_governor_kinds[] = {"none", "reheat", "tgov1", NULL};

void gt_machine_rebase(gt_power_machine *m, double mva_machine, double mva_case)
{
    if (!(mva_machine > 0) || mva_machine == mva_case) return;
    for (const gt_machine_field *f = gt_machine_fields; f->name; f++) {
        if (f->base == GT_BASE_IMPEDANCE) *gt_machine_number(m, f) *= mva_case / mva_machine;
        if (f->base == GT_BASE_POWER) *gt_machine_number(m, f) *= mva_machine / mva_case;
    }
}

gt_status gt_saturation_through(double u1, double s1, double u2, double s2, gt_saturation *out)
{
    *out = (gt_saturation){.quadratic = true};
    if (s1 == 0 && s2 == 0) return GT_OK;
    if (!(u2 > u1) || !(u1 > 0) || !(s2 > s1) || s1 < 0) return GT_BAD_ARGUMENT;
    double root = sqrt(s1 * u1 / (s2 * u2));
    out->b = (u1 - root * u2) / (1 - root);
    out->a = s2 * u2 / ((u2 - out->b) * (u2 - out->b));
    return GT_OK;
}

double gt_saturation_at(const gt_saturation *s, double u, double *slope)
{
    double value = 0, rate = 0;
    if (!s->quadratic) {
        value = s->a * exp(s->b * u);
        rate = s->b * value;
    } else if (u > s->b && u > 0) {
        double above = u - s->b;
        value = s->a * above * above / u;
        rate = s->a * above * (2 * u - above) / (u * u);
    }
    if (slope) *slope = rate;
    return value;
}

static gt_status must(const char *where, int bus, const char *name, const char *what, double value,
                      gt_message *message)
{
    return gt_fail(message, GT_BAD_ARGUMENT, "%s: %s of the machine at bus %d must be %s, not %g",
                   where, name, bus, what, value);
}

#define POSITIVE(name)                                                                             \
    if (!(m->name > 0)) return must(where, bus, #name, "above 0", m->name, message)
#define NOT_NEGATIVE(name)                                                                         \
    if (!(m->name >= 0)) return must(where, bus, #name, "0 or above", m->name, message)

/* Sizes that no machine has, which overflow or vanish in the equations: H = 1e308 gave angles that
 * are not numbers. */
gt_status gt_machine_check_sizes(const gt_power_machine *m, const char *where, int bus,
                                 gt_message *message)
{
    gt_power_machine copy = *m;
    for (const gt_machine_field *f = gt_machine_fields; f->name; f++) {
        double value = *gt_machine_number(&copy, f), size = fabs(value);
        if (size == 0 || (size >= f->least && size <= f->most)) continue;
        return gt_fail(
            message, GT_BAD_ARGUMENT,
            "%s: %s of the machine at bus %d must be 0 or of a size between %g and %g, not %g",
            where, f->name, bus, f->least, f->most, value);
    }
    const gt_saturation *const curves[] = {&m->SE, &m->saturation};
    for (size_t i = 0; i < 2; i++)
        if (!(fabs(curves[i]->a) <= 1e6 && fabs(curves[i]->b) <= 1e3))
            return gt_fail(message, GT_BAD_ARGUMENT,
                           "%s: the saturation of the machine at bus %d is out of range: a = %g "
                           "(at most 1e6), b = %g (at "
                           "most 1e3)",
                           where, bus, curves[i]->a, curves[i]->b);
    return GT_OK;
}

static gt_status check_generator(const gt_power_machine *m, const char *where, int bus,
                                 gt_message *message)
{
    POSITIVE(H);
    POSITIVE(xd1);
    NOT_NEGATIVE(ra);
    if (m->kind == GT_MACHINE_CLASSICAL) return GT_OK;
    POSITIVE(xd);
    POSITIVE(xq);
    POSITIVE(Td0);
    NOT_NEGATIVE(Tq0);
    if (m->Tq0 > 0) POSITIVE(xq1);
    if (m->kind == GT_MACHINE_TWOAXIS) return GT_OK;
    POSITIVE(Tq0);
    POSITIVE(Td02);
    POSITIVE(Tq02);
    POSITIVE(xd2);
    NOT_NEGATIVE(xl);
    if (!(m->xd1 > m->xl)) return must(where, bus, "xd1", "above xl", m->xd1, message);
    if (!(m->xq1 > m->xl)) return must(where, bus, "xq1", "above xl", m->xq1, message);
    return m->xd2 > m->xl ? GT_OK : must(where, bus, "xd2", "above xl", m->xd2, message);
}

gt_status gt_machine_check(const gt_power_machine *m, const char *where, int bus,
                           gt_message *message)
{
    if (m->kind == GT_MACHINE_NONE) return GT_OK;
    gt_status status = gt_machine_check_sizes(m, where, bus, message);
    if (!status) status = check_generator(m, where, bus, message);
    if (status) return status;
    if (m->kind == GT_MACHINE_CLASSICAL && m->exciter != GT_EXCITER_NONE)
        return gt_fail(
            message, GT_BAD_ARGUMENT,
            "%s: the classical machine at bus %d has no field that an exciter could act on", where,
            bus);
    if (m->exciter == GT_EXCITER_DC1) {
        POSITIVE(KA);
        POSITIVE(TA);
        POSITIVE(TE);
        POSITIVE(TF);
        NOT_NEGATIVE(TR);
        NOT_NEGATIVE(TB);
        if (m->TB == 0 && m->TC != 0)
            return must(where, bus, "TB", "above 0 when TC is given", m->TB, message);
    }
    if (m->governor != GT_GOVERNOR_NONE) POSITIVE(R);
    if (m->governor == GT_GOVERNOR_REHEAT) {
        POSITIVE(TSV);
        POSITIVE(TCH);
        POSITIVE(TRH);
    }
    if (m->governor == GT_GOVERNOR_TGOV1) {
        POSITIVE(T1);
        POSITIVE(T3);
    }
    return GT_OK;
}

size_t gt_machine_gen(const gt_power_case *c, int bus, int unit, const char *where,
                      gt_message *message)
{
    size_t i = gt_power_find_bus(c, bus), last = c->n_gen, units = 0;
    for (size_t k = 0; k < c->n_gen; k++) {
        if (c->gen[k].bus != i) continue;
        if (c->gen[k].unit == unit) return k;
        last = k;
        units++;
    }
    if (units == 1 && unit == 0) return last;
    if (i == c->n_bus)
        gt_fail(message, GT_BAD_ARGUMENT, "%s: %s has no bus %d", where, c->name, bus);
    else if (!units)
        gt_fail(message, GT_BAD_ARGUMENT, "%s: %s has no generator at bus %d", where, c->name, bus);
    else
        gt_fail(message, GT_BAD_ARGUMENT, "%s: %s has %zu generators at bus %d, but no unit %d",
                where, c->name, units, bus, unit);
    return c->n_gen;
}

/* A generator in service without data would run away silently. */
static gt_status check_all_given(const gt_power_case *c, const gt_power_dynamics *d,
                                 const bool *given, gt_message *message)
{
    for (size_t k = 0; k < c->n_gen; k++) {
        if (!c->gen[k].on || given[k]) continue;
        return gt_fail(message, GT_BAD_ARGUMENT,
                       "%s: machine data are missing for the generator at bus %d (unit %d); add a "
                       "row, with the model "
                       "'load' if it is to be a negative load",
                       d->file, c->bus[c->gen[k].bus].number, c->gen[k].unit);
    }
    return GT_OK;
}

gt_status gt_power_dynamics_parse(const char *text, const char *file, const gt_power_case *c,
                                  double z_source, gt_power_dynamics *out, gt_arena *arena,
                                  gt_message *message)
{
    GT_ARMOR(message, text && c && out && arena);
    if (!file) file = "machine data";
    size_t length = strlen(file);
    char *file_copy = gt_arena_take(arena, length + 1, 1);
    *out = (gt_power_dynamics){.file = file_copy, .n = c->n_gen};
    out->machine = gt_arena_take(arena, c->n_gen + 1, sizeof *out->machine);
    bool *given = gt_arena_take(arena, c->n_gen + 1, sizeof *given);
    if (!file_copy || !out->machine || !given)
        return gt_fail(message, GT_NO_MEMORY, "%s: out of memory for machine data", file);
    memcpy(file_copy, file, length);
    bool dyr = length > 4 && gt_same_name(file + length - 4, ".dyr");
    gt_status status = dyr ? gt_dynamics_from_dyr(text, file_copy, c, z_source, out, given, message)
                           : gt_dynamics_from_table(text, file_copy, c, out, given, message);
    return status ? status : check_all_given(c, out, given, message);
}

gt_status gt_power_dynamics_read(const char *path, const gt_power_case *c, double z_source,
                                 gt_power_dynamics *out, gt_arena *arena, gt_message *message)
{
    GT_ARMOR(message, path && c && out && arena);
    gt_status status;
    const char *text = gt_text_read(path, "file of machine data", arena, &status, message);
    return text ? gt_power_dynamics_parse(text, path, c, z_source, out, arena, message) : status;
}
