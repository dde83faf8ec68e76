/* What the commands of tlayout share: settings, operands, and how results are printed. */
#ifndef TSR_CLI_TLAYOUT_H
#define TSR_CLI_TLAYOUT_H

#include "json.h"
#include "options.h"
#include "tsr_layout.h"

typedef struct tsr_tlayout_command tsr_tlayout_command;

typedef struct tsr_tlayout {
    /* settings */
    tsr_cli_common common;
    const char *inverse, *svg, *part, *to, *type; /* as given, or NULL */
    bool table, size, map, steps, order;
    int ndims; /* of --dims; 0: not given */
    int64_t dims[TSR_XLA_MAX_RANK];
    /* the run */
    const tsr_tlayout_command *command; /* NULL: a layout is asked about */
    const char *wrong_text;             /* the operand in which err->col counts, or NULL */
    int code;                           /* the exit code when nothing failed */
    bool json;                          /* results are members of `out`, for --json and --quiet */
    bool many;                          /* with json: several points are asked about, in a list */
    tsr_json_output out;
    tsr_arena arena; /* for TLA values; cleared at the end */
} tsr_tlayout;

struct tsr_tlayout_command {
    const char *name;
    const char *usage; /* its operands; [--svg=FILE] where it draws */
    const char *help;
    int min, max; /* operands */
    tsr_status (*run)(tsr_tlayout *t, int n, const char *const *word, tsr_error *err);
};

/* A row without a name ends each table. */
extern const tsr_tlayout_command tsr_tlayout_map_commands[];
extern const tsr_tlayout_command tsr_tlayout_layout_commands[];
extern const tsr_tlayout_command tsr_tlayout_algebra_commands[];
extern const tsr_tlayout_command tsr_tlayout_op_commands[];

/* LAYOUT [COORD...], without a command. */
tsr_status tsr_tlayout_show(tsr_tlayout *t, int n, const char *const *word, tsr_error *err);

/* ---- operands: after a failure the settings hold the text in which it is ---- */

tsr_status tsr_tlayout_parse_layout(tsr_layout **out, tsr_tlayout *t, const char *text, tsr_error *err);
/* An index map; dims without bounds get those of --dims. */
tsr_status tsr_tlayout_parse_map(tsr_map **out, tsr_tlayout *t, const char *text, tsr_error *err);
tsr_status tsr_tlayout_parse_tla(tsr_tla *out, tsr_tlayout *t, const char *text, tsr_error *err);
tsr_status tsr_tlayout_parse_tuple(const tsr_tuple **out, tsr_tlayout *t, const char *text, tsr_error *err);
tsr_status tsr_tlayout_parse_tiler(const tsr_tiler **out, tsr_tlayout *t, const char *text, tsr_error *err);
tsr_status tsr_tlayout_parse_i64(int64_t *out, const char *what, const char *text, tsr_error *err);
/* "2,3" or "(2,3)" or "2 3": integers, negative ones too; *n <= max. */
tsr_status tsr_tlayout_parse_point(int64_t *out, int *n, int max, const char *text, tsr_error *err);
typedef tsr_status tsr_tlayout_point(void *to, tsr_tlayout *t, const char *text, tsr_error *err);
/* Points of the command line: `n` words, of which "-" stands for the lines of standard input. */
typedef struct tsr_tlayout_points {
    const char *key; /* for JSON, several points, or those of "-", become this list (t->many) */
    int n;
    const char *const *word;
} tsr_tlayout_points;
/* Call say(to, t, text of the point) for each point. */
tsr_status tsr_tlayout_each_point(tsr_tlayout *t, const tsr_tlayout_points *points, tsr_tlayout_point *say,
                                  void *to, tsr_error *err);
/* Note that the text was wrong, unless the status is TSR_OK; returns the status. */
tsr_status tsr_tlayout_in_text(tsr_tlayout *t, const char *text, tsr_status status);

/* ---- results: text lines, or members of the JSON object ---- */

/* Print one result, as a line or as a member. Clears the text. TSR_NOMEM if the text is not complete. */
tsr_status tsr_tlayout_say(tsr_tlayout *t, const char *key, tsr_text *text, tsr_error *err);
void tsr_tlayout_say_i64(tsr_tlayout *t, const char *key, int64_t v);
/* A JSON array of integers. */
void tsr_tlayout_json_list(tsr_tlayout *t, const char *key, int n, const int64_t *v);
/* Append "2,3"; "()" for no coordinates. */
void tsr_tlayout_add_point(tsr_text *text, int n, const int64_t *v);

/* ---- pictures ---- */

/* Write the picture of the layout, or of the part FIRST:END,... of it. TSR_LIMIT if it has too many cells. */
tsr_status tsr_tlayout_draw(const char *path, const tsr_layout *layout, const char *part, tsr_error *err);

/* Who owns each place of a shape: place i + j * nrows, row i and column j, has the number thread * nvalues + value, or -1. */
typedef struct tsr_tlayout_values {
    const char *title;
    const int64_t *who;
    int64_t nplaces, nrows, nvalues;
} tsr_tlayout_values;

/* Write the picture of a thread-value layout. TSR_LIMIT if the shape has too many places. */
tsr_status tsr_tlayout_draw_values(const char *path, const tsr_tlayout_values *of, tsr_error *err);

#endif
