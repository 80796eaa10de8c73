/* SPDX-License-Identifier: BSD-3-Clause */
/* The solution of a problem: tight runs of two methods of different kind that agree, kept in the
 * build folder. */
#include "battery.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Operations of a tight run: those of the first attempt a state, and the most; a second opinion is
 * worth less. */
static const double first_work = 5e6, most_work = 8e9, most_work_large = 2e11, one_is_there = 0.1;

/* Uneven, so that they meet no period; fractions of the span. */
void battery_times(const gt_problem *p, double *t)
{
    static const double fraction[BATTERY_TIMES] = {.067, .151, .236, .317, .419, .497,
                                                   .583, .691, .772, .853, .931, 1};
    for (int k = 0; k < BATTERY_TIMES; k++) t[k] = p->t0 + fraction[k] * (p->t1 - p->t0);
    t[BATTERY_TIMES - 1] = p->t1;
}

double battery_error(const battery_truth *truth, const double *x, size_t times)
{
    if (times != truth->times) return NAN;
    double most = 0;
    for (size_t k = 0; k < times; k++) {
        double sum = 0;
        for (size_t i = 0; i < truth->n; i++) {
            double e = (x[k * truth->n + i] - truth->x[k * truth->n + i]) / truth->weight[i];
            sum += e * e;
        }
        double size = sqrt(sum / (double)truth->n);
        if (!(size <= most)) most = size;
    }
    return most;
}

double battery_floor(const battery_truth *truth)
{
    return fmax(1e-13, 3 * fmin(truth->spread, 1e-3));
}

bool battery_sensitive(const battery_truth *truth)
{
    return !(truth->spread < 1e-7) || truth->growth > 100;
}

static void path_of(const battery_problem *p, char *path, size_t room)
{
    snprintf(path, room, "%s/%016llx.truth2", BATTERY_CACHE, p->key);
}

static void weigh(battery_truth *truth, const gt_problem *p)
{
    for (size_t i = 0; i < truth->n; i++) {
        double most = 0;
        for (size_t k = 0; k < truth->times; k++)
            most = fmax(most, fabs(truth->x[k * truth->n + i]));
        truth->weight[i] = most + 1e-3 * gt_typical_size(p);
    }
}

/* How much a small change of the start has grown at the outputs, over what it was; both in weights.
 */
static double growth_of(const battery_truth *truth, const battery_problem *p,
                        const gt_method *method, double rtol, double cap)
{
    const double change = 1e-5;
    battery_problem moved = *p;
    size_t n = truth->n, differential = n - p->problem.n_alg;
    double *x = calloc(BATTERY_TIMES * n, sizeof *x), *start = calloc(n, sizeof *start);
    battery_require(x && start, "out of memory for a solution");
    for (size_t i = 0; i < n; i++) {
        double sign = battery_hash(BATTERY_HASH, &i, sizeof i) >> 20 & 1 ? 1 : -1;
        start[i] = p->problem.x0[i] + (i < differential ? sign * change * truth->weight[i] : 0);
    }
    moved.problem.x0 = start;
    size_t times = battery_tight(&moved, method, rtol, cap, truth->t, x);
    double growth = times ? battery_error(truth, x, times) / change : 1;
    free(x);
    free(start);
    return growth;
}

static bool allocate(battery_truth *truth, size_t n)
{
    truth->n = n;
    truth->x = calloc(BATTERY_TIMES * n, sizeof *truth->x);
    truth->weight = calloc(n, sizeof *truth->weight);
    return truth->x && truth->weight;
}

