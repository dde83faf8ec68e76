/* tbench compare A B: reports what became faster or slower beyond noise. */
#include <stdio.h>
#include <string.h>

#include "bench_commands.h"
#include "bench_compare.h"
#include "bench_label.h"
#include "rows.h"
#include "report.h"
#include "table.h"
#include "tsr_shown.h"

typedef struct compare_settings {
    tsr_cli_common common; /* first: see options.h */
    double threshold;      /* a fraction: 0.05 for 5% */
    bool all;
} compare_settings;

static tsr_status set_threshold(void *settings, const char *value, tsr_error *err)
{
    int percent;
    TSR_TRY(tsr_cli_parse_int(&percent, value, 0, 1000, err));
    ((compare_settings *)settings)->threshold = percent / 100.0;
    return TSR_OK;
}

TSR_CLI_SET_FLAG(compare_settings, all, all)

static const tsr_cli_option options[] = {
    {.help = "Options"},
    {"threshold", 0, "PERCENT", "differences up to this are never reported (default 5)", set_threshold, NULL},
    {"all", 'a', NULL, "show the rows that are the same, too", set_all, NULL},
    {"quiet", 'q', NULL, "print errors only: the exit code says whether rows are slower", tsr_cli_set_quiet,
     NULL},
    TSR_CLI_ROW_HELP,
    TSR_CLI_ROW_VERSION,
    {0},
};

static const tsr_cli_tool tool = {
    .name = "tbench",
    .usage = "compare A B [OPTION]...",
    .summary = "Report what got faster or slower from record A to record B, beyond noise. A row is reported "
               "if its least times, of undisturbed samples, differ by more than the threshold, four times "
               "the distance of its passes, and three times the noise between the records. Records of "
               "several passes (--passes=5) detect smaller differences.",
    .notes = "Exit codes: 0 nothing got slower, 1 something did (or a record is bad), 2 the command line is "
             "wrong,\n"
             "3 the system failed.\n",
    .options = options,
    .max_operands = 2,
};

static void print_changes(const bench_comparison *c, bool all)
{
    static const char *const words[] = {"", "faster", "SLOWER", "disturbed", "noisy"};
    char text[BENCH_LABEL_NBYTES];
    tsr_cli_table table = {0};
    static const char *const heads[] = {"kernel", "dataset", "candidate", "threads",
                                        "A",      "B",       "B/A",       "interval"};
    if (!all && !c->nslower && !c->nfaster)
        return;
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        tsr_cli_table_cell(&table, "%s", heads[i]);
    tsr_cli_table_cell(&table, " ");
    tsr_cli_table_end_row(&table);
    for (uint32_t i = 0; i < c->n; i++) {
        const bench_change *const x = &c->changes[i];
        if (!all && x->verdict != BENCH_FASTER && x->verdict != BENCH_SLOWER)
            continue;
        tsr_cli_table_cell(&table, "%s", bench_kernel_label(text, x->a));
        tsr_cli_table_cell(&table, "%s", bench_dataset_label(text, x->a));
        tsr_cli_table_cell(&table, "%s", bench_candidate_label(text, x->a));
        tsr_cli_table_cell(&table, "%d", x->a->nthreads);
        tsr_cli_table_cell(&table, "%s", bench_time_label(text, x->a->least.ns));
        tsr_cli_table_cell(&table, "%s", bench_time_label(text, x->b->least.ns));
        tsr_cli_table_cell(&table, "%.3f", x->ratio.ratio);
        tsr_cli_table_cell(&table, "%.3f-%.3f", x->ratio.lo, x->ratio.hi);
        tsr_cli_table_cell(&table, "%s", words[x->verdict]);
        tsr_cli_table_end_row(&table);
    }
    tsr_cli_table_print(stdout, &table, "lllrrrrrl");
}

static void warn(tsr_cli_report *report, const bench_record *a, const bench_record *b)
{
    if (strcmp(a->machine.cpu, b->machine.cpu) != 0 || a->machine.ncpus != b->machine.ncpus)
        tsr_cli_report_line(report,
                            "tbench: warning: different machines: %s with %d processors, and %s with %d",
                            a->machine.cpu, a->machine.ncpus, b->machine.cpu, b->machine.ncpus);
    if (strcmp(a->machine.flags, b->machine.flags) != 0)
        tsr_cli_report_line(report, "tbench: warning: different builds: %s, and %s", a->machine.flags,
                            b->machine.flags);
}

static void print_summary(const bench_comparison *c, const bench_record *a, const bench_record *b)
{
    char names[2][TSR_SHOWN_NBYTES];
    printf("%u rows of %s and %s: %u slower, %u faster, %u the same within the noise", (unsigned)c->n,
           tsr_show(names[0], a->machine.commit), tsr_show(names[1], b->machine.commit), (unsigned)c->nslower,
           (unsigned)c->nfaster, (unsigned)(c->n - c->nslower - c->nfaster - c->nfew - c->nnoisy));
    if (c->nnoisy)
        printf(", %u too noisy to compare", (unsigned)c->nnoisy);
    if (c->nfew)
        printf(", %u with fewer than %d undisturbed samples", (unsigned)c->nfew, BENCH_COMPARE_MIN_SAMPLES);
    if (c->only_a || c->only_b)
        printf("; %u only in the first, %u only in the second", (unsigned)c->only_a, (unsigned)c->only_b);
    printf("; all together B/A %.3f\n", c->mean);
    if (c->noise > 0)
        printf("noise between the two: %.1f%%; differences above %.1f%% are reported\n", 100 * c->noise,
               100 * c->threshold);
}

int bench_cmd_compare(int argc, char **argv)
{
    compare_settings settings = {.threshold = 0.05};
    tsr_cli_operands operands;
    tsr_cli_report report;
    tsr_error err = {0};
    const int done = tsr_cli_parse(&operands, &tool, &settings, argc, argv);
    if (done >= 0)
        return done;
    if (operands.n != 2)
        return tsr_cli_usage_error(&tool, "missing records: write tbench compare BEFORE.json AFTER.json");
    tsr_cli_report_init(&report, tool.name, settings.common.quiet);
    bench_record a = {0}, b = {0};
    bench_comparison c = {0};
    tsr_status status = bench_record_read(&a, operands.text[0], &err);
    if (status == TSR_OK)
        status = bench_record_read(&b, operands.text[1], &err);
    if (status == TSR_OK)
        status = bench_compare(&c, &a, &b, settings.threshold, &err);
    if (status == TSR_OK && c.n == 0)
        status = tsr_fail(&err, TSR_CORRUPT, "no row of %s is in %s, so there is nothing to compare",
                          operands.text[0], operands.text[1]);
    int code = TSR_EXIT_OK;
    if (status == TSR_OK) {
        warn(&report, &a, &b);
        if (!settings.common.quiet) {
            print_changes(&c, settings.all);
            print_summary(&c, &a, &b);
        }
        code = c.nslower ? TSR_EXIT_INPUT : TSR_EXIT_OK;
    } else {
        code = tsr_cli_report_error(&report, &err);
    }
    bench_comparison_clear(&c);
    bench_record_clear(&a);
    bench_record_clear(&b);
    return code;
}
