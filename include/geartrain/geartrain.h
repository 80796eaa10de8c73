/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_GEARTRAIN_H
#define GEARTRAIN_GEARTRAIN_H

#include <geartrain/advise.h>
#include <geartrain/analysis.h>
#include <geartrain/api.h>
#include <geartrain/arena.h>
#include <geartrain/blocks.h>
#include <geartrain/choose.h>
#include <geartrain/control.h>
#include <geartrain/design.h>
#include <geartrain/file.h>
#include <geartrain/integrate.h>
#include <geartrain/lang.h>
#include <geartrain/load.h>
#include <geartrain/matrix.h>
#include <geartrain/memory.h>
#include <geartrain/method.h>
#include <geartrain/methods.h>
#include <geartrain/model.h>
#include <geartrain/newton.h>
#include <geartrain/number.h>
#include <geartrain/order.h>
#include <geartrain/param.h>
#include <geartrain/phi.h>
#include <geartrain/pilot.h>
#include <geartrain/power.h>
#include <geartrain/problem.h>
#include <geartrain/run.h>
#include <geartrain/series.h>
#include <geartrain/sink.h>
#include <geartrain/solution.h>
#include <geartrain/stability.h>
#include <geartrain/status.h>
#include <geartrain/stepper.h>
#include <geartrain/version.h>

#endif
