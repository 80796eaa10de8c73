/* SPDX-License-Identifier: BSD-3-Clause */
/* Names, parameters and memory of every listed model. */
#include <geartrain/author/author.h>
#include <geartrain/geartrain.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
/* cmocka.h wants the above first */
#include <cmocka.h>

static void names_are_unique(void **state)
{
    (void)state;
    for (const gt_model *const *m = gt_model_list(); *m; m++) {
        gt_problem p;
        char a[24], b[24];
        gt_arena arena = gt_arena_growing();
        assert_ptr_equal(gt_model_find((*m)->name), *m);
        assert_true(*(*m)->title && *(*m)->reference && *(*m)->equations);
        assert_int_equal(gt_model_build(*m, NULL, &p, &arena, NULL), GT_OK);
        assert_string_equal(p.name, (*m)->name);
        for (size_t i = 0; i < gt_problem_size(&p); i++)
            for (size_t j = 0; j < i; j++)
                assert_string_not_equal(gt_problem_state_name(&p, i, a),
                                        gt_problem_state_name(&p, j, b));
        gt_arena_free(&arena);
    }
    assert_null(gt_model_find("lorentz"));
}

static void other_interface_is_refused(void **state)
{
    (void)state;
    gt_problem p;
    gt_message message = {""};
    gt_arena arena = gt_arena_growing();
    gt_model foreign = *gt_model_find("lorenz");
    foreign.abi++;
    assert_int_equal(gt_model_build(&foreign, "", &p, &arena, &message), GT_UNSUPPORTED);
    assert_non_null(strstr(message.text, "lorenz"));
    gt_arena_free(&arena);
}

/* Everything that a parameter may change, as one number: start, rates, event function,
 * discontinuities, storage. */
static uint64_t fingerprint(const gt_model *model, const gt_values *values)
{
    gt_problem p;
    gt_arena arena = gt_arena_growing();
    assert_int_equal(gt_model_build_values(model, values, &p, &arena, NULL), GT_OK);
    size_t n = gt_problem_size(&p), count = 0;
    double *w = gt_arena_doubles(&arena, 64 * n + 64), *x = gt_arena_doubles(&arena, n);
    unsigned actions = 0;
    for (size_t i = 0; i < n; i++) w[count++] = p.x0[i];
    for (int k = 0; k < 20; k++, count += n) {
        for (size_t i = 0; i < n; i++)
            x[i] = (k % 2 ? 1 : -1) * pow(1.5, -k) * (0.7 + p.x0[i] + 0.1 * (double)i);
        p.rhs(0.3 * p.t1, x, w + count, p.ctx);
        if (p.on_event) p.on_event(0, (const unsigned char *)"\1\1\1\1", x, &actions, p.ctx);
        for (size_t i = 0; p.on_event && i < n; i++) w[count + i] += x[i] + actions;
        actions = 0;
    }
    for (size_t i = 0; i < p.n_breaks && i < 8; i++) w[count++] = p.breaks[i];
    w[count++] = (double)p.jac_pattern.storage;
    w[count++] = p.second_order ? (double)p.second_order->stiffness->pattern.storage : 0;
    w[count++] = p.n_breaks ? p.breaks[0] : 0;
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < count * sizeof *w; i++)
        hash = (hash ^ ((unsigned char *)w)[i]) * 1099511628211u;
    gt_arena_free(&arena);
    return hash;
}

static void assert_refused(const gt_model *model, const char *name, double value)
{
    char text[128];
    gt_problem p;
    gt_message message = {""};
    gt_arena arena = gt_arena_growing();
    snprintf(text, sizeof text, "%s=%.17g", name, value);
    assert_int_equal(gt_model_build(model, text, &p, &arena, &message), GT_BAD_ARGUMENT);
    assert_non_null(strstr(message.text, name));
    gt_values values = gt_params_default(model->params);
    for (size_t i = 0; model->params[i].name; i++)
        if (model->params[i].name == name) values.v[i] = value;
    message.text[0] = 0;
    assert_int_equal(gt_model_build_values(model, &values, &p, &arena, &message), GT_BAD_ARGUMENT);
    assert_non_null(strstr(message.text, name));
    gt_arena_free(&arena);
}

