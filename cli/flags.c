/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli.h"

const cli_flag gt_cli_model_flags[] = {
    {CLI_FLAG(set, "set"), .value = "NAME=VALUE", .help = "sets a parameter of the model",
     .repeats = true},
    {CLI_FLAG(use_set, "use-set"), .value = "NAME",
     .help = "applies a set of values that an .ode file has"},
    {CLI_FLAG(init, "init"), .value = "NAME=VALUE", .help = "sets an initial value",
     .alias = "start-value", .repeats = true},
    {CLI_FLAG(init_from, "init-from"), .value = "FILE.csv",
     .help = "takes the initial values from the last row of a CSV file"},
    {CLI_FLAG(t0, "t0"), .value = "T", .help = "start time; default: that of the model",
     .alias = "start-time"},
    {CLI_FLAG(t1, "t1"), .value = "T", .help = "end time; default: that of the model",
     .alias = "stop-time"},
    {CLI_FLAG(fast, "fast"), .value = "A,B,..|none",
     .help = "the states of the fast block, instead of those of the model"},
    {CLI_FLAG(reduced, "reduced"),
     .help = "quasi-steady state: the equations of the fast block become 0 = g"},
    {CLI_FLAG(compile, "compile"),
     .help = "compiles an .ode file before it begins, not only when that pays"},
    {CLI_FLAG(no_compile, "no-compile"), .help = "interprets an .ode file instead of compiling it"},
    {.name = NULL},
};

const cli_flag gt_cli_point_flags[] = {
    {CLI_FLAG(set, "set"), .value = "NAME=VALUE", .help = "sets a parameter of the model",
     .repeats = true},
    {CLI_FLAG(use_set, "use-set"), .value = "NAME",
     .help = "applies a set of values that an .ode file has"},
    {CLI_FLAG(init, "init"), .value = "NAME=VALUE", .help = "sets an initial value",
     .alias = "start-value", .repeats = true},
    {CLI_FLAG(init_from, "init-from"), .value = "FILE.csv",
     .help = "takes the initial values from the last row of a CSV file"},
    {CLI_FLAG(fast, "fast"), .value = "A,B,..|none",
     .help = "the states of the fast block, instead of those of the model"},
    {CLI_FLAG(reduced, "reduced"),
     .help = "quasi-steady state: the equations of the fast block become 0 = g"},
    {CLI_FLAG(compile, "compile"),
     .help = "compiles an .ode file before it begins, not only when that pays"},
    {CLI_FLAG(no_compile, "no-compile"), .help = "interprets an .ode file instead of compiling it"},
    {.name = NULL},
};

static const char *control_name(size_t i)
{
    const gt_control *control = gt_control_list()[i];
    return control ? control->name : NULL;
}

const cli_flag gt_cli_solver_flags[] = {
    {CLI_FLAG(method, "method"), .value = "NAME",
     .help = "see \"geartrain list methods\", or a method file, .json; default: auto"},
    {CLI_FLAG(opt, "opt"), .value = "NAME=VALUE", .help = "sets an option of the method",
     .repeats = true},
    {CLI_FLAG(h, "h"), .value = "H", .help = "fixed step; otherwise the step is controlled"},
    {CLI_FLAG(rtol, "rtol"), .value = "R", .help = "relative tolerance, default 1e-6",
     .alias = "tolerance"},
    {CLI_FLAG(atol, "atol"), .value = "A|NAME=A,..",
     .help = "absolute tolerance for all states, or for some by name; default 1e-3 times the "
             "relative one"},
    {CLI_FLAG(h0, "h0"), .value = "H", .help = "first step"},
    {CLI_FLAG(hmax, "hmax"), .value = "H", .help = "largest step"},
    {CLI_FLAG(control, "control"), .value = "NAME[:..]",
     .help = "step control, optionally with numbers, as in bounds:lower=1e-6,upper=1e-4; "
             "default: that of the method; one of",
     .choice = control_name},
    {CLI_FLAG(max_steps, "max-steps"), .value = "N", .help = "largest number of steps of a run"},
    {.name = NULL},
};

const cli_flag gt_cli_common_flags[] = {
    {CLI_FLAG(threads, "threads"), .value = "N",
     .help =
         "worker threads, for several runs or for many states; default: one for each processor, "
         "and 1 in compare, which measures time"},
    {CLI_FLAG(json, "json"), .help = "prints one JSON object and nothing else"},
    {CLI_FLAG(quiet, "quiet"), .help = "no progress bar and no notes; warnings stay"},
    {.name = NULL},
};

const cli_flag gt_cli_report_flags[] = {
    {CLI_FLAG(json, "json"), .help = "prints one JSON object and nothing else"},
    {CLI_FLAG(quiet, "quiet"), .help = "no progress bar and no notes; warnings stay"},
    {.name = NULL},
};

const cli_flag gt_cli_looks_flags[] = {
    {CLI_FLAG(title, "title"), .value = "TEXT", .help = "the title of the figure"},
    {CLI_FLAG(size, "size"), .value = "WxH", .help = "its size in pixels, as in 1200x800"},
    {.name = NULL},
};
