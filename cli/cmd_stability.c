/* SPDX-License-Identifier: BSD-3-Clause */
/* stability: what a method does to x' = lambda x, as facts, at one point, and as a picture. */
#include "stability_parts.h"
#include "stability_report.h"
#include <math.h>
#include <string.h>

/* What was given for the flags that `stability` alone has. */
typedef struct stability_flags {
    cli_value at, coupling, fast, product, star, test2, window, zff, zss;
} stability_flags;

static inline const stability_flags *stability_own(const cli_args *args)
{
    return gt_cli_own(args, sizeof(stability_flags));
}

static const cli_flag own_flags[] = {
    {CLI_OWN(stability_flags, at, "at"), .value = "RE,IM",
     .help = "the amplification factor at this h lambda (with --test2: at this xi)"},
    {CLI_OWN(stability_flags, test2, "test2"), .value = "alpha=A,beta=B",
     .help = "on the test equation of two rates instead of x' = lambda x"},
    {CLI_OWN(stability_flags, zss, "zss"), .value = "RE,IM",
     .help = "h times the slow eigenvalue, with --zff: the matrix S of two blocks"},
    {CLI_OWN(stability_flags, zff, "zff"), .value = "RE,IM",
     .help = "h times the fast eigenvalue; with --plot: zss, zff are the ends of the axes"},
    {CLI_OWN(stability_flags, coupling, "coupling"), .value = "B",
     .help = "of the blocks: z_sf = B zss, z_fs = B zff; default 0"},
    {CLI_OWN(stability_flags, product, "product"), .value = "RE,IM",
     .help = "instead: the product z_sf z_fs"},
    {CLI_FLAG(h, "h"), .value = "H",
     .help = "smfe: the step for which to count small steps, and to report the gap in lambda"},
    {CLI_OWN(stability_flags, fast, "fast"), .value = "RE,IM",
     .help = "smfe: the fast eigenvalue times eps (default -1,0)"},
    {CLI_FLAG(plot, "plot"), .value = "FILE", .help = "the stable region, .svg, .png or .pdf"},
    {CLI_OWN(stability_flags, star, "star"),
     .help = "with --plot: the order star, where |R| < |exp z|"},
    {CLI_OWN(stability_flags, window, "window"), .value = "L,R,B,T",
     .help = "with --plot: the part of the plane to draw"},
    {CLI_FLAG(out, "out"), .value = "FILE", .help = "the boundary as CSV: curve,re,im"},
    {.name = NULL},
};

static const cli_flag *const flags[] = {gt_cli_method_flags, own_flags, gt_cli_looks_flags,
                                        gt_cli_report_flags, NULL};

static int read_point(const cli_args *args, gt_arena *arena, stability_request *q)
{
    double *at = NULL;
    size_t count = 0;
    int code = gt_cli_numbers(&stability_own(args)->at, arena, &at, &count);
    if (code || !at) return code;
    if (count != 2) return gt_cli_usage("--at takes a real and an imaginary part: --at=-1,0.5");
    q->has_point = true;
    q->at[0] = at[0];
    q->at[1] = at[1];
    return CLI_OK;
}

static int read_pair(const cli_value *flag, gt_arena *arena, double pair[2])
{
    double *list = NULL;
    size_t count = 0;
    int code = gt_cli_numbers(flag, arena, &list, &count);
    if (code || !list) return code;
    if (count > 2)
        return gt_cli_usage("--%s takes a real and an imaginary part: --%s=-1,0.5",
                            flag->flag->name, flag->flag->name);
    pair[0] = list[0];
    pair[1] = count > 1 ? list[1] : 0;
    return CLI_OK;
}

