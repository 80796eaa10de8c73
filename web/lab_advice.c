/* SPDX-License-Identifier: BSD-3-Clause */
/* Advice in words. */
#include "lab_face.h"
#include <geartrain/analysis/advise.h>
#include <geartrain/author/number.h>
#include <math.h>

static void say(lab_text *out, const char *topic, const char *text)
{
    lab_begin(out, '{');
    lab_put_string(out, "topic", topic);
    lab_put_string(out, "text", text);
    lab_end(out, '}');
}

static void put_words(lab_text *out, const gt_advice *a)
{
    gt_message m;
    lab_key(out, "words");
    lab_begin(out, '[');
    gt_format(m.text, sizeof m.text,
              "%s: dopri5 needs about %.3g steps to be stable, and %.3g for accuracy",
              a->stiff ? "yes" : "no", a->steps_stability, a->steps_accuracy);
    say(out, "stiff", m.text);
    gt_format(m.text, sizeof m.text, "eigenvalues up to %.3g in size", a->radius);
    if (a->stiffness_ratio > 0) gt_say_more(&m, ", stiffness ratio up to %.3g", a->stiffness_ratio);
    if (a->growth > 0) gt_say_more(&m, ", growing modes up to %.3g", a->growth);
    say(out, "spectrum", m.text);
    if (a->frequency > 0) {
        gt_format(m.text, sizeof m.text,
                  "up to %.3g rad per unit of time, damping ratio of that mode %.2g", a->frequency,
                  a->damping);
        say(out, "oscillation", m.text);
    }
    if (a->multirate.text[0]) say(out, "two rates", a->multirate.text);
    if (a->backinterpolation.text[0]) say(out, "backinterpolation", a->backinterpolation.text);
    lab_end(out, ']');
}

static void put_methods(lab_text *out, const gt_advice *a)
{
    enum { MOST = 12 };
    static const char *const verdicts[] = {"good", "possible", "not advised"};
    lab_key(out, "methods");
    lab_begin(out, '[');
    for (size_t i = 0; i < a->n_methods && i < MOST; i++) {
        const gt_method_advice *m = &a->methods[i];
        lab_begin(out, '{');
        lab_put_string(out, "name", m->method->name);
        lab_put_string(out, "verdict", verdicts[m->verdict]);
        lab_put_number(out, "work", m->work);
        lab_put_number(out, "stable", m->h_stable);
        lab_put_string(out, "why", m->why.text);
        lab_end(out, '}');
    }
    lab_end(out, ']');
}

int gt_lab_advise(gt_lab *lab, double rtol)
{
    gt_message message = {""};
    gt_advice advice;
    gt_plan plan = {.rtol = rtol, .progress = lab_progress};
    gt_arena arena = gt_arena_growing();
    lab_answer(lab);
    gt_status status = lab->built ? gt_advise(&lab->problem, &plan, NULL, &advice, &arena, &message)
                                  : GT_BAD_ARGUMENT;
    if (!status) {
        lab_put_string(&lab->answer, "method", advice.method->name);
        lab_put_string(&lab->answer, "why", advice.why_method.text);
        put_words(&lab->answer, &advice);
        put_methods(&lab->answer, &advice);
    }
    gt_arena_free(&arena);
    return lab_close(lab, status, &message);
}
