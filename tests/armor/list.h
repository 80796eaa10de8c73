/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every function of the public headers: how it is called with wrong arguments, or why it is not.
 * tests/armor_test.sh finds those that are missing here.
 *
 *   STATUS(name, arguments, spec, pointers)   returns a gt_status
 *   OTHER(name, arguments, spec, pointers)    returns something else, or nothing: it must come back
 *   NUMBER(name, arguments, spec, pointers)   the same for a result that must be looked at
 *   EXEMPT(name, reason)                      is not called with NULL
 *
 * In the arguments a[k] is the k-th pointer. The spec has a letter for each: r required, so that
 * NULL must give a final status and, where there is an m, a sentence; o may be NULL, and the call
 * must come back; m the message, which may be NULL.
 */
#define IN_A_STEP "for authors of methods: called inside a step, where nothing is checked"
#define LAYOUT "for authors of methods: lays out memory by a measured arena"
#define FORMATS "the compiler checks the format; NULL is not a format"

/* api.h, status.h, number.h, file.h */
OTHER(gt_status_name, (-99), "", NULL)
OTHER(gt_status_text, (-99), "", NULL)
OTHER(gt_fail, (a[0], GT_IO, "x"), "o", f->message)
OTHER(gt_fail_null, (a[0], a[1], a[2]), "ooo", f->message, "gt_solve_sized", "problem")
OTHER(gt_say_more, (a[0], "x"), "o", f->message)
OTHER(gt_warn, (a[0], "x"), "o", f->out)
OTHER(gt_version, (), "", NULL)
OTHER(gt_number_read, (a[0], a[1], a[2]), "ooo", f->number, f->number + 3, f->out)
OTHER(gt_number_read_any, (a[0], a[1], a[2]), "ooo", f->number, f->number + 3, f->out)
OTHER(gt_number_print, (a[0], 1.5, 17), "o", f->out)
OTHER(gt_number_print_short, (a[0], 1.5), "o", f->out)
OTHER(gt_format, (a[0], a[0] ? 10 : 0, "%g", 1.0), "o", f->out)
EXEMPT(gt_vformat, FORMATS)
EXEMPT(gt_fprintf, FORMATS)
EXEMPT(gt_vfprintf, FORMATS)
STATUS(gt_file_open, (a[0], a[1], a[2]), "rrm", f->out, "/dev/null", f->message)
STATUS(gt_file_close, (a[0], true, a[1]), "om", f->out, f->message)
STATUS(gt_file_sync, (a[0], a[1], a[2]), "rrm", f->out, f->out + 256, f->message)
STATUS(gt_file_resume, (a[0], a[1], a[2], a[3]), "rrrm", f->out, "/nowhere", f->out + 256,
       f->message)
OTHER(gt_file_discard, (a[0]), "o", f->out)
STATUS(gt_file_read, (a[0], 100, a[1], a[2], a[3]), "rrrm", "/dev/null", f->out, f->out + 64,
       f->message)

/* threads.h */
STATUS(gt_threads_open, (2, a[0], a[1]), "rm", f->out, f->message)
OTHER(gt_threads_close, (a[0]), "o", NULL)

/* arena.h, param.h */
OTHER(gt_arena_over, (a[0], 100), "o", f->out)
OTHER(gt_arena_growing, (), "", NULL)
OTHER(gt_arena_take, (a[0], 3, 8), "o", f->arena)
OTHER(gt_arena_free, (a[0]), "o", f->empty_arena)
OTHER(gt_params_count, (a[0]), "o", f->params)
OTHER(gt_params_defaults, (a[0], a[1]), "oo", f->params, f->values)
STATUS(gt_params_set, (a[0], a[1], a[2], a[3], a[4], a[5], a[6]), "orrrrrm", f->params, "option",
       "owner", "order", "2", f->values, f->message)
STATUS(gt_params_parse, (a[0], a[1], a[2], a[3], a[4], a[5]), "ooooom", f->params, "option",
       "owner", "", f->values, f->message)
