/* SPDX-License-Identifier: BSD-3-Clause */
/* Area "lang": the speed of right-hand sides that come from .ode files beside the same written by
 * hand in C, and what it costs to read, differentiate and compile large ones. */
#include "bench.h"
#include "support/lang_hand.h"
#include <geartrain/lang.h>
#include <geartrain/load.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const char area[] = "lang";

static gt_toolchain tools(const char *cache)
{
    return (gt_toolchain){.compiler = getenv("CC"),
                          .path = getenv("PATH"),
                          .cache = cache,
                          .include = BENCH_SOURCE_DIR "/include"};
}

/* ---- right-hand sides ---- */

typedef struct loaded {
    gt_ode *ode;
    gt_library library;
    gt_arena arena;
    gt_problem compiled, interpreted;
} loaded;

static void load(loaded *l, const char *name, const char *text)
{
    gt_message message = {""};
    char *code = NULL;
    size_t length;
    const gt_model *model;
    gt_toolchain toolchain = tools(NULL);
    *l = (loaded){.arena = gt_arena_growing()};
    gt_status status = gt_ode_parse(text, strlen(text), name, &l->ode, &message);
    if (!status) status = gt_ode_c_code(l->ode, "geartrain_model", &code, &length, &message);
    if (!status) status = gt_library_compile_text(&l->library, code, &toolchain, &message);
    if (!status) status = gt_library_model(&l->library, name, &model, &message);
    if (!status) status = gt_model_build(model, "", &l->compiled, &l->arena, &message);
    if (!status)
        status = gt_model_build(gt_ode_model(l->ode), "", &l->interpreted, &l->arena, &message);
    bench_require(!status, message.text);
    free(code);
}

static void unload(loaded *l)
{
    gt_arena_free(&l->arena);
    gt_library_close(&l->library);
    gt_ode_free(l->ode);
}

/* Seconds of one call; x moves a little so that no call can be left out. */
static double time_calls(gt_rhs_fn *rhs, void *ctx, double *x, double *dx, size_t n, long calls)
{
    double start = bench_now();
    for (long k = 0; k < calls; k++) {
        bench_require(!rhs(0, x, dx, ctx), "the right-hand side failed");
        x[(size_t)k % n] += 1e-12 * dx[0];
    }
    double taken = (bench_now() - start) / (double)calls;
    bench_sink(dx[0]);
    return taken;
}

enum { REPEATS = 61, KINDS = 3 };

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double compare_rhs(const char *name, const char *text, gt_rhs_fn *hand, void *numbers,
                          long calls)
{
    static double times[KINDS][REPEATS];
    loaded l;
    load(&l, name, text);
    size_t n = gt_problem_size(&l.compiled);
    double *x = malloc(n * sizeof *x), *dx = malloc(n * sizeof *dx),
           *other = malloc(n * sizeof *other);
    bench_require(x && dx && other, "out of memory");
    memcpy(x, l.compiled.x0, n * sizeof *x);
    bench_require(!hand(0, x, dx, numbers) && !l.compiled.rhs(0, x, other, l.compiled.ctx), "rhs");
    double difference = bench_distance(dx, other, n);
    gt_rhs_fn *const functions[KINDS] = {hand, l.compiled.rhs, l.interpreted.rhs};
    void *const contexts[KINDS] = {numbers, l.compiled.ctx, l.interpreted.ctx};
    for (int r = 0; r < REPEATS; r++)
        for (int k = 0; k < KINDS; k++) {
            memcpy(x, l.compiled.x0, n * sizeof *x);
            times[k][r] =
                time_calls(functions[k], contexts[k], x, dx, n, k == 2 ? calls / 8 + 1 : calls);
        }
    for (int k = 0; k < KINDS; k++) qsort(times[k], REPEATS, sizeof(double), ascending);
    double ratio = times[1][0] / times[0][0];
    printf("%-24s %6zu %10.1f %10.1f %10.1f %7.3f %7.3f %9.1e\n", name, n, times[0][0] * 1e9,
           times[1][0] * 1e9, times[2][0] * 1e9, ratio,
           times[1][REPEATS / 2] / times[0][REPEATS / 2], difference);
    bench_result(area, name, "rhs", "hand-written C", difference, 1 / ratio, 1, "best of 61 turns");
    free(x);
    free(dx);
    free(other);
    unload(&l);
    return ratio;
}

/* ---- large files ---- */

