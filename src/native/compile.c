/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From C source to a loaded shared object.
 *
 * The key under which the result is kept is a hash of everything that it depends on: the compiler
 * by its path, size and time of change (to ask it for its version would take longer than most runs
 * of a model), the flags, the number of the model interface, the public headers, and the text. A C
 * file may include files of its own, so what counts is its text after the preprocessor, and that is
 * also what gets compiled.
 */
#include "base/sized.h"
#include "native/native.h"
#include <dirent.h>
#include <errno.h>
#include <geartrain/author/file.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 28 }; /* of a C file */

/* One compilation, and what is to be given back after it. */
typedef struct job {
    const gt_toolchain *tools;
    gt_library *library;
    gt_message *message;
    gt_build_cache cache;
    gt_command compiler; /* with its flags */
    char *flags;         /* the text that their words are in */
    char *include;       /* -I.. */
    const char *level;   /* of optimisation, instead of the usual one; NULL: that */
    gt_sha256 hash;
    char key[GT_SHA256_HEX];
    char *folder;
} job;

static gt_status no_memory(const job *j)
{
    return gt_fail(j->message, GT_NO_MEMORY, "out of memory");
}

static gt_status stopped(const job *j, const char *name)
{
    return gt_fail(j->message, GT_UNSUPPORTED,
                   "%s: the C compiler %s did not end within %d s and was stopped", name,
                   j->compiler.words[0], j->tools->wall_seconds);
}

static bool add_file(gt_sha256 *hash, const char *path)
{
    FILE *file = fopen(path, "rb");
    char buffer[8192];
    if (!file) return false;
    for (size_t got; (got = fread(buffer, 1, sizeof buffer, file)) > 0;)
        gt_sha256_add(hash, buffer, got);
    bool whole = !ferror(file);
    fclose(file);
    return whole;
}

static int is_header(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length > 2 && !strcmp(entry->d_name + length - 2, ".h");
}

/* The public headers, which generated text includes. */
static void add_headers(job *j)
{
    char *folder = j->tools->include ? gt_text("%s/geartrain", j->tools->include) : NULL;
    struct dirent **entries;
    int count = folder ? scandir(folder, &entries, is_header, alphasort) : -1;
    for (int i = 0; i < count; i++) {
        char *path = gt_text("%s/%s", folder, entries[i]->d_name);
        gt_sha256_add_text(&j->hash, entries[i]->d_name);
        if (path) add_file(&j->hash, path);
        free(path);
        free(entries[i]);
    }
    if (count >= 0) free(entries);
    free(folder);
}

static gt_status cannot_run(const job *j)
{
    return gt_fail(j->message, GT_UNSUPPORTED,
                   "the C compiler %s cannot be run: '%s --version' failed; name another one in "
                   "the variable CC",
                   j->compiler.words[0], j->compiler.words[0]);
}

/* The compiler, by which it is known, and the flags. */
static gt_status begin(job *j)
{
    gt_status status = gt_command_compiler(&j->compiler, j->tools, j->message);
    if (status) return status;
    j->compiler.seconds = j->tools->seconds;
    j->compiler.wall_seconds = j->tools->wall_seconds;
    gt_sha256_begin(&j->hash);
    char interface[64];
    snprintf(interface, sizeof interface, "geartrain model interface %d", GT_MODEL_ABI);
    gt_sha256_add_text(&j->hash, interface);
    if (!gt_command_identify(&j->compiler, j->tools, &j->hash)) return cannot_run(j);
    gt_sha256_add_text(&j->hash, GT_COMPILE_FLAGS);
    if (j->level) gt_sha256_add_text(&j->hash, j->level);
    j->flags = gt_text("%s", GT_COMPILE_FLAGS);
    if (!j->flags) return no_memory(j);
    for (char *word = j->flags; *word; word++) {
        size_t length = strcspn(word, " ");
        gt_command_add(&j->compiler, word);
        word += length;
        if (!*word) break;
        *word = '\0';
    }
    if (j->level) gt_command_add(&j->compiler, j->level); /* the last one counts */
    if (j->tools->include) {
        j->include = gt_text("-I%s", j->tools->include);
        if (!j->include) return no_memory(j);
        gt_command_add(&j->compiler, j->include);
    }
    return GT_OK;
}

