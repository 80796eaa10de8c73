/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiling and loading from a program; what the command line makes of it is in model_file_test.sh.
 */
#include "native/native.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* Examples of FIPS 180-4 and of NIST's test vectors. */
static void sha256_of_the_standard(void **state)
{
    static const struct {
        const char *text;
        size_t repeat;
        const char *hex;
    } cases[] = {
        {"", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
        {"aaaaaaaaaa", 100000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gt_sha256 hash;
        char hex[GT_SHA256_HEX];
        gt_sha256_begin(&hash);
        for (size_t k = 0; k < cases[i].repeat; k++)
            gt_sha256_add(&hash, cases[i].text, strlen(cases[i].text));
        gt_sha256_hex(&hash, hex);
        assert_string_equal(hex, cases[i].hex);
    }
}

static gt_toolchain tools_in(const char *cache)
{
    return (gt_toolchain){.path = getenv("PATH"), .cache = cache, .scratch = getenv("TMPDIR")};
}

static void text_is_compiled_once(void **state)
{
    static const char text[] =
        "#include <math.h>\nconst double answer = 42; double root(double x) { return sqrt(x); }\n";
    char folder[] = "/tmp/geartrain-load-XXXXXX";
    (void)state;
    assert_non_null(mkdtemp(folder));
    gt_toolchain tools = tools_in(folder);
    gt_message message = {""};
    gt_library first, second, other;
    assert_int_equal(gt_library_compile_text(&first, text, &tools, &message), GT_OK);
    assert_true(first.compiled);
    assert_null(first.remark);
    const double *answer = gt_library_symbol(&first, "answer");
    assert_non_null(answer);
    assert_true(*answer == 42);
    assert_non_null(gt_library_symbol(&first, "root"));
    assert_null(gt_library_symbol(&first, "geartrain_model"));
    const gt_model *model;
    assert_int_equal(gt_library_model(&first, "text", &model, &message), GT_BAD_ARGUMENT);
    assert_int_equal(gt_library_compile_text(&second, text, &tools, &message), GT_OK);
    assert_false(second.compiled);
    assert_ptr_equal(gt_library_symbol(&second, "answer"), answer);
    assert_int_equal(gt_library_compile_text(&other, text + 18, &tools, &message), GT_OK);
    assert_true(other.compiled); /* without its first line it is another text, with a warning */
    assert_non_null(other.log);
    gt_library_close(&other);
    gt_library_close(&second);
    gt_library_close(&first);
    gt_build_folder_remove(gt_text("%s", folder));
    assert_int_not_equal(access(folder, F_OK), 0); /* so there was nothing but objects in it */
}

static void what_fails_says_so(void **state)
{
    gt_toolchain tools = tools_in("relative");
    gt_message message = {""};
    gt_library library;
    (void)state;
    assert_int_equal(gt_library_compile_text(&library, "int x = ;", &tools, &message),
                     GT_BAD_ARGUMENT);
    assert_non_null(strstr(library.log, "error"));
    assert_non_null(strstr(library.remark, "not an absolute path"));
    gt_library_close(&library);
    tools.scratch = "/no/such/folder";
    assert_int_equal(gt_library_compile_text(&library, "int x;", &tools, &message), GT_IO);
    gt_library_close(&library);
    tools.path = "/no/such/folder";
    assert_int_equal(gt_library_compile_text(&library, "int x;", &tools, &message), GT_UNSUPPORTED);
    gt_library_close(&library);
    assert_int_equal(gt_library_compile_file(&library, "no_such_file.c", &tools, &message), GT_IO);
    gt_library_close(&library);
    assert_int_equal(gt_library_open(&library, "no_such_file.so", &message), GT_IO);
    assert_null(gt_library_symbol(&library, "x"));
    gt_library_close(&library);
}

/* A stand-in for a compiler that does not come to an end; and one that fails at once. */
static void a_slow_compiler_is_stopped(void **state)
{
    static const char script[] = "#!/bin/sh\n[ \"$1\" = --version ] && echo one && exit 0\n"
                                 "case \"$*\" in *-O1*) while :; do :; done;; esac\nexit 1\n";
    char folder[] = "/tmp/geartrain-load-XXXXXX";
    (void)state;
    assert_non_null(mkdtemp(folder));
    char *path = gt_text("%s/compiler", folder), *text = calloc(1, GT_COMPILE_LONG + 2);
    assert_non_null(path);
    assert_non_null(text);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(script, file);
    fclose(file);
    assert_int_equal(chmod(path, 0700), 0);
    gt_toolchain tools = tools_in(NULL);
    tools.compiler = path;
    tools.seconds = 1;
    gt_message message = {""};
    gt_library library;
    assert_int_equal(gt_library_compile_text(&library, "int x;", &tools, &message),
                     GT_BAD_ARGUMENT);
    gt_library_close(&library);
    memset(text, ' ', GT_COMPILE_LONG + 1); /* long text gets -O1 */
    assert_int_equal(gt_library_compile_text(&library, text, &tools, &message), GT_UNSUPPORTED);
    assert_non_null(strstr(message.text, "took more than 1 s"));
    gt_library_close(&library);
    unlink(path);
    rmdir(folder);
    free(text);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sha256_of_the_standard),
        cmocka_unit_test(text_is_compiled_once),
        cmocka_unit_test(what_fails_says_so),
        cmocka_unit_test(a_slow_compiler_is_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
