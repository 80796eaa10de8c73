/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_LANG_TAYLOR_TERMS_H
#define GEARTRAIN_LANG_TAYLOR_TERMS_H

#include "lang/graph/graph.h"

/* Makes the terms of the Taylor recurrence; leaves them out when a function calls itself or they would be too many. */
void gt_lang_make_series(gt_ode *o);

#endif