/* A flat road, the default, has no length of waves. */
static gt_values settings_that_use_all(const gt_model *model)
{
    gt_values values = gt_params_default(model->params);
    for (size_t i = 0; i < gt_params_count(model->params); i++)
        if (strcmp(model->params[i].name, "road") == 0) values.v[i] = 0.01;
    return values;
}

/* Parameters that matter only when others have values of their own. */
static const char *const settings[][2] = {{"arm_eb", "loop=closed, theta_d=20"},
                                          {"arm_eb", "input=step, bend=0.1"},
                                          {"arm_eb", "form=plain"},
                                          {"arm_timoshenko", "form=plain"},
                                          {"arm_timoshenko", "loop=closed, theta_d=20"},
                                          {"arm_timoshenko", "input=step, bend=0.1"}};

static gt_values changed(const gt_values *values, const gt_param *table, size_t i)
{
    gt_values other = *values;
    if (table[i].type == GT_CHOICE) other.v[i] = values->v[i] > 0 ? 0 : 1;
    if (table[i].type == GT_INTEGER) other.v[i] = values->v[i] + 1;
    if (table[i].type == GT_REAL) other.v[i] = 0.5 * values->v[i];
    return other;
}

static bool is_used(const gt_model *model, size_t i)
{
    gt_values values = settings_that_use_all(model), other = changed(&values, model->params, i);
    if (fingerprint(model, &values) != fingerprint(model, &other)) return true;
    for (size_t k = 0; k < sizeof settings / sizeof *settings; k++) {
        if (strcmp(settings[k][0], model->name)) continue;
        values = gt_params_default(model->params);
        assert_int_equal(gt_params_parse(model->params, "", "", settings[k][1], &values, NULL),
                         GT_OK);
        other = changed(&values, model->params, i);
        if (fingerprint(model, &values) != fingerprint(model, &other)) return true;
    }
    return false;
}

static void parameters_are_checked_and_used(void **state)
{
    (void)state;
    for (const gt_model *const *m = gt_model_list(); *m; m++) {
        gt_problem p;
        gt_message message = {""};
        assert_int_equal(gt_model_build(*m, "zzz=1", &p, &(gt_arena){0}, &message),
                         GT_UNKNOWN_NAME);
        for (size_t i = 0; i < gt_params_count((*m)->params); i++) {
            const gt_param *row = &(*m)->params[i];
            assert_true(*row->name && *row->help);
            assert_refused(*m, row->name, NAN);
            if (row->type != GT_CHOICE) {
                assert_true(row->min < row->max && row->min <= row->initial &&
                            row->initial <= row->max);
                assert_refused(*m, row->name, row->max * 2 + 1);
                assert_refused(*m, row->name, row->min - 1);
            }
            if (strcmp(row->name, "cost") == 0) continue; /* takes time and changes nothing */
            if (!is_used(*m, i)) fail_msg("%s does not use %s", (*m)->name, row->name);
        }
    }
}

/* A fixed arena that grows by one part at a time: refused with an error message until it is large
 * enough. */
static void lack_of_memory_is_told(void **state)
{
    (void)state;
    enum { ROOM = 1 << 20 };
    void *memory = test_malloc(ROOM);
    for (const gt_model *const *m = gt_model_list(); *m; m++) {
        gt_status status = GT_NO_MEMORY;
        for (size_t size = 0; status && size <= ROOM; size += GT_ALIGN) {
            gt_problem p = {0};
            gt_message message = {""};
            gt_arena arena = gt_arena_over(memory, size);
            status = gt_model_build(*m, "", &p, &arena, &message);
            if (status) assert_int_equal(status, GT_NO_MEMORY);
            if (status) assert_non_null(strstr(message.text, (*m)->name));
        }
        assert_int_equal(status, GT_OK);
    }
    test_free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_unique),
        cmocka_unit_test(other_interface_is_refused),
        cmocka_unit_test(parameters_are_checked_and_used),
        cmocka_unit_test(lack_of_memory_is_told),
    };
    return cmocka_run_group_tests_name("model parameters", tests, NULL, NULL);
}