OTHER(gt_params_fill, (a[0], a[1], a[2]), "ooo", f->params, f->values, f->out)
OTHER(gt_params_print, (a[0], 1, a[1], 32), "oo", f->params, f->out)
OTHER(gt_nearest_name, (a[0], a[1]), "oo", "rk5", f->names)

/* problem.h, model.h, blocks.h */
STATUS(gt_problem_check, (a[0], a[1]), "rm", f->problem, f->message)
OTHER(gt_problem_state_name, (a[0], 0, a[1]), "oo", f->problem, f->out)
OTHER(gt_problem_column_name, (a[0], 0, a[1]), "oo", f->problem, f->out)
OTHER(gt_problem_reduced, (a[0]), "o", f->problem)
OTHER(gt_typical_size, (a[0]), "o", f->problem)
OTHER(gt_default_atol, (a[0], 1e-6), "o", f->problem)
STATUS(gt_problem_first_order, (a[0], a[1], a[2]), "rrr", f->second_order, f->out, f->arena)
STATUS(gt_problem_from_residual, (a[0], a[1], a[2], a[3]), "rrrm", f->residual, f->out, f->arena,
       f->message)
STATUS(gt_problem_reversed, (a[0], a[1], a[2]), "rrr", f->problem, f->out, f->arena)
STATUS(gt_problem_permuted, (a[0], 1, 1, 0, a[1], a[2], a[3]), "rrrr", f->problem, f->order, f->out,
       f->arena)
OTHER(gt_model_list, (), "", NULL)
OTHER(gt_model_find, (a[0]), "o", "lorenz")
STATUS(gt_model_build, (a[0], a[1], a[2], a[3], a[4]), "rorrm", f->model, "", f->out, f->arena,
       f->message)
STATUS(gt_model_build_values, (a[0], a[1], a[2], a[3], a[4]), "rrrrm", f->model, f->model_values,
       f->out, f->arena, f->message)
OTHER(gt_part_size, (a[0], GT_SLOW), "o", f->problem)
OTHER(gt_part_first, (a[0], GT_FAST), "o", f->problem)
EXEMPT(gt_block_layout, LAYOUT)
EXEMPT(gt_block_evaluate, IN_A_STEP)

/* method.h, order.h, memory.h, control.h, choose.h */
OTHER(gt_method_list, (), "", NULL)
OTHER(gt_method_find, (a[0]), "o", "rk4")
OTHER(gt_method_for, (GT_ROLE_STIFF), "", NULL)
OTHER(gt_phases_method, (a[0]), "o", &(gt_phases){0})
OTHER(gt_tableau_stages, (a[0], a[1]), "oo", f->tableau, f->out)
OTHER(gt_method_facts, (a[0], a[1]), "oo", f->method, f->values)
OTHER(gt_method_suggest, (a[0], a[1]), "oo", f->problem, f->message)
STATUS(gt_method_check, (a[0], a[1], a[2], a[3]), "rorm", f->method, f->values, f->problem,
       f->message)
STATUS(gt_amplification, (a[0], a[1], 1.0, a[2]), "ror", f->method, f->values, f->out)
OTHER(gt_conditions_of_tableau, (a[0], a[1], 3, a[2]), "ooo", f->tableau, f->tableau->b, f->out)
OTHER(gt_conditions_of_partitioned, (a[0], a[1], 3, a[2]), "ooo", f->tableau, f->tableau, f->out)
OTHER(gt_partitioned_comparison, (a[0], a[1]), "oo", f->pair, f->out)
OTHER(gt_conditions_of_formula, (a[0], 3, a[1]), "oo", f->formula, f->out)
STATUS(gt_multistep_complete, (a[0], a[1]), "rm", f->formula, f->message)
STATUS(gt_method_formula, (a[0], a[1], a[2], a[3]), "rorm", f->multistep, f->values, f->out,
       f->message)
STATUS(gt_measure_order, (a[0], a[1], a[2], a[3], a[4]), "rorrm", f->method, "", f->smooth, f->out,
       f->message)
