/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies of runs, and runs as bytes: what goes on with them goes on with the same bits, for every
 * method; what is not theirs is refused. */
#include "lang_kit.h"
#include "methods_kit.h"
#include <geartrain/run.h>
#include <malloc.h>

enum { MOST_STEPS = 60 };

typedef struct course {
    gt_memory_sink rows;
    gt_sink *sinks[1];
    gt_plan plan;
    gt_report report;
    double *x;
    size_t n;
} course;

static void begin_course(course *c, const gt_plan *plan, size_t n)
{
    *c = (course){.n = n, .plan = *plan, .x = calloc(n + 1, sizeof *c->x)};
    gt_memory_sink_init(&c->rows, GT_AT_OUTPUT | GT_AT_EVENT | GT_AT_BREAK | GT_AT_END);
    c->sinks[0] = &c->rows.sink;
    c->plan.sinks = c->sinks;
    c->plan.n_sinks = 1;
}

static void end_course(course *c, gt_run *run)
{
    memcpy(c->x, gt_run_x(run), c->n * sizeof *c->x);
    (void)!gt_run_finish(run, &c->report);
    gt_run_close(run);
}

static void free_course(course *c)
{
    gt_memory_sink_free(&c->rows);
    free(c->x);
}

/* Up to `count` steps. */
static void walk(gt_run *run, int count)
{
    gt_reached reached = GT_REACHED_STEP;
    for (int k = 0; k < count && reached != GT_REACHED_END; k++)
        if (gt_run_step(run, &reached)) break;
}

/* The rows of the one behind those that it has not seen. */
static void same_course(const char *who, const course *whole, const course *rest, size_t seen)
{
    const gt_stats *a = &whole->report.stats, *b = &rest->report.stats;
    if (whole->report.status != rest->report.status)
        fail_msg("%s: %s, but in one piece %s", who, rest->report.message.text,
                 whole->report.message.text);
    if (memcmp(whole->x, rest->x, whole->n * sizeof *whole->x) != 0)
        fail_msg("%s: x is not the same", who);
    if (memcmp(a, b, sizeof *a) != 0)
        fail_msg("%s: the counters differ: %ld and %ld calls of f", who, a->rhs, b->rhs);
    if (whole->rows.count != seen + rest->rows.count)
        fail_msg("%s: %zu rows and %zu, not %zu", who, seen, rest->rows.count, whole->rows.count);
    size_t n = whole->n;
    for (size_t k = 0; k < rest->rows.count; k++)
        if (memcmp(&whole->rows.t[seen + k], &rest->rows.t[k], sizeof(double)) != 0 ||
            memcmp(whole->rows.x + n * (seen + k), rest->rows.x + n * k, n * sizeof(double)) != 0)
            fail_msg("%s: row %zu is not the same to the last bit", who, seen + k);
    if (whole->report.warnings.count != rest->report.warnings.count)
        fail_msg("%s: %d warnings, not %d: %s%s", who, rest->report.warnings.count,
                 whole->report.warnings.count, whole->report.warnings.list[0].text,
                 rest->report.warnings.list[0].text);
    assert_string_equal(whole->report.message.text, rest->report.message.text);
    assert_string_equal(whole->report.note.text, rest->report.note.text);
    for (int k = 0; k < whole->report.warnings.count; k++)
        assert_string_equal(whole->report.warnings.list[k].text,
                            rest->report.warnings.list[k].text);
}

/* ---- nothing that is saved is an address ---- */

typedef struct ranges {
    uintptr_t low[512], high[512];
    size_t count;
} ranges;

static void read_maps(ranges *r)
{
    char line[512];
    FILE *file = fopen("/proc/self/maps", "r");
    r->count = 0;
    while (file && r->count < 512 && fgets(line, sizeof line, file)) {
        unsigned long low, high;
        if (sscanf(line, "%lx-%lx", &low, &high) != 2 || strstr(line, "vsyscall")) continue;
        r->low[r->count] = low;
        r->high[r->count++] = high;
    }
    if (file) fclose(file);
}

/* The shadow memory of the address sanitizer takes numbers of all sizes for its own: nothing is
 * seen there. */
static void no_address(const char *who, const unsigned char *bytes, size_t count)
{
#if defined(__SANITIZE_ADDRESS__)
    count = 0;
#endif
    ranges r;
    read_maps(&r);
    for (size_t i = 0; i + sizeof(uintptr_t) <= count; i += sizeof(uintptr_t)) {
        uintptr_t word;
        memcpy(&word, bytes + i, sizeof word);
        if (word < 0x10000) continue;
        for (size_t k = 0; k < r.count; k++)
            if (word >= r.low[k] && word < r.high[k])
                fail_msg("%s: word %zu of the image, %#lx, is an address; all pointers of a method "
                         "are set in its layout",
                         who, i / sizeof word, (unsigned long)word);
    }
}

