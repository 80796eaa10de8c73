/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The dual-rate methods of Shome, Haug, Jay, Mech. Struct. Mach. 32 (2004) 253 ("shome"), for the
 * engine in partitioned_rk.c.
 *
 * dreuler, Tables 2-3: one forward Euler step of h for the slow block, whose straight line the fast
 * block follows in `ratio` Euler steps of h/ratio. Order 1. The comparison solution is Heun's, (f +
 * f_end)/2, whose second slope is the first one of the next step.
 *
 * dravg, Table 4 with a_ij = 1/3, a^_32 = 2/3: the slow block is evaluated once, at the second
 * stage, where it sees a later fast state. Order 1. Node 1/3 of the slow row is not the sum of that
 * row; nodes are sums here, so that t is treated like a slow state. Comparison: for the slow block
 * (k_2 + f_end)/2, of order 1, which costs an evaluation when the step is controlled; for the fast
 * one (1/4, 0, 3/4), of order 2.
 *
 * prk25, Table 6: slow slopes at stages 2 and 4, order 2, with the fast polynomial 1 + z + z^2/2 +
 * 3/16 z^3 + z^4/32 + z^5/128, stable up to 4i. As printed (prk25printed) two entries are wrong:
 * a_32 repeats a_51, and a_42 is the true a_32. Order 1 is left, and a fast limit of 2.14. prk25
 * has them mended, a_32 = 0.50337891 and a_42 = 0.00023846, and all entries refined from eight
 * digits to where the order, coupling and polynomial conditions hold to round-off. Comparison: k_2
 * and l_1 alone, order 1.
 *
 * In none of these both c^ = c and b^ = b, and that is their weakness. A slow and a fast part that
 * move together are looked at in a stage at different times (c^_i and c_i) and pull at each other,
 * unless c^ = c; what one gains the other does not lose, unless b^ = b. dreuler has the first,
 * prk25 and dravg neither: with positions of the fast part relative to the slow one prk25 does
 * well, with absolute ones it drifts or fails. See prk2s and prk3s.
 */
#include "kit/partitioned_rk.h"
#include <geartrain/methods.h>

#define SHOME "Shome, Haug, Jay, Mech. Based Design Struct. Mach. 32 (2004) 253"
#define FAMILY "dual-rate Runge-Kutta"

typedef struct euler_fields {
    int ratio;
} euler_fields;
static const gt_param euler_options[] = {
    {.name = "ratio",
     .help = "fast steps in a slow one",
     .type = GT_INTEGER,
     .initial = 3,
     .min = 1,
     .max = 15,
     .field = GT_OPTION_FIELD(euler_fields, ratio)},
    {0},
};

static void dual_euler(const gt_method *self, const double *v, gt_partitioned *P)
{
    euler_fields o = {0};
    gt_params_fill(self->options, v, &o);
    int m = o.ratio;
    *P = (gt_partitioned){.slow_end = {1, 2}, .fast_end = {1, 2}};
    P->slow.stages = P->fast.stages = m;
    for (int i = 0; i < m; i++) {
        if (i > 0) P->slow.a[i][0] = (gt_ratio){i, m};
        for (int j = 0; j < i; j++) P->fast.a[i][j] = (gt_ratio){1, m};
        P->fast.b[i] = (gt_ratio){1, m};
    }
    P->slow.b[0] = (gt_ratio){1, 1};
    P->slow.b_hat[0] = P->fast.b_hat[0] = (gt_ratio){1, 2};
    gt_prk_fill_nodes(P);
}

static gt_facts order_1(const gt_method *self, const double *v)
{
    return gt_prk_facts(self, v, 1, 1);
}

const gt_method gt_method_dreuler = {
    .name = "dreuler",
    .family = FAMILY,
    .title = "forward Euler with several fast steps in a slow one, order 1",
    .reference = SHOME ", Tables 2-3",
    .options = euler_options,
    .facts = order_1,
    .partitioned_of = dual_euler,
    GT_PRK_ENGINE};

static void averaged(const gt_method *self, const double *v, gt_partitioned *P)
{
    (void)self, (void)v;
    *P = (gt_partitioned){.slow = {.stages = 3,
                                   .a = {[2] = {{0, 1}, {2, 3}}},
                                   .b = {{0, 1}, {1, 1}},
                                   .b_hat = {{0, 1}, {1, 2}}},
                          .fast = {.stages = 3,
                                   .a = {[1] = {{1, 3}}, [2] = {{1, 3}, {1, 3}}},
                                   .b = {{1, 3}, {1, 3}, {1, 3}},
                                   .b_hat = {{1, 4}, {0, 1}, {3, 4}}},
                          .slow_end = {1, 2}};
    gt_prk_fill_nodes(P);
}

const gt_method gt_method_dravg = {
    .name = "dravg",
    .family = FAMILY,
    .title = "one slow evaluation at an averaged fast state, three fast ones, order 1",
    .reference = SHOME ", Table 4",
    .facts = order_1,
    .partitioned_of = averaged,
    GT_PRK_ENGINE};

static const gt_prk_decimals refined = {
    .order = 2,
    .error_order = 1,
    .stages = 5,
    .slow_a = {{0},
               {0},
               {0, 0.52737769041218741},
               {0, 0.99958447178881971},
               {0, 0.52396768170827379, 0, 0.52396768170827379}},
    .fast_a = {{0},
               {0.59790623005426302},
               {0.11732776934101438, 0.50337890897953508},
               {0.24343068998958647, 0.0002384578826614947, 0.15850598767476468},
               {0.18207388996846777, 0.59242459883938592, 0.049157008295783532,
                0.77296314914064967}},
    .slow_b = {0, 0.4997921495266745, 0, 0.5002078504733255},
    .fast_b = {0.43737670804362427, 0.048514057954636508, 0.051120459520878604, 0.25112462479079134,
               0.21186414969006931},
    .slow_b_hat = {0, 1},
    .fast_b_hat = {1}};

static const gt_prk_decimals printed = {
    .order = 1,
    .error_order = 1,
    .stages = 5,
    .slow_a = {[2] = {0, 0.52737769}, [3] = {0, 0.99958447}, [4] = {0, 0.52396768, 0, 0.52396768}},
    .slow_b = {0, 0.499792148, 0, 0.50020785},
    .slow_b_hat = {0, 1},
    .fast_a = {[1] = {0.59790623},
               [2] = {0.11732777, 0.18207389},
               [3] = {0.24343069, 0.50337891, 0.15850599},
               [4] = {0.18207389, 0.59242460, 0.04915701, 0.77296315}},
    .fast_b = {0.43737671, 0.04851406, 0.05112046, 0.25112462, 0.21186415},
    .fast_b_hat = {1}};

#define TABLE_6(id, numbers, text)                                                                 \
    const gt_method gt_method_##id = {.name = #id,                                                 \
                                      .family = FAMILY,                                            \
                                      .title = text,                                               \
                                      .reference = SHOME ", Table 6",                              \
                                      .data = &numbers,                                            \
                                      .facts = gt_prk_decimal_facts,                               \
                                      .partitioned_of = gt_prk_from_decimals,                      \
                                      GT_PRK_ENGINE};
TABLE_6(prk25, refined,
        "2 slow and 5 fast stages, order 2, mended and refined; not for absolute positions")
TABLE_6(prk25printed, printed, "prk25 with the numbers as printed: order 1")
