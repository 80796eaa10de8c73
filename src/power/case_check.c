/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a case can have a power flow at all: every bus that counts must reach a slack bus that
 * has a generator. */
#include "power/network.h"
#include <geartrain/power.h>

size_t gt_power_find_bus(const gt_power_case *c, int number)
{
    if (!c) return 0;
    for (size_t i = 0; i < c->n_bus; i++)
        if (c->bus[i].number == number) return i;
    return c->n_bus;
}

static bool generates(const gt_power_case *c, size_t bus)
{
    for (size_t g = 0; g < c->n_gen; g++)
        if (c->gen[g].on && c->gen[g].bus == bus) return true;
    return false;
}

static gt_status check_slack(const gt_power_case *c, gt_message *message)
{
    bool any = false;
    for (size_t i = 0; i < c->n_bus; i++) {
        if (c->bus[i].type != GT_BUS_SLACK) continue;
        any = true;
        if (!generates(c, i))
            return gt_fail(message, GT_BAD_ARGUMENT,
                           "%s: the slack bus %d has no generator in service", c->file,
                           c->bus[i].number);
    }
    return any ? GT_OK
               : gt_fail(message, GT_BAD_ARGUMENT,
                         "%s: there is no slack bus; give one bus with a generator the type 3 in "
                         "mpc.bus",
                         c->file);
}

/* A bus that is off or out of reach may be there, but must not have load or generation. */
static gt_status check_lonely(const gt_power_case *c, size_t i, bool off, gt_message *message)
{
    const gt_power_bus *bus = &c->bus[i];
    const char *why =
        off ? "is off (type 4)" : "is not connected with a slack bus by branches in service";
    if (bus->p_load != 0 || bus->q_load != 0)
        return gt_fail(
            message, GT_BAD_ARGUMENT,
            "%s: bus %d %s but has a load of %g MW and %g Mvar; connect it, or take the load away",
            c->file, bus->number, why, bus->p_load * c->mva, bus->q_load * c->mva);
    if (generates(c, i))
        return gt_fail(message, GT_BAD_ARGUMENT, "%s: bus %d %s but has a generator in service",
                       c->file, bus->number, why);
    return GT_OK;
}

gt_status gt_power_case_check(const gt_power_case *c, gt_message *message)
{
    GT_ARMOR(message, c);
    gt_status status = check_slack(c, message);
    if (status) return status;
    gt_arena arena = gt_arena_growing();
    size_t *island = gt_arena_take(&arena, c->n_bus, sizeof *island);
    bool *fed = gt_arena_take(&arena, c->n_bus + 1, sizeof *fed);
    if (!island || !fed) status = gt_fail(message, GT_NO_MEMORY, "out of memory to check the case");
    if (!status) {
        gt_islands_of(c, NULL, island);
        for (size_t i = 0; i < c->n_bus; i++)
            if (c->bus[i].type == GT_BUS_SLACK) fed[island[i]] = true;
    }
    for (size_t i = 0; i < c->n_bus && !status; i++) {
        bool off = c->bus[i].type == GT_BUS_OFF;
        if (off || !fed[island[i]]) status = check_lonely(c, i, off, message);
    }
    gt_arena_free(&arena);
    return status;
}
