/* SPDX-License-Identifier: BSD-3-Clause */
#include "help.h"
#include <assert.h>
#include <string.h>

/* A line of a list of commands. */
static void print_title(const cli_command *command, int width)
{
    int length = printf("    %-*s ", width, command->name);
    gt_report_wrapped(stdout, command->title, length, 5 + width);
}

/* Paragraphs: a line break between two lines counts as a blank, but before and behind one that is
 * empty or begins with a blank it stays. */
static void print_about(const char *text)
{
    while (*text) {
        report_text paragraph = {.used = 0};
        for (;;) {
            int length = (int)strcspn(text, "\n");
            bool fixed = !length || *text == ' ';
            gt_report_say(&paragraph, "%s%.*s", paragraph.used ? " " : "", length, text);
            text += length;
            if (*text) text++;
            if (fixed || !*text || *text == '\n' || *text == ' ') break;
        }
        gt_report_wrapped(stdout, paragraph.text, 0, (int)strspn(paragraph.text, " "));
    }
}

/* Commands, each in a line; one that is too long is continued as a shell takes it. */
static void print_examples(const char *text)
{
    size_t width = (size_t)gt_report_width(100);
    while (*text) {
        size_t length = strcspn(text, "\n"), at = 0;
        for (size_t used = 0; used < length;) {
            size_t blanks = strspn(text + used, " ");
            size_t word = strcspn(text + used + blanks, " \n");
            bool last = used + blanks + word >= length;
            if (at && at + blanks + word + (last ? 0 : 2) > width) {
                fputs(" \\\n       ", stdout);
                at = 7;
            }
            printf("%.*s", (int)(blanks + word), text + used);
            at += blanks + word;
            used += blanks + word;
        }
        putchar('\n');
        text += length;
        text += *text == '\n';
    }
}

void gt_cli_help_all(void)
{
    puts("Geartrain simulates systems whose parts move at different speeds: stiff,\n"
         "oscillatory and fast/slow differential equations.\n\n"
         "    geartrain run vanderpol                        simulate a built-in model\n"
         "    geartrain run lorenz --t1 40 --plot a.svg      draw it\n"
         "    geartrain run lorenz --out a.csv --every 0.01  numbers to a file\n"
         "    geartrain run my.ode                           equations from a text file\n"
         "    geartrain compare kpr --methods rk4:h=0.01,dopri5,beuler:h=0.01\n\n"
         "Commands:");
    for (const cli_command *const *c = gt_cli_commands; *c; c++) print_title(*c, 12);
    puts("\nMore: geartrain help COMMAND\n"
         "Models: geartrain list models     Methods: geartrain list methods");
}

void gt_cli_flag_head(const cli_flag *flag, char *buffer, size_t size)
{
    const char *open = !flag->value     ? ""
                       : flag->optional ? " ["
                                        : " ",
               *close = flag->optional ? "]" : "";
    snprintf(buffer, size, "--%s%s%s%s", flag->name, open, flag->value ? flag->value : "", close);
}

void gt_cli_flag_text(const cli_flag *flag, char *buffer, size_t size)
{
    size_t length = (size_t)snprintf(buffer, size, "%s", flag->help);
    for (size_t i = 0; flag->choice && flag->choice(i) && length < size; i++)
        length += (size_t)snprintf(buffer + length, size - length, "%s %s", i ? "," : "",
                                   flag->choice(i));
    if (length < size)
        snprintf(buffer + length, size - length, "%s%s%s%s",
                 flag->repeats ? " (may be repeated)" : "", flag->alias ? " (also --" : "",
                 flag->alias ? flag->alias : "", flag->alias ? ")" : "");
}

static void print_flag(const cli_flag *flag)
{
    enum { COLUMN = 28 };
    char head[96], help[512];
    gt_cli_flag_head(flag, head, sizeof head);
    if (strlen(head) + 4 >= COLUMN)
        printf("    %s\n%*s", head, COLUMN, "");
    else
        printf("    %-*s", COLUMN - 4, head);
    gt_cli_flag_text(flag, help, sizeof help);
    gt_report_wrapped(stdout, help, COLUMN, COLUMN);
}

static void print_subs(const cli_command *command)
{
    assert(command->subs);
    puts("\nCommands:");
    for (const cli_command *const *c = command->subs; *c; c++) print_title(*c, 20);
    puts("\nExamples:");
    for (const cli_command *const *c = command->subs; *c; c++) print_examples((*c)->examples);
    printf("\nFlags: geartrain help %s\n", command->subs[0]->name);
}

void gt_cli_help_command(const cli_command *command)
{
    char line[1024];
    snprintf(line, sizeof line, "%s: %s", command->name, command->title);
    gt_report_wrapped(stdout, line, 0, 4);
    putchar('\n');
    snprintf(line, sizeof line, "Usage: geartrain %s %s [flags]", command->name, command->operands);
    gt_report_wrapped(stdout, line, 0, 7);
    if (command->about) {
        putchar('\n');
        print_about(command->about);
    }
    if (command->subs) {
        print_subs(command);
        return;
    }
    puts("\nExamples:");
    print_examples(command->examples);
    puts("\nFlags (a value may follow after a blank or after \"=\"):");
    for (const cli_flag *const *table = command->flags; *table; table++)
        for (const cli_flag *f = *table; f->name; f++)
            if (f->help) print_flag(f);
}
