/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_PAPERS_COMMAND_H
#define GEARTRAIN_PAPERS_COMMAND_H

/* The command `papers` as both programs know it: geartrain, which describes it and starts
 * geartrain-papers, and geartrain-papers itself. */
#include "cli.h"

/* What was given for the flags that `papers` alone has. */
typedef struct papers_flags {
    cli_value check, errata, item;
} papers_flags;

static inline const papers_flags *papers_own(const cli_args *args)
{
    return gt_cli_own(args, sizeof(papers_flags));
}

static const cli_flag papers_own_flags[] = {
    {CLI_FLAG(out, "out"), .value = "DIR",
     .help = "writes report.html, report.md, rows.csv and the figures there"},
    {CLI_OWN(papers_flags, errata, "errata"), .value = "FILE.md",
     .help = "writes the list of what is wrong in the papers"},
    {CLI_OWN(papers_flags, check, "check"), .value = "FILE.tsv",
     .help = "compares rows with a table: paper, item, quantity, value, tolerance"},
    {CLI_OWN(papers_flags, item, "item"), .value = "TEXT",
     .help = "only the part of this name, or the parts that have it in theirs: 'Table 3'"},
    {.name = NULL},
};
static const cli_flag *const papers_tables[] = {papers_own_flags, gt_cli_common_flags, NULL};

#define PAPERS_COMMAND(how)                                                                        \
    {                                                                                              \
        .name = "papers",                                                                          \
        .title = "every table and figure of the five papers, printed beside computed",             \
        .operands = "[gil] [shi] [shome] [xie] [crow]",                                            \
        .about = "Regenerates the tables, figures and numeric claims of the papers that the "      \
                 "methods come from, with the\n"                                                   \
                 "library's own methods. A row matches (to the printed digits), differs (with "    \
                 "the reason) or is an\n"                                                          \
                 "erratum (the paper is wrong; what is right, and how we know).",                  \
        .examples = "    geartrain papers shi --out report\n"                                      \
                    "    geartrain papers crow --item 'Example 5.1'",                              \
        .flags = papers_tables, .own_bytes = sizeof(papers_flags), .min_operands = 0,              \
        .max_operands = 5, .run = (how)                                                            \
    }

#endif