STATUS(gt_order_problem, (a[0], a[1], a[2], a[3], a[4]), "rorrm", f->method, f->values, f->out,
       f->arena, f->message)
STATUS(gt_memory_account, (a[0], a[1], a[2], a[3]), "rorm", f->method, "", f->out, f->message)
OTHER(gt_control_list, (), "", NULL)
OTHER(gt_control_find, (a[0]), "o", "pi")
STATUS(gt_control_parse, (a[0], a[1], a[2]), "rrm", "pi", f->out, f->message)
OTHER(gt_control_begin, (a[0], a[1], 5), "oo", f->out, f->control)
EXEMPT(gt_control_judge, IN_A_STEP)
EXEMPT(gt_control_keep_factors, IN_A_STEP)
EXEMPT(gt_control_kept, IN_A_STEP)
EXEMPT(gt_control_remember, IN_A_STEP)
STATUS(gt_choose_method, (a[0], a[1], a[2], a[3]), "rorm", f->problem, f->plan, f->out, f->message)
STATUS(gt_choose_reference, (a[0], a[1], a[2], a[3]), "rrrm", f->problem, f->out, f->out + 64,
       f->message)
STATUS(gt_confirm, (a[0], a[1], a[2], a[3], a[4], a[5], a[6]), "rorrrrm", f->problem, f->method,
       f->plan, f->out, f->out + 4096, f->out + 4104, f->message)
STATUS(gt_reference_methods, (a[0], a[1], a[2], a[3], a[4]), "rrrrm", f->problem, f->plan, f->out,
       f->out + 256, f->message)

/* stepper.h, integrate.h */
STATUS(gt_stepper_measure, (a[0], a[1], a[2], a[3], a[4]), "rorrm", f->method, "", f->problem,
       f->out, f->message)
STATUS(gt_stepper_measure_in, (a[0], a[1], a[2], a[3], a[4], a[5]), "rorrrm", f->method, "",
       f->problem, f->empty_arena, f->out, f->message)
STATUS(gt_stepper_init, (a[0], a[1], a[2], a[3], a[4], f->bytes), "rrorr", f->fresh, f->method, "",
       f->problem, f->memory)
OTHER(gt_stepper_start, (a[0], 0, a[1]), "oo", f->stepper, f->x)
STATUS(gt_stepper_make_consistent, (a[0]), "r", f->stepper)
STATUS(gt_stepper_solve_algebraic, (a[0], 0, a[1]), "rr", f->stepper, f->x)
STATUS(gt_stepper_solve_algebraic_inside, (a[0], 0, a[1]), "rr", f->stepper, f->x)
STATUS(gt_stepper_try, (a[0], 0.01, true), "r", f->stepper)
OTHER(gt_stepper_accept, (a[0]), "o", f->stepper)
STATUS(gt_stepper_step, (a[0], 0.01), "r", f->stepper)
STATUS(gt_stepper_run, (a[0], 0, 0.01, 0, 3), "r", f->stepper)
STATUS(gt_stepper_interpolate, (a[0], 0.5, a[1]), "rr", f->stepper, f->out)
OTHER(gt_stepper_restart, (a[0]), "o", f->stepper)
OTHER(gt_stepper_free, (a[0]), "o", f->stepper)
EXEMPT(gt_rhs_rows, IN_A_STEP)
EXEMPT(gt_slopes, IN_A_STEP)
EXEMPT(gt_hermite, IN_A_STEP)
STATUS(gt_integrate, (a[0], a[1], a[2]), "roo", f->stepper, f->plan, f->out)
STATUS(gt_solve, (a[0], a[1], a[2], a[3]), "rroo", f->problem, f->method, f->plan, f->out)

/* run.h */
STATUS(gt_run_measure, (a[0], a[1], a[2], a[3], a[4]), "rrorm", f->problem, f->method, f->plan,
       f->out, f->message)
STATUS(gt_run_open_in, (a[0], a[1], a[2], a[3], a[4], f->run_bytes, a[5]), "rrrorm", f->out,
       f->problem, f->method, f->plan, f->out + 64, f->message)
