/* SPDX-License-Identifier: BSD-3-Clause */
/* In a host with a decimal comma (setlocale by GTK, Qt, R, Python) everything is read and written
 * as in the C locale.
 */
#include "lang_kit.h"
#include "power_kit.h"
#include <ctype.h>
#include <locale.h>
#include <unistd.h>

/* The locale with the comma comes from scripts/comma-locale, which main calls. */
static bool comma(void)
{
    return setlocale(LC_ALL, "de_DE.UTF-8") && localeconv()->decimal_point[0] == ',';
}

static int begin_in_c(void **state)
{
    (void)state;
    setlocale(LC_ALL, "C");
    return 0;
}

static int back_to_c(void **state)
{
    (void)state;
    setlocale(LC_ALL, "C");
    return 0;
}

#define SKIP_WITHOUT_COMMA                                                                         \
    if (!comma()) {                                                                                \
        print_message("skip %s: there is no locale with a decimal comma\n", __func__);             \
        skip();                                                                                    \
    }

static uint64_t next_random(uint64_t *s)
{
    *s ^= *s << 13;
    *s ^= *s >> 7;
    *s ^= *s << 17;
    return *s * 0x2545F4914F6CDD1DULL;
}

/* Doubles of all exponents, subnormal ones, whole numbers, short decimals and sums of few powers of
 * two (ties). */
static double any_double(uint64_t *s, int kind)
{
    uint64_t bits = next_random(s);
    double value;
    switch (kind % 6) {
    case 0:
    case 1:
        break;
    case 2:
        bits = (bits & 0xfffffffffffff) >> next_random(s) % 52;
        break;
    case 3:
        return (double)(int64_t)bits / (double)(1ULL << next_random(s) % 63);
    case 4:
        return (double)(bits % 1000000) /
               (double)(int[]){1, 10, 100, 1000, 10000, 100000}[next_random(s) % 6];
    default:
        return ldexp((double)(bits % 4096), -(int)(next_random(s) % 60));
    }
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The C library in the C locale says what is right. */
static void check_numbers(int digits_from, int digits_to)
{
    uint64_t s = 88172645463325252u;
    for (int i = 0; i < 120000; i++) {
        char ours[GT_NUMBER_SIZE], theirs[64], decimal[64], *end;
        double value = any_double(&s, i), read;
        int digits = digits_from + (int)(next_random(&s) % (uint64_t)(digits_to - digits_from + 1));
        size_t length = gt_number_print(ours, value, digits);
        snprintf(theirs, sizeof theirs, "%.*g", digits, isnan(value) ? fabs(value) : value);
        assert_string_equal(ours, theirs);
        assert_int_equal(length, strlen(theirs));
        if (isfinite(value)) {
            assert_ptr_equal(gt_number_read(ours, ours + length, &read), ours + length);
            double right = strtod(theirs, &end);
            assert_memory_equal(&read, &right, sizeof read);
        }
        snprintf(decimal, sizeof decimal, "%llu.%llue%d",
                 (unsigned long long)next_random(&s) >> next_random(&s) % 60,
                 (unsigned long long)next_random(&s) >> next_random(&s) % 60,
                 (int)(next_random(&s) % 700) - 360);
        double right = strtod(decimal, &end);
        assert_ptr_equal(gt_number_read(decimal, NULL, &read), end);
        assert_memory_equal(&read, &right, sizeof read);
    }
}

static void numbers_as_in_c(void **state)
{
    (void)state;
    check_numbers(17, 17);
    check_numbers(1, 16);
}

/* A NaN of x86 has its sign set, one of ARM has not; files and messages must not show which. */
static void nan_has_no_sign(void **state)
{
    (void)state;
    gt_message message;
    char text[GT_NUMBER_SIZE];
    gt_number_print(text, copysign(NAN, -1), 17);
    assert_string_equal(text, "nan");
    gt_fail(&message, GT_NOT_FINITE, "%g %6.2f %Lg", copysign(NAN, -1), copysign(NAN, -1),
            copysignl(NAN, -1));
    assert_string_equal(message.text, "nan    nan nan");
}

/* Texts at and beside the middle between two doubles, at the ends of the range, and with many
 * digits. */
static const char *const hard[] = {
    "9007199254740993",
    "9007199254740992.9999999999999999999999999999",
    "9007199254740993.0000000000000000000000000001",
    "1.00000000000000011102230246251565404236316680908203125",
    "1.00000000000000011102230246251565404236316680908203124",
    "1.00000000000000011102230246251565404236316680908203126",
    "2.2250738585072011e-308",
    "2.4703282292062327208e-324",
    "2.4703282292062328e-324",
    "4.9406564584124654e-324",
    "1.7976931348623158e308",
    "1.7976931348623159e308",
    "1e309",
    "-1e-400",
    "1e99999999999999999999",
    "1e-99999999999999999999",
    "0e99999999999999999999",
    "-0",
    ".5",
    "5.",
    "+2.5E+03",
    "00000000000000000000000000000000000001.25",
    "0.00000000000000000000000000000000000000000000001e47",
    "100000000000000000000000000000000000000000000000e-47",
    "6929495644600919.5",
    "3.141592653589793238462643383279502884197169399375105820974944592307816406286"};

static void hard_texts(void **state)
{
    (void)state;
    double right[sizeof hard / sizeof *hard];
    for (size_t i = 0; i < sizeof hard / sizeof *hard; i++) right[i] = strtod(hard[i], NULL);
    for (int with_comma = 0; with_comma < 2; with_comma++) {
        if (with_comma && !comma()) break;
        for (size_t i = 0; i < sizeof hard / sizeof *hard; i++) {
            double value;
            const char *stop = gt_number_read(hard[i], NULL, &value);
            if (memcmp(&value, &right[i], sizeof value))
                fail_msg("%s is read as %a, not %a", hard[i], value, right[i]);
            assert_int_equal(*stop, '\0');
        }
    }
}

static void what_is_a_number(void **state)
{
    static const struct {
        const char *text;
        int decimal, any; /* characters read */
    } cases[] = {{"", 0, 0},        {"x", 0, 0},      {".", 0, 0},         {"-", 0, 0},
                 {"-.e5", 0, 0},    {"e5", 0, 0},     {"1e", 1, 1},        {"1e+", 1, 1},
                 {"1.e5", 4, 4},    {"1.5.2", 3, 3},  {"1,5", 1, 1},       {" 1", 0, 2},
                 {"\t-2x", 0, 3},   {"inf", 0, 3},    {"-Infinity", 0, 9}, {"infinit", 0, 3},
                 {"nan", 0, 3},     {"nan(1)", 0, 6}, {"nan(", 0, 3},      {"0x10", 1, 4},
                 {"0x1.8p1", 1, 7}, {"0x", 1, 1},     {"in", 0, 0},        {"1e5e5", 3, 3},
                 {"1_000", 1, 1},   {"1'000", 1, 1},  {"+-1", 0, 0},       {"--1", 0, 0}};
    (void)state;
    for (int with_comma = 0; with_comma < 2; with_comma++) {
        if (with_comma && !comma()) break;
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            double value;
            const char *text = cases[i].text;
            if (gt_number_read(text, NULL, &value) != text + cases[i].decimal ||
                gt_number_read_any(text, NULL, &value) != text + cases[i].any)
                fail_msg("'%s': %td and %td characters", text,
                         gt_number_read(text, NULL, &value) - text,
                         gt_number_read_any(text, NULL, &value) - text);
        }
        double value;
        const char *text = "12.75e3";
        for (int length = 0; length <= 7; length++) { /* nothing behind the end is looked at */
            static const double values[] = {0, 1, 12, 12, 12.7, 12.75, 12.75, 12750};
            static const int read[] = {0, 1, 2, 3, 4, 5, 5, 7};
            assert_ptr_equal(gt_number_read(text, text + length, &value), text + read[length]);
            lang_near(value, values[length], 0);
        }
        gt_number_read_any("0x1.8p1", NULL, &value);
        lang_near(value, 3, 0);
        gt_number_read_any("-inf", NULL, &value);
        assert_true(isinf(value) && value < 0);
    }
}