static void text_1d(size_t n, char *text, size_t size)
{
    size_t half = n / 2;
    snprintf(text, size,
             "par a=1,b=3,k=50\n"
             "u0=a\nu%zu=a\nv0=b/a\nv%zu=b/a\n"
             "u[1..%zu]'=a+u[j]^2*v[j]-(b+1)*u[j]+k*(u[j-1]-2*u[j]+u[j+1])\n"
             "v[1..%zu]'=b*u[j]-u[j]^2*v[j]+k*(v[j-1]-2*v[j]+v[j+1])\n"
             "u[1..%zu](0)=1+sin(2*pi*[j]/%zu)\nv[1..%zu](0)=3\n@ total=1\n",
             half + 1, half + 1, half, half, half, half + 1, half);
}

/* side x side points, numbered row by row; a row's end is next to the start of the following one.
 */
static void text_2d(size_t n, char *text, size_t size)
{
    size_t side = 1;
    while (2 * (side + 1) * (side + 1) <= n) side++;
    size_t points = side * side;
    snprintf(text, size,
             "par a=1,b=3,k=50\n"
             "u[-%zu..0]=a\nv[-%zu..0]=b/a\nu[%zu..%zu]=a\nv[%zu..%zu]=b/a\n"
             "u[1..%zu]'=a+u[j]^2*v[j]-(b+1)*u[j]+k*(u[j-1]+u[j+1]+u[j-%zu]+u[j+%zu]-4*u[j])\n"
             "v[1..%zu]'=b*u[j]-u[j]^2*v[j]+k*(v[j-1]+v[j+1]+v[j-%zu]+v[j+%zu]-4*v[j])\n"
             "u[1..%zu](0)=1+sin(2*pi*[j]/%zu)\nv[1..%zu](0)=3\n@ total=1\n",
             side - 1, side - 1, points + 1, points + side, points + 1, points + side, points, side,
             side, points, side, side, points, side, points);
}

typedef struct cost {
    double parse, code, compile, build;
    size_t states, entries, bytes, nodes;
    long peak, compiler_peak; /* KB */
} cost;

/* In a process of its own, so that its memory is its own. */
static void measure(const char *text, cost *c)
{
    gt_ode *ode = NULL;
    gt_message message = {""};
    char *code = NULL;
    gt_library library;
    const gt_model *model;
    gt_problem problem;
    gt_arena arena = gt_arena_growing();
    gt_toolchain toolchain = tools(NULL);
    double start = bench_now();
    bench_require(!gt_ode_parse(text, strlen(text), "large.ode", &ode, &message), message.text);
    c->parse = bench_now() - start;
    start = bench_now();
    bench_require(!gt_ode_c_code(ode, "geartrain_model", &code, &c->bytes, &message), message.text);
    c->code = bench_now() - start;
    start = bench_now();
    bench_require(!gt_library_compile_text(&library, code, &toolchain, &message), message.text);
    c->compile = bench_now() - start;
    bench_require(!gt_library_model(&library, "large.ode", &model, &message), message.text);
    start = bench_now();
    bench_require(!gt_model_build(model, "", &problem, &arena, &message), message.text);
    c->build = bench_now() - start;
    c->states = gt_problem_size(&problem);
    gt_matrix J = {.n = c->states, .pattern = problem.jac_pattern};
    c->entries = gt_matrix_entries(&J);
    c->nodes = gt_ode_facts_of(ode)->n_nodes;
    struct rusage own, children;
    getrusage(RUSAGE_SELF, &own);
    getrusage(RUSAGE_CHILDREN, &children);
    c->peak = own.ru_maxrss;
    c->compiler_peak = children.ru_maxrss;
}

static cost measure_apart(const char *text)
{
    cost c = {0};
    int ends[2];
    fflush(stdout);
    bench_require(!pipe(ends), "no pipe");
    pid_t child = fork();
    if (!child) {
        measure(text, &c);
        _exit(write(ends[1], &c, sizeof c) != sizeof c);
    }
    close(ends[1]);
    bench_require(child > 0 && read(ends[0], &c, sizeof c) == sizeof c, "a measurement failed");
    close(ends[0]);
    waitpid(child, NULL, 0);
    return c;
}