STATUS(gt_run_open, (a[0], a[1], a[2], a[3], a[4]), "rrrom", f->out, f->problem, f->method, f->plan,
       f->message)
STATUS(gt_run_step, (a[0], a[1]), "ro", f->run, f->out)
STATUS(gt_run_advance, (a[0], 0.5, 0, a[1]), "ro", f->run, f->out)
STATUS(gt_run_settle, (a[0]), "r", f->run)
OTHER(gt_run_time, (a[0]), "o", f->run)
OTHER(gt_run_x, (a[0]), "o", f->run)
OTHER(gt_run_last_step, (a[0], a[1], a[2]), "ooo", f->run, f->out, f->out + 64)
STATUS(gt_run_interpolate, (a[0], gt_run_time(a[0]), a[1]), "rr", f->run, f->out)
OTHER(gt_run_fired, (a[0]), "o", f->run)
STATUS(gt_run_changed, (a[0], GT_CHANGED_EQUATIONS, a[1]), "ro", f->run, f->x)
STATUS(gt_run_set_end, (a[0], 10), "r", f->run)
STATUS(gt_run_set_tolerances, (a[0], 1e-5, 0, a[1], a[2]), "roo", f->run, NULL, NULL)
STATUS(gt_run_set_sinks, (a[0], a[1], 0), "ro", f->run, NULL)
STATUS(gt_run_add_break, (a[0], 9), "r", f->run)
OTHER(gt_run_message, (a[0]), "o", f->run)
OTHER(gt_run_stats, (a[0]), "o", f->run)
OTHER(gt_run_report, (a[0], a[1]), "oo", f->run, f->out)
STATUS(gt_run_copy, (a[0], a[1], a[2], a[3], a[4]), "rroom", f->out, f->run, f->problem, f->plan,
       f->message)
STATUS(gt_run_save, (a[0], a[1], a[2], a[3], a[4]), "rorrm", f->run, &(gt_checkpoint){0}, f->out,
       f->out + 64, f->message)
STATUS(gt_run_restore, (a[0], a[1], a[2], a[3], a[4], a[5], f->saved_bytes, a[6]), "rrroorm",
       f->out, f->problem, f->method, f->run_plan, f->out + 64, f->saved, f->message)
STATUS(gt_run_save_file, (a[0], a[1], a[2], a[3]), "rorm", f->run, NULL, "/dev/null", f->message)
STATUS(gt_run_load, (a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]), "rrroorrm", f->out,
       f->problem, f->method, f->run_plan, f->out + 64, "/dev/null", f->out + 128, f->message)
STATUS(gt_run_finish, (a[0], a[1]), "ro", f->run, f->out)
OTHER(gt_run_discard, (a[0]), "o", NULL)
OTHER(gt_run_close, (a[0]), "o", NULL)
EXEMPT(gt_solution_new, "it has no pointer")
STATUS(gt_solution_add, (a[0], a[1]), "rr", f->solution, f->run)
STATUS(gt_solution_at, (a[0], 0.5, a[1]), "rr", f->solution, f->out)
OTHER(gt_solution_range, (a[0], a[1], a[2]), "ooo", f->solution, f->out, f->out + 64)
OTHER(gt_solution_pieces, (a[0]), "o", f->solution)
OTHER(gt_solution_bytes, (a[0]), "o", f->solution)
STATUS(gt_solution_piece, (a[0], 0, a[1], a[2], a[3], a[4]), "roooo", f->solution, f->out,
       f->out + 8, f->out + 16, f->out + 24)
STATUS(gt_solution_add_piece, (a[0], 0, 1, 1, a[1]), "rr", f->solution, f->out)
OTHER(gt_solution_free, (a[0]), "o", NULL)

/* sink.h */
OTHER(gt_memory_sink_init, (a[0], 1), "o", f->out)
OTHER(gt_memory_sink_free, (a[0]), "o", f->out)
STATUS(gt_csv_sink_open, (a[0], a[1], a[2], 1, false, a[3]), "rrrm", f->out, "/dev/null",
       f->problem, f->message)
