/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PSS/E dynamic data: records  BUS 'MODEL' ID number number ... /  over any number of lines,
 * separated by blanks or commas; what follows the slash on its line is a comment. Numbers are on
 * the base of the machine, mBase of the case. GENCLS  H D                                    x'd is
 * ZSOURCE of the RAW file: here a third number, or z_source GENROU  T'd0 T''d0 T'q0 T''q0 H D xd xq
 * x'd x'q x''d xl S(1.0) S(1.2) IEEET1  TR KA TA VRmax VRmin KE TE KF TF switch E1 SE(E1) E2 SE(E2)
 *     ESDC1A  TR KA TA TB TC VRmax VRmin KE TE KF TF switch E1 SE(E1) E2 SE(E2)
 *     TGOV1   R T1 Vmax Vmin T2 T3 Dt
 * Other models are refused by name.
 */
#include "number/ascii.h"
#include "power/machine_data.h"
#include <geartrain/author/number.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 64, MOST_WORD = 32 };

typedef struct record {
    char word[MOST_WORDS][MOST_WORD];
    int words, line;
    double number[MOST_WORDS]; /* after bus, model and identifier */
    int numbers;
} record;

typedef struct dyr {
    const char *at, *file;
    int line;
    const gt_power_case *c;
    double z_source;
    gt_power_dynamics *out;
    bool *has_machine, *has_exciter, *has_governor;
    gt_message *message;
} dyr;

static gt_status wrong(const dyr *d, const record *r, const char *what)
{
    return gt_fail(d->message, GT_BAD_ARGUMENT, "%s:%d: %s", d->file, r->line, what);
}

static void to_line_end(dyr *d)
{
    while (*d->at && *d->at != '\n') d->at++;
}

/* The next record; false at the end of the file. */
static bool next_record(dyr *d, record *r, bool *too_long)
{
    r->words = 0;
    *too_long = false;
    for (; *d->at; d->at += *d->at != '\0') {
        if (*d->at == '\n') {
            d->line++;
        } else if (*d->at == '/') {
            to_line_end(d);
            if (r->words) return true;
            d->line++;
        } else if (!gt_is_blank(*d->at) && *d->at != ',') {
            char quote = *d->at == '\'' || *d->at == '"' ? *d->at++ : '\0';
            size_t length =
                quote ? strcspn(d->at, quote == '"' ? "\"\n" : "'\n") : strcspn(d->at, " \t\r\n,/");
            if (!r->words) r->line = d->line;
            if (r->words == MOST_WORDS || length >= MOST_WORD) {
                *too_long = true;
                return true;
            }
            memcpy(r->word[r->words], d->at, length);
            r->word[r->words][length] = '\0';
            while (length && gt_is_blank(r->word[r->words][length - 1]))
                r->word[r->words][--length] = '\0';
            r->words++;
            d->at += strcspn(d->at, quote ? (quote == '"' ? "\"\n" : "'\n") : " \t\r\n,/");
            if (!quote || *d->at == '\n') d->at--; /* the loop moves on by one */
        }
    }
    return r->words > 0;
}

static gt_status want(const dyr *d, const record *r, int fewest, int most)
{
    char text[160];
    if (r->numbers >= fewest && r->numbers <= most) return GT_OK;
    snprintf(text, sizeof text, "%s takes %d numbers, here are %d", r->word[1], fewest, r->numbers);
    return wrong(d, r, text);
}

static gt_status saturation(const dyr *d, const record *r, double u1, double s1, double u2,
                            double s2, gt_saturation *out)
{
    if (!gt_saturation_through(u1, s1, u2, s2, out)) return GT_OK;
    return wrong(d, r, "the saturation must rise from the first point to the second");
}

static gt_status gencls(const dyr *d, const record *r, gt_power_machine *m)
{
    const double *v = r->number;
    gt_status status = want(d, r, 2, 3);
    if (status) return status;
    m->kind = GT_MACHINE_CLASSICAL;
    m->H = v[0], m->D = v[1], m->xd1 = r->numbers == 3 ? v[2] : d->z_source;
    if (m->xd1 > 0) return GT_OK;
    return wrong(d, r,
                 "GENCLS has no reactance (PSS/E takes ZSOURCE from the RAW file, which a MATPOWER "
                 "case does not have); add it as a third number, or give --zsource X");
}

static gt_status genrou(const dyr *d, const record *r, gt_power_machine *m)
{
    const double *v = r->number;
    gt_status status = want(d, r, 14, 14);
    if (status) return status;
    m->kind = GT_MACHINE_ROUND;
    m->Td0 = v[0], m->Td02 = v[1], m->Tq0 = v[2], m->Tq02 = v[3], m->H = v[4], m->D = v[5];
    m->xd = v[6], m->xq = v[7], m->xd1 = v[8], m->xq1 = v[9], m->xd2 = v[10], m->xl = v[11];
    return saturation(d, r, 1, v[12], 1.2, v[13], &m->saturation);
}

static gt_status ieeet1(const dyr *d, const record *r, gt_power_machine *m)
{
    const double *v = r->number;
    gt_status status = want(d, r, 14, 14);
    if (status) return status;
    m->exciter = GT_EXCITER_DC1;
    m->TR = v[0], m->KA = v[1], m->TA = v[2], m->VR_max = v[3], m->VR_min = v[4];
    m->KE = v[5], m->TE = v[6], m->KF = v[7], m->TF = v[8];
    return saturation(d, r, v[10], v[11], v[12], v[13], &m->SE);
}

