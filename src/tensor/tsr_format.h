/* Formats: an index map followed by levels, and the notations of formats (tsr_format_notations):
 *
 *   - short: dsc, ds:1,0, dss:2,0,1: level letters in storage order (d dense, s or c compressed, u
 *     compressed(nonunique), q singleton), then the modes in storage order. Singletons below a
 *     nonunique level are nonunique except the last: uqq is coordinates of 3 modes.
 *   - named: coo, bcsr(2,3), csf:2,0,1: from formats/storage, with parameters in parentheses and modes after
 *     ':'. A name wins over letters where its number of modes fits: csc is the named format for a matrix and
 *     three compressed levels for 3 modes.
 *   - long: (i, j) -> (i floordiv 2 : dense, j : compressed(nonunique), i mod 2 : dense(pitch = 4)).
 *     Names are free.
 *   - MLIR: #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed), crdWidth = 32 }>,
 *     with an optional alias (#CSR =) before it. compressed(nonordered) is the level type unordered; soa is
 *     accepted and ignored.
 *   - UST: [i, j] -> (i: <LevelFormat.DENSE>, j: <LevelFormat.COMPRESSED>), as nvmath-python prints them.
 *   - layouts, whose levels are all dense: f32[3,5]{1,0:T(2,2)} of XLA, (2,3):(3,1) of TLA and CuTe; and the
 *     sparse layouts of XLA, {1,0:D(D,C)}.
 *
 * What prints parses back. A format is immutable, and has these rules: at most 16 modes and 32 levels; each
 * mode is stored by a level; nonunique only with level types that support it; a singleton is directly below a
 * compressed or singleton level, and a nonunique singleton directly below a nonunique level; the level below
 * a nonunique level is a singleton, or there is none. */
#ifndef TSR_FORMAT_H
#define TSR_FORMAT_H

#include "tsr_level.h"
#include "tsr_map.h"
#include "tsr_shape.h"
#include "tsr_type.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TSR_MAX_ORDER = 16 };

/* One level of a format. */
typedef struct tsr_level_spec {
    const tsr_level_type *type;
    bool nonunique;
    uint64_t pitch; /* dense: positions per parent, at most 2^63 - 1; 0: the size of the level */
    uint64_t param; /* the number in chunked(4), at most 2^31 - 1; 0: none is given */
} tsr_level_spec;

typedef struct tsr_format {
    tsr_map *map; /* order dims (unbounded) -> nlevels results */
    int order;    /* 0..16 */
    int nlevels;  /* 0..32 */
    tsr_level_spec levels[TSR_MAX_LEVELS];
    int nowners; /* besides the first (tsr_owners.h) */
} tsr_format;

/* Parse a format in any notation; free it with tsr_format_free. order: of the tensor; < 0: unknown, and then
 * a named format for any order is TSR_ARGUMENT. dims (order of them) may be NULL; a format whose map depends
 * on the dims (linear) needs them. The rules above are checked and, where dims are given, that the map can be
 * inverted. TSR_SYNTAX with err->col. TSR_ARGUMENT: a broken rule, an unknown name, a wrong number of modes.
 * TSR_UNSUPPORTED, TSR_LIMIT, TSR_NOMEM. */
tsr_status tsr_format_parse(tsr_format **out, const char *text, int order, const uint64_t *dims,
                            tsr_error *err) TSR_NODISCARD;

/* Information for parsing in addition to the text. */
typedef struct tsr_format_hints {
    int order;            /* of the tensor; < 0: unknown */
    const uint64_t *dims; /* order entries; NULL: unknown */
    const tsr_type *type; /* of the values: the type in an XLA layout must be this one; NULL: any */
} tsr_format_hints;
/* The widths in bits of the elements of pos and crd that a text requests (8, 16, 32, 64; 0: not given), as
 * in MLIR. Widths are not part of a format: tsr_format_parse refuses them. */
typedef struct tsr_format_widths {
    int pos_nbits, crd_nbits;
} tsr_format_widths;
/* The same as tsr_format_parse, with hints, and with the widths that the text requests. Where dims are
 * unknown and the notation needs them, *out is NULL after TSR_OK for a well-formed text. */
tsr_status tsr_format_parse_for(tsr_format **out, tsr_format_widths *widths, const char *text,
                                const tsr_format_hints *hints, tsr_error *err) TSR_NODISCARD;
/* The same for a tensor of this shape and value type, where pos and crd have one width: *index_nbits is the width that the text
 * requests, or 0; TSR_UNSUPPORTED if it requests two. With dims NULL the text of a layout is only checked, and *out is NULL. */
