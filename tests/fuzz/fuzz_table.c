/* SPDX-License-Identifier: BSD-3-Clause */
/* Machines as a table. */
#include "fuzz_machines.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    machines_feed("fuzz.csv", data, size);
    return 0;
}
