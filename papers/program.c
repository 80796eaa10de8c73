/* SPDX-License-Identifier: BSD-3-Clause */
/* geartrain-papers: every table and figure of the five papers, printed value beside computed value.
 */
#include "papers.h"
#include "papers_command.h"
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct papers_job {
    paper_report *reports;
    size_t n_reports, total;
    const char *folder;
    pthread_mutex_t lock; /* of what follows */
    cli_progress bar;
    size_t done;
} papers_job;

static const paper *find(const char *name)
{
    for (const paper *const *p = gt_papers; *p; p++)
        if (!strcmp((*p)->name, name)) return *p;
    return NULL;
}

static int unknown(const char *name)
{
    const char *names[16];
    char hint[96];
    size_t count = 0;
    for (const paper *const *p = gt_papers; *p; p++) names[count++] = (*p)->name;
    names[count] = NULL;
    gt_cli_suggest(name, names, hint);
    return gt_cli_usage("there is no paper '%s'%s", name,
                        *hint ? hint : "; see: geartrain help papers");
}

static bool has_item(const paper *p, const char *item)
{
    for (const paper_part *part = p->parts; part->item; part++)
        if (!strcmp(part->item, item)) return true;
    return false;
}

/* The parts of a paper that are asked for, each with an empty sheet. `exact`: by their whole names.
 */
static int open_report(const paper *p, const char *item, bool exact, const char *folder,
                       paper_report *out)
{
    size_t count = 0;
    while (p->parts[count].item) count++;
    *out = (paper_report){.paper = p, .sheets = calloc(count + 1, sizeof *out->sheets)};
    if (!out->sheets) return gt_cli_failed("out of memory for the papers");
    for (const paper_part *part = p->parts; part->item; part++) {
        if (item && (exact ? strcmp(part->item, item) != 0 : !strstr(part->item, item))) continue;
        out->sheets[out->n_sheets++] = (paper_sheet){.arena = gt_arena_growing(),
                                                     .paper = p->name,
                                                     .item = part->item,
                                                     .about = part->about,
                                                     .make = part->make,
                                                     .folder = folder};
    }
    return CLI_OK;
}

static void close_report(paper_report *r)
{
    for (size_t i = 0; i < r->n_sheets; i++) gt_arena_free(&r->sheets[i].arena);
    free(r->sheets);
}

static void make_part(size_t index, void *ctx)
{
    papers_job *job = ctx;
    size_t i = 0;
    while (index >= job->reports[i].n_sheets) index -= job->reports[i++].n_sheets;
    if (gt_cli_interrupted()) return;
    paper_sheet *sheet = &job->reports[i].sheets[index];
    sheet->make(sheet);
    pthread_mutex_lock(&job->lock);
    gt_cli_progress_pieces(&job->bar, ++job->done, job->total);
    pthread_mutex_unlock(&job->lock);
}

static void print_summary(const papers_job *job)
{
    printf("%-7s %-34s %8s %8s %8s %8s %8s\n", "paper", "item", "matches", "differs", "erratum",
           "computed", "missing");
    for (size_t i = 0; i < job->n_reports; i++)
        for (size_t j = 0; j < job->reports[i].n_sheets; j++) {
            const paper_sheet *s = &job->reports[i].sheets[j];
            size_t of[PAPER_MISSING + 1] = {0};
            for (size_t k = 0; k < s->n_rows; k++) of[s->rows[k].verdict]++;
            printf("%-7s %-34s", s->paper, s->item);
            for (paper_verdict v = PAPER_MATCHES; v <= PAPER_MISSING; v++)
                printf(of[v] ? " %8zu" : "         ", of[v]);
            printf("\n");
        }
    printf("\nNumbers of values: those that match to the printed digits, that differ (the report "
           "says why), where the\n"
           "paper is wrong, that the paper shows but does not print, and that cannot be computed "
           "from what it says.\n");
    if (!job->folder)
        printf("--out DIR writes each value beside the printed one, and the figures.\n");
}

/* A folder that can be written; made when it is not there. */
static int prepare_folder(const char *folder)
{
    struct stat info;
    if (mkdir(folder, 0777) == 0) return CLI_OK;
    if (errno == EEXIST && stat(folder, &info) == 0 && S_ISDIR(info.st_mode)) return CLI_OK;
    return gt_cli_usage("--out %s: the folder cannot be made: %s", folder,
                        errno == EEXIST ? "there is a file of this name" : strerror(errno));
}

