/* SPDX-License-Identifier: BSD-3-Clause */
/* Machines as PSS/E dynamic data. */
#include "fuzz_machines.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    machines_feed("fuzz.dyr", data, size);
    return 0;
}
