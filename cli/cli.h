/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_CLI_H
#define GEARTRAIN_CLI_H

/* What the commands of the program share, by what it is about. A file that needs little includes
 * only that. */
#include "args.h"
#include "figure.h"
#include "files.h"
#include "flag_tables.h"
#include "json_out.h"
#include "model_source.h"
#include "reference.h"
#include "report.h"
#include "say.h"
#include "setup.h"
#include "watch.h"
#include <geartrain/analysis/choose.h>

#endif