/* What every comparison is about. */
typedef struct matter {
    const gt_method *m;
    const gt_problem *p;
    const gt_plan *plan;
    const course *whole;
    size_t seen; /* rows before the cut */
    int cut;
} matter;

/* The second piece to its end; it gives what the whole gave. */
static void go_on(const matter *c, const char *how, gt_run *next, course *rest)
{
    char who[128];
    snprintf(who, sizeof who, "%s on %s, %s after %d steps", c->m->name,
             c->p->name ? c->p->name : "the model", how, c->cut);
    walk(next, MOST_STEPS - c->cut);
    end_course(rest, next);
    same_course(who, c->whole, rest, c->seen);
    free_course(rest);
}

/* As a copy, while the first run is there and goes on, too; then by the bytes, when it is closed.
 */
static void pass_on(const matter *c, gt_run *run)
{
    gt_message message = {""};
    gt_run *next = NULL;
    course copied, restored;
    void *bytes;
    size_t count, wanted;
    begin_course(&copied, c->plan, c->whole->n);
    begin_course(&restored, c->plan, c->whole->n);
    if (gt_run_save(run, NULL, &bytes, &count, &message))
        fail_msg("%s: %s", c->m->name, message.text);
    no_address(c->m->name, bytes, count);
    if (gt_run_copy(&next, run, NULL, &copied.plan, &message))
        fail_msg("%s: %s", c->m->name, message.text);
    walk(run, MOST_STEPS / 2); /* what the first one does does not matter */
    go_on(c, "copied", next, &copied);
    gt_run_close(run);
    assert_int_equal(gt_run_measure(c->p, c->m, &restored.plan, &wanted, NULL), GT_OK);
    if (gt_run_restore(&next, c->p, c->m, &restored.plan, NULL, bytes, count, &message))
        fail_msg("%s: %s", c->m->name, message.text);
    free(bytes);
    go_on(c, "saved", next, &restored);
}

/* Whole, and in two pieces of which the second is another run. */
static bool compare(const gt_method *m, const gt_problem *p, const gt_plan *plan)
{
    static const int cuts[] = {1, 30};
    course whole;
    size_t n = gt_problem_size(p);
    gt_message message = {""};
    gt_run *run = NULL;
    begin_course(&whole, plan, n);
    gt_status status = gt_run_open(&run, p, m, &whole.plan, &message);
    if (!status) {
        walk(run, MOST_STEPS);
        end_course(&whole, run);
    }
    for (size_t k = 0; !status && k < sizeof cuts / sizeof *cuts; k++) {
        course first;
        gt_report so_far;
        begin_course(&first, plan, n);
        assert_int_equal(gt_run_open(&run, p, m, &first.plan, &message), GT_OK);
        walk(run, cuts[k]);
        gt_run_report(run, &so_far);
        if (so_far.status == GT_OK)
            pass_on(&(matter){m, p, plan, &whole, first.rows.count, cuts[k]}, run);
        else
            gt_run_close(run);
        free_course(&first);
    }
    free_course(&whole);
    return !status;
}

static gt_plan plan_for(const gt_method *m, const gt_problem *p)
{
    gt_values v = gt_params_default(m->options);
    gt_facts facts = gt_method_facts(m, v.v);
    double span = p->t1 - p->t0;
    gt_plan plan = {.rtol = 1e-5, .every = span / 97, .max_steps = 100000};
    if (!facts.error_order)
        plan = (gt_plan){.h = span / 5000, .every = span / 970, .local_errors = true};
    return plan;
}

static bool try_method(const gt_method *m, const gt_problem *p)
{
    gt_values v = gt_params_default(m->options);
    if (gt_method_check(m, v.v, p, NULL)) return false;
    gt_plan plan = plan_for(m, p);
    return compare(m, p, &plan);
}

/* Dense, banded and sparse Jacobians, algebraic equations, mass matrices, partitions, switches,
 * sliding, events. */
static const char *const models[][2] = {
    {"vanderpol", "mu=5"},
    {"robertson", ""},
    {"kaps", ""},
    {"heat", "n=20"},
    {"brusselator", "n=12"},
    {"transistor", ""},
    {"chemakzo", ""},
    {"linear2", ""},
    {"crow_p10", ""},
    {"quartercar_a", ""},
    {"bouncing", ""},
    {"arm_eb", ""},
    {"pollution", ""},
    {"heat", "n=20,storage=banded"},
};

