/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli.h"

const cli_flag gt_cli_model_flags[] = {
    {.name = "set", .value = "NAME=VALUE", .help = "sets a parameter of the model", .repeats = true},
    {.name = "use-set", .value = "NAME", .help = "applies a set of values that an .ode file has"},
    {.name = "init", .value = "NAME=VALUE", .help = "sets an initial value", .alias = "start-value", .repeats = true},
    {.name = "init-from", .value = "FILE.csv", .help = "takes the initial values from the last row of a CSV file"},
    {.name = "t0", .value = "T", .help = "start time; the model has one of its own", .alias = "start-time"},
    {.name = "t1", .value = "T", .help = "end time; the model has one of its own", .alias = "stop-time"},
    {.name = "reduced", .help = "quasi-steady state: the equations of the fast block become 0 = g"},
    {.name = "no-compile", .help = "interprets an .ode file instead of compiling it"},
    {.name = NULL},
};

const cli_flag gt_cli_point_flags[] = {
    {.name = "set", .value = "NAME=VALUE", .help = "sets a parameter of the model", .repeats = true},
    {.name = "use-set", .value = "NAME", .help = "applies a set of values that an .ode file has"},
    {.name = "init", .value = "NAME=VALUE", .help = "sets an initial value", .alias = "start-value", .repeats = true},
    {.name = "init-from", .value = "FILE.csv", .help = "takes the initial values from the last row of a CSV file"},
    {.name = "reduced", .help = "quasi-steady state: the equations of the fast block become 0 = g"},
    {.name = "no-compile", .help = "interprets an .ode file instead of compiling it"},
    {.name = NULL},
};

static const char *control_name(size_t i)
{
    const gt_control *control = gt_control_list()[i];
    return control ? control->name : NULL;
}

const cli_flag gt_cli_solver_flags[] = {
    {.name = "method",
     .value = "NAME",
     .help = "see \"geartrain list methods\", or a method file, .json; default: auto"},
    {.name = "opt", .value = "NAME=VALUE", .help = "sets an option of the method", .repeats = true},
    {.name = "h", .value = "H", .help = "fixed step; otherwise the step is controlled"},
    {.name = "rtol", .value = "R", .help = "relative tolerance, default 1e-6", .alias = "tolerance"},
    {.name = "atol",
     .value = "A|NAME=A,..",
     .help = "absolute tolerance for all states, or for some by name; default 1e-3 times the relative one"},
    {.name = "h0", .value = "H", .help = "first step"},
    {.name = "hmax", .value = "H", .help = "largest step"},
    {.name = "control",
     .value = "NAME[:..]",
     .help = "step control, with numbers perhaps, as in bounds:lower=1e-6,upper=1e-4; default pi; one of",
     .choice = control_name},
    {.name = "max-steps", .value = "N", .help = "gives up after so many steps"},
    {.name = NULL},
};

const cli_flag gt_cli_common_flags[] = {
    {.name = "threads", .value = "N", .help = "worker threads, where there is more than one run to do"},
    {.name = "json", .help = "prints one JSON object and nothing else"},
    {.name = "quiet", .help = "no progress bar, no remarks"},
    {.name = NULL},
};

const cli_flag gt_cli_report_flags[] = {
    {.name = "json", .help = "prints one JSON object and nothing else"},
    {.name = "quiet", .help = "no progress bar, no remarks"},
    {.name = NULL},
};

const cli_flag gt_cli_looks_flags[] = {
    {.name = "title", .value = "TEXT", .help = "the title of the figure"},
    {.name = "size", .value = "WxH", .help = "its size in pixels, as in 1200x800"},
    {.name = NULL},
};
