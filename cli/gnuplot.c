/* SPDX-License-Identifier: BSD-3-Clause */
#include "gnuplot.h"
#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* What gnuplot draws, with what, and how the file ends when all of it is there. */
static const struct {
    const char *ending, *terminal, *trailer;
} formats[] = {
    {".svg", "svg", "</svg>"},
    {".png", "pngcairo", "IEND"},
    {".pdf", "pdfcairo", "%%EOF"},
};

static int format_of(const char *path)
{
    const char *dot = strrchr(path, '.');
    for (int i = 0; dot && i < (int)(sizeof formats / sizeof *formats); i++)
        if (!strcmp(dot, formats[i].ending)) return i;
    return -1;
}

const char *gt_gnuplot_terminal(const char *path)
{
    int format = format_of(path);
    return format < 0 ? NULL : formats[format].terminal;
}

bool gt_gnuplot_there(void)
{
    const char *path = getenv("PATH");
    char file[4096];
    while (path && *path) {
        int length = (int)strcspn(path, ":");
        snprintf(file, sizeof file, "%.*s/gnuplot", length, path);
        if (!access(file, X_OK)) return true;
        path += length;
        path += *path == ':';
    }
    return false;
}

int gt_gnuplot_begin(gnuplot_job *job, const char *path)
{
    gt_message message = {""};
    *job = (gnuplot_job){.path = path, .script = tmpfile()};
    if (!job->script) return gt_cli_usage("%s cannot be drawn: %s", path, strerror(errno));
    gt_status status = gt_file_open(&job->file, path, &message);
    if (!status) {
        gt_cli_note_left_behind(&job->file);
        return CLI_OK;
    }
    fclose(job->script);
    return gt_cli_usage("%s cannot be drawn: %s", path, message.text);
}

/* Exit status of gnuplot with the script as standard input, -1 when it could not be run. */
static int run_gnuplot(FILE *script, FILE *complaints)
{
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions)) return -1;
    posix_spawn_file_actions_adddup2(&actions, fileno(script), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(complaints), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(complaints), STDERR_FILENO);
    char name[] = "gnuplot";
    char *const arguments[] = {name, NULL};
    pid_t id;
    int failed = posix_spawnp(&id, name, &actions, NULL, arguments, environ), status = -1;
    posix_spawn_file_actions_destroy(&actions);
    if (failed) return -1;
    while (waitpid(id, &status, 0) < 0 && errno == EINTR) continue;
    return status;
}

static bool ends_with_trailer(const char *path, const char *trailer)
{
    char tail[33] = "";
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    size_t got = 0;
    if (!fseek(file, -32, SEEK_END)) got = fread(tail, 1, sizeof tail - 1, file);
    fclose(file);
    size_t length = strlen(trailer);
    for (size_t i = 0; i + length <= got; i++)
        if (!memcmp(tail + i, trailer, length)) return true;
    return false;
}

/* What gnuplot said is its business until it fails; then the line that names the trouble is passed
 * on. */
static int explain(const char *path, FILE *complaints)
{
    char line[256], best[256] = "it gave no reason; is the disk full?";
    rewind(complaints);
    while (fgets(line, sizeof line, complaints)) {
        line[strcspn(line, "\r\n")] = '\0';
        if (strstr(line, "line ") || strstr(line, "annot"))
            snprintf(best, sizeof best, "%.255s", line);
    }
    return gt_cli_usage("gnuplot could not draw %s: %s", path, best);
}

const char *gt_gnuplot_output(const gnuplot_job *job)
{
    return job->file.temporary ? job->file.temporary : job->file.path;
}

int gt_gnuplot_end(gnuplot_job *job)
{
    FILE *complaints = tmpfile();
    gt_message message = {""};
    const char *drawing = gt_gnuplot_output(job);
    int code = CLI_OK;
    if (!complaints || fflush(job->script) || ferror(job->script)) {
        code = gt_cli_usage("%s cannot be drawn: temporary files cannot be written: %s", job->path,
                            strerror(errno));
    } else {
        rewind(job->script);
        bool drawn = run_gnuplot(job->script, complaints) == 0;
        const char *terminal = gt_gnuplot_terminal(job->path);
        if (drawn && job->file.temporary && terminal && !strcmp(terminal, "svg"))
            gt_svg_compact(drawing);
        if (job->file.temporary) /* disk full? */
            drawn = drawn && ends_with_trailer(drawing, formats[format_of(job->path)].trailer);
        if (!drawn) code = explain(job->path, complaints);
    }
    if (code)
        gt_file_discard(&job->file);
    else if (gt_file_close(&job->file, true, &message))
        code = gt_cli_usage("%s: %s", job->path, message.text);
    if (complaints) fclose(complaints);
    fclose(job->script);
    return code;
}

extern const char *const gt_cli_plot_style[]; /* made from plots/style.gp */

void gt_gnuplot_style(FILE *script)
{
    for (const char *const *line = gt_cli_plot_style; *line; line++) fprintf(script, "%s\n", *line);
}

double gt_gnuplot_points(const char *terminal)
{
    return !strcmp(terminal, "pdfcairo") ? 10 : !strcmp(terminal, "pngcairo") ? 11 : 13;
}

void gt_gnuplot_canvas(FILE *script, const char *terminal, double width, double height, double text)
{
    double points = gt_gnuplot_points(terminal) * text;
    if (!strcmp(terminal, "pdfcairo"))
        gt_fprintf(script, "set terminal pdfcairo size %.2fin,%.2fin font 'sans,%g' enhanced\n",
                   width / 96, height / 96, points);
    else if (!strcmp(terminal, "pngcairo"))
        gt_fprintf(script, "set terminal pngcairo size %.0f,%.0f font 'sans,%g' enhanced\n", width,
                   height, points);
    else
        gt_fprintf(script,
                   "set terminal svg size %.0f,%.0f font 'Helvetica,Arial,sans-serif,%g' enhanced "
                   "background 'white'\n",
                   width, height, points);
}

/* In double quotes: gnuplot 5.4 does not take two doubled single quotes in a row in the title of a
 * multiplot. */
void gt_gnuplot_quote(FILE *script, const char *text)
{
    fputc('"', script);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') fputc('\\', script);
        fputc(*text == '\n' ? ' ' : *text, script);
    }
    fputc('"', script);
}
