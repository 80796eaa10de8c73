/* SPDX-License-Identifier: BSD-3-Clause */
/* The list of machine numbers, what they must satisfy, and the way from a file to the machines of a case. */
#include "power/machine_data.h"
#include "number/ascii.h"
#include "power/text_file.h"
#include <math.h>
#include <string.h>

#define FIELD(name, alias, base)                                                                                       \
    {                                                                                                                  \
#name, alias, offsetof(gt_power_machine, name), base                                                           \
    }
const gt_machine_field gt_machine_fields[] = {
    FIELD(H, NULL, GT_BASE_POWER),        FIELD(D, NULL, GT_BASE_POWER),         FIELD(ra, "rs", GT_BASE_IMPEDANCE),
    FIELD(xd, NULL, GT_BASE_IMPEDANCE),   FIELD(xq, NULL, GT_BASE_IMPEDANCE),    FIELD(xd1, "x'd", GT_BASE_IMPEDANCE),
    FIELD(xq1, "x'q", GT_BASE_IMPEDANCE), FIELD(xd2, "x''d", GT_BASE_IMPEDANCE), FIELD(xl, NULL, GT_BASE_IMPEDANCE),
    FIELD(Td0, "T'd0", GT_BASE_NONE),     FIELD(Tq0, "T'q0", GT_BASE_NONE),      FIELD(Td02, "T''d0", GT_BASE_NONE),
    FIELD(Tq02, "T''q0", GT_BASE_NONE),   FIELD(TR, NULL, GT_BASE_NONE),         FIELD(KA, NULL, GT_BASE_NONE),
    FIELD(TA, NULL, GT_BASE_NONE),        FIELD(TB, NULL, GT_BASE_NONE),         FIELD(TC, NULL, GT_BASE_NONE),
    FIELD(KE, NULL, GT_BASE_NONE),        FIELD(TE, NULL, GT_BASE_NONE),         FIELD(KF, NULL, GT_BASE_NONE),
    FIELD(TF, NULL, GT_BASE_NONE),        FIELD(VR_max, "VRmax", GT_BASE_NONE),  FIELD(VR_min, "VRmin", GT_BASE_NONE),
    FIELD(R, NULL, GT_BASE_IMPEDANCE),    FIELD(TSV, NULL, GT_BASE_NONE),        FIELD(TCH, NULL, GT_BASE_NONE),
    FIELD(TRH, NULL, GT_BASE_NONE),       FIELD(KHP, NULL, GT_BASE_NONE),        FIELD(T1, NULL, GT_BASE_NONE),
    FIELD(T2, NULL, GT_BASE_NONE),        FIELD(T3, NULL, GT_BASE_NONE),         FIELD(Dt, NULL, GT_BASE_POWER),
    FIELD(P_max, "Pmax", GT_BASE_POWER),  FIELD(P_min, "Pmin", GT_BASE_POWER),   {0},
};

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

static gt_status must(const char *where, int bus, const char *name, const char *what, double value, gt_message *message)
{
    return gt_fail(message, GT_BAD_ARGUMENT, "%s: %s of the machine at bus %d must be %s, not %g", where, name, bus,
                   what, value);
}

#define POSITIVE(name)                                                                                                 \
    if (!(m->name > 0)) return must(where, bus, #name, "above 0", m->name, message)
#define NOT_NEGATIVE(name)                                                                                             \
    if (!(m->name >= 0)) return must(where, bus, #name, "0 or above", m->name, message)

static gt_status check_generator(const gt_power_machine *m, const char *where, int bus, gt_message *message)
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

gt_status gt_machine_check(const gt_power_machine *m, const char *where, int bus, gt_message *message)
{
    if (m->kind == GT_MACHINE_NONE) return GT_OK;
    gt_status status = check_generator(m, where, bus, message);
    if (status) return status;
    if (m->kind == GT_MACHINE_CLASSICAL && m->exciter != GT_EXCITER_NONE)
        return gt_fail(message, GT_BAD_ARGUMENT,
                       "%s: the classical machine at bus %d has no field that an exciter could act on", where, bus);
    if (m->exciter == GT_EXCITER_DC1) {
        POSITIVE(KA);
        POSITIVE(TA);
        POSITIVE(TE);
        POSITIVE(TF);
        NOT_NEGATIVE(TR);
        NOT_NEGATIVE(TB);
        if (m->TB == 0 && m->TC != 0) return must(where, bus, "TB", "above 0 when TC is given", m->TB, message);
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

size_t gt_machine_gen(const gt_power_case *c, int bus, int unit, const char *where, gt_message *message)
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
        gt_fail(message, GT_BAD_ARGUMENT, "%s: %s has %zu generators at bus %d, but no unit %d", where, c->name, units,
                bus, unit);
    return c->n_gen;
}

/* A generator in service without data would run away without a word. */
static gt_status check_all_given(const gt_power_case *c, const gt_power_dynamics *d, const bool *given,
                                 gt_message *message)
{
    for (size_t k = 0; k < c->n_gen; k++) {
        if (!c->gen[k].on || given[k]) continue;
        return gt_fail(message, GT_BAD_ARGUMENT,
                       "%s: machine data are missing for the generator at bus %d (unit %d); add a row, with the model "
                       "'load' if it is to be a negative load",
                       d->file, c->bus[c->gen[k].bus].number, c->gen[k].unit);
    }
    return GT_OK;
}

gt_status gt_power_dynamics_parse(const char *text, const char *file, const gt_power_case *c, double z_source,
                                  gt_power_dynamics *out, gt_arena *arena, gt_message *message)
{
    size_t length = strlen(file);
    char *file_copy = gt_arena_take(arena, length + 1, 1);
    *out = (gt_power_dynamics){.file = file_copy, .n = c->n_gen};
    out->machine = gt_arena_take(arena, c->n_gen + 1, sizeof *out->machine);
    bool *given = gt_arena_take(arena, c->n_gen + 1, sizeof *given);
    if (!file_copy || !out->machine || !given)
        return gt_fail(message, GT_NO_MEMORY, "%s: there is no memory for machine data", file);
    memcpy(file_copy, file, length);
    bool dyr = length > 4 && gt_same_name(file + length - 4, ".dyr");
    gt_status status = dyr ? gt_dynamics_from_dyr(text, file_copy, c, z_source, out, given, message)
                           : gt_dynamics_from_table(text, file_copy, c, out, given, message);
    return status ? status : check_all_given(c, out, given, message);
}

gt_status gt_power_dynamics_read(const char *path, const gt_power_case *c, double z_source, gt_power_dynamics *out,
                                 gt_arena *arena, gt_message *message)
{
    gt_status status;
    const char *text = gt_text_read(path, "file of machine data", arena, &status, message);
    return text ? gt_power_dynamics_parse(text, path, c, z_source, out, arena, message) : status;
}
