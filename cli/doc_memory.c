/* SPDX-License-Identifier: BSD-3-Clause */
/* doc memory: what the workspace of each method is made of. */
#include "doc_parts.h"

enum { ENTRIES = 3 }; /* in a row of the Jacobian: a rod, a chain, a line */

/* A count, or nothing. */
static void print_count(double count, FILE *out)
{
    if (count > 0.005)
        gt_fprintf(out, " %.3g |", count);
    else
        fputs(" |", out);
}

void gt_doc_memory(FILE *out)
{
    fputs("| method | vectors | matrices | index sets | bytes a state | beside x, x_new, their "
          "slopes and scratch |\n"
          "| --- | --- | --- | --- | --- | --- |\n",
          out);
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        gt_memory memory;
        if (gt_memory_account(*m, NULL, &memory, NULL)) continue; /* a test says which */
        fprintf(out, "| [%s](methods/%s.md) |", (*m)->name, (*m)->name);
        print_count(memory.vectors, out);
        print_count(memory.matrices, out);
        print_count(memory.places, out);
        gt_fprintf(out, " %.0f%s%s | ", gt_memory_per_state(&memory, ENTRIES),
                   memory.squares > 0 ? " + 8 n" : "", memory.few_fast ? ", 16 fast" : "");
        gt_doc_text((*m)->memory ? (*m)->memory : "", out);
        fputs(" |\n", out);
    }
}
