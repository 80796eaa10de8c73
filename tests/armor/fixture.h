/* SPDX-License-Identifier: BSD-3-Clause */
/* One valid argument of every kind that the public functions take. */
#ifndef ARMOR_FIXTURE_H
#define ARMOR_FIXTURE_H

typedef struct fixture {
    const gt_problem *problem, *smooth, *second_order, *grid_problem;
    const gt_residual *residual;
    const gt_model *model;
    const gt_method *method, *multistep;
    const gt_values *values_of_method;
    gt_values *values, *model_values;
    const gt_param *params;
    const char *const *names;
    gt_arena *arena, *empty_arena;
    gt_message *message;
    gt_stepper *stepper, *fresh;
    gt_run *run;
    gt_solution *solution;
    size_t run_bytes, saved_bytes;
    void *memory, *saved;
    size_t bytes;
    const gt_plan *plan, *run_plan;
    const gt_control *control;
    double *x, *bound;
    const size_t *order;
    char *number, *out; /* out: room for any result */
    const gt_tableau *tableau;
    const gt_partitioned *pair;
    gt_multistep *formula;
    gt_ode *ode;
    const gt_toolchain *tools;
    gt_linearization *linear;
    gt_spectrum *spectrum;
    gt_split *split;
    unsigned char *fast;
    gt_amplifier *amplifier;
    const gt_rational *rational;
    gt_test2 *test2;
    const gt_steps *steps;
    const gt_polynomial_task *polynomial_task;
    const gt_polynomial_design *polynomial;
    const gt_dualrate_task *dualrate_task;
    const gt_half_task *half_task;
    const gt_method_label *label;
    const char *case_path, *machines_path;
    const gt_power_case *grid;
    const gt_power_dynamics *dynamics;
    const gt_power_setup *setup;
    const gt_power_system *system;
    const gt_power_cct_options *cct;
    const gt_power_synth_options *synth;
    const gt_sample *sample;
    gt_matrix *matrix;
    gt_lu *lu;
} fixture;

enum { ROOM = 1 << 22 };

/* Memory that the wrong calls may be given until the program ends: it stays reachable. */
static void *zeroed(size_t bytes)
{
    static void *kept[256];
    static size_t count;
    assert_true(count < 256);
    void *memory = kept[count++] = calloc(1, bytes);
    assert_non_null(memory);
    return memory;
}

static gt_problem *built(const char *model, const char *parameters, gt_arena *arena)
{
    gt_problem *problem = zeroed(sizeof *problem);
    gt_message message = {""};
    if (gt_model_build(gt_model_find(model), parameters, problem, arena, &message))
        fail_msg("%s", message.text);
    return problem;
}

static void add_stepper(fixture *f)
{
    f->stepper = zeroed(sizeof *f->stepper);
    f->fresh = zeroed(sizeof *f->fresh);
    assert_int_equal(gt_stepper_measure(f->method, "", f->problem, &f->bytes, f->message), GT_OK);
    f->memory = zeroed(f->bytes);
    assert_int_equal(
        gt_stepper_init(f->stepper, f->method, "", f->problem, zeroed(f->bytes), f->bytes), GT_OK);
    assert_int_equal(gt_stepper_try(f->stepper, 0.001, false), GT_OK);
}

static void add_numbers(fixture *f)
{
    static const size_t order[] = {1, 0};
    static const int past[] = {0, 1};
    static const gt_steps steps = {.a = past, .b = past, .n_a = 2, .n_b = 2};
    static const gt_rational ratio = {
        .num_degree = 1, .den_degree = 1, .num = {2, 1}, .den = {2, -1}};
    static const gt_polynomial_task polynomial = {.degree = 3, .order = 2, .axis = GT_REAL_AXIS};
    static const gt_dualrate_task dualrate = {
        .slow = 2, .fast = 4, .order = 2, .axis = GT_IMAGINARY_AXIS};
    static const gt_half_task half = {.c = {1, 2}, .d = {1, 2}};
    static const gt_method_label label = {.name = "mine", .title = "mine", .order = 1};
    static gt_partitioned pair;
    f->order = order;
    f->x = zeroed(4096 * sizeof *f->x);
    f->bound = zeroed(4096 * sizeof *f->bound);
    for (int i = 0; i < 4096; i++) f->bound[i] = 1e3;
    for (int i = 0; i < 4; i++) f->x[i] = 1 + i % 3;
    f->tableau = gt_method_find("rk4")->tableau;
    pair = (gt_partitioned){.slow = *f->tableau, .fast = *f->tableau};
    f->pair = &pair;
    f->formula = zeroed(sizeof *f->formula);
    *f->formula = *gt_method_find("ab2")->formula;
    f->steps = &steps, f->rational = &ratio, f->polynomial_task = &polynomial,
    f->dualrate_task = &dualrate;
    f->half_task = &half, f->label = &label;
    f->polynomial = zeroed(sizeof *f->polynomial);
    f->amplifier = zeroed(sizeof *f->amplifier);
    assert_int_equal(gt_amplifier_open(f->amplifier, f->method, "", f->message), GT_OK);
    f->test2 = zeroed(sizeof *f->test2);
    assert_int_equal(gt_test2_open(f->test2, f->method, "", 10, 0.1, f->message), GT_OK);
    f->linear = zeroed(sizeof *f->linear);
    assert_int_equal(gt_linearize(f->problem, 0, f->problem->x0, f->linear, f->arena, f->message),
                     GT_OK);
    f->spectrum = zeroed(sizeof *f->spectrum);
    assert_int_equal(
        gt_spectrum_full(f->problem, 0, f->problem->x0, f->spectrum, f->arena, f->message), GT_OK);
    f->fast = zeroed(16);
    f->fast[1] = 1;
    f->split = zeroed(sizeof *f->split);
    *f->split = (gt_split){.n_fast = 1, .fast = f->fast};
    f->matrix = zeroed(sizeof *f->matrix);
    gt_matrix_layout(f->matrix, 2, (gt_pattern){.storage = GT_DENSE}, false, f->arena);
    f->lu = zeroed(sizeof *f->lu);
    gt_lu_layout(f->lu, f->matrix, f->arena);
}

