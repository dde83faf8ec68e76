/* Rows of option tables that several tools share: each name, letter, argument and sentence stands here once. */
#ifndef TSR_CLI_ROWS_H
#define TSR_CLI_ROWS_H

#include "options.h"

/* ---- the settings are a tsr_cli_common, or begin with one ---- */

tsr_status tsr_cli_set_threads(void *common, const char *value, tsr_error *err);
tsr_status tsr_cli_set_quiet(void *common, const char *value, tsr_error *err);
tsr_status tsr_cli_set_progress(void *common, const char *value, tsr_error *err);
tsr_status tsr_cli_set_json(void *common, const char *value, tsr_error *err);

/* Set --memory, which is at least 64M. */
tsr_status tsr_cli_set_memory(void *common, const char *value, tsr_error *err);
/* Keep the resident memory of this process below that of --memory, if it is given. */
void tsr_cli_limit_memory(const tsr_cli_common *common);

/* The row of --memory. rest: the end of the sentence, about data that does not fit. */
#define TSR_CLI_ROW_MEMORY(rest)                                                                        \
    {                                                                                                   \
        "memory", 0, "SIZE", "hold no more than SIZE (4G, 500M; at least 64M) of resident memory" rest, \
            tsr_cli_set_memory, NULL                                                                    \
    }
#define TSR_CLI_ROW_THREADS                                                                       \
    {                                                                                             \
        "threads", 'j', "N",                                                                      \
            "use N threads instead of OMP_NUM_THREADS or, if that is not set, one per processor", \
            tsr_cli_set_threads, NULL                                                             \
    }
#define TSR_CLI_ROW_QUIET                                                                                 \
    {                                                                                                     \
        "quiet", 'q', NULL, "print errors only: no summary, no warnings, no progress", tsr_cli_set_quiet, \
            NULL                                                                                          \
    }
#define TSR_CLI_ROW_PROGRESS                                                     \
    {                                                                            \
        "progress", 0, "WHEN", TSR_CLI_PROGRESS_HELP, tsr_cli_set_progress, NULL \
    }
/* what: what the object holds, "what was converted". */
#define TSR_CLI_ROW_JSON(what)                                                                \
    {                                                                                         \
        "json", 0, "[FILE]", what ", on standard output or into FILE", tsr_cli_set_json, NULL \
    }
#define TSR_CLI_ROW_HELP                                                       \
    {                                                                          \
        "help", 'h', NULL, "print this help and stop", NULL, tsr_cli_show_help \
    }
#define TSR_CLI_ROW_VERSION                                                            \
    {                                                                                  \
        "version", 'V', NULL, "print the version and stop", NULL, tsr_cli_show_version \
    }

/* ---- rows whose argument each tool keeps in its own way ---- */

#define TSR_CLI_ROW_FORMAT(arg, help, set)  \
    {                                       \
        "format", 'f', arg, help, set, NULL \
    }
/* The dims of what is read: more is told by `rest`, "" or ", and so on". */
#define TSR_CLI_ROW_DIMS(rest, set)                                                                        \
    {                                                                                                      \
        "dims", 'd', "DIMS", "the dims, such as 4,5,6, if the input does not contain them" rest, set, NULL \
    }
#define TSR_CLI_ROW_OUTPUT(arg, help, set)  \
    {                                       \
        "output", 'o', arg, help, set, NULL \
    }
#define TSR_CLI_ROW_SCHEDULE(set)                                                                        \
    {                                                                                                    \
        "schedule", 's', "TEXT",                                                                         \
            "the schedule instead of the automatic one: 'parallelize(i), block(r,16), private(A)'; see " \
            "tkern(1)",                                                                                  \
            set, NULL                                                                                    \
    }
#define TSR_CLI_ROW_DETERMINISTIC(set)                                                                    \
    {                                                                                                     \
        "deterministic", 0, NULL, "give the same bits for any number of threads; see tkern(1)", set, NULL \
    }

/* ---- functions that set one member of a tool's settings, for its table ---- */

#define TSR_CLI_SET(name) static tsr_status set_##name(void *to, const char *value, tsr_error *err)
#define TSR_CLI_SET_FLAG(settings, name, member) \
    TSR_CLI_SET(name)                            \
    {                                            \
        (void)value, (void)err;                  \
        ((settings *)to)->member = true;         \
        return TSR_OK;                           \
    }
#define TSR_CLI_SET_TEXT(settings, name, member) \
    TSR_CLI_SET(name)                            \
    {                                            \
        (void)err;                               \
        ((settings *)to)->member = value;        \
        return TSR_OK;                           \
    }
/* By a function that takes (&member, value, err). */
#define TSR_CLI_SET_BY(settings, name, member, parse)        \
    TSR_CLI_SET(name)                                        \
    {                                                        \
        return parse(&((settings *)to)->member, value, err); \
    }
#define TSR_CLI_SET_INT(settings, name, member, lo, hi)                          \
    TSR_CLI_SET(name)                                                            \
    {                                                                            \
        return tsr_cli_parse_int(&((settings *)to)->member, value, lo, hi, err); \
    }
/* What each table ends with. */
#define TSR_CLI_ROWS_END TSR_CLI_ROW_QUIET, TSR_CLI_ROW_PROGRESS, TSR_CLI_ROW_HELP, TSR_CLI_ROW_VERSION

#endif
