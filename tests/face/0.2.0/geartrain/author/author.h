/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_AUTHOR_H
#define GEARTRAIN_AUTHOR_H

/*
 * For authors of methods, of models in C and of programs that take single steps. What is here is
 * open, structs and all, so that a step costs what its arithmetic costs: compile it with the
 * headers of the library that it runs with.
 */
#include <geartrain/author/arena.h>
#include <geartrain/author/blocks.h>
#include <geartrain/author/control.h>
#include <geartrain/author/file.h>
#include <geartrain/author/lu.h>
#include <geartrain/author/memory.h>
#include <geartrain/author/newton.h>
#include <geartrain/author/number.h>
#include <geartrain/author/ode_runtime.h>
#include <geartrain/author/param.h>
#include <geartrain/author/phi.h>
#include <geartrain/author/series.h>
#include <geartrain/author/stepper.h>
#include <geartrain/author/tableau.h>

#endif