static bool read_cache(battery_truth *truth, const battery_problem *p)
{
    char path[512];
    size_t n = 0;
    path_of(p, path, sizeof path);
    FILE *in = fopen(path, "rb");
    if (!in) return false;
    bool ok = fread(&n, sizeof n, 1, in) == 1 && n == truth->n &&
              fread(&truth->times, sizeof truth->times, 1, in) == 1 &&
              truth->times <= BATTERY_TIMES &&
              fread(&truth->spread, sizeof truth->spread, 1, in) == 1 &&
              fread(&truth->growth, sizeof truth->growth, 1, in) == 1 &&
              fread(truth->methods, sizeof truth->methods, 1, in) == 1 &&
              fread(truth->x, sizeof *truth->x, truth->times * n, in) == truth->times * n;
    fclose(in);
    return ok;
}

/* A file that is not complete is not read again, since it is too short. */
static void write_cache(const battery_truth *truth, const battery_problem *p)
{
    char path[512];
    path_of(p, path, sizeof path);
    FILE *out = fopen(path, "wb");
    if (!out) return;
    fwrite(&truth->n, sizeof truth->n, 1, out);
    fwrite(&truth->times, sizeof truth->times, 1, out);
    fwrite(&truth->spread, sizeof truth->spread, 1, out);
    fwrite(&truth->growth, sizeof truth->growth, 1, out);
    fwrite(truth->methods, sizeof truth->methods, 1, out);
    fwrite(truth->x, sizeof *truth->x, truth->times * truth->n, out);
    fclose(out);
}

/* The two best that come through: those that the library trusts for references, then whatever else
 * auto knows. */
static size_t candidates(const battery_problem *p, const gt_method *list[])
{
    size_t count = 0, more;
    gt_message why;
    const gt_method *known[BATTERY_METHODS];
    if (gt_reference_methods(&p->problem, &(gt_plan){0}, list, &count, &why)) count = 0;
    more = battery_methods(&p->problem, known);
    for (size_t i = 0; i < more; i++) {
        bool there = false;
        for (size_t k = 0; k < count; k++) there = there || list[k] == known[i];
        if (!there) list[count++] = known[i];
    }
    return count;
}

/* The first two that come through; all try with few operations, then with more: on most problems
 * some would take very long. */
static bool compute(battery_truth *truth, const battery_problem *p)
{
    const gt_method *list[GT_REFERENCE_KINDS + BATTERY_METHODS];
    bool large = truth->n > BATTERY_LARGE;
    double tight = large ? 1e-8 : 1e-12, most = large ? most_work_large : most_work,
           *other = calloc(BATTERY_TIMES * truth->n, sizeof *other);
    size_t count = candidates(p, list), found = 0;
    battery_require(other != NULL, "out of memory for a solution");
    truth->spread = INFINITY;
    for (double cap = first_work * fmin(200, 10 + (double)truth->n); found < 2;
         cap = fmin(most, 8 * cap)) {
        for (size_t k = 0; k < count && found < 2; k++) {
            double *x = found ? other : truth->x;
            if (!list[k]) continue;
            size_t times = battery_tight(p, list[k], tight, cap, truth->t, x);
            if (!times || (found && times != truth->times)) continue;
            snprintf(truth->methods[found++], sizeof truth->methods[0], "%s", list[k]->name);
            truth->times = times;
            if (found == 1) {
                weigh(truth, &p->problem);
                truth->growth = growth_of(truth, p, list[k], tight, 2 * cap);
            }
            list[k] = NULL;
        }
        if (cap >= (found ? one_is_there : 1) * most) break;
    }
    if (found == 2) truth->spread = battery_error(truth, other, truth->times);
    free(other);
    return found > 0;
}

bool battery_truth_find(battery_truth *truth, const battery_problem *p)
{
    *truth = (battery_truth){0};
    battery_require(allocate(truth, gt_problem_size(&p->problem)), "out of memory for a solution");
    battery_times(&p->problem, truth->t);
    truth->from_cache = read_cache(truth, p);
    bool found = truth->from_cache || compute(truth, p);
    if (found && !truth->from_cache) write_cache(truth, p);
    if (found) weigh(truth, &p->problem);
    return found;
}

void battery_truth_free(battery_truth *truth)
{
    free(truth->x);
    free(truth->weight);
    *truth = (battery_truth){0};
}