/* The cache when it can be used; else why not, and a compilation is done all the same. */
static void open_cache(job *j)
{
    gt_message why = {""};
    if (!j->tools->cache) return;
    if (gt_build_cache_open(&j->cache, j->tools->cache, &why))
        j->library->remark = gt_text("%s", why.text);
}

static gt_status make_folder(job *j)
{
    const char *scratch = j->tools->scratch && *j->tools->scratch ? j->tools->scratch : "/tmp";
    const char *where = j->cache.folder >= 0 ? j->tools->cache : scratch;
    if (j->folder) return GT_OK;
    j->folder = gt_build_folder(where);
    return j->folder ? GT_OK
                     : gt_fail(j->message, GT_IO, "no folder could be made in %s: %s", where,
                               strerror(errno));
}

static void keep_log(job *j, char *text)
{
    free(j->library->log);
    j->library->log = text && *text ? text : NULL;
    if (text && !*text) free(text);
}

/* Takes the object of this key from the cache; one that cannot be loaded is forgotten. */
static bool take_cached(job *j)
{
    gt_sha256_hex(&j->hash, j->key);
    if (j->cache.folder < 0) return false;
    char *path = gt_build_cache_find(&j->cache, j->key);
    if (!path) return false;
    bool loaded = !gt_library_attach(j->library, path, NULL);
    if (!loaded) gt_build_cache_forget(&j->cache, j->key);
    free(path);
    return loaded;
}

/* Whether the compiler works at all; looked at only where it has failed. */
static gt_command_end end_of_version(const job *j)
{
    gt_command ask = {.words = {j->compiler.words[0], (char *)"--version"},
                      .count = 2,
                      .seconds = j->tools->seconds,
                      .wall_seconds = j->tools->wall_seconds};
    char *text;
    gt_command_end end = gt_command_run(&ask, NULL, &text);
    free(text);
    return end;
}

static gt_status refused(const job *j, gt_command_end end, const char *name)
{
    if (end == GT_ENDED_BY_LIMIT)
        return gt_fail(
            j->message, GT_UNSUPPORTED,
            "%s: the C compiler %s took more than %d s of processor time and was stopped", name,
            j->compiler.words[0], j->tools->seconds);
    if (end == GT_ENDED_BY_DEADLINE) return stopped(j, name);
    if (end_of_version(j) != GT_ENDED_WELL) return cannot_run(j);
    return gt_fail(j->message, GT_BAD_ARGUMENT, "%s: the C compiler %s did not accept it", name,
                   j->compiler.words[0]);
}

/* Compiles `source`, keeps and loads the result. */
static gt_status compile(job *j, const char *language, const char *source, const char *name)
{
    gt_status status = make_folder(j);
    char *made = j->folder ? gt_text("%s/model.so", j->folder) : NULL;
    char *text = NULL;
    if (status || !made) {
        free(made);
        return status ? status : no_memory(j);
    }
    gt_command command = j->compiler;
    const char *const rest[] = {"-x", language, source, "-o", made, "-lm"};
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++) gt_command_add(&command, rest[i]);
    gt_command_end end = gt_command_run(&command, NULL, &text);
    keep_log(j, text);
    if (end != GT_ENDED_WELL) {
        status = refused(j, end, name);
    } else {
        char *kept = j->cache.folder >= 0 ? gt_build_cache_keep(&j->cache, j->key, made) : NULL;
        if (j->cache.folder >= 0 && !kept)
            j->library->remark =
                gt_text("nothing can be kept in %s: %s", j->cache.path, strerror(errno));
        status = gt_library_attach(j->library, kept ? kept : made, j->message);
        if (kept) gt_build_cache_tidy(&j->cache, j->folder);
        j->library->compiled = true;
        free(kept);
    }
    free(made);
    return status;
}

static gt_status finish(job *j, gt_status status)
{
    gt_build_folder_remove(j->folder);
    gt_build_cache_close(&j->cache);
    gt_command_free(&j->compiler);
    free(j->flags);
    free(j->include);
    return status;
}

static bool write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    if (!file) return false;
    size_t length = strlen(text);
    bool written = fwrite(text, 1, length, file) == length;
    return !fclose(file) && written;
}

/* Bytes of the longest function, whose braces stand alone at the start of a line, as generated ones
 * do. */
