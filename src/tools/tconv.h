/* What the files of tconv share. */
#ifndef TSR_TCONV_H
#define TSR_TCONV_H

#include "advice_print.h"
#include "codec_rows.h"
#include "index_width.h"
#include "json.h"
#include "rows.h"
#include "tsr_conversion.h"
#include "tsr_picked.h"

/* The command line. */
typedef struct tsr_tconv_settings {
    tsr_cli_common common; /* first: see options.h */
    tsr_conversion_settings c;
    tsr_cli_advise advise; /* --for, --runs, --budget: of --format=auto */
    bool is_auto;          /* --format=auto */
    bool verbose, no_clobber;
    tsr_picked select; /* --rows, --cols */
} tsr_tconv_settings;

/* A run of tconv. */
typedef struct tsr_tconv_job {
    const tsr_tconv_settings *s;
    tsr_cli_report *report;
    tsr_conversion c;
} tsr_tconv_job;

/* --dry-run: print what would be done, on standard output; or as members of an open JSON object. */
void tsr_tconv_dry_report(const tsr_conversion *j);
void tsr_tconv_dry_json(tsr_json *json, const tsr_conversion *j);

/* The words of --duplicates, by tsr_duplicates; NULL at the end. */
extern const char *const tsr_tconv_duplicates[];
/* Append how the entries were packed, stats->way not NULL, with the costs of the way and of sorting. Returns the whole text. */
const char *tsr_tconv_way(tsr_text *text, const tsr_pack_stats *stats);
/* The last line, on standard error: what was done. */
void tsr_tconv_report(const tsr_tconv_job *j);
/* The same as members of an open JSON object. */
void tsr_tconv_json(tsr_json *json, const tsr_tconv_job *j);

#endif
