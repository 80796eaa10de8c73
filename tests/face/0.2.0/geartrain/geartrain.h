/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_GEARTRAIN_H
#define GEARTRAIN_GEARTRAIN_H

/* What a program needs that solves problems, and what it needs to look into them. For methods and models of your own:
 * geartrain/author/author.h. */
#include <geartrain/analysis/advise.h>
#include <geartrain/analysis/analysis.h>
#include <geartrain/analysis/choose.h>
#include <geartrain/analysis/design.h>
#include <geartrain/analysis/order.h>
#include <geartrain/analysis/stability.h>
#include <geartrain/api.h>
#include <geartrain/auto.h>
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
#include <geartrain/solution.h>
#include <geartrain/status.h>
#include <geartrain/version.h>

#endif