static gt_status esdc1a(const dyr *d, const record *r, gt_power_machine *m)
{
    const double *v = r->number;
    gt_status status = want(d, r, 16, 16);
    if (status) return status;
    m->exciter = GT_EXCITER_DC1;
    m->TR = v[0], m->KA = v[1], m->TA = v[2], m->TB = v[3], m->TC = v[4], m->VR_max = v[5],
    m->VR_min = v[6];
    m->KE = v[7], m->TE = v[8], m->KF = v[9], m->TF = v[10];
    if (m->TB == 0) m->TC = 0; /* no lead-lag */
    return saturation(d, r, v[12], v[13], v[14], v[15], &m->SE);
}

static gt_status tgov1(const dyr *d, const record *r, gt_power_machine *m)
{
    const double *v = r->number;
    gt_status status = want(d, r, 7, 7);
    if (status) return status;
    m->governor = GT_GOVERNOR_TGOV1;
    m->R = v[0], m->T1 = v[1], m->P_max = v[2], m->P_min = v[3], m->T2 = v[4], m->T3 = v[5],
    m->Dt = v[6];
    return GT_OK;
}

enum { MACHINE, EXCITER, GOVERNOR };
static const struct dyr_model {
    const char *name;
    int part;
    gt_status (*take)(const dyr *d, const record *r, gt_power_machine *m);
} models[] = {{"GENCLS", MACHINE, gencls},
              {"GENROU", MACHINE, genrou},
              {"IEEET1", EXCITER, ieeet1},
              {"ESDC1A", EXCITER, esdc1a},
              {"TGOV1", GOVERNOR, tgov1}};
enum { N_MODELS = sizeof models / sizeof *models };

static gt_status unknown_model(const dyr *d, const record *r)
{
    gt_status status = gt_fail(d->message, GT_UNSUPPORTED,
                               "%s:%d: the model '%s' at bus %s is not known; known are", d->file,
                               r->line, r->word[1], r->word[0]);
    for (int i = 0; i < N_MODELS; i++)
        gt_say_more(d->message, "%s %s", i ? "," : "", models[i].name);
    return status;
}

static gt_status read_numbers(const dyr *d, record *r)
{
    char text[160];
    r->numbers = 0;
    for (int i = 3; i < r->words; i++) {
        double value;
        if (*gt_number_read(r->word[i], NULL, &value) || !isfinite(value)) {
            snprintf(text, sizeof text, "'%s' is not a number", r->word[i]);
            return wrong(d, r, text);
        }
        r->number[r->numbers++] = value;
    }
    return GT_OK;
}

static gt_status take_record(dyr *d, record *r)
{
    char where[300], text[160], *end;
    if (r->words < 3) return wrong(d, r, "a record is: BUS 'MODEL' ID numbers /");
    long bus = strtol(r->word[0], &end, 10);
    if (*end || bus < 1 || bus > 2000000000)
        return wrong(d, r, "a record begins with a bus number");
    const struct dyr_model *model = NULL;
    for (int i = 0; i < N_MODELS; i++)
        if (gt_same_name(models[i].name, r->word[1])) model = &models[i];
    if (!model) return unknown_model(d, r);
    snprintf(where, sizeof where, "%.250s:%d", d->file, r->line);
    size_t gen = gt_machine_gen(d->c, (int)bus, (int)strtol(r->word[2], NULL, 10), where, NULL);
    if (gen == d->c->n_gen) gen = gt_machine_gen(d->c, (int)bus, 0, where, d->message);
    if (gen == d->c->n_gen) return GT_BAD_ARGUMENT;
    bool *has = model->part == MACHINE   ? d->has_machine
                : model->part == EXCITER ? d->has_exciter
                                         : d->has_governor;
    if (has[gen]) {
        snprintf(text, sizeof text, "%s is the second model of its kind for this generator",
                 r->word[1]);
        return wrong(d, r, text);
    }
    has[gen] = true;
    gt_status status = read_numbers(d, r);
    if (!status) status = model->take(d, r, &d->out->machine[gen]);
    return status ? status
                  : gt_machine_check_sizes(&d->out->machine[gen], where, (int)bus, d->message);
}

/* Checks, and moves to the base of the case, once all records of a machine are together. */
static gt_status finish(const dyr *d)
{
    char where[300];
    for (size_t k = 0; k < d->c->n_gen; k++) {
        if (!d->has_machine[k]) continue;
        int bus = d->c->bus[d->c->gen[k].bus].number;
        snprintf(where, sizeof where, "%.290s", d->file);
        gt_status status = gt_machine_check(&d->out->machine[k], where, bus, d->message);
        if (status) return status;
        gt_machine_rebase(&d->out->machine[k], d->c->gen[k].mva, d->c->mva);
    }
    return GT_OK;
}

gt_status gt_dynamics_from_dyr(const char *text, const char *file, const gt_power_case *c,
                               double z_source, gt_power_dynamics *out, bool *given,
                               gt_message *message)
{
    gt_arena own = gt_arena_growing();
    dyr d = {.at = text,
             .file = file,
             .line = 1,
             .c = c,
             .z_source = z_source,
             .out = out,
             .message = message};
    d.has_machine = given;
    d.has_exciter = gt_arena_take(&own, c->n_gen + 1, sizeof(bool));
    d.has_governor = gt_arena_take(&own, c->n_gen + 1, sizeof(bool));
    record r;
    bool too_long;
    gt_status status =
        own.failed ? gt_fail(message, GT_NO_MEMORY, "%s: out of memory", file) : GT_OK;
    while (!status && next_record(&d, &r, &too_long))
        status = too_long ? wrong(&d, &r, "this record is too long; does it end with a slash?")
                          : take_record(&d, &r);
    gt_arena_free(&own);
    return status ? status : finish(&d);
}