static size_t longest_function(const char *text)
{
    const char *begin = NULL;
    size_t most = 0;
    for (const char *at = text; at; at = strchr(at, '\n'), at = at ? at + 1 : NULL) {
        if (!strncmp(at, "{\n", 2)) begin = at;
        if (strncmp(at, "}\n", 2) || !begin) continue;
        if ((size_t)(at - begin) > most) most = (size_t)(at - begin);
        begin = NULL;
    }
    return most;
}

/* Compilers need more than in proportion for one long function, but not without optimisation. */
static const char *level_for(size_t length, size_t longest)
{
    if (length > GT_COMPILE_HUGE || longest > GT_COMPILE_LONG_FUNCTION) return "-O0";
    return length > GT_COMPILE_LONG ? "-O1" : NULL;
}

gt_status gt_library_compile_text_sized(gt_library *library, const char *text,
                                        const gt_toolchain *tools, size_t tools_size,
                                        gt_message *message)
{
    GT_WIDEN(message, gt_toolchain, tools);
    GT_ARMOR(message, library && text && tools);
    *library = (gt_library){.handle = NULL};
    job j = {.tools = tools, .library = library, .message = message, .cache = {.folder = -1}};
    size_t longest = longest_function(text);
    if (longest > GT_COMPILE_MOST_FUNCTION)
        return gt_fail(message, GT_UNSUPPORTED,
                       "an expression makes a function of %.1f MB of C, more than the %.1f MB that "
                       "are given to a compiler",
                       (double)longest / 1e6, GT_COMPILE_MOST_FUNCTION / 1e6);
    j.level = level_for(strlen(text), longest);
    gt_status status = begin(&j);
    if (status) return finish(&j, status);
    add_headers(&j);
    gt_sha256_add_text(&j.hash, text);
    open_cache(&j);
    if (take_cached(&j)) return finish(&j, GT_OK);
    if (tools->only_kept)
        return finish(&j, gt_fail(message, GT_UNSUPPORTED, "this code is not in the cache"));
    if ((status = make_folder(&j))) return finish(&j, status);
    char *source = gt_text("%s/model.c", j.folder);
    if (!source)
        status = no_memory(&j);
    else if (!write_text(source, text))
        status = gt_fail(message, GT_IO, "%s cannot be written: %s", source, strerror(errno));
    else
        status = compile(&j, "c", source, "the generated code");
    free(source);
    return finish(&j, status);
}

/* The text after the preprocessor, in a file of the build folder; also into the hash. */
static gt_status preprocess(job *j, const char *path, const char *out)
{
    gt_command command = j->compiler;
    char *text = NULL;
    const char *const rest[] = {"-E", "-x", "c", path};
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++) gt_command_add(&command, rest[i]);
    gt_command_end end = gt_command_run(&command, out, &text);
    keep_log(j, text);
    if (end != GT_ENDED_WELL) return refused(j, end, path);
    return add_file(&j->hash, out) ? GT_OK
                                   : gt_fail(j->message, GT_IO, "%s cannot be read again", out);
}

gt_status gt_library_compile_file_sized(gt_library *library, const char *path,
                                        const gt_toolchain *tools, size_t tools_size,
                                        gt_message *message)
{
    GT_WIDEN(message, gt_toolchain, tools);
    GT_ARMOR(message, library && path && tools);
    *library = (gt_library){.handle = NULL};
    char *text;
    size_t length;
    gt_status readable = gt_file_read(path, MOST_BYTES, &text, &length, message);
    free(text);
    if (readable) return readable;
    job j = {.tools = tools, .library = library, .message = message, .cache = {.folder = -1}};
    gt_status status = begin(&j);
    if (status) return finish(&j, status);
    open_cache(&j);
    /* A name such as -o.c would be taken for an option. */
    char *source = gt_text("%s%s", path[0] == '-' ? "./" : "", path);
    char *pure = NULL;
    status = make_folder(&j);
    if (!status) pure = gt_text("%s/model.i", j.folder);
    if (!status && (!pure || !source)) status = no_memory(&j);
    if (!status) status = preprocess(&j, source, pure);
    if (!status && !take_cached(&j)) status = compile(&j, "cpp-output", pure, path);
    free(pure);
    free(source);
    return finish(&j, status);
}