tsr_status tsr_format_parse_sized(tsr_format **out, int *index_nbits, const char *text, tsr_shape shape,
                                  tsr_type type, tsr_error *err) TSR_NODISCARD;

/* A notation of formats. */
typedef struct tsr_format_notation {
    const char *name;                 /* "mlir" */
    const char *example;              /* csr in this notation, where it can express csr */
    bool (*claims)(const char *text); /* whether the text, by its beginning, is in this notation */
    tsr_status (*parse)(tsr_format **out, tsr_format_widths *widths, const char *text,
                        const tsr_format_hints *hints, tsr_error *err);
    /* Append the format; dims may be NULL. TSR_UNSUPPORTED with the reason where the notation cannot express
     * it. */
    tsr_status (*print)(tsr_text *text, const tsr_format *format, const uint64_t *dims, tsr_error *err);
} tsr_format_notation;
/* All notations, NULL at the end; the first one that claims a text parses it. Defined in
 * formats/notation. */
extern const tsr_format_notation *const tsr_format_notations[];
extern const tsr_format_notation tsr_format_letters, tsr_format_name, tsr_format_long, tsr_format_mlir,
    tsr_format_ust;
/* The notation that claims the text; _by_name: the notation with this name. NULL: there is none. */
const tsr_format_notation *tsr_format_notation_of(const char *text);
const tsr_format_notation *tsr_format_notation_by_name(const char *name);

/* ---- formats from values ---- */

/* The format that stores result l of the map in a level like levels[l], for all results of the map. The map
 * is copied without bounds and constraints of its domain. TSR_ARGUMENT: a broken rule, or a map with
 * symbols. */
tsr_status tsr_format_new(tsr_format **out, const tsr_map *map, const tsr_level_spec *levels,
                          tsr_error *err) TSR_NODISCARD;
/* The coordinates of a level may be in any order, says `word` at the column (0: unknown): a compressed level becomes
 * unordered, any other is TSR_UNSUPPORTED. */
tsr_status tsr_format_any_order(tsr_level_spec *level, const char *word, uint64_t col,
                                tsr_error *err) TSR_NODISCARD;

/* Level l is like levels[l] and stores mode modes[l]; both have `order` elements; modes NULL: 0, 1, 2... */
tsr_status tsr_format_permuted(tsr_format **out, int order, const tsr_level_spec *levels, const int *modes,
                               tsr_error *err) TSR_NODISCARD;
/* All levels are dense, and level l stores mode modes[l] (NULL: row-major). */
tsr_status tsr_format_dense(tsr_format **out, int order, const int *modes, tsr_error *err) TSR_NODISCARD;
/* The first ndense levels are dense, the others compressed, and level l stores mode modes[l] (NULL: 0,
 * 1...): csr, csf, "dss". */
tsr_status tsr_format_nested(tsr_format **out, int order, int ndense, const int *modes,
                             tsr_error *err) TSR_NODISCARD;
/* Coordinates (coo): a compressed level, and singletons below it. */
tsr_status tsr_format_coordinates(tsr_format **out, int order, bool keeps_duplicates,
                                  tsr_error *err) TSR_NODISCARD;

/* ---- printing ---- */

/* Append the short form where the map is a permutation and all levels have letters ("ds:1,0"; modes 0,1,2...
 * are left out), else the long form. */
void tsr_format_print(tsr_text *text, const tsr_format *format);
/* Append the long form always. */
void tsr_format_print_long(tsr_text *text, const tsr_format *format);
/* Append the name of the format for its order (csr, bcsr(2,3), csf:2,0,1), or the text of tsr_format_print
 * where it does not have a name. */
void tsr_format_print_name(tsr_text *text, const tsr_format *format);
/* The same for a tensor with these dims (order of them; NULL: unknown), which names that depend on dims
 * (linear) need. */
void tsr_format_print_name_for(tsr_text *text, const tsr_format *format, const uint64_t *dims);
bool tsr_format_equal(const tsr_format *a, const tsr_format *b);
/* *out is the same object, with one more owner: a format is immutable. tsr_format_free ends one ownership. */
tsr_status tsr_format_copy(tsr_format **out, const tsr_format *format, tsr_error *err) TSR_NODISCARD;
void tsr_format_free(tsr_format *format);

/* The modes, as bits, whose dims are numbers in the map of a named format, for a tensor with these dims: all
 * modes of `linear` except the slowest; 0 for other formats. */
uint32_t tsr_format_sizes_in_map(const tsr_format *format, const uint64_t *dims);
/* Whether the map is a permutation of the modes; perm[l] (perm may be NULL): the mode that level l
 * stores. */
