/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that nobody would write: each gives a sentence or a model, soon, and takes a bounded amount
 * of memory. */
#include "lang_kit.h"

typedef struct builder {
    char *text;
    size_t length, room;
} builder;

static void put(builder *b, const char *format, ...) GT_PRINTF(2, 3);
static void put(builder *b, const char *format, ...)
{
    char piece[200];
    va_list args;
    va_start(args, format);
    size_t length = (size_t)vsnprintf(piece, sizeof piece, format, args);
    va_end(args);
    if (b->length + length + 1 > b->room) {
        b->room = 2 * b->room + length + 4096;
        b->text = realloc(b->text, b->room);
        assert_non_null(b->text);
    }
    memcpy(b->text + b->length, piece, length + 1);
    b->length += length;
}

static void repeat(builder *b, const char *piece, int times)
{
    for (int k = 0; k < times; k++) put(b, "%s", piece);
}

/* Must be refused with a message that has this part. */
static void refused(builder *b, const char *part)
{
    gt_ode *ode;
    gt_message message = {""};
    gt_status status = gt_ode_parse(b->text, b->length, "m.ode", &ode, &message);
    if (!status || !strstr(message.text, part))
        fail_msg("'%s' does not say '%s'", message.text, part);
    assert_null(gt_ode_model(ode));
    gt_ode_free(ode);
    free(b->text);
    *b = (builder){0};
}

static void accepted(builder *b)
{
    lang_model m = lang_read(b->text);
    double x[4] = {0.5, 0.5, 0.5, 0.5}, dx[4];
    assert_int_equal(m.problem.rhs(0, x, dx, m.problem.ctx), GT_OK);
    assert_true(isfinite(dx[0]));
    lang_free(&m);
    free(b->text);
    *b = (builder){0};
}

static void test_nesting(void **state)
{
    (void)state;
    builder b = {0};
    put(&b, "x'=");
    repeat(&b, "(", 100000);
    refused(&b, "nested deeper");
    put(&b, "x'=");
    repeat(&b, "-", 100000);
    refused(&b, "nested deeper");
    put(&b, "x'=");
    repeat(&b, "sin(", 50000);
    refused(&b, "nested deeper");
    put(&b, "x'=x");
    repeat(&b, "+x*2", 20000); /* long is not deep */
    put(&b, "\n");
    accepted(&b);
    put(&b, "x'=x");
    repeat(&b, "^1", 5000);
    put(&b, "\n");
    accepted(&b);
}

static void test_chains_of_names(void **state)
{
    (void)state;
    builder b = {0};
    put(&b, "x'=a20000\na0=x\n");
    for (int k = 1; k <= 20000; k++) put(&b, "a%d=a%d+1\n", k, k - 1);
    accepted(&b);
    put(&b, "x'=a20000\na0=x\n");
    for (int k = 20000; k >= 1; k--) put(&b, "a%d=a%d+1\n", k, k - 1);
    refused(&b, "names refer to names");
    put(&b, "x'=a0\n");
    for (int k = 0; k < 1000; k++) put(&b, "a%d=a%d+1\n", k, (k + 1) % 1000);
    refused(&b, "depends on itself");
    put(&b, "s[1..10]=s[11-j]\nx'=s1\n");
    refused(&b, "m.ode:1");
    put(&b, "x'=f0(x)\n");
    for (int k = 0; k < 5000; k++) put(&b, "f%d(y)=f%d(y)\n", k, k + 1);
    refused(&b, "deep");
}

static void test_growth(void **state)
{
    (void)state;
    builder b = {0};
    put(&b, "x'=f60(x)\nf0(y)=y+1\n"); /* 2^60 calls */
    for (int k = 1; k <= 60; k++) put(&b, "f%d(y)=f%d(y)+f%d(y)\n", k, k - 1, k - 1);
    refused(&b, "becomes too large");
    put(&b, "x'=fib(15)*x\nfib(n)=if(n<0)then(0)else(1+fib(n-1)+fib(n-2))\n");
    accepted(&b);
    lang_model m = lang_read("x'=f(x)\nf(n)=1+f(n+1)\n"); /* no end: not a number, not a crash */
    double x = 1, dx;
    assert_int_equal(m.problem.rhs(0, &x, &dx, m.problem.ctx), GT_OK);
    assert_true(isnan(dx));
    lang_free(&m);
}