STATUS(gt_csv_sink_prepare, (a[0], a[1], 1, false, a[2]), "rrm", f->out, f->problem, f->message)
STATUS(gt_csv_sink_close, (a[0], true, a[1]), "om", f->out, f->message)

/* lang.h, load.h, ode_runtime.h */
STATUS(gt_ode_parse, (a[0], 6, a[1], a[2], a[3]), "rorm", "x'=-x\n", "file", f->out, f->message)
STATUS(gt_ode_parse_split, (a[0], 6, a[1], a[2], a[3], a[4]), "rorrm", "x'=-x\n", "file", "",
       f->out, f->message)
OTHER(gt_ode_free, (a[0]), "o", NULL)
OTHER(gt_ode_facts_of, (a[0]), "o", f->ode)
OTHER(gt_ode_model, (a[0]), "o", f->ode)
STATUS(gt_ode_c_code, (a[0], a[1], a[2], a[3], a[4]), "rrrrm", f->ode, "symbol", f->out,
       f->out + 64, f->message)
STATUS(gt_ode_expanded, (a[0], a[1], a[2]), "rrm", f->ode, f->out, f->message)
OTHER(gt_ode_set_native, (a[0], 1, NULL, a[1]), "oo", f->ode, f->out)
STATUS(gt_library_open, (a[0], a[1], a[2]), "rrm", f->out, "/nowhere.so", f->message)
STATUS(gt_library_compile_file, (a[0], a[1], a[2], a[3]), "rrrm", f->out, "/nowhere.c", f->tools,
       f->message)
STATUS(gt_library_compile_text, (a[0], a[1], a[2], a[3]), "rrrm", f->out, "int x;", f->tools,
       f->message)
OTHER(gt_library_symbol, (a[0], a[1]), "oo", f->out, "x")
STATUS(gt_library_model, (a[0], a[1], a[2], a[3]), "rorm", f->out, "path", f->out + 256, f->message)
OTHER(gt_library_close, (a[0]), "o", f->out)
EXEMPT(gt_ode_build, "for generated code")
EXEMPT(gt_ode_taylor, "for generated code, called inside a step")

/* analysis.h, advise.h */
STATUS(gt_equilibrium, (a[0], 0, a[1], a[2], a[3]), "rroo", f->problem, f->x, NULL, f->out)
STATUS(gt_linearize, (a[0], 0, a[1], a[2], a[3], a[4]), "rrrrm", f->problem, f->x, f->out, f->arena,
       f->message)
OTHER(gt_linearization_top, (a[0], 0, 1, a[1]), "oo", f->linear, f->out)
STATUS(gt_spectrum_full, (a[0], 0, a[1], a[2], a[3], a[4]), "rrrrm", f->problem, f->x, f->out,
       f->arena, f->message)
STATUS(gt_spectrum_extreme, (a[0], 0, a[1], 1, 2, a[2], a[3], a[4]), "rrrrm", f->problem, f->x,
       f->out, f->arena, f->message)
STATUS(gt_spectrum_largest, (a[0], 0, a[1], a[2], a[3]), "rrrr", f->problem, f->x, f->out,
       f->out + 64)
STATUS(gt_spectrum_at, (a[0], 0, a[1], 1, a[2], a[3], a[4]), "rrrrm", f->problem, f->x, f->out,
       f->arena, f->message)
OTHER(gt_stable_step, (a[0], a[1], a[2], 2), "ooo", f->method, "", f->x)
OTHER(gt_coupled_step, (a[0], a[1], 1, a[2], a[3], 1), "oooo", f->problem, f->spectrum, f->method,
      "")
OTHER(gt_coupled_radius, (a[0], a[1], a[2], a[3], 0.1), "oooo", f->problem, f->spectrum, f->method,
      "")
STATUS(gt_split_suggest, (a[0], a[1], 1, 1, a[2], a[3], a[4], a[5], a[6]), "rrorrrm", f->problem,
       f->spectrum, f->x, f->out, f->out + 256, f->arena, f->message)