/* Events that change parameters; switches, some of them slid upon, also two at once; a
 * discontinuity of known time. */
static const char *const texts[] = {
    "x'=y\ny'=-k*x\npar k=1\nglobal 1 {x-0.5} {k=k+1;y=0.9*y}\nglobal -1 {x+0.2} {k=1}\ninit "
    "x=0,y=1\n"
    "@ total=12\ndone\n",
    "x'=y\ny'=-x-0.6*sign(y)+1.2*sin(0.7*t)\ninit x=2,y=0\n@ total=30\ndone\n",
    "x'=-sign(x-0.3*t)+0.2*y\ny'=-y+heav(t-3)+max(x,0)\ninit x=1,y=0\n#@ fast y\n@ "
    "total=10\ndone\n",
    "x'=v\nv'=-x+0.4*(y-x)-0.8*sign(v-0.6)+0.2*sin(t)\ny'=w\nw'=-1.3*y+0.4*(x-y)-1.1*sign(w-0.5)\n"
    "init x=0.3,w=1\n@ total=12\ndone\n",
    "x1'=40*(x24-2*x1+x2)-x1^3+sin(t)\nx[2..23]'=40*(x[j-1]-2*x[j]+x[j+1])-x[j]^3\nx24'=40*(x23-2*"
    "x24+x1)-x24^3\n"
    "init x[1..12]=1\n@ total=3\ndone\n",
};

static void copies_and_saved_runs_go_on_with_the_same_bits(void **state)
{
    (void)state;
    int tried = 0, of_storage[3] = {0};
    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        bench_top b;
        build(&b, models[k][0], models[k][1]);
        of_storage[b.problem.jac_pattern.storage]++;
        for (const gt_method *const *m = gt_method_list(); *m; m++)
            tried += try_method(*m, &b.problem);
        dismantle(&b);
    }
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        lang_model text = lang_read(texts[k]);
        of_storage[text.problem.jac_pattern.storage]++;
        for (const gt_method *const *m = gt_method_list(); *m; m++)
            tried += try_method(*m, &text.problem);
        lang_free(&text);
    }
    assert_true(tried > 400);
    assert_true(of_storage[GT_DENSE] && of_storage[GT_BANDED] && of_storage[GT_CSC]);
}

static void of_every_model(void **state)
{
    (void)state;
    static const char *const names[] = {"gear", "dopri5", "rodas4"};
    for (const gt_model *const *model = gt_model_list(); *model; model++) {
        bench_top b;
        build(&b, (*model)->name, "");
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            (void)try_method(gt_method_find(names[k]), &b.problem);
        dismantle(&b);
    }
}

/* Two runs of the same kind, in memory that lies elsewhere, are the same bytes. */
static void bytes_do_not_depend_on_addresses(void **state)
{
    (void)state;
    int tried = 0;
    bench_top b;
    build(&b, "kaps", "");
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        gt_run *run[2];
        void *bytes[2];
        size_t count[2];
        gt_plan plan = plan_for(*m, &b.problem);
        if (gt_run_open(&run[0], &b.problem, *m, &plan, NULL)) continue;
        assert_int_equal(gt_run_open(&run[1], &b.problem, *m, &plan, NULL), GT_OK);
        for (int k = 0; k < 2; k++) {
            walk(run[k], 20);
            assert_int_equal(gt_run_save(run[k], NULL, &bytes[k], &count[k], NULL), GT_OK);
        }
        assert_int_equal(count[0], count[1]);
        if (memcmp(bytes[0], bytes[1], count[0]) != 0) fail_msg("%s: the bytes differ", (*m)->name);
        size_t memory;
        assert_int_equal(gt_run_measure(&b.problem, *m, &plan, &memory, NULL), GT_OK);
        if ((double)count[0] > 1.1 * (double)memory)
            fail_msg("%s: %zu bytes are saved of %zu", (*m)->name, count[0], memory);
        for (int k = 0; k < 2; k++) {
            free(bytes[k]);
            gt_run_close(run[k]);
        }
        tried++;
    }
    dismantle(&b);
    assert_true(tried > 40);
}

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
#define HEAP_IS_COUNTED 1
static size_t heap(void)
{
    struct mallinfo2 now = mallinfo2();
    return now.uordblks + now.hblkhd;
}
#else
#define HEAP_IS_COUNTED 0
static size_t heap(void) { return 0; }
#endif

