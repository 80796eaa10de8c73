/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Levenberg and Marquardt's method on the equations, from a random start; then on the equations
 * together with what is to be small (errors of the next order, entries, nodes outside of [0, 1]),
 * with growing weight on the equations; last, Newton steps of least norm on the equations alone,
 * with residuals in long double.
 */
#include "design/dualrate.h"
#include "linalg/backend.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is to be made small: the equations times `weight`, and the wishes unless `weight` is 0. */
typedef struct wish {
    const gt_dualrate_system *system;
    double weight; /* 0: the equations alone */
} wish;

static int residuals(const wish *w, const long double *x, long double *out)
{
    const gt_dualrate_system *system = w->system;
    gt_dualrate_pair pair;
    gt_dualrate_unpack(system, x, &pair);
    int count = gt_dualrate_equations(system, &pair, out);
    if (w->weight == 0) return count;
    for (int i = 0; i < count; i++) out[i] *= w->weight;
    count += gt_dualrate_errors(system, &pair, out + count);
    for (int i = 0; i < system->unknowns; i++) out[count++] = 0.01L * x[i];
    for (int i = 0; i < system->stages; i++) {
        long double c = pair.c[i], outside = c < 0 ? -c : c > 1 ? c - 1 : 0;
        out[count++] = 0.3L * outside;
        out[count++] = 0.1L * (pair.b[i] < 0 ? pair.b[i] : 0);
    }
    return count;
}

static long double sum_of_squares(const long double *r, int count)
{
    long double sum = 0;
    for (int i = 0; i < count; i++) sum += r[i] * r[i];
    return sum;
}

typedef struct room {
    double J[(GT_DUALRATE_RESIDUALS + GT_DUALRATE_UNKNOWNS) * GT_DUALRATE_UNKNOWNS];
    double rhs[GT_DUALRATE_RESIDUALS + GT_DUALRATE_UNKNOWNS];
    long double r[GT_DUALRATE_RESIDUALS], moved[GT_DUALRATE_RESIDUALS];
} room;

/* J by differences, column by column, with `extra` rows left free below. */
static void differences(const wish *w, long double *x, int count, int extra, room *q)
{
    int n = w->system->unknowns, rows = count + extra;
    for (int j = 0; j < n; j++) {
        long double kept = x[j], d = 1e-8L;
        x[j] = kept + d;
        residuals(w, x, q->moved);
        x[j] = kept;
        for (int i = 0; i < count; i++) q->J[i + j * rows] = (double)((q->moved[i] - q->r[i]) / d);
        for (int i = count; i < rows; i++) q->J[i + j * rows] = 0;
    }
}

static void levenberg(const wish *w, long double *x, int iterations, long double enough, room *q)
{
    int n = w->system->unknowns, count = residuals(w, x, q->r), rows = count + n;
    long double size = sum_of_squares(q->r, count), trial[GT_DUALRATE_UNKNOWNS];
    double damping = 1e-2;
    for (int k = 0; k < iterations && size > enough && damping < 1e8; k++) {
        differences(w, x, count, n, q);
        for (int j = 0; j < n; j++) q->J[count + j + j * rows] = damping;
        for (int i = 0; i < rows; i++) q->rhs[i] = i < count ? (double)q->r[i] : 0;
        if (!gt_least_squares(rows, n, q->J, q->rhs)) return;
        for (int j = 0; j < n; j++) trial[j] = x[j] - q->rhs[j];
        residuals(w, trial, q->moved);
        long double now = sum_of_squares(q->moved, count);
        if (now < size) {
            bool slow = now > size * (1 - 1e-7L);
            memcpy(x, trial, (size_t)n * sizeof *x);
            memcpy(q->r, q->moved, (size_t)count * sizeof *q->r);
            size = now;
            damping = fmax(damping / 4, 1e-12);
            if (slow) return;
        } else {
            damping *= 5;
        }
    }
}

/* Newton steps of least norm; true when the equations hold to the last digits. */
static bool polish(const wish *w, long double *x, room *q)
{
    int n = w->system->unknowns, count = w->system->equations;
    long double largest = HUGE_VALL;
    for (int k = 0; k < 12; k++) {
        residuals(w, x, q->r);
        largest = sqrtl(sum_of_squares(q->r, count));
        if (!(largest < 1e-2L)) return false;
        if (largest < 1e-18L) break;
        differences(w, x, count, 0, q);
        for (int i = 0; i < count; i++) q->rhs[i] = (double)q->r[i];
        if (!gt_least_norm(count, n, q->J, q->rhs, 1e-12)) return false;
        for (int j = 0; j < n; j++) x[j] -= q->rhs[j];
    }
    return largest < 1e-16L;
}

/* xorshift64*, the same on every machine; uniform in (-1, 1). */
static double draw(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (double)((*state * UINT64_C(2685821657736338717)) >> 11) / 0x1p52 - 1;
}

static void draw_start(const gt_dualrate_system *w, uint64_t *state, long double *x)
{
    long double *next = x;
    for (int i = 1; i < w->stages; i++) {
        double node = (i + 0.6 * draw(state)) / w->stages;
        for (int j = 0; j < i; j++) *next++ = node / i + 0.25 * draw(state);
    }
    while (next < x + w->unknowns - w->n_slow) *next++ = 0.2 + 0.4 * draw(state);
    for (int k = 0; k < w->n_slow; k++) *next++ = (1 + 0.5 * draw(state)) / w->n_slow;
}

bool gt_dualrate_solve(const gt_dualrate_system *system, uint64_t seed, long double *x)
{
    uint64_t state = seed;
    room *q = malloc(sizeof *q);
    if (!q) return false;
    for (int k = 0; k < 20; k++) (void)draw(&state);
    draw_start(system, &state, x);
    levenberg(&(wish){system, 1}, x, 40, 0, q);
    levenberg(&(wish){system, 0}, x, 200, 1e-20L, q);
    bool found = sum_of_squares(q->r, system->equations) < 1e-12L;
    for (double weight = 10; found && weight <= 1e4; weight *= 10)
        levenberg(&(wish){system, weight}, x, 40, 0, q);
    found = found && polish(&(wish){system, 0}, x, q);
    free(q);
    return found;
}
