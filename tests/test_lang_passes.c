/* SPDX-License-Identifier: BSD-3-Clause */
/* What the passes of the language promise each other and the rest. */
#include "lang/model/ode.h"
#include "lang_kit.h"
#include <pthread.h>

static gt_ode *read_text(const char *text)
{
    gt_ode *ode;
    gt_message message = {""};
    if (gt_ode_parse(text, strlen(text), "m.ode", &ode, &message)) fail_msg("%s", message.text);
    return ode;
}

static const char chain[] =
    "par k=2\nglobal 1 x1-0.5 {x2=x2/2}\nx[1..40]'=k*(1-x[j])*x[j]+0.01*x1\nx[1..40](0)=0.1\naux "
    "s=x1+x40\n";

/* The bytecode was made for every file, also for those that are compiled or only shown. */
static void test_bytecode_is_made_when_a_problem_is(void **state)
{
    (void)state;
    gt_ode *ode = read_text(chain);
    char *text = NULL;
    size_t length;
    gt_message message;
    assert_int_equal(gt_ode_c_code(ode, "model", &text, &length, &message), GT_OK);
    free(text);
    assert_int_equal(gt_ode_expanded(ode, &text, &message), GT_OK);
    free(text);
    assert_null(ode->interpreter);

    gt_arena arena = gt_arena_growing();
    gt_problem first, second;
    assert_int_equal(gt_model_build(gt_ode_model(ode), "", &first, &arena, &message), GT_OK);
    const ode_interpreter *made = ode->interpreter;
    assert_non_null(made);
    assert_int_equal(gt_model_build(gt_ode_model(ode), "k=3", &second, &arena, &message), GT_OK);
    assert_ptr_equal(ode->interpreter, made);
    gt_arena_free(&arena);
    gt_ode_free(ode);
}

typedef struct builder {
    const gt_ode *ode;
    double dx[40];
    gt_status status;
} builder;

static void *build(void *what)
{
    builder *b = what;
    gt_arena arena = gt_arena_growing();
    gt_problem p;
    gt_message message;
    b->status = gt_model_build(gt_ode_model(b->ode), "", &p, &arena, &message);
    if (!b->status) b->status = p.rhs(0, p.x0, b->dx, p.ctx);
    gt_arena_free(&arena);
    return NULL;
}

/* Threads share a file, and may be the first to build a problem from it at the same time. */
static void test_threads_share_one_bytecode(void **state)
{
    (void)state;
    enum { THREADS = 8, ROUNDS = 20 };
    for (int round = 0; round < ROUNDS; round++) {
        gt_ode *ode = read_text(chain);
        builder builders[THREADS] = {{0}};
        pthread_t ids[THREADS];
        for (int k = 0; k < THREADS; k++) {
            builders[k].ode = ode;
            assert_int_equal(pthread_create(&ids[k], NULL, build, &builders[k]), 0);
        }
        for (int k = 0; k < THREADS; k++) {
            assert_int_equal(pthread_join(ids[k], NULL), 0);
            assert_int_equal(builders[k].status, GT_OK);
            assert_memory_equal(builders[k].dx, builders[0].dx, sizeof builders[k].dx);
        }
        assert_non_null(ode->interpreter);
        gt_ode_free(ode);
    }
}

/* A number is one node, and operands come before what is made of them: all passes over the graph
 * rely on it. */
static void test_graph_is_in_order(void **state)
{
    (void)state;
    gt_ode *ode = read_text(
        "x'=sin(x)*y+sum(1,3)of(i'*x)\ny'=if(x<y)then(exp(x)/y)else(atan2(x,y))+max(x,0)\n");
    const ode_graph *graph = &ode->graph;
    assert_true(graph->n_nodes > 10);
    for (int32_t k = 0; k < graph->n_nodes; k++) {
        const ode_node *n = &graph->nodes[k];
        const int32_t operand[] = {n->a, n->b, n->c};
        for (int i = 0; i < ode_operands(n->op); i++) assert_in_range(operand[i], 0, k - 1);
        for (int32_t other = 0; other < k && n->op == N_CONST; other++)
            if (graph->nodes[other].op == N_CONST)
                assert_memory_not_equal(&graph->nodes[other].value, &n->value, sizeof n->value);
    }
    gt_ode_free(ode);
}

typedef struct asked {
    int times;
    double done[3];
} asked;

static const gt_model *nothing_yet(double done, double *next, void *ctx)
{
    asked *a = ctx;
    assert_in_range(a->times, 0, 2);
    a->done[a->times++] = done;
    if (a->times < 3) *next = 2 * done;
    return NULL;
}

/* Compiled code is asked for by the operations that were done, again when the answer says so, and
 * not by a clock. */
static void test_native_code_is_asked_for(void **state)
{
    (void)state;
    gt_ode *ode = read_text("x'=-x*y+sin(t)\ny'=x-y\n");
    asked a = {.times = 0};
    gt_ode_set_native(ode, 100, nothing_yet, &a);
    gt_arena arena = gt_arena_growing();
    gt_problem problem;
    assert_int_equal(gt_model_build(gt_ode_model(ode), "", &problem, &arena, NULL), GT_OK);
    double x[2] = {1, 2}, dx[2];
    assert_true(problem.work.full > 0);
    for (double done = 0; done < 1000; done += problem.work.full)
        assert_int_equal(problem.rhs(0, x, dx, problem.ctx), GT_OK);
    assert_int_equal(a.times, 3);
    assert_true(a.done[0] >= 100 && a.done[0] < 100 + problem.work.full);
    assert_true(a.done[1] >= 2 * a.done[0] && a.done[1] < 2 * a.done[0] + problem.work.full);
    gt_ode_set_native(NULL, 1, nothing_yet, &a);
    gt_arena_free(&arena);
    gt_ode_free(ode);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bytecode_is_made_when_a_problem_is),
                                       cmocka_unit_test(test_threads_share_one_bytecode),
                                       cmocka_unit_test(test_graph_is_in_order),
                                       cmocka_unit_test(test_native_code_is_asked_for)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
