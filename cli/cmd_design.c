/* SPDX-License-Identifier: BSD-3-Clause */
/* design: new methods, as method files that --method takes. */
#include "design_parts.h"
#include <string.h>

static const cli_flag multistep_flags[] = {
    {CLI_OWN(design_flags, a_steps, "a-steps"), .value = "I,J,..",
     .help = "points that enter: 0 is x_n, 1 is x_(n-1), up to 5"},
    {CLI_OWN(design_flags, b_steps, "b-steps"), .value = "I,J,..",
     .help = "slopes that enter: -1 is f_(n+1), 0 is f_n, up to 5"},
    {.name = NULL},
};

static const cli_flag order_flags[] = {
    {CLI_OWN(design_flags, order, "order"), .value = "K",
     .help = "the order of the method or of the polynomial"},
    {.name = NULL},
};

static const cli_flag dualrate_flags[] = {
    {CLI_OWN(design_flags, slow, "slow"), .value = "P", .help = "slow stages"},
    {CLI_OWN(design_flags, fast, "fast"), .value = "S",
     .help = "fast stages, which are all stages, up to 16"},
    {CLI_OWN(design_flags, polynomial_order, "polynomial-order"), .value = "K",
     .help = "order of the fast polynomial; default: that of the pair"},
    {CLI_OWN(design_flags, slow_stages, "slow-stages"), .value = "1,J,..",
     .help = "which stages are slow; default: at random"},
    {CLI_OWN(design_flags, starts, "starts"), .value = "N",
     .help = "how many searches; default 400"},
    {.name = NULL},
};

static const cli_flag half_flags[] = {
    {CLI_OWN(design_flags, c, "c"), .value = "P/Q", .help = "coefficient of z^6; default 1/1120"},
    {CLI_OWN(design_flags, d, "d"), .value = "P/Q", .help = "coefficient of z^7; default 1/8064"},
    {CLI_OWN(design_flags, sweeps, "sweeps"), .value = "N",
     .help = "how long each one is improved; default 400"},
    {CLI_OWN(design_flags, starts, "starts"), .value = "N",
     .help = "how many searches; default 20"},
    {.name = NULL},
};

static const cli_flag search_flags[] = {
    {CLI_OWN(design_flags, start, "start"), .value = "N", .help = "only this one of them"},
    {CLI_OWN(design_flags, seed, "seed"), .value = "N",
     .help = "seed of the random starts; default 1"},
    {CLI_OWN(design_flags, pick, "pick"), .value = "N",
     .help = "which one of the ranking to write; default 1"},
    {.name = NULL},
};

static const cli_flag axis_flags[] = {
    {CLI_OWN(design_flags, axis, "axis"), .value = "imaginary|real|ellipse",
     .help = "where to be stable; default imaginary"},
    {CLI_OWN(design_flags, limit, "limit"), .value = "L",
     .help = "imaginary axis: stable up to L i, and as accurate as possible"},
    {.name = NULL},
};

static const cli_flag polynomial_flags[] = {
    {CLI_OWN(design_flags, degree, "degree"), .value = "S", .help = "its degree, up to 16"},
    {CLI_OWN(design_flags, aspect, "aspect"), .value = "A",
     .help = "ellipse: real over imaginary half axis; default 0.5"},
    {CLI_OWN(design_flags, damping, "damping"), .value = "D",
     .help = "real axis: stay inside 1 - D |z|/(1 + |z|); default 0"},
    {CLI_FLAG(plot, "plot"), .value = "FILE", .help = "|R| along the axis, .svg, .png or .pdf"},
    {CLI_FLAG(title, "title"), .value = "TEXT", .help = "the title of the figure"},
    {CLI_FLAG(size, "size"), .value = "WxH", .help = "its size in pixels, as in 1200x800"},
    {.name = NULL},
};

static const cli_flag file_flags[] = {
    {CLI_OWN(design_flags, name, "name"), .value = "NAME",
     .help = "name of the method; default: designed"},
    {CLI_FLAG(out, "out"), .value = "FILE.json|-", .help = "the method file"},
    {.name = NULL},
};

int gt_design_read_axis(const cli_args *args, gt_axis *axis)
{
    static const char *const names[] = {"imaginary", "real", "ellipse", NULL};
    const char *text = gt_cli_text(&design_own(args)->axis);
    char hint[96];
    for (int i = 0; names[i]; i++) {
        if (text && strcmp(text, names[i])) continue;
        *axis = (gt_axis)i; /* the first when there is no flag */
        return CLI_OK;
    }
    return gt_cli_usage("--axis is imaginary, real or ellipse, not '%s'%s", text,
                        gt_cli_suggest(text, names, hint));
}

int gt_design_read_whole(const cli_value *flag, const char *kind_name, long min, long max,
                         int *value)
{
    long read = 0;
    if (!gt_cli_has(flag)) return gt_cli_usage("design %s needs --%s", kind_name, flag->flag->name);
    int code = gt_cli_whole(flag, min, max, &read);
    *value = (int)read;
    return code;
}

int gt_design_check_out(const cli_args *args)
{
    const char *out = gt_cli_text(&args->flags.out);
    int code = out ? gt_cli_check_output("--out", out, NULL) : CLI_OK;
    if (!code && out && !strcmp(out, "-") && gt_cli_has(&args->flags.json))
        return gt_cli_usage(
            "--out - and --json both write to standard output; give only one of them");
    return code;
}

void gt_design_say_file(const char *out)
{
    if (out) printf("wrote %s; use it as --method %s%s\n", out, strchr(out, '.') ? "" : "./", out);
}

