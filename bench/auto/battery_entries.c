/* SPDX-License-Identifier: BSD-3-Clause */
/* The problems: files in models/, and all built-in models with the parameter sets of sets.txt. */
#include "battery.h"
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

void battery_require(bool condition, const char *what)
{
    if (condition) return;
    fprintf(stderr, "auto: %s\n", what);
    exit(2);
}

unsigned long long battery_hash(unsigned long long hash, const void *bytes, size_t count)
{
    const unsigned char *b = bytes;
    for (size_t i = 0; i < count; i++) hash = (hash ^ b[i]) * 1099511628211ull; /* FNV-1a */
    return hash;
}

/* A tenth is set aside, and a tenth is the quick form: by the name alone. Of the ten lots the quick
 * one is the first that takes less than a minute; it is harder than the whole. */
static void draw(battery_entry *e)
{
    unsigned long long lot = battery_hash(BATTERY_HASH, e->name, strlen(e->name));
    lot ^= lot >> 29; /* the low digits of the hash of short names are alike */
    e->held_out = lot % 10 == 3;
    e->in_quick = lot % 10 == 8;
}

typedef struct growing {
    battery_entry *list;
    size_t count;
} growing;

static battery_entry *add(growing *all)
{
    battery_entry *more = realloc(all->list, (all->count + 2) * sizeof *more);
    battery_require(more != NULL, "out of memory for the list of problems");
    all->list = more;
    memset(more + all->count, 0, 2 * sizeof *more);
    return more + all->count++;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const battery_entry *)a)->name, ((const battery_entry *)b)->name);
}

static void add_files(growing *all)
{
    DIR *folder = opendir(BATTERY_MODELS);
    battery_require(folder != NULL, "there is no folder " BATTERY_MODELS);
    for (struct dirent *d; (d = readdir(folder));) {
        size_t length = strlen(d->d_name);
        if (length < 5 || length >= BATTERY_NAME || strcmp(d->d_name + length - 4, ".ode") != 0)
            continue;
        memcpy(add(all)->name, d->d_name, length - 4);
    }
    closedir(folder);
    qsort(all->list, all->count, sizeof *all->list, by_name);
}

/* Lines MODEL PARAMETERS in sets.txt; the defaults of every model come first. */
static void add_sets(growing *all)
{
    char line[256], model[BATTERY_NAME];
    FILE *in = fopen(BATTERY_SETS, "r");
    battery_require(in != NULL, "there is no file " BATTERY_SETS);
    while (fgets(line, sizeof line, in)) {
        int at = 0;
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '#' || sscanf(line, "%95s %n", model, &at) != 1) continue;
        battery_entry *e = add(all);
        e->model = gt_model_find(model);
        battery_require(e->model != NULL, "sets.txt names a model that there is not");
        snprintf(e->name, sizeof e->name, "%.40s:%.50s", model, line + at);
        snprintf(e->parameters, sizeof e->parameters, "%s", line + at);
        for (char *blank; (blank = strchr(e->parameters, ' '));) *blank = ',';
        for (char *blank; (blank = strchr(e->name, ' '));) *blank = ',';
    }
    fclose(in);
}

battery_entry *battery_entries(void)
{
    growing all = {0};
    add_files(&all);
    for (const gt_model *const *m = gt_model_list(); *m; m++) {
        battery_entry *e = add(&all);
        e->model = *m;
        snprintf(e->name, sizeof e->name, "%s", (*m)->name);
    }
    add_sets(&all);
    for (size_t i = 0; i < all.count; i++) draw(&all.list[i]);
    return all.list;
}

static char *read_text(const char *path, size_t *length)
{
    FILE *in = fopen(path, "r");
    battery_require(in != NULL, path);
    char *text = NULL;
    *length = 0;
    for (size_t room = 4096, got = 1; got; room *= 2) {
        text = realloc(text, room);
        battery_require(text != NULL, "out of memory for a model file");
        got = fread(text + *length, 1, room - *length, in);
        *length += got;
    }
    fclose(in);
    return text;
}

/* Compiled where there is a compiler, else interpreted; both give the same bits. */
static const gt_model *compile(battery_problem *p)
{
    gt_toolchain tools = {.compiler = getenv("CC"),
                          .path = getenv("PATH"),
                          .cache = BATTERY_CACHE,
                          .include = BATTERY_INCLUDE};
    gt_message message;
    char *code = NULL;
    size_t length;
    const gt_model *model = NULL;
    gt_status status = gt_ode_c_code(p->ode, "geartrain_model", &code, &length, &message);
    if (!status) status = gt_library_compile_text(&p->library, code, &tools, &message);
    if (!status) status = gt_library_model(&p->library, p->entry->name, &model, &message);
    free(code);
    return status ? gt_ode_model(p->ode) : model;
}

static gt_status build_file(battery_problem *p, gt_message *message)
{
    char path[sizeof BATTERY_MODELS + BATTERY_NAME + 8];
    size_t length;
    snprintf(path, sizeof path, "%s/%s.ode", BATTERY_MODELS, p->entry->name);
    char *text = read_text(path, &length);
    p->key = battery_hash(p->key, text, length);
    gt_status status = gt_ode_parse(text, length, path, &p->ode, message);
    free(text);
    if (status) return status;
    status = gt_model_build(compile(p), "", &p->problem, &p->arena, message);
    return status;
}

bool battery_load(battery_problem *p, const battery_entry *e, gt_message *message)
{
    *p = (battery_problem){.entry = e, .arena = gt_arena_growing()};
    p->key = battery_hash(BATTERY_HASH, e->name, strlen(e->name));
    gt_status status =
        e->model ? gt_model_build(e->model, e->parameters, &p->problem, &p->arena, message)
                 : build_file(p, message);
    if (status) return false;
    p->key = battery_hash(p->key, &p->problem.t1, sizeof p->problem.t1);
    p->key = battery_hash(p->key, p->problem.x0, gt_problem_size(&p->problem) * sizeof(double));
    return true;
}

void battery_unload(battery_problem *p)
{
    gt_arena_free(&p->arena);
    gt_library_close(&p->library);
    gt_ode_free(p->ode);
}