STATUS(gt_promise_of, (a[0], a[1], a[2], 100, a[3], a[4]), "rorrm", f->problem, f->plan, f->method,
       f->out, f->message)
STATUS(gt_split_find, (a[0], 0, a[1], a[2], a[3], a[4]), "rrrrm", f->problem, f->x, f->out,
       f->arena, f->message)
STATUS(gt_split_measure, (a[0], 1, 1, a[1], a[2], a[3]), "rorm", f->spectrum, f->x, f->split,
       f->message)
STATUS(gt_split_block, (a[0], a[1], true, a[2], a[3], a[4]), "rrrrm", f->spectrum, f->fast, f->out,
       f->out + 256, f->message)
STATUS(gt_manifold_at, (a[0], 0, a[1], a[2], a[3], a[4]), "rrrrm", f->problem, f->x, f->out,
       f->arena, f->message)
STATUS(gt_advise, (a[0], a[1], a[2], a[3], a[4], a[5]), "roorrm", f->problem, f->plan, NULL, f->out,
       f->arena, f->message)
STATUS(gt_largest_step, (a[0], a[1], a[2], 100, a[3], a[4]), "rrrrm", f->problem, f->method,
       f->bound, f->out, f->message)

/* stability.h */
STATUS(gt_amplifier_open, (a[0], a[1], a[2], a[3]), "rrom", f->out, f->method, "", f->message)
OTHER(gt_amplifier_close, (a[0]), "o", f->amplifier)
OTHER(gt_amplifier_roots, (a[0], 1.0, a[1]), "oo", f->amplifier, f->out)
OTHER(gt_amplifier_largest, (a[0], 1.0), "o", f->amplifier)
OTHER(gt_amplifier_principal, (a[0], 1.0), "o", f->amplifier)
STATUS(gt_amplifier_run, (a[0], a[1], 1.0, 3, a[2], a[3]), "rorm", f->method, "", f->out,
       f->message)
OTHER(gt_stability_line, (a[0], 0, 1, a[1]), "oo", f->amplifier, f->out)
STATUS(gt_stability_facts, (a[0], a[1]), "rr", f->amplifier, f->out)
STATUS(gt_tableau_facts_of, (a[0], a[1]), "rr", f->tableau, f->out)
OTHER(gt_light_damping_bands, (a[0], a[1], 4), "oo", f->rational, f->out)
OTHER(gt_stability_boundary, (a[0], 8, a[1], 100), "oo", f->amplifier, f->out)
OTHER(gt_relative_boundary, (a[0], 8, 1, a[1]), "oo", f->amplifier, f->out)
OTHER(gt_spectral_gap, (a[0]), "o", f->amplifier)
STATUS(gt_least_inner, (0.01, -1.0, a[0], a[1], a[2]), "rrm", f->out, f->out + 64, f->message)
STATUS(gt_test2_open, (a[0], a[1], a[2], 10, 0.1, a[3]), "rrom", f->out, f->method, "", f->message)
OTHER(gt_test2_close, (a[0]), "o", f->test2)
STATUS(gt_test2_matrix, (a[0], -1.0, a[1]), "rr", f->test2, f->out)
OTHER(gt_test2_radius, (a[0], -1.0), "o", f->test2)
STATUS(gt_blocks_matrix, (a[0], a[1], a[2]), "rrr", f->test2, f->x, f->out)
OTHER(gt_blocks_radius, (a[0], a[1]), "oo", f->test2, f->x)
OTHER(gt_search_limit, (NULL, a[0], 1.0), "o", f->x)
STATUS(gt_accuracy_limit, (a[0], a[1], 90, a[2], 0.1, 1, a[3], a[4]), "rorrm", f->method, "", f->x,
       f->out, f->message)
OTHER(gt_damping_at, (a[0], 0.5, 1), "o", f->amplifier)