static int read_blocks(const cli_args *args, gt_arena *arena, stability_request *q)
{
    q->blocks = gt_cli_has(&stability_own(args)->zss) || gt_cli_has(&stability_own(args)->zff);
    q->has_product = gt_cli_has(&stability_own(args)->product);
    int code = read_pair(&stability_own(args)->zss, arena, q->zss);
    if (!code) code = read_pair(&stability_own(args)->zff, arena, q->zff);
    if (!code) code = read_pair(&stability_own(args)->product, arena, q->product);
    if (!code) code = gt_cli_number(&stability_own(args)->coupling, &q->coupling);
    if (code) return code;
    if (q->blocks !=
        (gt_cli_has(&stability_own(args)->zss) && gt_cli_has(&stability_own(args)->zff)))
        return gt_cli_usage("--zss and --zff belong together: --zss=-0.1,0.2 --zff=0,3");
    if ((q->has_product || gt_cli_has(&stability_own(args)->coupling)) && !q->blocks)
        return gt_cli_usage(
            "--coupling and --product are for two blocks; give --zss and --zff too");
    if (q->has_product && gt_cli_has(&stability_own(args)->coupling))
        return gt_cli_usage("--coupling and --product say the same thing; give only one of them");
    if (q->blocks && (gt_cli_has(&stability_own(args)->at) || q->test2))
        return gt_cli_usage("--zss and --zff say where; leave --at and --test2 out");
    return CLI_OK;
}

static int read_fast(const cli_args *args, gt_arena *arena, stability_request *q)
{
    double *fast = NULL;
    size_t count = 0;
    q->fast[0] = -1;
    int code = gt_cli_number(&args->flags.h, &q->h);
    if (!code) code = gt_cli_numbers(&stability_own(args)->fast, arena, &fast, &count);
    if (code) return code;
    if (gt_cli_has(&args->flags.h) && !(q->h > 0))
        return gt_cli_usage("--h must be above 0, not %g", q->h);
    if (!fast) return CLI_OK;
    if (count > 2 || !(fast[0] < 0))
        return gt_cli_usage(
            "--fast takes a real part below 0 and an imaginary part: --fast=-1,0.5");
    q->fast[0] = fast[0];
    q->fast[1] = count > 1 ? fast[1] : 0;
    return CLI_OK;
}

static int read_window(const cli_args *args, gt_arena *arena, stability_request *q)
{
    size_t count = 0;
    int code = gt_cli_numbers(&stability_own(args)->window, arena, &q->window, &count);
    if (code || !q->window) return code;
    if (count != 4 || !(q->window[0] < q->window[1]) || !(q->window[2] < q->window[3]))
        return gt_cli_usage("--window takes left,right,bottom,top: --window=-5,1,-4,4");
    return CLI_OK;
}

static int read_test2(const cli_args *args, gt_arena *arena, stability_request *q)
{
    const char *text = gt_cli_text(&stability_own(args)->test2);
    char **words, *name, *value;
    size_t count;
    if (!text) return CLI_OK;
    q->test2 = true;
    q->alpha = q->beta = NAN;
    int code = gt_cli_read_words("--test2", text, arena, &words, &count);
    for (size_t i = 0; i < count && !code; i++) {
        code = gt_cli_read_pair("--test2", words[i], arena, &name, &value);
        if (code) return code;
        if (strcmp(name, "alpha") && strcmp(name, "beta"))
            return gt_cli_usage("--test2 has alpha and beta, not '%s'", name);
        code = gt_cli_read_number("--test2", value, !strcmp(name, "alpha") ? &q->alpha : &q->beta);
    }
    if (!code && (isnan(q->alpha) || isnan(q->beta)))
        return gt_cli_usage("--test2 needs both numbers: --test2 alpha=100,beta=0.1");
    return code;
}

