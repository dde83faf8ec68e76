/* tbench fetch: downloads datasets into the data folder. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bench_commands.h"
#include "bench_options.h"
#include "table.h"
#include "tsr_fetch.h"
#include "tsr_suggest.h"

enum { MAX_SUITES = 16, SUITE_NBYTES = 40 };

typedef struct fetch_settings {
    bench_data_settings data; /* first: see bench_options.h */
    const char *folder, *suite;
    int retries, timeout, min_speed;
    bool list;
} fetch_settings;

/* ---- options ---- */

TSR_CLI_SET_FLAG(fetch_settings, list, list)
TSR_CLI_SET_TEXT(fetch_settings, suite, suite)

static tsr_status set_data(void *s, const char *value, tsr_error *err)
{
    ((fetch_settings *)s)->folder = value;
    return *value ? TSR_OK : tsr_fail(err, TSR_ARGUMENT, "the name of a folder is needed");
}

TSR_CLI_SET_INT(fetch_settings, retries, retries, 0, 1000)
TSR_CLI_SET_INT(fetch_settings, timeout, timeout, 1, 86400)
TSR_CLI_SET_INT(fetch_settings, min_speed, min_speed, 0, 1000000000)

static const tsr_cli_option options[] = {
    {.help = "What"},
    {"list", 0, NULL, "list the datasets, and which of them are in the data folder", set_list, NULL},
    {"suite", 0, "SUITE", "all datasets of a suite: frostt, spmv, conversion", set_suite, NULL},
    BENCH_OPTION_DATASETS,
    {.help = "How"},
    {"data", 0, "FOLDER",
     "the data folder (default: $TSR_DATA, else $XDG_DATA_HOME/tessera, else "
     "~/.local/share/tessera)",
     set_data, NULL},
    {"retries", 0, "N", "retries after a cut connection or an error of the server (default 5)", set_retries,
     NULL},
    {"timeout", 0, "SECONDS",
     "give up on a connection that is slower than --min-speed for this long (default 60)", set_timeout, NULL},
    {"min-speed", 0, "N", "bytes per second for --timeout (default 1000; 0: any)", set_min_speed, NULL},
    TSR_CLI_ROWS_END,
    {0},
};

static const tsr_cli_tool tool = {
    .name = "tbench fetch",
    .usage = "NAME...\n--suite=SUITE\n--list",
    .summary =
        "Download datasets into the data folder. A cut download is resumed; the SHA-256 is checked; a "
        "dataset is unpacked, and appears whole or not at all. Mind the licence of each dataset (--list).",
    .notes = TSR_EXIT_CODES_HELP,
    .options = options,
    .max_operands = TSR_CLI_MAX_OPERANDS,
};

/* ---- listing ---- */

static bool is_there(const char *folder, const tsr_dataset *row)
{
    tsr_text path = {0};
    tsr_dataset_path(&path, folder, row);
    FILE *const f = tsr_text_status(&path, NULL) == TSR_OK ? fopen(path.s, "rb") : NULL;
    if (f)
        (void)fclose(f);
    tsr_text_clear(&path);
    return f != NULL;
}

static void list(const tsr_datasets *datasets, const fetch_settings *s, const char *folder)
{
    tsr_cli_table table = {0};
    char count[32];
    static const char *const head[] = {"name", "suite", "dims", "entries", "here", "licence"};
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        tsr_cli_table_cell(&table, "%s", head[i]);
    tsr_cli_table_end_row(&table);
    for (int i = 0; i < datasets->n; i++) {
        const tsr_dataset *const row = &datasets->rows[i];
        tsr_text dims = {0};
        if (s->suite && !tsr_dataset_is_in(row, s->suite))
            continue;
        for (int m = 0; m < row->shape.order; m++)
            tsr_text_addf(&dims, "%s%" PRIu64, m ? " x " : "", row->shape.dims[m]);
        tsr_cli_table_cell(&table, "%s", row->name);
        tsr_cli_table_cell(&table, "%s", row->suites);
        tsr_cli_table_cell(&table, "%s", tsr_text_cstr(&dims));
        tsr_cli_table_cell(&table, "%s", tsr_cli_count_text(count, (double)row->shape.nnz));
        tsr_cli_table_cell(&table, "%s", is_there(folder, row) ? "yes" : "no");
        tsr_cli_table_cell(&table, "%s", row->licence);
        tsr_cli_table_end_row(&table);
        tsr_text_clear(&dims);
    }
    tsr_cli_table_print(stdout, &table, "lllrll");
}

/* ---- fetching ---- */

