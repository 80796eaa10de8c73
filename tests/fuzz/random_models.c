/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random small models through the reader, the builder and five methods: two tight runs by methods
 * of different kinds say what is right, three methods drawn by chance are compared with them at an
 * ordinary tolerance.
 *
 *     random_models FIRST LAST SEED
 *
 * Model number k depends on SEED and k only. What is said: models, runs, what was refused or left
 * out and why; each disagreement with the text of the model. Exit status 1 when there was one. Made
 * and called by scripts/random-models.
 */
#include <geartrain/author/author.h>
#include <geartrain/geartrain.h>
#include <geartrain/lang.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STATES = 4, ROOM = 4096 };

typedef struct text {
    char s[ROOM];
    size_t used;
    uint64_t state; /* of the random numbers */
    int states;
} text;

typedef struct tally {
    long models, runs, refused, wild, apart, failed, wrong;
    double worst; /* largest error in units of what is allowed */
} tally;

static uint32_t draw(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    uint64_t mixed = (*state ^ (*state >> 29)) * 0xbf58476d1ce4e5b9u;
    return (uint32_t)(mixed >> 32);
}
static int below(text *t, int n) { return (int)(draw(&t->state) % (uint32_t)n); }
static double between(text *t, double from, double to)
{
    return from + (to - from) * below(t, 1001) / 1000;
}

