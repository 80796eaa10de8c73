/* SPDX-License-Identifier: BSD-3-Clause */
/* doc: the reference part of the manual, from the descriptors. */
#include "doc_parts.h"

/* What was given for the flags that `doc` alone has. */
typedef struct doc_flags {
    cli_value check, share;
} doc_flags;

static inline const doc_flags *doc_own(const cli_args *args)
{
    return gt_cli_own(args, sizeof(doc_flags));
}

static const cli_flag own_flags[] = {
    {CLI_FLAG(out, "out"), .value = "DIR",
     .help = "brings the pages there up to date, and begins those of methods and models that have "
             "none"},
    {CLI_OWN(doc_flags, check, "check"), .value = "DIR",
     .help = "changes nothing: reports which pages are stale, exit status 1 if any"},
    {CLI_OWN(doc_flags, share, "share"), .value = "DIR",
     .help = "writes manual pages and completion for shells below it, as they are installed"},
    {.name = NULL},
};

static const cli_flag *const flags[] = {own_flags, NULL};

static int run(const cli_args *args)
{
    const char *out = gt_cli_text(&args->flags.out), *check = gt_cli_text(&doc_own(args)->check);
    const char *share = gt_cli_text(&doc_own(args)->share);
    char topic[128] = "";
    if ((out && check) || (share && (out || check)))
        return gt_cli_usage("--out, --check and --share cannot be used together");
    if ((out || check || share) && args->n_operands)
        return gt_cli_usage("--out, --check and --share are about all pages; leave '%s' out",
                            args->operands[0]);
    if (share) return gt_doc_share(share);
    if (out || check) return gt_doc_pages(out ? out : check, !out);
    for (size_t i = 0, used = 0; i < args->n_operands && used < sizeof topic; i++)
        used += (size_t)snprintf(topic + used, sizeof topic - used, "%s%s", i ? " " : "",
                                 args->operands[i]);
    return gt_doc_block(*topic ? topic : "reference", stdout);
}

const cli_command gt_cmd_doc = {
    .name = "doc",
    .title = "prints the reference of commands, methods and models as Markdown",
    .operands = "[reference | commands | methods | models | memory | command NAME | keys COMMAND | "
                "facts METHOD | "
                "options METHOD | "
                "coefficients METHOD | parameters MODEL | man [COMMAND] | completion SHELL]",
    .about = "Everything comes from the tables that the program itself works with. In a page a "
             "block stands between the\n"
             "lines <!-- geartrain doc options rk4 --> and <!-- end -->, whose first says what "
             "belongs there; --out makes\n"
             "all blocks anew and leaves the rest alone.",
    .examples = "    geartrain doc command run\n"
                "    geartrain doc options gear\n"
                "    geartrain doc completion bash >geartrain.bash\n"
                "    geartrain doc --out reference",
    .flags = flags,
    .own_bytes = sizeof(doc_flags),
    .min_operands = 0,
    .max_operands = 3,
    .run = run,
};