/* Sparse factors lie on the heap beside the workspace; the matrices that they are made from again
 * are among the bytes.
 */
static void saved_bytes_of_sparse_runs(void **state)
{
    (void)state;
    if (!HEAP_IS_COUNTED) skip();
    int with_factors = 0;
    /* Neighbours 14 apart: no narrow band, whose factors would lie in the workspace. */
    lang_model b =
        lang_read("u[1..14]'=-u[j]+0.3*u[j+14]\n"
                  "u[15..182]'=100*(u[j-14]-4*u[j]+u[j-1]+u[j+1]+u[j+14])+u[j]*(1-u[j])\n"
                  "u[183..196]'=-u[j]+0.3*u[j-14]\ninit u[1..196]=0.2+0.001*[j]\n");
    assert_int_equal(b.problem.jac_pattern.storage, GT_CSC);
    b.problem.t1 = INFINITY;
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        gt_values v = gt_params_default((*m)->options);
        gt_plan plan =
            gt_method_facts(*m, v.v).error_order ? (gt_plan){.rtol = 1e-6} : (gt_plan){.h = 1e-4};
        gt_run *run;
        void *bytes, *memory;
        size_t workspace, count;
        if (gt_run_measure(&b.problem, *m, &plan, &workspace, NULL)) continue;
        assert_non_null(memory = malloc(workspace));
        size_t before = heap();
        assert_int_equal(gt_run_open_in(&run, &b.problem, *m, &plan, memory, workspace, NULL),
                         GT_OK);
        walk(run, 40);
        size_t factors = heap() - before;
        if (!gt_run_save(run, NULL, &bytes, &count,
                         NULL)) { /* else the step is too long for the method */
            if ((double)count > 1.1 * (double)(workspace + factors))
                fail_msg("%s: %zu bytes are saved of %zu and %zu", (*m)->name, count, workspace,
                         factors);
            with_factors += factors > 0;
            free(bytes);
        }
        gt_run_close(run);
        free(memory);
    }
    lang_free(&b);
    assert_true(with_factors > 10);
}

typedef struct saved {
    bench_top b;
    const gt_method *method;
    gt_plan plan;
    unsigned char *bytes;
    size_t count;
} saved;

static saved make_saved(const char *params)
{
    saved s = {.method = gt_method_find("gear"), .plan = {.rtol = 1e-5}};
    gt_run *run;
    void *bytes;
    build(&s.b, "vanderpol", params);
    assert_int_equal(gt_run_open(&run, &s.b.problem, s.method, &s.plan, NULL), GT_OK);
    walk(run, 20);
    gt_checkpoint with = {.about = "color: red\n", .extra = "extra", .extra_bytes = 5};
    assert_int_equal(gt_run_save(run, &with, &bytes, &s.count, NULL), GT_OK);
    s.bytes = bytes;
    gt_run_close(run);
    return s;
}

/* Refused, with an error message that has this in it. */
static void refused(const saved *s, const gt_problem *p, const gt_method *m, const gt_plan *plan,
                    const char *about, const char *named)
{
    gt_run *run = (gt_run *)1;
    gt_message message = {""};
    gt_checkpoint with = {.about = about};
    gt_status status = gt_run_restore(&run, p, m, plan, &with, s->bytes, s->count, &message);
    if (status == GT_OK) fail_msg("a run was made that differs in %s", named);
    assert_null(run);
    if (!strstr(message.text, named)) fail_msg("\"%s\" does not speak of %s", message.text, named);
}

static void other_runs_are_refused(void **state)
{
    (void)state;
    saved s = make_saved("mu=5"), other = make_saved("mu=6");
    const gt_problem *p = &s.b.problem;
    const char *red = "color: red\n";
    gt_plan plan = s.plan;
    refused(&s, p, s.method, &plan, "color: blue\n", "color");
    refused(&s, p, s.method, &plan, NULL, "color");
    refused(&s, &other.b.problem, s.method, &plan, red, "parameters");
    refused(&s, p, gt_method_find("rodas4"), &plan, red, "method");
    plan.rtol = 1e-6;
    refused(&s, p, s.method, &plan, red, "rtol");
    plan = s.plan;
    plan.options = "order=3";
    refused(&s, p, s.method, &plan, red, "option order");
    plan = s.plan;
    plan.h_max = 0.1;
    refused(&s, p, s.method, &plan, red, "largest step");
    plan = s.plan;
    plan.every = 0.1;
    refused(&s, p, s.method, &plan, red, "output interval");
    gt_problem longer = *p;
    longer.t1 *= 2;
    refused(&s, &longer, s.method, &s.plan, red, "t1");
    double start[2] = {1, 1};
    longer = *p;
    longer.x0 = start;
    refused(&s, &longer, s.method, &s.plan, red, "initial state");
    gt_run *run;
    gt_checkpoint with = {.about = red};
    assert_int_equal(gt_run_restore(&run, p, s.method, &s.plan, &with, s.bytes, s.count, NULL),
                     GT_OK);
    assert_int_equal(with.extra_bytes, 5);
    assert_memory_equal(with.extra, "extra", 5);
    gt_run_close(run);
    free(s.bytes);
    free(other.bytes);
    dismantle(&s.b);
    dismantle(&other.b);
}

