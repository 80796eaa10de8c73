/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_LANG_ODE_H
#define GEARTRAIN_LANG_ODE_H

/* A model file, pass by pass. Each pass reads those before it, and what it makes does not change
 * afterwards. */
#include "lang/bytecode/bytecode.h"

struct gt_ode {
    const char *model_name;
    ode_work work;
    ode_source source;
    ode_parsed parsed;
    ode_names names;
    ode_graph graph;
    ode_lowering lower;
    ode_equations equations;
    ode_programs programs;
    gt_ode_code code;
    struct gt_ode_later later;
    gt_model model;
    gt_ode_facts facts;
    bool complete;
    /* made when a problem is built that is interpreted; NULL: not yet */
    ode_interpreter *_Atomic interpreter;
};

/* describe.c: the model and its code, without functions. */
void gt_lang_describe(gt_ode *o);

#endif