static void put(text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(text *t, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int length = vsnprintf(t->s + t->used, ROOM - t->used, format, list);
    va_end(list);
    t->used += (size_t)length;
    if (t->used >= ROOM) t->used = ROOM - 1;
}

/* ---- a model ---- */

static void factor(text *t)
{
    int i = below(t, t->states), j = below(t, t->states);
    switch (below(t, 9)) {
    case 0:
        put(t, "sin(x%d)", i);
        break;
    case 1:
        put(t, "tanh(x%d-x%d)", i, j);
        break;
    case 2:
        put(t, "x%d*x%d/(1+x%d^2)", i, j, j);
        break;
    case 3:
        put(t, "cos(w*t)");
        break;
    case 4:
        put(t, "exp(-x%d^2)", i);
        break;
    case 5:
        put(t, "g(x%d,a)", i);
        break;
    case 6:
        put(t, "u");
        break;
    default:
        put(t, "x%d", i);
    }
}

/* Each state decays at a rate of its own, which may be fast, and is driven by bounded or linear
 * terms; so solutions exist and most are not chaotic. */
static void make(text *t)
{
    t->states = 1 + below(t, MOST_STATES);
    put(t, "par a=%.3f,w=%.3f\n", between(t, 0.1, 2), between(t, 0.5, 4));
    put(t, "g(y,b)=y/(b+y^2)\n");
    put(t, "u=sin(w*t)+x0\n");
    for (int i = 0; i < t->states; i++) {
        double rate = below(t, 4) ? between(t, 0.1, 3) : between(t, 10, 300);
        put(t, "x%d'=-%.3f*x%d", i, rate, i);
        for (int terms = below(t, 3); terms >= 0; terms--) {
            put(t, "%+.3f*", between(t, -1.5, 1.5));
            factor(t);
        }
        put(t, "\n");
    }
    for (int i = 0; i < t->states; i++) put(t, "init x%d=%.3f\n", i, between(t, -2, 2));
    put(t, "aux sum=x0+a\n@ total=%d\ndone\n", 1 + below(t, 4));
}

/* ---- runs ---- */

static gt_status solve(const gt_problem *p, const gt_method *method, double rtol, double shift,
                       double *x, gt_report *report)
{
    gt_problem moved = *p;
    double x0[MOST_STATES];
    size_t n = gt_problem_size(p);
    for (size_t i = 0; i < n; i++) x0[i] = p->x0[i] + shift;
    moved.x0 = x0;
    gt_plan plan = {.rtol = rtol, .atol = rtol * 1e-2, .x_end = x, .max_steps = 200000};
    return gt_solve(&moved, method, &plan, report);
}

static double distance(const double *a, const double *b, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++) most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

/* Methods that control their step on such a problem. */
static size_t candidates(const gt_problem *p, const gt_method **list, size_t room)
{
    size_t count = 0;
    for (const gt_method *const *m = gt_method_list(); *m && count < room; m++) {
        gt_values v = gt_params_default((*m)->options);
        gt_message message = {""};
        gt_facts facts = gt_method_facts(*m, v.v);
        if (facts.error_order > 0 && !gt_method_check(*m, v.v, p, &message)) list[count++] = *m;
    }
    return count;
}

/* What is allowed of a method at rtol: errors of steps add up and grow as the flow does, which
 * `growth` measures. */
static double allowed(double rtol, double growth, double size)
{
    return 2000 * rtol * fmax(1, growth) * (1 + size);
}

static void compare(text *t, long number, const gt_problem *p, tally *sum)
{
    const double rtol = 1e-6, tight = 1e-11;
    size_t n = gt_problem_size(p);
    double a[MOST_STATES], b[MOST_STATES], c[MOST_STATES], x[MOST_STATES], size = 0;
    gt_report report;
    const gt_method *list[256];
    size_t count = candidates(p, list, 256);
    sum->runs += 3;
    if (solve(p, gt_method_find("dop853"), tight, 0, a, &report) ||
        solve(p, gt_method_find("gear"), 1e-10, 0, b, &report) ||
        solve(p, gt_method_find("dop853"), tight, 1e-7, c, &report)) {
        sum->wild++;
        return;
    }
    for (size_t i = 0; i < n; i++) size = fmax(size, fabs(a[i]));
    double growth = distance(a, c, n) / 1e-7;
    if (!isfinite(size) || growth > 1e3) {
        sum->wild++; /* what is right is not known well enough */
        return;
    }
    if (distance(a, b, n) > allowed(1e-8, growth, size)) {
        sum->apart++;
        sum->wrong++;
        printf("model %ld: dop853 and gear are %.2e apart\n%s", number, distance(a, b, n), t->s);
        return;
    }
    for (int k = 0; k < 3 && count; k++) {
        const gt_method *method = list[draw(&t->state) % count];
        sum->runs++;
        gt_status status = solve(p, method, rtol, 0, x, &report);
        if (status) {
            sum->failed++;
            if (report.message.text[0]) continue; /* it says so, which is an answer */
            sum->wrong++;
            printf("model %ld: %s fails without a word\n%s", number, method->name, t->s);
            continue;
        }
        double error = distance(a, x, n), limit = allowed(rtol, growth, size);
        sum->worst = fmax(sum->worst, error / limit);
        if (error <= limit) continue;
        sum->wrong++;
        printf("model %ld: %s is %.2e from the reference, %.2e is allowed (growth %.1f)\n%s",
               number, method->name, error, limit, growth, t->s);
    }
}

static void one_model(uint64_t seed, long number, tally *sum)
{
    static text t;
    t = (text){.state = seed * 0x9e3779b97f4a7c15u + (uint64_t)number * 0xd1342543de82ef95u};
    for (int i = 0; i < 4; i++) (void)draw(&t.state);
    make(&t);
    gt_ode *ode = NULL;
    gt_message message = {""};
    gt_arena arena = gt_arena_growing();
    gt_problem problem = {0};
    sum->models++;
    gt_status status = gt_ode_parse(t.s, t.used, "random.ode", &ode, &message);
    if (!status) status = gt_model_build(gt_ode_model(ode), "", &problem, &arena, &message);
    if (status) {
        sum->refused++;
        sum->wrong++;
        printf("model %ld: refused: %s\n%s", number, message.text, t.s);
    } else {
        compare(&t, number, &problem, sum);
    }
    gt_arena_free(&arena);
    gt_ode_free(ode);
}

int main(int argc, char **argv)
{
    if (argc < 4) return 2;
    tally sum = {0};
    long first = atol(argv[1]), last = atol(argv[2]);
    for (long k = first; k <= last; k++) one_model((uint64_t)atol(argv[3]), k, &sum);
    printf("%ld models, %ld runs: %ld left out as too sensitive, %ld runs ended with a message, "
           "%ld disagreements; the "
           "largest error "
           "is %.3f of what is allowed\n",
           sum.models, sum.runs, sum.wild, sum.failed, sum.wrong, sum.worst);
    return sum.wrong > 0;
}
