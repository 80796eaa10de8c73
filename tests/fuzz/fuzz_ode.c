/* SPDX-License-Identifier: BSD-3-Clause */
/* Model files in the .ode language. */
#include "ode_target.h"
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ode_feed((const char *)data, size);
    return 0;
}
