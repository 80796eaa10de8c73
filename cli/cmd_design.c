/* SPDX-License-Identifier: BSD-3-Clause */
/* design: new methods, as method files that --method takes. */
#include "design_parts.h"
#include <string.h>

static const cli_flag own_flags[] = {
    {.name = "a-steps", .value = "I,J,..", .help = "multistep: points that enter: 0 is x_n, 1 is x_(n-1), up to 5"},
    {.name = "b-steps", .value = "I,J,..", .help = "multistep: slopes that enter: -1 is f_(n+1), 0 is f_n, up to 5"},
    {.name = "degree", .value = "S", .help = "polynomial: its degree, up to 16"},
    {.name = "slow", .value = "P", .help = "dualrate: slow stages"},
    {.name = "fast", .value = "S", .help = "dualrate: fast stages, which are all stages, up to 16"},
    {.name = "order", .value = "K", .help = "the order of the method or of the polynomial"},
    {.name = "axis", .value = "imaginary|real|ellipse", .help = "polynomial, dualrate: where to be stable"},
    {.name = "aspect", .value = "A", .help = "ellipse: real over imaginary half axis; default 0.5"},
    {.name = "damping", .value = "D", .help = "real axis: stay inside 1 - D |z|/(1 + |z|); default 0"},
    {.name = "polynomial-order",
     .value = "K",
     .help = "dualrate: order of the fast polynomial; default: that of the pair"},
    {.name = "limit", .value = "L", .help = "imaginary axis: stable up to L i, and as accurate as possible"},
    {.name = "slow-stages", .value = "1,J,..", .help = "dualrate: which stages are slow; default: by lot"},
    {.name = "starts", .value = "N", .help = "dualrate: how many searches; default 400"},
    {.name = "start", .value = "N", .help = "dualrate: only this one of them"},
    {.name = "seed", .value = "N", .help = "dualrate: of the random starts; default 1"},
    {.name = "pick", .value = "N", .help = "dualrate: which pair of the ranking to write; default 1"},
    {.name = "name", .value = "NAME", .help = "name of the method; default: designed"},
    {.name = "plot", .value = "FILE", .help = "polynomial: |R| along the axis, .svg, .png or .pdf"},
    {.name = "out", .value = "FILE.json|-", .help = "the method file"},
    {.name = NULL},
};

static const cli_flag *const flags[] = {own_flags, gt_cli_common_flags, NULL};

typedef struct kind {
    const char *name;
    int (*run)(const cli_args *args);
    const char *flags; /* those of its own, each between blanks */
} kind;

static const kind kinds[] = {
    {"multistep", gt_design_multistep_run, " a-steps b-steps order name out "},
    {"polynomial", gt_design_polynomial_run, " degree order axis aspect damping limit name plot out "},
    {"dualrate", gt_design_dualrate_run,
     " slow fast order axis polynomial-order limit slow-stages starts start seed pick name out "},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

int gt_design_read_axis(const cli_args *args, gt_axis *axis)
{
    static const char *const names[] = {"imaginary", "real", "ellipse", NULL};
    const char *text = gt_cli_text(args, "axis");
    char hint[96];
    for (int i = 0; names[i]; i++) {
        if (text && strcmp(text, names[i])) continue;
        *axis = (gt_axis)i; /* the first when there is no flag */
        return CLI_OK;
    }
    return gt_cli_usage("--axis is imaginary, real or ellipse, not '%s'%s", text, gt_cli_suggest(text, names, hint));
}

int gt_design_read_whole(const cli_args *args, const char *kind_name, const char *flag, long min, long max, int *value)
{
    long read = 0;
    if (!gt_cli_has(args, flag)) return gt_cli_usage("design %s needs --%s", kind_name, flag);
    int code = gt_cli_whole(args, flag, min, max, &read);
    *value = (int)read;
    return code;
}

int gt_design_check_out(const cli_args *args)
{
    const char *out = gt_cli_text(args, "out");
    int code = out ? gt_cli_check_output("--out", out, NULL) : CLI_OK;
    if (!code && out && !strcmp(out, "-") && gt_cli_has(args, "json"))
        return gt_cli_usage("--out - and --json both write to standard output; give only one of them");
    return code;
}

void gt_design_say_file(const char *out)
{
    if (out) printf("wrote %s; use it as --method %s%s\n", out, strchr(out, '.') ? "" : "./", out);
}

/* A flag of another kind would be ignored. */
static int check_flags(const cli_args *args, const kind *k)
{
    char between[40];
    for (const cli_flag *f = own_flags; f->name; f++) {
        snprintf(between, sizeof between, " %s ", f->name);
        if (gt_cli_has(args, f->name) && !strstr(k->flags, between))
            return gt_cli_usage("--%s is not for design %s, which takes:%s", f->name, k->name, k->flags);
    }
    return CLI_OK;
}

static int run(const cli_args *args)
{
    const char *names[KINDS + 1] = {NULL};
    char hint[96];
    for (int i = 0; i < KINDS; i++) {
        names[i] = kinds[i].name;
        if (strcmp(args->operands[0], kinds[i].name)) continue;
        int code = check_flags(args, &kinds[i]);
        return code ? code : kinds[i].run(args);
    }
    return gt_cli_usage("design cannot make '%s'%s; it makes: multistep, polynomial, dualrate", args->operands[0],
                        gt_cli_suggest(args->operands[0], names, hint));
}

const cli_command gt_cmd_design = {
    .name = "design",
    .title = "makes a new method and writes it as a file that --method takes",
    .operands = "multistep|polynomial|dualrate",
    .about =
        "design multistep finds the coefficients at the chosen points x_(n-i) and slopes f_(n-i) from the exactness\n"
        "constraints crow (5.51)-(5.52), as fractions; it takes K + 1 coefficients for order K. It gives the error\n"
        "constant (5.89) and the roots of rho, and warns when a formula is not zero-stable.\n"
        "\n"
        "design polynomial finds R(z) = 1 + z + .. of a degree and an order with |R| <= 1 as far as possible along an\n"
        "axis, or in an ellipse that touches 0, to all digits; in fractions where they are known. The file is an\n"
        "explicit Runge-Kutta method with this R, of order 3 at most.\n"
        "\n"
        "design dualrate searches for pairs of tableaux of a slow and a fast block, with equal nodes and weights, of\n"
        "order 2 to 4, whose fast block has the best polynomial of the axis. It solves all order, coupling and\n"
        "polynomial conditions from many starts and ranks the pairs by their error constant and by their stable step "
        "on\n"
        "coupled test systems. The same seed gives the same pairs.",
    .examples =
        "    geartrain design multistep --a-steps 0,1,2,3 --b-steps=-1 --order 4 --name gear4own --out gear4own.json\n"
        "    geartrain run stiff2 --method gear4own.json\n"
        "    geartrain design polynomial --degree 5 --order 2 --axis imaginary\n"
        "    geartrain design dualrate --slow 3 --fast 6 --order 3 --name mine --out mine.json\n"
        "    geartrain compare kpr --methods mine.json,rk4 --h 0.01",
    .flags = flags,
    .min_operands = 1,
    .max_operands = 1,
    .run = run,
};