/* design.h */
OTHER(gt_ratio_read, (a[0], a[1]), "oo", "1/2", f->out)
OTHER(gt_ratio_print, ((gt_ratio){1, 2}, a[0], 10), "o", f->out)
OTHER(gt_ratio_near, (0.0 / 0.0), "", NULL)
OTHER(gt_ratio_is_rounded, ((gt_ratio){0, 0}), "", NULL)
STATUS(gt_design_multistep, (a[0], 2, a[1], a[2]), "rrm", f->steps, f->out, f->message)
STATUS(gt_zero_stability_of, (a[0], a[1]), "rr", f->formula, f->out)
STATUS(gt_design_polynomial, (a[0], a[1], a[2]), "rrm", f->polynomial_task, f->out, f->message)
STATUS(gt_dualrate_check, (a[0], a[1]), "rm", f->dualrate_task, f->message)
OTHER(gt_dualrate_search, (a[0], a[1], 0, a[2]), "ooo", f->dualrate_task, f->polynomial, f->out)
OTHER(gt_design_half, (a[0], 0, a[1]), "oo", f->half_task, f->out)
NUMBER(gt_routh, (a[0], 2, a[1], a[2]), "ooo", f->tableau->b, f->out, f->out + 256)
NUMBER(gt_is_hurwitz, (a[0], 2, a[1]), "oo", f->tableau->b, f->out)
STATUS(gt_method_from_multistep, (a[0], a[1], a[2], a[3], a[4]), "rrrrm", f->label, f->formula,
       f->arena, f->out, f->message)
STATUS(gt_method_from_half, (a[0], a[1], a[2], a[3], a[4]), "rrrrm", f->label, f->tableau, f->arena,
       f->out, f->message)
STATUS(gt_method_from_tableau, (a[0], a[1], a[2], a[3], a[4]), "rrrrm", f->label, f->tableau,
       f->arena, f->out, f->message)
STATUS(gt_method_from_partitioned, (a[0], a[1], a[2], a[3], a[4]), "rrrrm", f->label, f->pair,
       f->arena, f->out, f->message)

/* power.h */
STATUS(gt_power_case_read, (a[0], a[1], a[2], a[3]), "rrrm", f->case_path, f->out, f->arena,
       f->message)
STATUS(gt_power_case_parse, (a[0], a[1], a[2], a[3], a[4]), "rorrm", "x", "file", f->out, f->arena,
       f->message)
STATUS(gt_power_case_check, (a[0], a[1]), "rm", f->grid, f->message)
STATUS(gt_power_case_write, (a[0], a[1], a[2]), "rrm", f->grid, "/dev/null", f->message)
OTHER(gt_power_find_bus, (a[0], 1), "o", f->grid)
STATUS(gt_power_flow, (a[0], a[1], a[2], a[3], a[4]), "rorrm", f->grid, NULL, f->out, f->arena,
       f->message)
STATUS(gt_power_dynamics_read, (a[0], a[1], 0, a[2], a[3], a[4]), "rrrrm", f->machines_path,
       f->grid, f->out, f->arena, f->message)
STATUS(gt_power_dynamics_parse, (a[0], a[1], a[2], 0, a[3], a[4], a[5]), "rorrrm", "x", "file",
       f->grid, f->out, f->arena, f->message)
STATUS(gt_power_dynamics_write, (a[0], a[1], a[2], a[3]), "rrrm", f->dynamics, f->grid, "/dev/null",
       f->message)
STATUS(gt_power_build, (a[0], a[1], a[2], a[3], a[4]), "rrrrm", f->setup, f->out, f->out + 1024,
       f->arena, f->message)
OTHER(gt_power_machines, (a[0]), "o", f->system)
OTHER(gt_power_machine_gen, (a[0], 0), "o", f->system)
OTHER(gt_power_machine_on, (a[0], 0, 0), "o", f->system)
OTHER(gt_power_sample_time, (a[0]), "o", f->sample)
OTHER(gt_power_view, (a[0], 0, a[1], a[2], a[3], a[4], a[5]), "oooooo", f->system,
      f->grid_problem->x0, f->out, f->out + 1024, f->out + 2048, f->out + 3072)
