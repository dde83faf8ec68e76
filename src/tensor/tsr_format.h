/* Formats: an index map followed by a row of levels, and their notations (tsr_format_notations):
 *
 *   - short: dsc, ds:1,0, dss:2,0,1: level letters in storage order (d dense, s or c compressed, u
 *     compressed(nonunique), q singleton), then the modes in storage order. Singletons below a
 *     nonunique level are nonunique but for the last: uqq is coordinates of 3 modes.
 *   - named: coo, bcsr(2,3), csf:2,0,1: from formats/storage, with parameters in parentheses and modes after
 *     ':'. A name wins over letters where its number of modes fits: csc is the named format for a matrix and
 *     three compressed levels for 3 modes.
 *   - long: (i, j) -> (i floordiv 2 : dense, j : compressed(nonunique), i mod 2 : dense(pitch = 4)).
 *     Names are free.
 *   - MLIR's: #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed), crdWidth = 32 }>, an
 *     alias (#CSR =) before it or not. Of its properties, nonordered and soa hold for what is stored anyway.
 *
 *   - UST's: [i, j] -> (i: <LevelFormat.DENSE>, j: <LevelFormat.COMPRESSED>), as nvmath-python prints them.
 *   - layouts, all of whose levels are dense: XLA's f32[3,5]{1,0:T(2,2)}, TLA's and CuTe's (2,3):(3,1); and
 *     XLA's sparse ones, {1,0:D(D,C)}.
 *
 * What prints parses back. A format is immutable, and obeys these rules: at most 16 modes and 32 levels;
 * every mode is used; nonunique only where the type can be; a singleton stands below a compressed or
 * singleton level, and a nonunique singleton below a nonunique one; below a nonunique level stands a
 * singleton or nothing. */
#ifndef TSR_FORMAT_H
#define TSR_FORMAT_H

#include "tsr_level.h"
#include "tsr_map.h"
#include "tsr_type.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TSR_MAX_ORDER = 16 };

typedef struct tsr_level_spec {
    const tsr_level_type *type;
    bool nonunique;
    uint64_t pitch; /* dense: positions for each parent, at most 2^63 - 1; 0: as many as coordinates */
} tsr_level_spec;

typedef struct tsr_format {
    tsr_map *map; /* order dims (unbounded) -> nlevels results */
    int order;    /* 0..16 */
    int nlevels;  /* 0..32 */
    tsr_level_spec levels[TSR_MAX_LEVELS];
} tsr_format;

/* Parse any text form. order < 0: unknown (then a named format of any order is refused with a hint). dims
 * (order entries) may be NULL; a format whose map depends on the sizes (linear) needs them. Checks the rules
 * above and, when dims are given, that the map can be inverted. TSR_SYNTAX with err->col, TSR_ARGUMENT (a
 * broken rule, an unknown name, a wrong number of modes), TSR_UNSUPPORTED, TSR_LIMIT. */
tsr_status tsr_format_parse(tsr_format **out, const char *text, int order, const uint64_t *dims,
                            tsr_error *err) TSR_NODISCARD;

/* What parsing may be told besides the text. All zero but the order: nothing. */
typedef struct tsr_format_hints {
    int order;            /* of the tensor; < 0: unknown */
    const uint64_t *dims; /* order entries; NULL: unknown */
    const tsr_type *type; /* of its values: an XLA layout that says a type must say this one; NULL: any */
} tsr_format_hints;
/* The bits of the entries of pos and crd that a text asks for (8, 16, 32, 64; 0: not said), as MLIR's can.
 * They are no part of a format: tsr_format_parse refuses them. */
typedef struct tsr_format_widths {
    int pos_nbits, crd_nbits;
} tsr_format_widths;
/* The same as tsr_format_parse, with hints, and the widths that the text asks for. Without dims, *out is NULL
 * after TSR_OK for a well-formed text of a notation that needs them. */
tsr_status tsr_format_parse_for(tsr_format **out, tsr_format_widths *widths, const char *text,
                                const tsr_format_hints *hints, tsr_error *err) TSR_NODISCARD;

/* A notation of formats. */
typedef struct tsr_format_notation {
    const char *name;                 /* "mlir" */
    const char *example;              /* of csr, where it can say that */
    bool (*claims)(const char *text); /* whether the text, by its beginning, is in this notation */
    tsr_status (*parse)(tsr_format **out, tsr_format_widths *widths, const char *text,
                        const tsr_format_hints *hints, tsr_error *err);
    /* Append the format; dims may be NULL. TSR_UNSUPPORTED with the reason when the notation cannot say it.
     */
    tsr_status (*print)(tsr_text *text, const tsr_format *format, const uint64_t *dims, tsr_error *err);
} tsr_format_notation;
/* All of them, the first that claims a text is asked; NULL at the end. Defined in formats/notation. */
extern const tsr_format_notation *const tsr_format_notations[];
extern const tsr_format_notation tsr_format_letters, tsr_format_name, tsr_format_long, tsr_format_mlir,
    tsr_format_ust;
/* The notation that claims the text, or has the name; NULL: there is none. */
const tsr_format_notation *tsr_format_notation_of(const char *text);
const tsr_format_notation *tsr_format_notation_by_name(const char *name);

/* ---- formats from values ---- */

