/* SPDX-License-Identifier: BSD-3-Clause */
#include "help.h"
#include <string.h>

void gt_cli_help_all(void)
{
    puts("Geartrain simulates systems whose parts move at different speeds: stiff, oscillatory and\n"
         "fast/slow differential equations.\n\n"
         "    geartrain run vanderpol                        simulate a model that is built in\n"
         "    geartrain run lorenz --t1 40 --plot a.svg      draw it\n"
         "    geartrain run lorenz --out a.csv --every 0.01  numbers to a file\n"
         "    geartrain run my.ode                           equations from a text file\n"
         "    geartrain compare kpr --methods rk4:h=0.01,dopri5,beuler:h=0.01\n\n"
         "Commands:");
    for (const cli_command *const *c = gt_cli_commands; *c; c++) printf("    %-12s %s\n", (*c)->name, (*c)->title);
    puts("\nMore: geartrain help COMMAND     Models: geartrain list models     Methods: geartrain list methods");
}

/* Prints words from column `from` on, wrapped at 100. */
static void print_wrapped(const char *text, int from)
{
    int column = from;
    while (*text) {
        int length = (int)strcspn(text, " ");
        if (column > from && column + 1 + length > 100) {
            printf("\n%*s", from, "");
            column = from;
        } else if (column > from) {
            putchar(' ');
            column++;
        }
        printf("%.*s", length, text);
        column += length;
        text += length;
        text += strspn(text, " ");
    }
    putchar('\n');
}

void gt_cli_flag_head(const cli_flag *flag, char *buffer, size_t size)
{
    const char *open = !flag->value ? "" : flag->optional ? " [" : " ", *close = flag->optional ? "]" : "";
    snprintf(buffer, size, "--%s%s%s%s", flag->name, open, flag->value ? flag->value : "", close);
}

void gt_cli_flag_text(const cli_flag *flag, char *buffer, size_t size)
{
    size_t length = (size_t)snprintf(buffer, size, "%s", flag->help);
    for (size_t i = 0; flag->choice && flag->choice(i) && length < size; i++)
        length += (size_t)snprintf(buffer + length, size - length, "%s %s", i ? "," : "", flag->choice(i));
    if (length < size)
        snprintf(buffer + length, size - length, "%s%s%s%s", flag->repeats ? " (may be repeated)" : "",
                 flag->alias ? " (also --" : "", flag->alias ? flag->alias : "", flag->alias ? ")" : "");
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
    print_wrapped(help, COLUMN);
}

static void print_subs(const cli_command *command)
{
    puts("\nCommands:");
    for (const cli_command *const *c = command->subs; *c; c++) printf("    %-20s %s\n", (*c)->name, (*c)->title);
    puts("\nExamples:");
    for (const cli_command *const *c = command->subs; *c; c++) puts((*c)->examples);
    printf("\nFlags: geartrain help %s\n", command->subs[0]->name);
}

void gt_cli_help_command(const cli_command *command)
{
    printf("%s: %s\n\nUsage: geartrain %s %s [flags]\n", command->name, command->title, command->name,
           command->operands);
    if (command->about) printf("\n%s\n", command->about);
    if (command->subs) {
        print_subs(command);
        return;
    }
    printf("\nExamples:\n%s\n\nFlags (a value may follow after a blank or after \"=\"):\n", command->examples);
    for (const cli_flag *const *table = command->flags; *table; table++)
        for (const cli_flag *f = *table; f->name; f++)
            if (f->help) print_flag(f);
}