static double show(const char *name, const cost *c)
{
    printf("%-24s %7zu %8zu %6zu %7.1f %9.1f %7.1f %9.1f %9.1f %8.1f %8.1f\n", name, c->states,
           c->entries, c->nodes, (double)c->bytes / 1024, c->parse * 1e3, c->code * 1e3,
           c->compile * 1e3, c->build * 1e3, (double)c->peak / 1024,
           (double)c->compiler_peak / 1024);
    return c->parse + c->code + c->compile + c->build;
}

static double scale(const char *name, void (*write_text)(size_t, char *, size_t))
{
    double total = 0;
    for (size_t n = 1000; n <= 100000; n *= 10) {
        char text[2048];
        write_text(n, text, sizeof text);
        cost c = measure_apart(text);
        total = show(name, &c);
    }
    return total;
}

/* A network written out, each equation another one: 2 to 5 neighbours, five kinds of coupling. */
static char *text_network(size_t n)
{
    static const char *const terms[] = {"+%g*sin(y%zu-y%zu)", "+%g*y%zu*y%zu",
                                        "+%g/(1+y%zu^2+0*y%zu)", "+%g*exp(-y%zu^2)/(2+y%zu^2)",
                                        "+%g*tanh(y%zu)-y%zu"};
    size_t room = 400 * n, used = 0;
    char *text = malloc(room);
    unsigned seed = 3;
    bench_require(text != NULL, "out of memory");
    for (size_t i = 1; i <= n; i++) {
        used += (size_t)snprintf(text + used, room - used, "y%zu'=-y%zu", i, i);
        for (unsigned k = 0; k < 2 + i % 4; k++) {
            seed = seed * 1664525u + 1013904223u;
            used += (size_t)snprintf(text + used, room - used, terms[(seed >> 8) % 5],
                                     0.1 + (seed >> 12) % 1000 * 1e-3, 1 + (seed >> 4) % n, i);
        }
        used += (size_t)snprintf(text + used, room - used, "\n");
    }
    snprintf(text + used, room - used, "init y1=1\n");
    return text;
}

static double written_out(size_t n)
{
    char *text = text_network(n);
    cost c = measure_apart(text);
    free(text);
    return show("network, written out", &c);
}

static void bar(const char *what, double measured, double limit)
{
    printf("%-62s %7.3f   <= %-5g %s\n", what, measured, limit,
           measured <= limit ? "met" : "missed");
}

/* lang long: also 20,000 equations written out, which the compiler takes most of a minute for. */
int main(int argc, char **argv)
{
    static char brusselator[2048];
    bench_hand_numbers chemistry = {.n = 1000, .p = {1, 3, 50}};
    text_1d(2000, brusselator, sizeof brusselator);
    printf("\nright-hand sides, nanoseconds a call\n%-24s %6s %10s %10s %10s %7s %7s %9s\n", "",
           "n", "by hand", "compiled", "interpr.", "ratio", "median", "differ.");
    double lorenz = compare_rhs("lorenz", bench_text_lorenz, bench_hand_lorenz,
                                &(bench_hand_numbers){.n = 3, .p = {10, 28, 4}}, 200000);
    double hires = compare_rhs("hires", bench_text_hires, bench_hand_hires, NULL, 100000);
    double bruss =
        compare_rhs("brusselator, n = 1000", brusselator, bench_hand_brusselator, &chemistry, 1000);
    printf("\nfiles, milliseconds and megabytes\n%-24s %7s %8s %6s %7s %9s %7s %9s %9s %8s %8s\n",
           "", "states", "entries", "nodes", "KB of C", "read", "write", "compile", "build", "peak",
           "compiler");
    double line = scale("1-D, two substances", text_1d),
           plane = scale("2-D, two substances", text_2d);
    if (!bench_quick()) written_out(1000);
    double network = bench_quick() ? NAN : written_out(5000);
    if (argc > 1 && strcmp(argv[1], "long") == 0) written_out(20000);
    printf("\n%-62s %7s   %s\n", "bars", "", "bar");
    bar("rhs, Lorenz: compiled file / C by hand", lorenz, 1.1);
    bar("rhs, HIRES: compiled file / C by hand", hires, 1.1);
    bar("rhs, Brusselator of 1000 points: compiled file / C by hand", bruss, 1.1);
    bar("1-D, 10^5 states: seconds from text to problem", line, 30);
    bar("2-D, 10^5 states: seconds from text to problem", plane, 30);
    if (!bench_quick())
        bar("5000 equations written out: seconds from text to problem", network, 30);
    bench_write_results(area);
    return 0;
}
