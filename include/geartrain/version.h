/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_VERSION_H
#define GEARTRAIN_VERSION_H

#define GT_VERSION "0.1.0"
const char *gt_version(void);

#endif