int gt_design_run_starts(const cli_args *args, size_t starts, size_t *first,
                         void (*work)(size_t i, void *ctx), void *ctx)
{
    cli_progress bar;
    gt_plan plan = {0};
    long threads;
    int code = gt_cli_threads(args, &threads);
    if (code) return code;
    gt_cli_catch_interrupt(&plan);
    gt_cli_progress_begin(&bar, args, 0, (double)starts);
    for (*first = 0; *first < starts && !gt_cli_interrupted();) {
        size_t piece = 4 * (size_t)threads, left = starts - *first;
        piece = piece < left ? piece : left;
        gt_cli_parallel(threads, piece, work, ctx);
        *first += piece;
        gt_cli_progress_pieces(&bar, *first, starts);
    }
    gt_cli_progress_end(&bar);
    if (*first < starts)
        gt_cli_note("interrupted after %zu of %zu starts; ranking those", *first, starts);
    return CLI_OK;
}

static const cli_flag *const multistep_tables[] = {multistep_flags, order_flags, file_flags,
                                                   gt_cli_common_flags, NULL};

static const cli_command multistep = {
    .name = "design multistep",
    .title = "a multistep formula from the points and slopes that enter",
    .operands = "--a-steps I,.. --b-steps J,.. --order K",
    .about = "Finds the coefficients at the chosen points x_(n-i) and slopes f_(n-i) from the "
             "exactness constraints\n"
             "crow (5.51)-(5.52), as fractions; it takes K + 1 coefficients for order K. It gives "
             "the error constant\n"
             "(5.89) and the roots of rho, and warns when a formula is not zero-stable.",
    .examples = "    geartrain design multistep --a-steps 0,1,2,3 --b-steps=-1 --order 4 --name "
                "gear4own --out gear4own.json\n"
                "    geartrain run stiff2 --method gear4own.json",
    .flags = multistep_tables,
    .own_bytes = sizeof(design_flags),
    .run = gt_design_multistep_run,
    .reports = gt_design_multistep_reports,
};

static const cli_flag *const polynomial_tables[] = {
    polynomial_flags, order_flags, axis_flags, file_flags, gt_cli_common_flags, NULL};

static const cli_command polynomial = {
    .name = "design polynomial",
    .title = "a stability polynomial that reaches far along an axis",
    .operands = "--degree S --order K",
    .about = "Finds R(z) = 1 + z + .. of a degree and an order with |R| <= 1 as far as possible "
             "along an axis, or in an\n"
             "ellipse that touches 0, to all digits; in fractions where they are known. The file "
             "is an explicit\n"
             "Runge-Kutta method with this R, of order 3 at most.",
    .examples = "    geartrain design polynomial --degree 5 --order 2 --axis imaginary\n"
                "    geartrain design polynomial --degree 6 --order 4 --plot polynomial.svg",
    .flags = polynomial_tables,
    .own_bytes = sizeof(design_flags),
    .run = gt_design_polynomial_run,
    .reports = gt_design_polynomial_reports,
};

static const cli_flag *const dualrate_tables[] = {
    dualrate_flags, search_flags, order_flags, axis_flags, file_flags, gt_cli_common_flags, NULL};

static const cli_command dualrate = {
    .name = "design dualrate",
    .title = "a pair of tableaux for a slow and a fast block",
    .operands = "--slow P --fast S --order K",
    .about = "Searches for pairs of tableaux of a slow and a fast block, with equal nodes and "
             "weights, of order 2 to 4,\n"
             "whose fast block has the best polynomial of the axis. It solves all order, coupling "
             "and polynomial\n"
             "conditions from many starts and ranks the pairs by their error constant and by their "
             "stable step on\n"
             "coupled test systems. The same seed gives the same pairs.",
    .examples = "    geartrain design dualrate --slow 3 --fast 6 --order 3 --starts 40 --name mine "
                "--out mine.json\n"
                "    geartrain compare kpr --methods mine.json,rk4 --h 0.01",
    .flags = dualrate_tables,
    .own_bytes = sizeof(design_flags),
    .run = gt_design_dualrate_run,
    .reports = gt_design_dualrate_reports,
};

static const cli_flag *const half_tables[] = {half_flags, search_flags, file_flags,
                                              gt_cli_common_flags, NULL};

static const cli_command half = {
    .name = "design half",
    .title = "a half of an A-stable backinterpolation method of order 6",
    .operands = "",
    .about = "Searches for explicit Runge-Kutta methods of order 5 with 7 stages whose polynomial "
             "T5 + c z^6 + d z^7\n"
             "has all zeros in the left half plane, which Routh's array in rational arithmetic "
             "proves or disproves:\n"
             "with one in both halves a backinterpolation method has order 6 and is A-stable. They "
             "are ranked by how\n"
             "much they violate the conditions of order 6. The same seed gives the same halves.",
    .examples = "    geartrain design half --starts 4 --sweeps 50 --name six --out six.json\n"
                "    geartrain stability six.json",
    .flags = half_tables,
    .own_bytes = sizeof(design_flags),
    .run = gt_design_half_run,
    .reports = gt_design_half_reports,
};

static const cli_command *const subs[] = {&multistep, &polynomial, &dualrate, &half, NULL};

const cli_command gt_cmd_design = {
    .name = "design",
    .title = "makes a new method and writes it as a file that --method takes",
    .operands = "multistep|polynomial|dualrate|half",
    .subs = subs,
};
