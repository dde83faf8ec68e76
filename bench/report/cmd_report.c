/* tbench report RECORD...: makes tables, plots and a page. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "bench_commands.h"
#include "bench_report.h"
#include "rows.h"
#include "report.h"
#include "tsr_alloc.h"
#include "tsr_output.h"

typedef struct report_settings {
    tsr_cli_common common; /* first: see options.h */
    const char *out;
} report_settings;

static tsr_status set_out(void *settings, const char *value, tsr_error *err)
{
    if (!*value)
        return tsr_fail(err, TSR_ARGUMENT, "empty folder name: use --output=FOLDER");
    ((report_settings *)settings)->out = value;
    return TSR_OK;
}

static const tsr_cli_option options[] = {
    {.help = "Options"},
    TSR_CLI_ROW_OUTPUT(
        "DIR", "write report.md, summary.md, commands.md, rows.csv, index.html and plots into this folder",
        set_out),
    TSR_CLI_ROW_QUIET,
    TSR_CLI_ROW_HELP,
    TSR_CLI_ROW_VERSION,
    {0},
};

static const tsr_cli_tool tool = {
    .name = "tbench",
    .usage = "report RECORD... [-o DIR]",
    .summary = "Make Markdown and CSV tables, plots (SVG and PNG, by gnuplot) and one HTML page from "
               "records. Without "
               "-o the Markdown goes to standard output.",
    .notes = "The page is self-contained: it needs no network and no other file.\n",
    .options = options,
    .once = " output ",
    .max_operands = TSR_CLI_MAX_OPERANDS,
};

static tsr_status write_text(const char *dir, const char *name, const tsr_text *text, tsr_error *err)
{
    char path[4096];
    TSR_TRY(tsr_text_status(text, err));
    if (snprintf(path, sizeof path, "%s/%s", dir, name) >= (int)sizeof path)
        return tsr_fail(err, TSR_ARGUMENT, "the name of the folder is too long");
    return tsr_output_text(path, text, err);
}

static tsr_status make_folder(const char *dir, tsr_error *err)
{
    struct stat s;
    if (mkdir(dir, 0777) == 0 || (stat(dir, &s) == 0 && S_ISDIR(s.st_mode)))
        return TSR_OK;
    return tsr_fail_errno(err, errno, dir, "cannot make the folder");
}

/* The files that are made of one text each. */
static const struct {
    const char *name;
    void (*add)(tsr_text *text, const bench_report *report);
} texts[] = {{"rows.csv", bench_report_csv},
             {"summary.md", bench_report_summary},
             {"commands.md", bench_report_commands}};

static tsr_status write_texts(const bench_report *report, const char *dir, tsr_error *err)
{
    tsr_status status = TSR_OK;
    for (size_t i = 0; i < sizeof texts / sizeof *texts && status == TSR_OK; i++) {
        tsr_text text = {0};
        texts[i].add(&text, report);
        status = write_text(dir, texts[i].name, &text, err);
        tsr_text_clear(&text);
    }
    return status;
}

static tsr_status write_all(const bench_report *report, const char *dir, tsr_cli_report *say, tsr_error *err)
{
    tsr_text markdown = {0}, page = {0};
    bench_plots plots = {0};
    tsr_error plot_err = {0};
    tsr_status status = TSR_OK;
    TSR_TRY_OUT(make_folder(dir, err));
    TSR_TRY_OUT(write_texts(report, dir, err));
    if (bench_report_plots(&plots, report, dir, &plot_err) != TSR_OK) {
        tsr_cli_report_line(say, "tbench: warning: no plots: %s", plot_err.message);
        plots.n = 0;
    }
    bench_report_markdown(&markdown, report);
    for (int i = 0; i < plots.n; i++)
        tsr_text_addf(&markdown, "\n![%s](%s.svg)\n", plots.plots[i].title, plots.plots[i].name);
    TSR_TRY_OUT(write_text(dir, "report.md", &markdown, err));
    TSR_TRY_OUT(bench_report_page(&page, report, &plots, dir, err));
    TSR_TRY_OUT(write_text(dir, "index.html", &page, err));
    tsr_cli_report_line(say, "wrote %s: report.md, summary.md, commands.md, rows.csv, index.html, %d plots",
                        dir, plots.n);
out:
    tsr_text_clear(&markdown);
    tsr_text_clear(&page);
    return status;
}

static void warn_of_setups(const bench_report *report, tsr_cli_report *say)
{
    tsr_text sentence = {0};
    bench_report_add_setups(&sentence, report);
    if (sentence.nbytes)
        tsr_cli_report_line(say, "tbench: warning: %s", tsr_text_cstr(&sentence));
    tsr_text_clear(&sentence);
}

static tsr_status print_markdown(const bench_report *report, tsr_error *err)
{
    tsr_text markdown = {0};
    bench_report_markdown(&markdown, report);
    const tsr_status status = tsr_text_status(&markdown, err);
    if (status == TSR_OK)
        fputs(tsr_text_cstr(&markdown), stdout);
    tsr_text_clear(&markdown);
    return status;
}

int bench_cmd_report(int argc, char **argv)
{
    report_settings settings = {0};
    tsr_cli_operands operands;
    tsr_cli_report say;
    tsr_error err = {0};
    bench_report report = {0};
    int nread = 0;
    const int done = tsr_cli_parse(&operands, &tool, &settings, argc, argv);
    if (done >= 0)
        return done;
    if (operands.n < 1)
        return tsr_cli_usage_error(&tool, "missing records: write tbench report RECORD.json... -o DIR");
    tsr_cli_report_init(&say, tool.name, settings.common.quiet);
    bench_record *const records = tsr_calloc((size_t)operands.n, sizeof *records);
    tsr_status status =
        records ? TSR_OK : tsr_fail(&err, TSR_NOMEM, "out of memory for %d records", operands.n);
    for (; nread < operands.n && status == TSR_OK; nread++)
        status = bench_record_read(&records[nread], operands.text[nread], &err);
    if (status == TSR_OK)
        status = bench_report_init(&report, records, operands.n, &err);
    if (status == TSR_OK)
        warn_of_setups(&report, &say);
    if (status == TSR_OK)
        status = settings.out ? write_all(&report, settings.out, &say, &err) : print_markdown(&report, &err);
    bench_report_clear(&report);
    for (int i = 0; i < nread; i++)
        bench_record_clear(&records[i]);
    tsr_free(records);
    return status == TSR_OK ? TSR_EXIT_OK : tsr_cli_report_error(&say, &err);
}
