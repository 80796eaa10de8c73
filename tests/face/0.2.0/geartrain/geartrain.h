/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_GEARTRAIN_H
#define GEARTRAIN_GEARTRAIN_H

/*
 * What a program needs that solves problems, and what it needs to look into them. For methods and
 * models of your own: geartrain/author/author.h.
 *
 * A program goes on to run with later versions of the library: structs that it fills or has filled
 * are passed with their sizes, by inline functions round those that end in _sized, or they have a
 * member `reserved`, which must be 0.
 */
#include <geartrain/analysis/advise.h>
#include <geartrain/analysis/analysis.h>
#include <geartrain/analysis/choose.h>
#include <geartrain/analysis/design.h>
#include <geartrain/analysis/order.h>
#include <geartrain/analysis/stability.h>
#include <geartrain/api.h>
#include <geartrain/integrate.h>
#include <geartrain/lang.h>
#include <geartrain/load.h>
#include <geartrain/matrix.h>
#include <geartrain/method.h>
#include <geartrain/methods.h>
#include <geartrain/model.h>
#include <geartrain/pilot.h>
#include <geartrain/power.h>
#include <geartrain/problem.h>
#include <geartrain/run.h>
#include <geartrain/sink.h>
#include <geartrain/status.h>

#endif