bool tsr_format_is_permutation(const tsr_format *format, int *perm);
/* Whether all levels are full (dense). */
bool tsr_format_is_dense(const tsr_format *format);
/* Whether a level has a pitch. */
bool tsr_format_has_pitch(const tsr_format *format);
/* Whether a level is packed from all entries at once (tsr_level_type.assemble). */
bool tsr_format_assembles(const tsr_format *format);
/* Whether the format is ndense full levels and then compressed, unique ones, appended in order: csr is
 * (1, 1), csf (0, 3). */
bool tsr_format_is_nested(const tsr_format *format, int *ndense);
/* The same, where the list of the last level may be in any order: csru is (1, 1), too. */
bool tsr_format_has_lists(const tsr_format *format, int *ndense);
/* Whether the last level is a list whose coordinates may be in any order. */
bool tsr_format_is_unordered(const tsr_format *format);
/* Whether the format is coordinates: a compressed level, and singletons below it. */
bool tsr_format_is_coordinates(const tsr_format *format);
/* Whether the values of the last level determine which positions are entries (tsr_level_type.by_value): they
 * contain padding and fill, which unpacking skips. */
bool tsr_format_has_dense_leaf(const tsr_format *format);
/* The type of the last level, if it marks its entries and all others are dense: each cell has a position and a mark. NULL: not so. */
const tsr_level_type *tsr_format_marks(const tsr_format *format);
/* Whether the last level of a permutation of the modes is dense, so that it stores both triangles of a matrix and cannot keep one. */
bool tsr_format_stores_both_triangles(const tsr_format *format);
/* Whether each position of the last level is one entry. */
bool tsr_format_stores_all(const tsr_format *format);
/* Whether the format can store duplicates: the last level is nonunique. */
bool tsr_format_keeps_duplicates(const tsr_format *format);
/* The cut of level l for tsr_level_block: an entry that differs from the entry before it at this level or
 * above opens a new position at l. It is the end of the group of l, or l itself outside groups; 255: each
 * entry opens a position. */
uint8_t tsr_format_cut(const tsr_format *format, int l);

/* A format bound to dims: the sizes of the levels, and both directions of the map. */
typedef struct tsr_binding {
    const tsr_format *format; /* borrowed */
    uint64_t dims[TSR_MAX_ORDER];
    uint64_t size[TSR_MAX_LEVELS];  /* of each level: coordinates are in [0, size) */
    uint64_t pitch[TSR_MAX_LEVELS]; /* of each level; the size where the format does not have a pitch, or
                                       the size is 0 */
    int64_t base[TSR_MAX_LEVELS];   /* storage coordinate = map result - base; 0 unless the result can be
                                       negative */
    tsr_map *forward, *inverse;     /* bound maps, owned; inverse maps results of forward to coordinates */
    bool may_pad; /* the levels have cells that are not the image of a coordinate, or a pitch is larger
                     than the size */
    bool empty;   /* a dim is 0: there are no cells */
    int nowners;  /* besides the first (tsr_owners.h) */
} tsr_binding;
/* Bind the format, which is borrowed, to dims (order of them). TSR_LIMIT: a level would have more than 2^63
 * - 1 coordinates. TSR_ARGUMENT: a pitch is less than the size of its level. Further errors: those of
 * tsr_map_invert. */
tsr_status tsr_binding_new(tsr_binding **out, const tsr_format *format, const uint64_t *dims,
                           tsr_error *err) TSR_NODISCARD;
/* Whether the format can be bound to a tensor of this order and these dims. */
bool tsr_format_suits(const tsr_format *format, int order, const uint64_t *dims);
/* One more owner of the same binding, which is immutable; its format must live as long. Returns `binding`. */
tsr_binding *tsr_binding_share(const tsr_binding *binding);
void tsr_binding_free(tsr_binding *binding);

/* One named storage format: the text of a .fmt file; see formats/storage/README.md for the grammar. */
typedef struct tsr_named_format {
    const char *name; /* of the file, without .fmt */
    const char *text; /* of the file */
} tsr_named_format;
/* All formats in formats/storage, {NULL} at the end; defined there. */
extern const tsr_named_format tsr_named_formats[];
/* The text of formats/storage/other.txt in one row: formats of other software that Tessera does not have, and what to
 * use. */
extern const tsr_named_format tsr_other_formats[];
/* The text of formats/storage/advice.txt in one row: the formats that the advisor compares. */
extern const tsr_named_format tsr_advised_formats[];
/* Append the usage of a named format, "bcsr(r,c)", and its one-line summary ("summary:" in the file). */
void tsr_named_format_describe(tsr_text *usage, tsr_text *summary, const tsr_named_format *named);

#ifdef __cplusplus
}
#endif
#endif
