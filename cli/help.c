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

static void print_flag(const cli_flag *flag)
{
    enum { COLUMN = 28 };
    char head[96];
    const char *open = !flag->value ? "" : flag->optional ? " [" : " ", *close = flag->optional ? "]" : "";
    int used = snprintf(head, sizeof head, "    --%s%s%s%s", flag->name, open, flag->value ? flag->value : "", close);
    if (used >= COLUMN)
        printf("%s\n%*s", head, COLUMN, "");
    else
        printf("%-*s", COLUMN, head);
    char help[512];
    size_t length = (size_t)snprintf(help, sizeof help, "%s", flag->help);
    for (size_t i = 0; flag->choice && flag->choice(i) && length < sizeof help; i++)
        length += (size_t)snprintf(help + length, sizeof help - length, "%s %s", i ? "," : "", flag->choice(i));
    if (length < sizeof help)
        snprintf(help + length, sizeof help - length, "%s%s%s%s", flag->repeats ? " (may be repeated)" : "",
                 flag->alias ? " (also --" : "", flag->alias ? flag->alias : "", flag->alias ? ")" : "");
    print_wrapped(help, COLUMN);
}

void gt_cli_help_command(const cli_command *command)
{
    printf("%s: %s\n\nUsage: geartrain %s %s [flags]\n", command->name, command->title, command->name,
           command->operands);
    if (command->about) printf("\n%s\n", command->about);
    printf("\nExamples:\n%s\n\nFlags (a value may follow after a blank or after \"=\"):\n", command->examples);
    for (const cli_flag *const *table = command->flags; *table; table++)
        for (const cli_flag *f = *table; f->name; f++)
            if (f->help) print_flag(f);
}
