/* SPDX-License-Identifier: BSD-3-Clause */
/* Who is ahead of us, and why: one sentence for each row of results whose peer took less time. */
#include "bench.h"
#include <stdio.h>
#include <string.h>

/* What is known of a peer, by words of its name or its settings; else the counts have to tell. */
static const struct {
    const char *word, *why;
} reasons[] = {
    {"inlined", "the body of f is compiled into the solver, which a function for all problems, as "
                "all others call it, "
                "cannot be"},
    {"n a constant", "it is a loop for this n alone, which the compiler unrolls"},
    {"rosenbrock4", "a one-step method of order 4 with a new Jacobian and new factors in every "
                    "step, which for a few states "
                    "cost less than the past that gear keeps; our rodas4 is the same method"},
    {"rk8pd", "its thirteen stages come to this error with fewer evaluations than the twelve of "
              "dop853; they have no dense "
              "output"},
    {"triads",
     "that is no solver but the time in which memory moves the vectors that a step touches"},
};

static const char *reason_for(const char *problem, const char *peer, const char *settings,
                              double calls, char *text, size_t size)
{
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (strstr(peer, reasons[i].word) || strstr(settings, reasons[i].word))
            return reasons[i].why;
    if (strncmp(problem, "heat", 4) == 0)
        return "vectors of 8 MB share a cache of 32 MB with neighbours, and such runs differ by a "
               "fifth";
    if (calls < 0.97)
        snprintf(text, size, "it comes to this error with %.2f times our evaluations", calls);
    else if (calls > 1.03)
        snprintf(text, size, "with %.2f times our evaluations, but less work between them", calls);
    else
        snprintf(text, size, "it takes as many evaluations and does less between them");
    return text;
}

static char said[256][320];
static size_t n_said;

void bench_note_winner(const char *problem, const char *method, const char *peer,
                       const char *settings, double time, double calls)
{
    char text[96];
    if (!(time < 1) || strncmp(peer, "geartrain", 9) == 0)
        return; /* one of ours beside another is no peer */
    bench_require(n_said < sizeof said / sizeof *said, "too many rows in which a peer is ahead");
    const char *why = time > 0.97 ? "level, as runs of one program differ by as much"
                                  : reason_for(problem, peer, settings, calls, text, sizeof text);
    snprintf(said[n_said++], sizeof said[0], "%s: %s takes %.2f of the time of %s: %s", problem,
             peer, time, method, why);
}

void bench_print_winners(void)
{
    printf("\n%s\n", n_said ? "who is ahead of us, and why" : "nobody is ahead of us here");
    for (size_t i = 0; i < n_said; i++) printf("    %s\n", said[i]);
    n_said = 0;
}
