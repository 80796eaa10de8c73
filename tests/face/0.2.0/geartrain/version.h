/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_VERSION_H
#define GEARTRAIN_VERSION_H

#include <geartrain/api.h>

GT_C_BEGIN

#define GT_VERSION "0.2.0"
GT_API const char *gt_version(void);

GT_C_END

#endif
