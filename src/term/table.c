/* Tables: see table.h. */
#include "table.h"

#include <string.h>

#include "tsr_shown.h"

void tsr_cli_table_cell(tsr_cli_table *table, const char *format, ...)
{
    char cell[256];
    va_list args;
    va_start(args, format);
    tsr_show_format(cell, sizeof cell, format, args);
    va_end(args);
    tsr_text_add(&table->text, cell);
    tsr_text_add(&table->text, "\t");
}

void tsr_cli_table_end_row(tsr_cli_table *table)
{
    tsr_text_add(&table->text, "\n");
}

void tsr_cli_table_print(FILE *to, tsr_cli_table *table, const char *align)
{
    int width[TSR_TABLE_MAX_COLUMNS] = {0};
    int col = 0;
    for (const char *p = tsr_text_cstr(&table->text); *p; p++) {
        if (*p == '\n') {
            col = 0;
            continue;
        }
        const int n = (int)strcspn(p, "\t");
        if (n > width[col])
            width[col] = n;
        p += n;
        col++;
    }
    col = 0;
    for (const char *p = tsr_text_cstr(&table->text); *p; p++) {
        if (*p == '\n') {
            fputc('\n', to);
            col = 0;
            continue;
        }
        const int n = (int)strcspn(p, "\t");
        const int pad = width[col] - n;
        const bool left = col < (int)strlen(align) && align[col] == 'l';
        fprintf(to, "%s%*s%.*s", col ? "  " : "", left ? 0 : pad, "", n, p);
        if (left && p[n + 1] != '\n')
            fprintf(to, "%*s", pad, "");
        p += n;
        col++;
    }
    tsr_text_clear(&table->text);
}