static uint64_t crc64(const unsigned char *data, size_t count)
{
    uint64_t crc = ~(uint64_t)0;
    for (size_t i = 0; i < count; i++) {
        crc ^= data[i];
        for (int k = 0; k < 8; k++)
            crc = crc & 1 ? crc >> 1 ^ UINT64_C(0xC96C5795D7870F42) : crc >> 1;
    }
    return ~crc;
}

static void seal(saved *s)
{
    uint64_t crc = crc64(s->bytes, s->count - 8);
    memcpy(s->bytes + s->count - 8, &crc, 8);
}

static void damaged_bytes_are_refused(void **state)
{
    (void)state;
    saved s = make_saved("mu=5");
    const gt_problem *p = &s.b.problem;
    const char *red = "color: red\n";
    size_t count = s.count;
    for (s.count = 0; s.count < count; s.count += s.count < 100 ? 1 : 97)
        refused(&s, p, s.method, &s.plan, red, "checkpoint");
    s.count = count;
    for (size_t i = 0; i < count; i += i < 200 ? 1 : 31) {
        s.bytes[i] ^= (unsigned char)(1u << i % 8);
        refused(&s, p, s.method, &s.plan, red, "checkpoint");
        s.bytes[i] ^= (unsigned char)(1u << i % 8);
    }
    s.bytes[8]++;
    seal(&s);
    refused(&s, p, s.method, &s.plan, red, "version 3");
    s.bytes[8]--;
    s.bytes[16] = 4; /* pointers of 32 bits */
    seal(&s);
    refused(&s, p, s.method, &s.plan, red, "machine");
    free(s.bytes);
    dismantle(&s.b);
}

static gt_status busy_status;
static gt_message busy_message;
static gt_run *busy_run;
static gt_status call_inside(gt_sink *self, const gt_sample *sample, gt_message *message)
{
    (void)self, (void)sample, (void)message;
    gt_run *copy;
    if (busy_run) busy_status = gt_run_copy(&copy, busy_run, NULL, NULL, &busy_message);
    return GT_OK;
}

static void wrong_calls_get_a_sentence(void **state)
{
    (void)state;
    gt_sink sink = {.wants = GT_AT_STEP, .write = call_inside}, *sinks[] = {&sink};
    bench_top b;
    build(&b, "vanderpol", "mu=5");
    gt_plan plan = {.rtol = 1e-5, .sinks = sinks, .n_sinks = 1};
    gt_run *run, *copy = NULL;
    gt_message message = {""};
    assert_int_equal(gt_run_open(&run, &b.problem, gt_method_find("gear"), &plan, NULL), GT_OK);
    busy_run = run;
    walk(run, 3);
    busy_run = NULL;
    assert_int_equal(busy_status, GT_BUSY);
    assert_non_null(strstr(busy_message.text, "under way"));
    gt_problem other = b.problem;
    other.t1 *= 2;
    assert_int_equal(gt_run_copy(&copy, run, &other, NULL, &message), GT_BAD_ARGUMENT);
    assert_null(copy);
    assert_non_null(strstr(message.text, "t1"));
    assert_int_equal(gt_run_finish(run, NULL), GT_OK);
    assert_int_equal(gt_run_copy(&copy, run, NULL, NULL, &message), GT_BAD_ARGUMENT);
    assert_non_null(strstr(message.text, "finished"));
    assert_int_equal(gt_run_step(run, NULL), GT_BAD_ARGUMENT);
    gt_run_close(run);
    dismantle(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_and_saved_runs_go_on_with_the_same_bits),
        cmocka_unit_test(of_every_model),
        cmocka_unit_test(bytes_do_not_depend_on_addresses),
        cmocka_unit_test(saved_bytes_of_sparse_runs),
        cmocka_unit_test(other_runs_are_refused),
        cmocka_unit_test(damaged_bytes_are_refused),
        cmocka_unit_test(wrong_calls_get_a_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
