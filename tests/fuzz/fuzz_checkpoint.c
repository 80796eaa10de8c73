/* SPDX-License-Identifier: BSD-3-Clause */
/* Checkpoints of runs: as they come, and with the checksum made right, so that what is behind it is
 * read too. What is taken must be a run whose parts can be asked for and that can be freed. The
 * method has nothing in its state but pointers, which are checked: what numbers of anyone's making
 * do in the state of a method is not the reader's business. */
#include "fuzz_kit.h"

static uint64_t crc64(const uint8_t *data, size_t count)
{
    uint64_t crc = ~(uint64_t)0;
    for (size_t i = 0; i < count; i++) {
        crc ^= data[i];
        for (int k = 0; k < 8; k++)
            crc = crc & 1 ? crc >> 1 ^ UINT64_C(0xC96C5795D7870F42) : crc >> 1;
    }
    return ~crc;
}

static void restore(const gt_problem *p, const gt_plan *plan, const void *bytes, size_t size)
{
    gt_run *run;
    gt_message message = {""};
    gt_checkpoint with = {0};
    gt_status status =
        gt_run_restore(&run, p, gt_method_find("dopri5"), plan, &with, bytes, size, &message);
    fuzz_says_why(status, &message);
    if (status) return;
    gt_report report;
    gt_run_report(run, &report);
    if (!gt_run_x(run) || with.extra_bytes > size) abort();
    gt_run_discard(run);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static gt_arena arena;
    static gt_problem problem;
    gt_plan plan = {.rtol = 1e-5};
    gt_message message;
    if (!problem.rhs) {
        arena = gt_arena_growing();
        if (gt_model_build(gt_model_find("lorenz"), "", &problem, &arena, &message)) abort();
    }
    restore(&problem, &plan, data, size);
    if (size < 64) return 0;
    uint8_t *sealed = malloc(size);
    if (!sealed) abort();
    memcpy(sealed, data, size);
    uint64_t length = size, crc;
    memcpy(sealed + 24, &length, sizeof length);
    crc = crc64(sealed, size - sizeof crc);
    memcpy(sealed + size - sizeof crc, &crc, sizeof crc);
    restore(&problem, &plan, sealed, size);
    free(sealed);
    return 0;
}