static tsr_status fetch_one(const tsr_dataset *row, const fetch_settings *s, const char *folder,
                            tsr_cli_report *report, tsr_error *err)
{
    const tsr_fetch_options fetch_options = {.folder = folder,
                                             .retries = s->retries ? s->retries : -1,
                                             .stall_s = s->timeout,
                                             .min_speed = s->min_speed ? s->min_speed : -1,
                                             .observer = &report->observer};
    tsr_fetched fetched = {0};
    char size[32], resumed[32] = "";
    const tsr_status status = tsr_fetch(&fetched, row, &fetch_options, err);
    if (status == TSR_OK && fetched.was_there) {
        tsr_cli_report_line(report, "%s: already there: %s", row->name, fetched.path.s);
    } else if (status == TSR_OK) {
        tsr_cli_report_line(report, "%s: %s%s%s -> %s", row->name, tsr_bytes_text(size, fetched.nbytes),
                            fetched.nbytes_resumed ? ", resumed after " : "",
                            fetched.nbytes_resumed ? tsr_bytes_text(resumed, fetched.nbytes_resumed) : "",
                            fetched.path.s);
        tsr_cli_report_line(report, "%s: sha256 %s, %s; licence: %s", row->name, fetched.sha256,
                            !fetched.verified ? "not in the table: noted in the data folder"
                            : row->sha256[0]  ? "as in the table"
                                              : "as at the earlier fetch",
                            row->licence);
    }
    tsr_fetched_clear(&fetched);
    return status;
}

/* Offer the names of the list "a;b" that are not in `names` yet; n of these are used. */
static void offer_suites(tsr_suggest *suggest, char names[MAX_SUITES][SUITE_NBYTES], int *n, const char *list)
{
    for (const char *p = list; *p && *n < MAX_SUITES;) {
        const size_t length = strcspn(p, ";");
        int i = 0;
        snprintf(names[*n], SUITE_NBYTES, "%.*s", (int)length, p);
        while (strcmp(names[i], names[*n]) != 0)
            i++;
        if (i == *n && length > 0)
            tsr_suggest_offer(suggest, names[(*n)++]);
        p += length + (p[length] == ';');
    }
}

static tsr_status unknown_suite(const tsr_datasets *datasets, const char *name, tsr_error *err)
{
    char names[MAX_SUITES][SUITE_NBYTES];
    int n = 0;
    tsr_suggest suggest;
    tsr_suggest_begin(&suggest, name, strlen(name));
    for (int i = 0; i < datasets->n; i++)
        offer_suites(&suggest, names, &n, datasets->rows[i].suites);
    return tsr_suggest_fail(&suggest, TSR_ARGUMENT, 0, "suite", err);
}

static tsr_status fetch_all(const tsr_datasets *datasets, const tsr_cli_operands *names,
                            const fetch_settings *s, const char *folder, tsr_cli_report *report,
                            tsr_error *err)
{
    const tsr_dataset *row;
    bool any = !s->suite;
    for (int i = 0; i < datasets->n && s->suite; i++)
        any = any || tsr_dataset_is_in(&datasets->rows[i], s->suite);
    if (!any)
        return unknown_suite(datasets, s->suite, err);
    for (int i = 0; i < names->n; i++) /* check all names before anything is downloaded */
        TSR_TRY(tsr_dataset_find(&row, datasets, names->text[i], err));
    for (int i = 0; i < names->n; i++) {
        TSR_TRY(tsr_dataset_find(&row, datasets, names->text[i], err));
        TSR_TRY(fetch_one(row, s, folder, report, err));
    }
    for (int i = 0; i < datasets->n && s->suite; i++)
        if (tsr_dataset_is_in(&datasets->rows[i], s->suite))
            TSR_TRY(fetch_one(&datasets->rows[i], s, folder, report, err));
    return TSR_OK;
}

int bench_cmd_fetch(int argc, char **argv)
{
    fetch_settings s = {.retries = 5, .min_speed = 1000};
    tsr_cli_operands operands;
    tsr_cli_report report;
    tsr_error err = {0};
    tsr_datasets *datasets = NULL;
    tsr_text folder = {0};
    tsr_status status;
    const int done = tsr_cli_parse(&operands, &tool, &s, argc, argv);
    if (done >= 0)
        return done;
    if (operands.n == 0 && !s.list && !s.suite)
        return tsr_cli_usage_error(&tool, "missing dataset: tbench fetch --list lists them");
    tsr_cli_report_init(&report, tool.name, s.data.common.quiet);
    tsr_cli_report_progress(&report, &s.data.common.progress);
    TSR_TRY_OUT(bench_load_datasets(&datasets, s.data.datasets, &err));
    if (s.folder)
        tsr_text_add(&folder, s.folder);
    else
        TSR_TRY_OUT(tsr_data_folder(&folder, &err));
    TSR_TRY_OUT(tsr_text_status(&folder, &err));
    if (s.list)
        list(datasets, &s, folder.s);
    else
        status = fetch_all(datasets, &operands, &s, folder.s, &report, &err);
out:
    tsr_text_clear(&folder);
    tsr_datasets_free(datasets);
    tsr_cli_report_wipe(&report);
    return status == TSR_OK ? TSR_EXIT_OK : tsr_cli_report_error(&report, &err);
}
