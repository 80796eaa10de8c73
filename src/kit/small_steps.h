/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_KIT_SMALL_STEPS_H
#define GEARTRAIN_KIT_SMALL_STEPS_H

#include "kit/fast_modes.h"

/*
 * Small steps that make fast parts fall onto their slow manifold. A single one is Euler's,
 *
 *     x <- x + tau f(x),                                     1 + tau lambda
 *
 * a pair of them takes two calls and has conjugate zeros, for modes that swing while they decay,
 *
 *     x <- x + (2 zeta - 1) e f(x) + e f(x + e f(x)),        1 + 2 zeta e lambda + (e lambda)^2
 *
 * and covers tau = 2 zeta e of time, |lambda| = 1/e, zeta the damping ratio. Each also follows a
 * second derivative x'' = c that is foreseen: tau^2/2 c is added, so that what moves on a parabola
 * is met exactly, and fast parts lag behind their manifold by what c is wrong by only.
 *
 * The fast eigenvalues are seen as clusters with gaps between them. On a cluster of real ones
 * single steps lie at the inverse zeros of the Chebyshev polynomial of low..high: K of them
 * contract by 1/T_K((high + low)/(high - low)), the least that K can do. A step for a slow cluster
 * multiplies the faster ones by about tau |lambda|: so each is preceded by steps that have made
 * those smaller than that. This nests, cluster within cluster: telescopic projective integration
 * (Gear, Kevrekidis, J. Comput. Phys. 187, 2003), of which the large step is the outermost.
 */
enum { GT_MOST_SMALL_STEPS = 400 };

/* Eigenvalues near each other, by size. */
typedef struct gt_cluster {
    double low, high;   /* with a margin for what is not known */
    double zeta;        /* of a pair: its damping ratio; 1: real */
    double contraction; /* of a pair of steps on a pair; of real ones: not used */
} gt_cluster;

/* What the eigenvalues faster than a step are like. */
typedef enum gt_fast_kind {
    GT_FAST_NONE,
    GT_FAST_REAL,       /* decay along the negative real axis */
    GT_FAST_DAMPED,     /* some swing as they decay: pairs of small steps damp them */
    GT_FAST_OSCILLATING /* they hardly decay, or they grow */
} gt_fast_kind;

typedef struct gt_fast_part {
    gt_fast_kind kind;
    double low, high; /* of all, by size */
    bool certain;     /* nothing lies between them */
    int count;
    gt_cluster cluster[GT_MODES]; /* fastest first */
} gt_fast_part;

typedef struct gt_small_steps {
    int count, calls; /* a pair is one step and two calls */
    double total;     /* time that they cover */
    /* GT_MOST_SMALL_STEPS each: time of a step, and e of a pair; 0: a single one */
    double *tau, *e;
} gt_small_steps;

void gt_small_steps_layout(gt_small_steps *d, gt_arena *arena);

/* The least damping ratio that pairs of small steps are for. */
#define GT_LEAST_DAMPING 0.1

/* The size of a mode, as it limits steps of Runge-Kutta methods: one that swings does so earlier
 * than one that decays, if it is damped enough to be for small steps. */
double gt_mode_reach(const gt_fast_modes *m, int i);

/* The modes with |lambda| > above, as they reach; `width` is how far they may move, relative to
 * their size. */
gt_fast_part gt_fast_part_of(const gt_fast_modes *modes, double above, double width);

/* The least decay, -Re lambda, of all clusters. */
double gt_fast_part_decay(const gt_fast_part *part);

/* How far a rate is outside the nearest cluster, relative to its size; 0: inside; -1: it does not
 * belong to any. */
double gt_fast_part_off(const gt_fast_part *part, double rate);

/* Makes a rate slower than all others, met to about a third, one of the fast part. */
void gt_fast_part_extend(gt_fast_part *part, double rate);

/* Steps that leave at most `factor` |lambda|^-1 of every fast mode; false: they would be more than
 * GT_MOST_SMALL_STEPS. */
bool gt_small_steps_make(gt_small_steps *d, const gt_fast_part *part, double factor);

#endif
