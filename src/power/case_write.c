/* SPDX-License-Identifier: BSD-3-Clause */
/* A case as a MATPOWER file. */
#include <geartrain/author/file.h>
#include <geartrain/author/number.h>
#include <geartrain/power.h>
#include <stdio.h>

static const double DEGREES = 180 / GT_PI;

static void write_buses(FILE *file, const gt_power_case *c)
{
    fputs("%\tbus\ttype\tPd\tQd\tGs\tBs\tarea\tVm\tVa\tbaseKV\tzone\tVmax\tVmin\nmpc.bus = [\n",
          file);
    for (size_t i = 0; i < c->n_bus; i++) {
        const gt_power_bus *b = &c->bus[i];
        gt_fprintf(file,
                   "\t%d\t%d\t%.15g\t%.15g\t%.15g\t%.15g\t1\t%.15g\t%.15g\t%g\t1\t1.1\t0.9;\n",
                   b->number, b->type, b->p_load * c->mva, b->q_load * c->mva, b->g_shunt * c->mva,
                   b->b_shunt * c->mva, b->v, b->angle * DEGREES, b->base_kv);
    }
    fputs("];\n\n", file);
}

static void write_gens(FILE *file, const gt_power_case *c)
{
    fputs("%\tbus\tPg\tQg\tQmax\tQmin\tVg\tmBase\tstatus\tPmax\tPmin\nmpc.gen = [\n", file);
    for (size_t k = 0; k < c->n_gen; k++) {
        const gt_power_gen *g = &c->gen[k];
        gt_fprintf(file, "\t%d\t%.15g\t%.15g\t%.15g\t%.15g\t%.15g\t%.15g\t%d\t%.15g\t0;\n",
                   c->bus[g->bus].number, g->p * c->mva, g->q * c->mva, g->q_max * c->mva,
                   g->q_min * c->mva, g->v_set, g->mva, g->on, g->mva > 0 ? g->mva : c->mva);
    }
    fputs("];\n\n", file);
}

static void write_branches(FILE *file, const gt_power_case *c)
{
    fputs("%\tfrom\tto\tr\tx\tb\trateA\trateB\trateC\tratio\tangle\tstatus\tangmin\tangmax\nmpc."
          "branch = [\n",
          file);
    for (size_t k = 0; k < c->n_branch; k++) {
        const gt_power_branch *b = &c->branch[k];
        gt_fprintf(file, "\t%d\t%d\t%.15g\t%.15g\t%.15g\t0\t0\t0\t%.15g\t%.15g\t%d\t-360\t360;\n",
                   c->bus[b->from].number, c->bus[b->to].number, b->r, b->x, b->b,
                   b->ratio == 1 ? 0 : b->ratio, b->shift * DEGREES, b->on);
    }
    fputs("];\n", file);
}

gt_status gt_power_case_write(const gt_power_case *c, const char *path, gt_message *message)
{
    GT_ARMOR(message, c && path);
    gt_file whole;
    gt_status status = gt_file_open(&whole, path, message);
    if (status) return status;
    FILE *file = whole.stream;
    gt_fprintf(file, "function mpc = %s\n\nmpc.version = '2';\nmpc.baseMVA = %.15g;\n\n", c->name,
               c->mva);
    write_buses(file, c);
    write_gens(file, c);
    write_branches(file, c);
    return gt_file_close(&whole, true, message);
}
