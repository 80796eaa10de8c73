/* SPDX-License-Identifier: BSD-3-Clause */
/* A statement as tokens. */
#include "lang/syntax/parser.h"
#include "number/ascii.h"
#include <geartrain/author/number.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool starts_name(char c) { return gt_is_letter(c) || c == '_'; }
static bool in_name(char c)
{
    return gt_is_letter(c) || gt_is_digit(c) || c == '_' || c == '.' || c == '$';
}

/* Digits, a point that does not begin "..", and an exponent. */
static int32_t number_length(const char *s)
{
    int32_t k = 0;
    while (gt_is_digit(s[k])) k++;
    if (s[k] == '.' && s[k + 1] != '.') {
        k++;
        while (gt_is_digit(s[k])) k++;
    }
    int32_t e = k;
    if (s[e] == 'e' || s[e] == 'E') {
        e++;
        if (s[e] == '+' || s[e] == '-') e++;
        if (gt_is_digit(s[e])) {
            while (gt_is_digit(s[e])) e++;
            k = e;
        }
    }
    return k;
}

static void read_number(ode_parser *parser, ode_token *token)
{
    const char *s = parser->source->text + token->at;
    char copy[400];
    token->kind = T_NUMBER;
    token->length = number_length(s);
    if (token->length >= (int32_t)sizeof copy)
        gt_lang_error(parser->work, token->at, "this number is too long");
    memcpy(copy, s, (size_t)token->length);
    copy[token->length] = '\0';
    if (gt_number_read(s, s + token->length, &token->value) != s + token->length)
        gt_lang_error(parser->work, token->at, "'%.40s' is not a number", copy);
    if (!isfinite(token->value))
        gt_lang_error(parser->work, token->at, "the number %.40s is too large", copy);
    char after = s[token->length];
    if (starts_name(after) || after == '$')
        gt_lang_error(
            parser->work, token->at + token->length,
            "'%c' follows the number %.40s: a product needs *, and a name begins with a letter",
            after, copy);
}

static void read_token(ode_parser *parser, ode_token *token)
{
    static const struct {
        const char *text;
        ode_token_kind kind;
    } pairs[] = {{"<=", T_LE}, {">=", T_GE},    {"==", T_EQ},
                 {"!=", T_NE}, {"**", T_POWER}, {"..", T_DOTS}};
    const char *s = parser->source->text + token->at;
    token->length = 1;
    token->c = s[0];
    if (gt_is_digit(s[0]) || (s[0] == '.' && gt_is_digit(s[1]))) {
        read_number(parser, token);
        return;
    }
    if (starts_name(s[0])) {
        token->kind = T_NAME;
        while (in_name(s[token->length])) {
            if (s[token->length] == '.' && s[token->length + 1] == '.') break;
            token->length++;
        }
        return;
    }
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        if (s[0] == pairs[k].text[0] && s[1] == pairs[k].text[1]) {
            token->kind = pairs[k].kind;
            token->length = 2;
            return;
        }
    }
    token->kind = s[0] == '^' ? T_POWER : T_OTHER;
}

int32_t gt_lang_tokenize(ode_parser *parser, int32_t at)
{
    parser->n_tokens = parser->next_token = 0;
    bool blank = false;
    while (parser->source->text[at] != '\n') {
        if (parser->source->text[at] == ' ') {
            blank = true;
            at++;
            continue;
        }
        if (parser->source->text[at] == '#') {
            gt_lang_warn(parser->work, at,
                         "read as a comment; XPPAUT knows no comments at the end of a line");
            while (parser->source->text[at] != '\n') at++;
            break;
        }
        ode_token token = {.at = at, .blank_before = blank};
        read_token(parser, &token);
        *ODE_PUSH(parser, tokens, ODE_MAX_FILE, "words in a line") = token;
        at += token.length;
        blank = false;
    }
    *ODE_PUSH(parser, tokens, ODE_MAX_FILE, "words in a line") =
        (ode_token){.kind = T_END, .at = at, .blank_before = blank};
    return at + 1;
}

const ode_token *gt_lang_peek(const ode_parser *parser)
{
    return &parser->tokens[parser->next_token];
}

bool gt_lang_is(const ode_parser *parser, char c)
{
    const ode_token *token = gt_lang_peek(parser);
    return token->kind == T_OTHER && token->c == c;
}

bool gt_lang_accept(ode_parser *parser, char c)
{
    if (!gt_lang_is(parser, c)) return false;
    parser->next_token++;
    return true;
}

/* The token as a person would quote it. */
const char *gt_lang_quote(const ode_parser *parser, const ode_token *token, char buffer[48])
{
    if (token->kind == T_END) return "the end of the line";
    snprintf(buffer, 48, "'%.*s'", token->length > 40 ? 40 : (int)token->length,
             parser->source->text + token->at);
    return buffer;
}

void gt_lang_expect(ode_parser *parser, char c, const char *why)
{
    char buffer[48];
    if (gt_lang_accept(parser, c)) return;
    const ode_token *token = gt_lang_peek(parser);
    gt_lang_error(parser->work, token->at, "'%c' is needed %s, but here is %s", c, why,
                  gt_lang_quote(parser, token, buffer));
}

/* A whole number, with sign. */
int32_t gt_lang_whole(ode_parser *parser, const char *what)
{
    bool minus = gt_lang_accept(parser, '-');
    const ode_token *token = gt_lang_peek(parser);
    if (token->kind != T_NUMBER || token->value != floor(token->value))
        gt_lang_error(parser->work, token->at, "%s must be a whole number", what);
    if (token->value > ODE_MAX_INDEX)
        gt_lang_error(parser->work, token->at, "%s is larger than %d", what, (int)ODE_MAX_INDEX);
    parser->next_token++;
    return (int32_t)(minus ? -token->value : token->value);
}