static void formats(void **state)
{
    char buffer[2000], small[6];
    (void)state;
    SKIP_WITHOUT_COMMA
    static const char text[] = "-3  1.50|0.25    |-001.500|+2.500000e+00|1.00000|0x1.8p+0|1,5|7|x%";
    int length = gt_format(buffer, sizeof buffer, "%d %5.2f|%-8g|%08.3f|%+e|%#g|%a|%s|%zu|%c%%", -3,
                           1.5, 0.25, -1.5, 2.5, 1.0, 1.5, "1,5", (size_t)7, 'x');
    assert_string_equal(buffer, text);
    assert_int_equal(length, sizeof text - 1);
    gt_format(buffer, sizeof buffer, "%*.*f %.*s %6s|%-6s|%03d %ld %llx %Lg %g %f", 8, 3, 3.14159,
              2, "abc", "ab", "ab", 7, 8L, 255LL, 0.5L, NAN, INFINITY);
    assert_string_equal(buffer, "   3.142 ab     ab|ab    |007 8 ff 0.5 nan inf");
    assert_int_equal(gt_format(small, sizeof small, "%.3f and more", 1.25), 14);
    assert_string_equal(small, "1.250");
    assert_int_equal(gt_format(NULL, 0, "%.1f", 1.25), 3);
    gt_format(buffer, sizeof buffer, "%f", 1e22);
    assert_string_equal(buffer, "10000000000000000000000.000000"); /* and no grouping */
    gt_message message = {""};
    gt_fail(&message, GT_IO, "t = %g", 0.8307);
    gt_say_more(&message, ", h = %.3e", 1.5e-14);
    assert_string_equal(message.text, "t = 0.8307, h = 1.500e-14");
    snprintf(buffer, sizeof buffer, "%.1f", 0.5);
    assert_string_equal(buffer, "0,5"); /* the host's own locale is as it was */
}

