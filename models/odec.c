/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Used by the build: turns models/NAME.ode into C that defines gt_model_NAME.
 *
 *     geartrain-odec models/lorenz.ode lorenz.c
 */
#include <errno.h>
#include <geartrain/lang.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_file(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    size_t room = 1 << 20;
    char *text = malloc(room);
    *length = text ? fread(text, 1, room, file) : 0;
    fclose(file);
    return text;
}

static int write_file(const char *path, const char *name, const char *code)
{
    FILE *file = fopen(path, "wb");
    if (!file) return 1;
    int wrong = fprintf(file, "/* Made from models/%s.ode by the build. */\n%s", name, code) < 0;
    return fclose(file) || wrong;
}

/* "lorenz" of "models/lorenz.ode". */
static void stem_of(const char *path, char *stem, size_t size)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    snprintf(stem, size, "%.*s", (int)strcspn(name, "."), name);
}

int main(int argc, char **argv)
{
    char stem[64], symbol[80], *code = NULL;
    size_t length = 0;
    gt_ode *ode = NULL;
    gt_message message = {""};
    if (argc != 3) {
        fprintf(stderr, "usage: geartrain-odec FILE.ode FILE.c\n");
        return 2;
    }
    char *text = read_file(argv[1], &length);
    if (!text) {
        fprintf(stderr, "%s: %s\n", argv[1], strerror(errno));
        return 2;
    }
    stem_of(argv[1], stem, sizeof stem);
    snprintf(symbol, sizeof symbol, "gt_model_%s", stem);
    gt_status status = gt_ode_parse(text, length, argv[1], &ode, &message);
    if (!status) status = gt_ode_c_code(ode, symbol, &code, &length, &message);
    const gt_ode_facts *facts = ode ? gt_ode_facts_of(ode) : NULL;
    for (size_t i = 0; status && facts && i < facts->n_notes; i++)
        fprintf(stderr, "%s:%d:%d: %s\n", argv[1], facts->notes[i].line, facts->notes[i].column,
                facts->notes[i].text);
    int failed = status != GT_OK; /* warnings are about other programs */
    if (status) fprintf(stderr, "%s\n", message.text);
    if (!failed && write_file(argv[2], stem, code)) {
        fprintf(stderr, "%s: %s\n", argv[2], strerror(errno));
        failed = 1;
    }
    free(code);
    free(text);
    gt_ode_free(ode);
    return failed;
}