static void add_power(fixture *f)
{
    static const gt_power_cct_options cct = {.window = 0.1, .largest = 0.02};
    static const gt_power_synth_options synth = {.buses = 10};
    static const gt_sample sample = {.t = 1};
    f->case_path = TEST_SOURCE_DIR "/cases/wscc9.m";
    f->machines_path = TEST_SOURCE_DIR "/cases/wscc9.csv";
    gt_power_case *grid = zeroed(sizeof *grid);
    gt_power_dynamics *dynamics = zeroed(sizeof *dynamics);
    gt_power_flow_result *flow = zeroed(sizeof *flow);
    gt_power_setup *setup = zeroed(sizeof *setup);
    gt_problem *problem = zeroed(sizeof *problem);
    if (gt_power_case_read(f->case_path, grid, f->arena, f->message) ||
        gt_power_flow(grid, NULL, flow, f->arena, f->message) ||
        gt_power_dynamics_read(f->machines_path, grid, 0, dynamics, f->arena, f->message))
        fail_msg("%s", f->message->text);
    *setup =
        (gt_power_setup){.grid = grid, .flow = flow, .dynamics = dynamics, .t1 = 1, .z_part = 1};
    if (gt_power_build(setup, problem, &f->system, f->arena, f->message))
        fail_msg("%s", f->message->text);
    f->grid = grid, f->dynamics = dynamics, f->setup = setup, f->grid_problem = problem;
    f->cct = &cct, f->synth = &synth, f->sample = &sample;
}

static gt_status any_residual(double t, const double *x, const double *dx, double *r, void *ctx)
{
    (void)t, (void)ctx;
    r[0] = dx[0] + x[0];
    return GT_OK;
}

static int make_fixture(void **state)
{
    static const char *const names[] = {"rk4", "euler", NULL};
    static const gt_plan plan = {.rtol = 1e-3};
    static const gt_toolchain tools = {.path = "/nowhere"};
    fixture *f = zeroed(sizeof *f);
    f->message = zeroed(sizeof *f->message);
    f->arena = zeroed(sizeof *f->arena);
    f->empty_arena = zeroed(sizeof *f->empty_arena);
    *f->arena = gt_arena_growing();
    f->out = zeroed(ROOM);
    f->number = zeroed(8);
    strcpy(f->number, "1.5");
    f->names = names, f->plan = &plan, f->tools = &tools;
    f->method = gt_method_find("rk4");
    f->multistep = gt_method_find("ab2");
    f->control = gt_control_find("pi");
    f->model = gt_model_find("linear2");
    f->params = gt_method_find("taylor")->options;
    f->values = zeroed(sizeof *f->values);
    f->model_values = zeroed(sizeof *f->model_values);
    *f->model_values = gt_params_default(f->model->params);
    static const double one = 1;
    static const gt_residual residual = {.n = 1, .residual = any_residual, .x0 = &one};
    f->residual = &residual;
    f->problem = built("linear2", "", f->arena);
    f->smooth = built("harmonic", "", f->arena);
    f->second_order = built("oscillator", "", f->arena);
    assert_int_equal(gt_ode_parse("x'=-x\n", 6, "file", &f->ode, f->message), GT_OK);
    add_stepper(f);
    static const gt_plan fixed = {.h = 0.01};
    assert_int_equal(gt_run_open(&f->run, f->problem, f->method, &fixed, f->message), GT_OK);
    assert_int_equal(gt_run_step(f->run, NULL), GT_OK);
    assert_int_equal(gt_run_measure(f->problem, f->method, &fixed, &f->run_bytes, f->message),
                     GT_OK);
    f->run_plan = &fixed;
    assert_int_equal(gt_run_save(f->run, NULL, &f->saved, &f->saved_bytes, f->message), GT_OK);
    f->solution = gt_solution_new(gt_problem_size(f->problem));
    add_numbers(f);
    add_power(f);
    *state = f;
    return 0;
}

static int free_fixture(void **state)
{
    fixture *f = *state;
    gt_ode_free(f->ode);
    gt_run_close(f->run);
    free(f->saved);
    gt_solution_free(f->solution);
    gt_arena_free(f->arena);
    free(f);
    return 0;
}

#endif
