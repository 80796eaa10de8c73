/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An SVG file as gnuplot writes it, made smaller without a change that one could see: a third of it
 * are groups with nothing in them, and coordinates have two decimals of a pixel, where one is
 * enough.
 */
#include "gnuplot.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool opens_group(const char *line)
{
    return !strncmp(line, "<g ", 3) && strstr(line, ">\n");
}
static bool closes_group(const char *line) { return !strcmp(line, "</g>\n"); }

/* Said of every group or text: what would be so anyhow, and the font, which is said once for all.
 */
static const char *const idle[] = {" stroke-linecap=\"butt\" stroke-linejoin=\"miter\"",
                                   " font-family=\"Helvetica,Arial,sans-serif\""};

static size_t idle_length(const char *text)
{
    for (size_t i = 0; i < sizeof idle / sizeof *idle; i++)
        if (!strncmp(text, idle[i], strlen(idle[i]))) return strlen(idle[i]);
    return 0;
}

/* Numbers are coordinates after d=' and points=', which are last on the lines of gnuplot. */
static void write_shortened(const char *line, FILE *out)
{
    bool inside = false;
    if (!strncmp(line, "<svg", 4)) {
        fprintf(out, "<svg%s", idle[1]);
        line += 4;
    }
    for (const char *c = line; *c; c++) {
        while (idle_length(c)) c += idle_length(c);
        if (!*c) break;
        if (!inside &&
            (!strncmp(c, "d='", 3) || !strncmp(c, "d=\"", 3) || !strncmp(c, "points = '", 10)))
            inside = true;
        fputc(*c, out);
        bool two_decimals =
            inside && *c == '.' && isdigit((unsigned char)c[1]) && isdigit((unsigned char)c[2]);
        if (!two_decimals) continue;
        fputc(c[1], out);
        c += 2;
    }
}

void gt_svg_compact(const char *path)
{
    FILE *in = fopen(path, "r"), *out = NULL;
    char *text = NULL, *line = NULL, *held = NULL;
    size_t length = 0, room = 0;
    if (in) out = open_memstream(&text, &length);
    while (out && getline(&line, &room, in) > 0) {
        if (held && closes_group(line)) { /* nothing came in between */
            free(held);
            held = NULL;
            continue;
        }
        if (held) write_shortened(held, out);
        free(held);
        held = opens_group(line) ? strdup(line) : NULL;
        if (!held) write_shortened(line, out);
    }
    if (held && out) write_shortened(held, out);
    free(held);
    free(line);
    if (in) fclose(in);
    if (!out || fclose(out)) {
        free(text);
        return; /* then it stays as it is */
    }
    FILE *file = fopen(path, "w");
    if (file) {
        fwrite(text, 1, length, file);
        fclose(file);
    }
    free(text);
}