static const char decay[] =
    "par a=1.5\ninit x=2.5\nx'=-0.25*a*x+2.5e-1\naux y=0.5*x\n@ total=3,dt=.125\n"
    "set half {a=0.75,x=1.25}\ndone\n";

static void model_text(void **state)
{
    char *code = NULL, *again = NULL;
    size_t length, length_again;
    gt_message message = {""};
    (void)state;
    lang_model m = lang_read(decay);
    assert_int_equal(gt_ode_c_code(m.ode, "gt_model_decay", &code, &length, &message), GT_OK);
    lang_free(&m);
    if (!comma()) free(code);
    SKIP_WITHOUT_COMMA
    m = lang_read(decay);
    const gt_method *method = gt_method_find("dopri5");
    assert_non_null(method);
    double x[1];
    gt_report report;
    gt_plan plan = {.rtol = 1e-10, .atol = 1e-12, .x_end = x};
    assert_int_equal(gt_solve(&m.problem, method, &plan, &report), GT_OK);
    lang_near(x[0], 2.0 / 3 + (2.5 - 2.0 / 3) * exp(-0.375 * 3), 1e-8); /* 1.2619; it was 8.0 */
    const gt_ode_facts *facts = gt_ode_facts_of(m.ode);
    assert_int_equal(facts->n_sets, 1);
    assert_int_equal(facts->sets[0].count, 2);
    lang_near(facts->sets[0].values[0], 0.75, 0);
    lang_near(m.problem.t1, 3, 0);
    assert_int_equal(gt_ode_c_code(m.ode, "gt_model_decay", &again, &length_again, &message),
                     GT_OK);
    assert_int_equal(length, length_again);
    assert_memory_equal(code, again, length);
    free(code);
    free(again);
    lang_free(&m);
}

static char *contents(const char *path)
{
    char *text = calloc(1, 1 << 20);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_true(fread(text, 1, (1 << 20) - 1, file) > 0);
    fclose(file);
    unlink(path);
    return text;
}

static char *csv_of_run(void)
{
    char path[] = "/tmp/geartrain-locale-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    lang_model m = lang_read("x'=-x+sin(t)\ny'=1e-300*x\nz'=1/3\ninit x=0.5,y=-1e-310,z=1e20\naux "
                             "w=x*1e5\n@ total=2\ndone\n");
    gt_csv_sink sink;
    gt_message message = {""};
    assert_int_equal(
        gt_csv_sink_open(&sink, path, &m.problem, GT_AT_START | GT_AT_STEP, true, &message), GT_OK);
    gt_sink *sinks[] = {&sink.sink};
    gt_plan plan = {.sinks = sinks, .n_sinks = 1};
    gt_report report;
    assert_int_equal(gt_solve(&m.problem, gt_method_find("rkf45"), &plan, &report), GT_OK);
    assert_int_equal(gt_csv_sink_close(&sink, true, &message), GT_OK);
    lang_free(&m);
    return contents(path);
}

static void csv_bytes(void **state)
{
    (void)state;
    char *before = csv_of_run();
    assert_non_null(strstr(before, "\n0,0.5,-9.99999999999"));
    if (!comma()) free(before);
    SKIP_WITHOUT_COMMA
    char *after = csv_of_run();
    assert_string_equal(before, after);
    free(before);
    free(after);
}

static void options(void **state)
{
    (void)state;
    SKIP_WITHOUT_COMMA
    static const gt_param table[] = {
        {.name = "theta", .type = GT_REAL, .initial = 0.5, .min = 0.25, .max = 0.75}, {0}};
    gt_values values = {{0.5}};
    gt_message message = {""};
    char text[64];
    assert_int_equal(gt_params_parse(table, "option", "it", "theta=0.6", &values, &message), GT_OK);
    lang_near(values.v[0], 0.6, 0);
    assert_int_equal(gt_params_parse(table, "option", "it", "theta=0,6", &values, &message),
                     GT_BAD_ARGUMENT);
    assert_int_equal(gt_params_set(table, "option", "it", "theta", "0,6", &values, &message),
                     GT_BAD_ARGUMENT);
    assert_int_equal(gt_params_set(table, "option", "it", "theta", "0.8", &values, &message),
                     GT_BAD_ARGUMENT);
    assert_non_null(strstr(message.text, "between 0.25 and 0.75, not 0.8"));
    gt_params_print(table, 0.1 + 0.2, text, sizeof text);
    assert_string_equal(text, "0.30000000000000004");
    gt_ratio ratio;
    assert_true(gt_ratio_read("1.5e-1", &ratio));
    lang_near(gt_ratio_value(ratio), 0.15, 1e-16);
    gt_ratio_print(ratio, text, sizeof text);
    assert_string_equal(text, "0.14999999999999999");
}