static int write_all(const papers_job *job, const char *folder)
{
    char path[4096];
    int code;
    snprintf(path, sizeof path, "%s/report.md", folder);
    if ((code = paper_write_markdown(path, job->reports, job->n_reports))) return code;
    snprintf(path, sizeof path, "%s/rows.csv", folder);
    if ((code = paper_write_csv(path, job->reports, job->n_reports))) return code;
    snprintf(path, sizeof path, "%s/report.html", folder);
    return paper_write_html(path, folder, job->reports, job->n_reports);
}

static int complain(const papers_job *job)
{
    int code = CLI_OK;
    for (size_t i = 0; i < job->n_reports; i++)
        for (size_t j = 0; j < job->reports[i].n_sheets; j++) {
            const paper_sheet *s = &job->reports[i].sheets[j];
            if (s->failure.text[0])
                code = gt_cli_failed("%s, %s: %s", s->paper, s->item, s->failure.text);
        }
    return code;
}

static int finish(const cli_args *args, papers_job *job)
{
    const char *errata = gt_cli_text(&papers_own(args)->errata);
    int code = complain(job), written = CLI_OK;
    if (job->folder) written = write_all(job, job->folder);
    if (!written && errata) written = paper_write_errata(errata, job->reports, job->n_reports);
    if (!code) code = written;
    if (!code && gt_cli_has(&papers_own(args)->check))
        code = paper_check(gt_cli_text(&papers_own(args)->check), job->reports, job->n_reports);
    if (gt_cli_has(&args->flags.json)) {
        int printed = gt_cli_json_print(paper_json(job->reports, job->n_reports));
        return code ? code : printed;
    }
    print_summary(job);
    if (job->folder && !written)
        printf("\nwritten to %s: report.html, report.md, rows.csv and the figures\n", job->folder);
    int flushed = gt_cli_flush();
    return code ? code : flushed;
}

static int run(const cli_args *args)
{
    papers_job job = {.folder = gt_cli_text(&args->flags.out), .lock = PTHREAD_MUTEX_INITIALIZER};
    const char *item = gt_cli_text(&papers_own(args)->item);
    long threads;
    size_t count = 0;
    int code = gt_cli_threads(args, &threads);
    if (code) return code;
    for (const paper *const *p = gt_papers; *p; p++) count++;
    if (args->n_operands > count) return gt_cli_usage("a paper is named twice");
    for (size_t i = 0; i < args->n_operands; i++) {
        if (!find(args->operands[i])) return unknown(args->operands[i]);
        for (size_t j = 0; j < i; j++)
            if (!strcmp(args->operands[i], args->operands[j]))
                return gt_cli_usage("%s is named twice", args->operands[i]);
    }
    if (job.folder && (code = prepare_folder(job.folder))) return code;
    const char *errata = gt_cli_text(&papers_own(args)->errata);
    if (errata && (code = gt_cli_check_output("--errata", errata, (const char *const[]){NULL})))
        return code;
    job.n_reports = args->n_operands ? args->n_operands : count;
    bool exact = false; /* 'Example 5.1' is not 'Example 5.10' where there are both */
    for (size_t i = 0; i < job.n_reports && item; i++)
        exact |= has_item(args->n_operands ? find(args->operands[i]) : gt_papers[i], item);
    job.reports = calloc(job.n_reports, sizeof *job.reports);
    if (!job.reports) return gt_cli_failed("out of memory for the papers");
    for (size_t i = 0; i < job.n_reports && !code; i++) {
        const paper *p = args->n_operands ? find(args->operands[i]) : gt_papers[i];
        code = open_report(p, item, exact, job.folder, &job.reports[i]);
        job.total += job.reports[i].n_sheets;
    }
    if (!code && !job.total)
        code = gt_cli_usage("--item %s: no part of these papers has that in its name", item);
    if (!code) {
        gt_plan watch = {0};
        gt_cli_catch_interrupt(&watch);
        gt_cli_progress_begin(&job.bar, args, 0, 1);
        gt_cli_parallel(threads, job.total, make_part, &job);
        gt_cli_progress_end(&job.bar);
        code = gt_cli_interrupted() ? gt_cli_failed("interrupted; nothing was written")
                                    : finish(args, &job);
    }
    for (size_t i = 0; i < job.n_reports; i++) close_report(&job.reports[i]);
    free(job.reports);
    return code;
}

static const cli_command papers = PAPERS_COMMAND(run);
const cli_command *const gt_cli_commands[] = {&papers, NULL};

/* Called as `geartrain papers` is, without that word. */
int main(int argc, char **argv) { return gt_cli_run_one(&papers, argc - 1, argv + 1); }
