/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the process has answered: at most one JSON object, or the first reason why not. There is one
 * answer in a process, and those who give a reason are far from those who print it, so it is the
 * one record at file scope (scripts/check-globals knows it, and the flag of the signal handler in
 * watch.c).
 */
#include "cli.h"
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static struct {
    /* of the first reason; threads that give one hold a lock of their command */
    const char *status;
    char text[1024];
    bool printed;
    pthread_mutex_t lock; /* of the warnings, which threads may give */
    json_t *warnings;     /* texts; NULL: nothing was read that could be warned of */
    atomic_bool starved;  /* jansson's allocator can say so nowhere else */
} answer = {.lock = PTHREAD_MUTEX_INITIALIZER};

void gt_cli_remember_list(const char *status, const char *format, va_list list)
{
    if (answer.status) return;
    answer.status = status;
    gt_vformat(answer.text, sizeof answer.text, format, list);
}

void gt_cli_remember(const char *status, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    gt_cli_remember_list(status, format, list);
    va_end(list);
}

static bool is_there(const json_t *list, const char *text)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *other = json_string_value(json_array_get(list, i));
        if (other && !strcmp(other, text)) return true;
    }
    return false;
}

bool gt_cli_remember_warning(const char *text)
{
    gt_cli_json_expect_warnings();
    pthread_mutex_lock(&answer.lock);
    bool known = is_there(answer.warnings, text);
    if (!known) json_array_append_new(answer.warnings, gt_cli_json_text(text));
    pthread_mutex_unlock(&answer.lock);
    return known;
}

void gt_cli_json_expect_warnings(void)
{
    pthread_mutex_lock(&answer.lock);
    if (!answer.warnings) answer.warnings = json_array();
    pthread_mutex_unlock(&answer.lock);
}

/* What was warned of before the run stands before what the run itself says. */
static void add_warnings(json_t *object)
{
    if (!answer.warnings) return;
    json_array_extend(answer.warnings, json_object_get(object, "warnings"));
    json_object_set_new(object, "warnings", answer.warnings);
    answer.warnings = NULL;
}

/* Objects are put together without a look at each call of jansson; a piece that there was no memory
 * for would be missing from what is printed silently. So its allocator is looked at. */
static void *take(size_t size)
{
    void *memory = malloc(size);
    if (!memory && size) atomic_store(&answer.starved, true);
    return memory;
}

void gt_cli_json_begin(void) { json_set_alloc_funcs(take, free); }

bool gt_cli_json_whole(void) { return !atomic_load(&answer.starved); }

bool gt_cli_json_printed(void) { return answer.printed; }

json_t *gt_cli_json_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *gt_cli_json_text(const char *text)
{
    json_t *string = json_string(text);
    size_t room = text ? strlen(text) + 1 : 0;
    char *plain = string || !room ? NULL : take(room);
    if (!plain) return string;
    for (size_t i = 0; i < room; i++) plain[i] = (unsigned char)text[i] < 128 ? text[i] : '?';
    string = json_string(plain);
    free(plain);
    return string;
}

int gt_cli_json_print(json_t *object)
{
    add_warnings(object);
    if (!gt_cli_json_whole()) {
        json_decref(object);
        return gt_cli_failed("out of memory for the JSON object");
    }
    answer.printed = true;
    int refused = json_dumpf(object, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
    putchar('\n');
    json_decref(object);
    int lost = gt_cli_flush();
    if (lost) return lost;
    return refused ? gt_cli_failed("the JSON object could not be printed") : CLI_OK;
}

int gt_cli_json_refusal(int code)
{
    json_t *object = json_object();
    const char *status = answer.status       ? answer.status
                         : code == CLI_USAGE ? "bad_argument"
                                             : "failed";
    json_object_set_new(object, "status", json_string(status));
    json_object_set_new(object, "message", gt_cli_json_text(answer.text));
    gt_cli_json_print(object);
    return code;
}