OTHER(gt_power_centre, (a[0], 0, a[1]), "oo", f->system, f->x)
OTHER(gt_power_spread, (a[0], 0, a[1]), "oo", f->system, f->x)
OTHER(gt_power_changes, (a[0]), "o", f->system)
OTHER(gt_power_change_time, (a[0], 0), "o", f->system)
OTHER(gt_power_change_text, (a[0], 0), "o", f->system)
OTHER(gt_power_weakest, (a[0], a[1], 0, a[2]), "ooo", f->system, f->grid_problem,
      f->grid_problem->x0)
OTHER(gt_power_islands, (a[0], 0, a[1]), "oo", f->system, f->out)
OTHER(gt_power_reduced, (a[0], 0), "o", f->system)
STATUS(gt_power_cct, (a[0], a[1], a[2], a[3]), "rrrm", f->setup, f->cct, f->out, f->message)
STATUS(gt_power_synth, (a[0], a[1], a[2], a[3], a[4]), "rrrrm", f->synth, f->out, f->out + 4096,
       f->arena, f->message)

/* matrix.h, newton.h, phi.h */
OTHER(gt_matrix_entries, (a[0]), "o", f->matrix)
EXEMPT(gt_matrix_clear, IN_A_STEP)
EXEMPT(gt_matrix_at, IN_A_STEP)
EXEMPT(gt_matrix_add, IN_A_STEP)
EXEMPT(gt_matrix_multiply, IN_A_STEP)
EXEMPT(gt_matrix_layout, LAYOUT)
EXEMPT(gt_lu_layout, LAYOUT)
STATUS(gt_lu_analyse, (a[0], a[1]), "rr", f->lu, f->matrix)
EXEMPT(gt_lu_factor, IN_A_STEP)
EXEMPT(gt_lu_solve, IN_A_STEP)
OTHER(gt_lu_free, (a[0]), "o", f->out)
STATUS(gt_eigen, (2, a[0], a[1], a[2], a[3]), "rroo", f->x, f->out, f->out + 256, f->out + 512)
STATUS(gt_small_eigen, (2, a[0], 2, a[1], a[2], a[3]), "rrrr", f->x, f->out, f->out + 256,
       f->out + 512)
EXEMPT(gt_newton_layout, LAYOUT)
EXEMPT(gt_newton_layout_with, LAYOUT)
EXEMPT(gt_newton_layout_shifted, LAYOUT)
EXEMPT(gt_newton_prepare, "for authors of methods: called by gt_stepper_init")
EXEMPT(gt_newton_begin, IN_A_STEP)
EXEMPT(gt_newton_solve, IN_A_STEP)
EXEMPT(gt_newton_accept, IN_A_STEP)
EXEMPT(gt_newton_restart, IN_A_STEP)
OTHER(gt_newton_free, (a[0]), "o", f->out)
EXEMPT(gt_jacobian_layout, LAYOUT)
EXEMPT(gt_jacobian_layout_shift, LAYOUT)
EXEMPT(gt_jacobian_prepare, "for authors of methods: called by gt_stepper_init")
EXEMPT(gt_jacobian_evaluate, IN_A_STEP)
EXEMPT(gt_jacobian_shift, IN_A_STEP)
EXEMPT(gt_phi_layout, LAYOUT)
EXEMPT(gt_phi_keep_half, LAYOUT)
EXEMPT(gt_phi_evaluate, IN_A_STEP)
EXEMPT(gt_krylov_layout, LAYOUT)
EXEMPT(gt_krylov_sum, IN_A_STEP)
EXEMPT(gt_phi_sum_layout, LAYOUT)
EXEMPT(gt_phi_sum_evaluate, IN_A_STEP)
EXEMPT(gt_phi_sum_halves, IN_A_STEP)
EXEMPT(gt_moments_layout, LAYOUT)
EXEMPT(gt_moments_evaluate, IN_A_STEP)
EXEMPT(gt_moments_factor, IN_A_STEP)
