/* SPDX-License-Identifier: BSD-3-Clause */
/* A short, repeatable run of the fuzz target: every file of the corpus whole, cut, and changed in
 * small ways, and what the long runs of scripts/fuzz have found. */
#include "fuzz/ode_target.h"
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

enum { MOST = 1 << 16, ROUNDS = 12, MANY_WORDS = 128 };

static uint32_t next(uint32_t *seed) { return (*seed = *seed * 1664525u + 1013904223u) >> 8; }

static size_t read_file(const char *folder, const char *name, char *text)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t length = fread(text, 1, MOST / 2, file);
    fclose(file);
    return length;
}

/* The words of the dictionary, as they are but for \x0a. */
static size_t read_words(char words[MANY_WORDS][64])
{
    FILE *file = fopen(TEST_SOURCE_DIR "/tests/fuzz/ode.dict", "r");
    size_t count = 0;
    char line[128];
    assert_non_null(file);
    while (count < MANY_WORDS && fgets(line, sizeof line, file)) {
        char *end = strrchr(line, '"'), *newline;
        if (line[0] != '"' || end == line) continue;
        *end = '\0';
        if ((newline = strstr(line, "\\x0a"))) strcpy(newline, "\n");
        snprintf(words[count++], 64, "%.63s", line + 1);
    }
    fclose(file);
    return count;
}

/* One change: a byte, a piece gone, a piece twice, or a word of the language put in. */
static size_t change(char *text, size_t length, uint32_t *seed, char words[MANY_WORDS][64],
                     size_t n_words)
{
    size_t at = length ? next(seed) % length : 0, piece = next(seed) % 24;
    if (piece > length - at) piece = length - at;
    const char *word = words[next(seed) % n_words];
    size_t size = strlen(word);
    switch (next(seed) % 5) {
    case 0:
        if (length) text[at] = (char)next(seed);
        return length;
    case 1:
        memmove(text + at, text + at + piece, length - at - piece);
        return length - piece;
    case 2:
        if (length + piece > MOST) return length;
        memmove(text + at + piece, text + at, length - at);
        return length + piece;
    default:
        if (length + size > MOST) return length;
        memmove(text + at + size, text + at, length - at);
        memcpy(text + at, word, size);
        return length + size;
    }
}

static int is_ode(const struct dirent *entry) { return strstr(entry->d_name, ".ode") != NULL; }

static void feed_folder(const char *folder)
{
    static char words[MANY_WORDS][64];
    size_t n_words = read_words(words);
    struct dirent **entries;
    int count = scandir(folder, &entries, is_ode, alphasort);
    char *text = malloc(MOST), *changed = malloc(MOST);
    assert_true(count > 0 && text && changed && n_words > 20);
    uint32_t seed = 20200;
    for (int i = 0; i < count; i++) {
        size_t length = read_file(folder, entries[i]->d_name, text);
        ode_feed(text, length);
        for (int k = 0; k < ROUNDS; k++) {
            size_t size = length;
            memcpy(changed, text, length);
            for (int times = 0; times <= k / 2; times++)
                size = change(changed, size, &seed, words, n_words);
            ode_feed(changed, size);
        }
        ode_feed(text, length ? next(&seed) % length : 0);
        free(entries[i]);
    }
    free(entries);
    free(text);
    free(changed);
}

static void corpus(void **state)
{
    (void)state;
    feed_folder(TEST_SOURCE_DIR "/tests/ode");
    feed_folder(TEST_SOURCE_DIR "/models");
    feed_folder(TEST_SOURCE_DIR "/examples/models");
}

static void found_by_fuzzing(void **state)
{
    (void)state;
    feed_folder(TEST_SOURCE_DIR "/tests/fuzz/found");
}

static void random_bytes(void **state)
{
    char text[4096];
    uint32_t seed = 7;
    (void)state;
    for (int k = 0; k < 200; k++) {
        size_t length = next(&seed) % sizeof text;
        for (size_t i = 0; i < length; i++) text[i] = (char)next(&seed);
        ode_feed(text, length);
    }
}

/* Files that are large in one way. */
static void repeat(const char *before, const char *piece, size_t times, const char *after)
{
    size_t a = strlen(before), b = strlen(piece), c = strlen(after), length = a + b * times + c;
    char *text = malloc(length + 1);
    assert_non_null(text);
    memcpy(text, before, a);
    for (size_t i = 0; i < times; i++) memcpy(text + a + b * i, piece, b);
    memcpy(text + a + b * times, after, c);
    ode_feed(text, length);
    free(text);
}

static void extremes(void **state)
{
    (void)state;
    repeat("x'=", "(", 100000, "1\n");
    repeat("x'=", "-", 100000, "x\n");
    repeat("x'=", "sin(", 100000, "x\n");
    repeat("x'=", "if(1)then(", 100000, "x\n");
    repeat("x'=1", "+x", 100000, "\n");
    repeat("x'=2", "^x", 100000, "\n");
    repeat("x'=1", "\\\n", 100000, "\n");
    repeat("x'=", "a", 1000000, "\n");
    repeat("par ", "a,", 100000, "\nx'=1\n");
    repeat("x'=1\n", "x'=1\n", 20000, "");
    repeat("", "\n", 1000000, "");
    repeat("", "%[1..2]\n", 20000, "x'=1\n");
    repeat("f(a)=f(a)+f(a)\nx'=", "f(", 1000, "x\n");
    repeat("x[1..1000000]'=", "x[j]+", 100, "1\n");
    repeat("x'=sum(0,100000000)of(", "sum(0,100000000)of(", 50, "i')\n");
    repeat("x", "[1..9]", 10000, "'=1\n");
    repeat("x'=1\n#", "x", 20000000, "\n"); /* above the largest file */
}

/* Names that double: shared as a graph, 2^60 terms as a tree. */
static void doubling(void **state)
{
    char text[4096];
    int used = 0;
    (void)state;
    used += sprintf(text + used, "a0=x+1\n");
    for (int k = 1; k <= 60; k++)
        used += sprintf(text + used, "a%d=a%d*a%d+a%d\n", k, k - 1, k - 1, k - 1);
    used += sprintf(text + used, "x'=a60\n");
    ode_feed(text, (size_t)used);
    used = sprintf(text, "f0(u)=u+x\n");
    for (int k = 1; k <= 40; k++)
        used += sprintf(text + used, "f%d(u)=f%d(f%d(u))\n", k, k - 1, k - 1);
    used += sprintf(text + used, "x'=f40(x)\n");
    ode_feed(text, (size_t)used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(corpus),       cmocka_unit_test(found_by_fuzzing),
        cmocka_unit_test(random_bytes), cmocka_unit_test(extremes),
        cmocka_unit_test(doubling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
