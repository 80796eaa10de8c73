/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Area "auto": the default beside the methods that it chooses from, on all problems of the battery,
 * in counted operations: regret, errors, step control. auto [--quick [--all]] [--held-out]
 * [--control] [--alone] [--list] [--json FILE] [PROBLEM...]
 *     --quick      a tenth of the problems, drawn by their names, at two tolerances
 *     --all        with --quick: all problems that are not set aside, at two tolerances
 *     --held-out   the tenth that is set aside, and nothing else
 *     --control    also the steps with --control i
 *     --alone      auto only, without the methods: no regret
 *     PROBLEM      only those whose name begins so
 */
#include "battery.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

static const double all_rungs[] = {1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11};
static const double quick_rungs[] = {1e-2, 1e-4, 1e-6, 1e-8};
static const double all_asked[] = {1e-3, 1e-6, 1e-9};

typedef struct choice {
    battery_plan plan;
    bool list, all;
    const char *json;
    char **names;
    int n_names;
} choice;

static choice read_arguments(int argc, char **argv)
{
    choice c = {.plan = {.rungs = all_rungs,
                         .n_rungs = 10,
                         .asked = all_asked,
                         .n_asked = 3,
                         .around = 3,
                         .most = 6e9}};
    c.json = BATTERY_RESULTS;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--quick"))
            c.plan.quick = true;
        else if (!strcmp(argv[i], "--held-out"))
            c.plan.held_out = true;
        else if (!strcmp(argv[i], "--control"))
            c.plan.control = true;
        else if (!strcmp(argv[i], "--alone"))
            c.plan.alone = true;
        else if (!strcmp(argv[i], "--all"))
            c.all = true;
        else if (!strcmp(argv[i], "--list"))
            c.list = true;
        else if (!strcmp(argv[i], "--json") && i + 1 < argc)
            c.json = argv[++i];
        else {
            battery_require(
                argv[i][0] != '-',
                "usage: auto [--quick [--all]] [--held-out] [--control] [--alone] [--list] "
                "[--json FILE] [PROBLEM...]");
            c.names = argv + i;
            c.n_names = argc - i;
            break;
        }
    }
    if (getenv("BENCH_QUICK")) c.plan.quick = true;
    if (c.plan.quick) {
        c.plan.rungs = quick_rungs;
        c.plan.n_rungs = 4;
        c.plan.n_asked = 2;
        c.plan.around = 1;
        c.plan.most = 5e8;
    }
    return c;
}

/* What is set aside is run only where it is asked for as such, also by its name. */
static bool wanted(const choice *c, const battery_entry *e)
{
    if (e->held_out != c->plan.held_out) return false;
    for (int i = 0; i < c->n_names; i++)
        if (!strncmp(e->name, c->names[i], strlen(c->names[i]))) return true;
    return !c->n_names && (!c->plan.quick || c->plan.held_out || c->all || e->in_quick);
}

static double seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

int main(int argc, char **argv)
{
    choice c = read_arguments(argc, argv);
    battery_entry *entries = battery_entries();
    size_t count = 0, done = 0, number = 0;
    setvbuf(stdout, NULL, _IOLBF, 0);
    mkdir(BATTERY_FOLDER, 0777);
    mkdir(BATTERY_CACHE, 0777);
    for (battery_entry *e = entries; e->name[0]; e++) count += wanted(&c, e);
    battery_case *cases = calloc(count + 1, sizeof *cases);
    battery_require(cases != NULL, "out of memory for the results");
    if (!c.list)
        printf("%-34s %6s %6s %-8s %9s %9s %-8s %9s %7s\n", "problem", "n", "rtol", "auto", "work",
               "error/tol", "best", "work", "regret");
    for (battery_entry *e = entries; e->name[0]; e++) {
        gt_message message = {""};
        if (!wanted(&c, e)) continue;
        if (c.list) {
            printf("%s%s%s\n", e->name, e->held_out ? " (held out)" : "",
                   e->in_quick ? " (quick)" : "");
            continue;
        }
        double start = seconds();
        number++;
        if (battery_measure(e, &c.plan, &cases[done], &message))
            battery_print_case(&cases[done++]);
        else
            printf("%-34s left out: %s\n", e->name, message.text);
        fprintf(stderr, "(%zu of %zu, %.1f s: %s %.1f s)\n", number, count, seconds(), e->name,
                seconds() - start);
    }
    if (!c.list) {
        if (c.plan.control) battery_print_control(cases, done, &c.plan);
        battery_print_summary(cases, done, &c.plan);
        battery_require(battery_write_json(cases, done, c.json),
                        "the results could not be written");
    }
    free(cases);
    free(entries);
    return 0;
}