static void test_sizes(void **state)
{
    (void)state;
    builder b = {0};
    put(&b, "x[1..99000000]'=1\n");
    refused(&b, "at most");
    put(&b, "x[1..999999999999]'=1\n");
    refused(&b, "larger than");
    put(&b, "x[1..9000000]'=1\ny[1..9000000]'=1\n");
    refused(&b, "more than");
    put(&b, "x'=sum(0,99999999)of(i'*x)\n");
    refused(&b, "at most");
    put(&b, "x'=1\ntable f %% 99999999 0 1 t\n");
    refused(&b, "samples");
    put(&b, "x'=a500*x\npar a[1..1000]=1\n"); /* read as by number */
    accepted(&b);
    put(&b, "s0=0\ns[1..50000]=s[j-1]+x[j]\nx[1..50000]'=-s[j]\n");
    refused(&b, "written out one by one");
    put(&b, "x'=");
    repeat(&b, "1", 500);
    put(&b, "\n");
    refused(&b, "too long");
    char *large = malloc(100u << 20);
    assert_non_null(large);
    memset(large, 'x', 100u << 20);
    gt_ode *ode;
    gt_message message;
    assert_int_not_equal(gt_ode_parse(large, 100u << 20, "m.ode", &ode, &message), GT_OK);
    assert_non_null(strstr(message.text, "bytes"));
    gt_ode_free(ode);
    assert_int_not_equal(gt_ode_parse(large, 16u << 20, "m.ode", &ode, &message), GT_OK);
    gt_ode_free(ode);
    free(large);
}

static void test_random_bytes(void **state)
{
    (void)state;
    static const char alphabet[] = "xyj[]()'=+-*/^,.0123 \n#@%{}!<>&|\"\\ifsumof";
    uint32_t seed = 1;
    for (int k = 0; k < 3000; k++) {
        char text[300];
        size_t length = (size_t)(k % 300);
        for (size_t i = 0; i < length; i++) {
            seed = seed * 1664525u + 1013904223u;
            text[i] = k % 2 ? alphabet[(seed >> 16) % (sizeof alphabet - 1)] : (char)(seed >> 24);
        }
        gt_ode *ode;
        gt_message message = {""};
        gt_status status = gt_ode_parse(text, length, "m.ode", &ode, &message);
        assert_int_equal(status == GT_OK, gt_ode_model(ode) != NULL);
        assert_true(status == GT_OK || !strncmp(message.text, "m.ode:", 6));
        gt_ode_free(ode);
    }
}

/* Whatever a file says, the C code has nothing of it outside of literals but names with a prefix.
 */
static void test_code_is_clean(void **state)
{
    (void)state;
    static const char text[] =
        "#@ title a\"; system(\"rm\"); /* ?\?/ \\n\n#@ unit x=\"*/\n#@ reference %s%n\n"
        "par a.b=1,a$b=2,while=3\nx'=a.b*a$b*x+while*int\nint=2*x\nglobal 1 x-1 {x=\\\n0}\n"
        "aux out.put=x\n";
    gt_ode *ode;
    gt_message message;
    char *code;
    size_t length;
    assert_int_equal(gt_ode_parse(text, strlen(text), "bad\"name\n.ode", &ode, &message), GT_OK);
    assert_int_equal(gt_ode_c_code(ode, "m; int x", &code, &length, &message), GT_BAD_ARGUMENT);
    assert_int_equal(gt_ode_c_code(ode, "geartrain_model", &code, &length, &message), GT_OK);
    bool in_literal = false;
    for (size_t i = 0; i < length; i++) {
        if (code[i] == '\\') {
            assert_true(in_literal);
            i++;
        } else if (code[i] == '"') {
            in_literal = !in_literal;
        } else if (!in_literal && i && code[i - 1] != '_') {
            assert_false(!strncmp(code + i, "system", 6) || !strncmp(code + i, "while", 5));
        }
        assert_false(code[i] == '?' && code[i + 1] == '?');
    }
    assert_false(in_literal);
    free(code);
    gt_ode_free(ode);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nesting),      cmocka_unit_test(test_chains_of_names),
        cmocka_unit_test(test_growth),       cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_random_bytes), cmocka_unit_test(test_code_is_clean)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