static int read_request(const cli_args *args, gt_arena *arena, stability_request *q)
{
    int code = gt_cli_entries(args, arena, &q->entries, &q->count);
    if (code || (code = read_point(args, arena, q))) return code;
    if ((code = read_window(args, arena, q)) || (code = read_test2(args, arena, q)) ||
        (code = read_blocks(args, arena, q)))
        return code;
    if ((code = read_fast(args, arena, q))) return code;
    q->json = gt_cli_has(&args->flags.json);
    q->star = gt_cli_has(&stability_own(args)->star);
    q->plot = gt_cli_text(&args->flags.plot);
    q->out = gt_cli_text(&args->flags.out);
    if (q->out && (code = gt_cli_check_output("--out", q->out, NULL))) return code;
    if ((q->star || q->window) && !q->plot)
        return gt_cli_usage("--star and --window are for figures; give --plot FILE too");
    if (q->star && q->test2)
        return gt_cli_usage("order stars are for x' = lambda x; leave --test2 out");
    if ((q->star || q->window) && q->blocks)
        return gt_cli_usage("--star and --window are for one block");
    return q->plot ? gt_cli_check_plot(q->plot, NULL) : CLI_OK;
}

static int run(const cli_args *args)
{
    gt_arena arena = gt_arena_growing();
    stability_request q = {.args = args};
    int code = read_request(args, &arena, &q);
    if (!code && !q.test2 && !q.blocks) code = gt_stability_split_pairs(&q, &arena);
    if (!code && q.blocks)
        code = gt_stability_blocks(&q, &arena);
    else if (!code)
        code = q.test2 ? gt_stability_two_rates(&q, &arena) : gt_stability_one_rate(&q, &arena);
    gt_arena_free(&arena);
    return code;
}

static const cli_report reports[] = {
    {.title = "on x' = lambda x", .fields = gt_stability_one_rate_fields, .also = true},
    {.title = "with --test2", .fields = gt_stability_two_rates_fields, .also = true},
    {.title = "with --zss and --zff", .fields = gt_stability_blocks_fields, .also = true},
    {.fields = NULL}};

const cli_command gt_cmd_stability = {
    .name = "stability",
    .title = "where a method is stable: limits, A-, L- and stiff stability, regions, order stars",
    .operands = "METHOD",
    .about =
        "The method acts on x' = lambda x as multiplication by R(z), z = h lambda, or by the roots "
        "of its\n"
        "characteristic polynomial. The facts are computed from these polynomials, not read off a "
        "picture.\n"
        "real_limit and imag_limit are where the stable part of the negative real and of the "
        "imaginary axis\n"
        "that begins at 0 ends; delta and the sector are those of stiff and A(theta)-stability.\n"
        "\n"
        "Partitioned methods are asked about x' = ls x + mu z, z' = de x + lf z with alpha = "
        "lf/ls,\n"
        "beta = mu/ls = de/lf and xi = h ls: --test2 gives the matrix of a step and the region in "
        "xi.\n"
        "--zss and --zff give the matrix S, shome (22), at these h lambda; with --plot, where its "
        "spectral radius\n"
        "is at most 1 in the plane of both, from 0 to the ends that they name. Without any of "
        "these, the facts of\n"
        "the fast and of the slow block of a dual-rate method alone.",
    .examples = "    geartrain stability rk4\n"
                "    geartrain stability gear --opt order=4 --at=-1,2\n"
                "    geartrain stability rk4 --also dopri5,heun --plot regions.svg\n"
                "    geartrain stability gear --opt order=2 --also order=4 --plot gear.svg\n"
                "    geartrain stability rk4 --test2 alpha=100,beta=0.1 --at=-0.02,0\n"
                "    geartrain stability prk2s --zss=-0.1,0.2 --zff=0,3 --coupling 0.3\n"
                "    geartrain stability prk2s --also prk36 --zss=-2,0 --zff=0,6 --coupling 0.3 "
                "--plot map.svg\n"
                "    geartrain stability smfe --opt eps=1e-6,inner=70 --h 0.2 --plot gap.svg",
    .flags = flags,
    .own_bytes = sizeof(stability_flags),
    .min_operands = 1,
    .max_operands = 1,
    .run = run,
    .reports = reports,
};