/* Writes the nine-bus case and its machines, and returns both files as text. */
static void write_again(power_kit *k, char *text[2])
{
    char path[] = "/tmp/geartrain-locale-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    assert_int_equal(gt_power_case_write(&k->c, path, &k->message), GT_OK);
    text[0] = contents(path);
    assert_int_equal(gt_power_dynamics_write(&k->d, &k->c, path, &k->message), GT_OK);
    text[1] = contents(path);
}

static void power_files(void **state)
{
    static const char dyr[] =
        "1 'GENCLS' 1 23.64 0 0.0608/\n2 'GENCLS' 1 6.4 0 0.1198 /\n3 'GENCLS' 1 3.01 0.5 .1813/\n";
    (void)state;
    power_kit k[2];
    char *text[2][2];
    kit_open(&k[0], "wscc9");
    write_again(&k[0], text[0]);
    bool there = comma();
    if (there) {
        kit_open(&k[1], "wscc9"); /* power flow and machine table too */
        write_again(&k[1], text[1]);
        for (int i = 0; i < 2; i++) assert_string_equal(text[0][i], text[1][i]);
        for (size_t i = 0; i < k[0].c.n_bus; i++) near(k[1].flow.v[i], k[0].flow.v[i], 0);
        if (gt_power_dynamics_parse(dyr, "m.dyr", &k[1].c, 0, &k[1].d, &k[1].arena, &k[1].message))
            fail_msg("%s", k[1].message.text);
        near(k[1].d.machine[0].H, 23.64, 1e-15);
        near(k[1].d.machine[2].H, 3.01, 1e-15);
        gt_arena_free(&k[1].arena);
        for (int i = 0; i < 2; i++) free(text[1][i]);
    }
    gt_arena_free(&k[0].arena);
    for (int i = 0; i < 2; i++) free(text[0][i]);
    SKIP_WITHOUT_COMMA
}

/* Letters and capitals are those of ASCII in a Turkish locale of eight bits too, where I is not the
 * capital of i. */
static void letters(void **state)
{
    static const char named[] = "\xfe'=1\ndone\n"; /* isalpha is true of it there */
    static const char *const names[] = {"INIT", "title", NULL};
    static const char dyr[] = "1 'ieeet1' 1 0 /\n"; /* known, and too short */
    (void)state;
    if (!setlocale(LC_ALL, "tr_TR.ISO-8859-9") || tolower('I') == 'i') {
        print_message("skip letters: there is no Turkish locale\n");
        skip();
    }
    gt_ode *ode = NULL;
    gt_message message = {""};
    assert_int_not_equal(gt_ode_parse(named, strlen(named), "m.ode", &ode, &message), GT_OK);
    gt_ode_free(ode);
    const char *nearest = gt_nearest_name("init", names);
    assert_non_null(nearest);
    assert_string_equal(nearest, "INIT");
    power_kit k;
    kit_open(&k, "wscc9");
    assert_int_not_equal(gt_power_dynamics_parse(dyr, "m.dyr", &k.c, 0, &k.d, &k.arena, &k.message),
                         GT_OK);
    assert_non_null(strstr(k.message.text, "numbers, here are 1"));
    gt_arena_free(&k.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(numbers_as_in_c, begin_in_c, back_to_c),
        cmocka_unit_test(nan_has_no_sign),
        cmocka_unit_test_setup_teardown(hard_texts, begin_in_c, back_to_c),
        cmocka_unit_test_setup_teardown(what_is_a_number, begin_in_c, back_to_c),
        cmocka_unit_test_setup_teardown(formats, begin_in_c, back_to_c),
        cmocka_unit_test_setup_teardown(model_text, begin_in_c, back_to_c),
        cmocka_unit_test_setup_teardown(csv_bytes, begin_in_c, back_to_c),
        cmocka_unit_test_setup_teardown(options, begin_in_c, back_to_c),
        cmocka_unit_test_setup_teardown(power_files, begin_in_c, back_to_c),
        cmocka_unit_test_setup_teardown(letters, begin_in_c, back_to_c),
    };
    int made = system("'" TEST_SOURCE_DIR "/scripts/comma-locale' '" TEST_LOCALE_DIR "' >&2");
    if (!made) setenv("LOCPATH", TEST_LOCALE_DIR, 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