/* The format that stores result l of the map (its dims' bounds and constraints are dropped) in a level of
 * levels[l], nresults of them. The map is copied. TSR_ARGUMENT when a rule above is broken or the map has
 * symbols. */
tsr_status tsr_format_new(tsr_format **out, const tsr_map *map, const tsr_level_spec *levels,
                          tsr_error *err) TSR_NODISCARD;
/* Level l is levels[l] and stores mode modes[l] (order entries each; modes NULL: 0, 1, 2, ...). */
tsr_status tsr_format_permuted(tsr_format **out, int order, const tsr_level_spec *levels, const int *modes,
                               tsr_error *err) TSR_NODISCARD;
/* All levels dense, level l of mode modes[l] (NULL: row-major). */
tsr_status tsr_format_dense(tsr_format **out, int order, const int *modes, tsr_error *err) TSR_NODISCARD;
/* The first ndense levels dense, the others compressed, level l of mode modes[l] (NULL: in order): csr, csf,
 * "dss". */
tsr_status tsr_format_nested(tsr_format **out, int order, int ndense, const int *modes,
                             tsr_error *err) TSR_NODISCARD;
/* Coordinates (coo): a compressed level and singletons below it. */
tsr_status tsr_format_coordinates(tsr_format **out, int order, bool keeps_duplicates,
                                  tsr_error *err) TSR_NODISCARD;

/* ---- printing ---- */

/* Append the shortest text that parses back to an equal format, of the short form for permutations whose
 * levels have letters ("ds:1,0", the modes left out when they are 0,1,2...) and the long form otherwise. */
void tsr_format_print(tsr_text *text, const tsr_format *format);
/* Append the long form always. */
void tsr_format_print_long(tsr_text *text, const tsr_format *format);
/* Append the name of the named format that this is for its order (csr, bcsr(2,3), csf:2,0,1), or its print
 * when it has none. */
void tsr_format_print_name(tsr_text *text, const tsr_format *format);
/* The same for a tensor of these dims (order entries), which the text may need to be parsed: linear. */
void tsr_format_print_name_for(tsr_text *text, const tsr_format *format, const uint64_t *dims);
bool tsr_format_equal(const tsr_format *a, const tsr_format *b);
tsr_status tsr_format_copy(tsr_format **out, const tsr_format *format, tsr_error *err) TSR_NODISCARD;
void tsr_format_free(tsr_format *format);

/* The modes (as bits) whose sizes are in the map of the named format that this is, for a tensor of these
 * dims: those of `linear` but the slowest. 0 for all others. */
uint32_t tsr_format_sizes_in_map(const tsr_format *format, const uint64_t *dims);
/* True when the map is a permutation of the modes (perm[l] = mode stored at level l; may be NULL). */
bool tsr_format_is_permutation(const tsr_format *format, int *perm);
/* True when all levels are dense. */
bool tsr_format_is_dense(const tsr_format *format);
/* True when a level has a pitch. */
bool tsr_format_has_pitch(const tsr_format *format);
/* True when the last level is full: values then hold padding or fill that unpacking skips. */
bool tsr_format_has_dense_leaf(const tsr_format *format);
/* True when it can store duplicates: its last level ends a group that has no unique end. */
bool tsr_format_keeps_duplicates(const tsr_format *format);
/* The cut of level l for tsr_level_block: the level whose change opens a new position at l: the end of the
 * group that l is in, l itself outside groups (255: every entry does). */
uint8_t tsr_format_cut(const tsr_format *format, int l);

/* A format bound to dims: the level sizes and both directions of the map, ready to apply. */
typedef struct tsr_binding {
    const tsr_format *format; /* borrowed */
    uint64_t dims[TSR_MAX_ORDER];
    uint64_t size[TSR_MAX_LEVELS];  /* level sizes: coordinates are in [0, size) */
    uint64_t pitch[TSR_MAX_LEVELS]; /* the levels' pitches; the sizes where none was asked for. 0 for a size
                                       of 0 */
    int64_t base[TSR_MAX_LEVELS];   /* storage coordinate = map result - base (0 unless the result can be
                                       negative) */
    tsr_map *forward, *inverse;     /* bound maps; inverse takes map results (base added back) to dims */
    bool may_pad; /* some cells of the level box are not the image of a coordinate, or a pitch
                     is larger than its size */
    bool empty;   /* a dim is 0: there are no coordinates */
} tsr_binding;
tsr_status tsr_binding_new(tsr_binding **out, const tsr_format *format, const uint64_t *dims,
                           tsr_error *err) TSR_NODISCARD;
void tsr_binding_free(tsr_binding *binding);

/* One named storage format: the text of a .fmt file (formats/storage/README.md tells its grammar). */
typedef struct tsr_named_format {
    const char *name; /* of its file, without .fmt */
    const char *text; /* the file's text */
} tsr_named_format;
/* All of formats/storage, {NULL} at the end; defined there. */
extern const tsr_named_format tsr_named_formats[];
/* The one-line summary of a named format ("summary:" of its file) and its parameters as shown to users
 * "bcsr(r,c)". */
void tsr_named_format_describe(tsr_text *usage, tsr_text *summary, const tsr_named_format *named);

#ifdef __cplusplus
}
#endif
#endif
