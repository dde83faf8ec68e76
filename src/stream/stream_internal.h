/* What the files of stream share. */
#ifndef STREAM_INTERNAL_H
#define STREAM_INTERNAL_H

#include <pthread.h>

#include "tsr_stream.h"
#include "tsr_system.h"

/* ---- stream_state.c: the state of a stopped run ---- */

typedef struct stream_state {
    tsr_text text;
    const char *at; /* the next number */
    bool failed;    /* a number is missing */
} stream_state;     /* start with {0} */

/* Start a state; add numbers; save it in the folder under this name. */
void stream_state_begin(stream_state *state, const char *identity);
void stream_state_add(stream_state *state, uint64_t number);
void stream_state_add_bytes(stream_state *state, const void *bytes, size_t nbytes);
tsr_status stream_state_save(stream_state *state, const char *folder, const char *name,
                             tsr_error *err) TSR_NODISCARD;
/* Whether the folder has this state; load it, and get the numbers in the same order. */
bool stream_state_has(const char *folder, const char *name);
tsr_status stream_state_load(stream_state *state, const char *folder, const char *name, const char *identity,
                             tsr_error *err) TSR_NODISCARD;
uint64_t stream_state_get(stream_state *state);
void stream_state_get_bytes(stream_state *state, void *bytes, size_t nbytes);
/* TSR_CORRUPT where a number was missing. */
tsr_status stream_state_check(const stream_state *state, const char *folder, tsr_error *err) TSR_NODISCARD;
void stream_state_clear(stream_state *state);

/* ---- stream_space.c ---- */

/* TSR_LIMIT where the folder has no room for nbytes more. */
tsr_status stream_space_check(const char *folder, double nbytes, tsr_error *err) TSR_NODISCARD;

/* ---- stream_file.c: temporary files that grow ---- */

/* A file that is written from front to back, then read at any place. */
typedef struct stream_file {
    int fd;             /* -1: not open */
    tsr_text path;      /* removed when the file is closed */
    uint64_t nbytes;    /* written, the buffer too */
    unsigned char *buf; /* the last nbuf bytes are not in the file yet */
    size_t nbuf, room;
    uint64_t flushed; /* bytes that are in the file */
    bool keep;        /* stream_file_clear leaves the file */
    bool grows;       /* there is no file: the buffer holds everything */
} stream_file;

/* Make a new file. room: bytes of the buffer. */
tsr_status stream_file_new(stream_file *file, const char *folder, const char *name, size_t room,
                           tsr_error *err) TSR_NODISCARD;
/* Go on with a file of an earlier run, of which the first nbytes count. */
tsr_status stream_file_continue(stream_file *file, uint64_t nbytes, tsr_error *err) TSR_NODISCARD;
/* Open a file of another process, which has at least nbytes bytes, for reading. */
tsr_status stream_file_open(stream_file *file, const char *folder, const char *name, uint64_t nbytes,
                            tsr_error *err) TSR_NODISCARD;
/* Write what is buffered. */
tsr_status stream_file_sync(stream_file *file, tsr_error *err) TSR_NODISCARD;
tsr_status stream_file_add(stream_file *file, const void *bytes, size_t nbytes, tsr_error *err) TSR_NODISCARD;
/* Write at a place. Nothing is buffered, and nbytes does not change. Several threads may write at once. */
tsr_status stream_file_put(const stream_file *file, uint64_t offset, const void *bytes, size_t nbytes,
                           tsr_error *err) TSR_NODISCARD;
/* Leave room for nbytes, which stream_file_put fills. *offset: where it begins. */
tsr_status stream_file_reserve(uint64_t *offset, stream_file *file, uint64_t nbytes,
                               tsr_error *err) TSR_NODISCARD;
/* n times the same element, which is not larger than 16 bytes. */
tsr_status stream_file_repeat(stream_file *file, const void *element, size_t width, uint64_t n,
                              tsr_error *err) TSR_NODISCARD;
/* The last `width` bytes, which must have been added in one call and can be changed until the next call. */
void *stream_file_last(stream_file *file, size_t width);
/* Write what is buffered, and free the buffer. */
tsr_status stream_file_flush(stream_file *file, tsr_error *err) TSR_NODISCARD;
tsr_status stream_file_read(void *out, const stream_file *file, uint64_t offset, size_t nbytes,
                            tsr_error *err) TSR_NODISCARD;
/* Close and remove the file; a file that was not made is fine. */
void stream_file_clear(stream_file *file);
void stream_file_remove(stream_file *file);

/* Write at a place of the output. */
typedef struct stream_output {
    int fd;
    const char *path;
    int direct; /* not -1: for the whole blocks of bytes that lie in memory as in the file, up to multiples of TSR_DIRECT_NBYTES */
} stream_output;
tsr_status stream_write_at(const stream_output *output, const unsigned char *bytes, size_t nbytes,
                           uint64_t offset, tsr_error *err) TSR_NODISCARD;

/* The same past the cache of the system: `direct` is another descriptor of the file (tsr_system_open_direct), and the bytes lie in memory
 * as in the file, up to multiples of TSR_DIRECT_NBYTES. */
tsr_status stream_file_put_direct(const stream_file *file, int direct, uint64_t offset,
                                  const unsigned char *bytes, size_t nbytes, tsr_error *err) TSR_NODISCARD;

/* ---- stream_writer.c: bytes that a thread of its own writes to files, past the cache of the system ---- */

typedef struct stream_writer stream_writer;
enum { STREAM_MAX_WINDOWS = 2 * TSR_MAX_LEVELS + 1 };
/* Bytes [first, first + nbytes) of a file that are being made. */
typedef struct stream_window {
    stream_file file; /* borrowed: its descriptor and its path */
    uint64_t first, nbytes;
    unsigned char *bytes; /* in memory; NULL: they go to the file at once */
} stream_window;
/* most_nbytes: of memory. NULL: no memory, or no thread. */
stream_writer *stream_writer_new(uint64_t most_nbytes);
/* Set `bytes` of n windows, of which number i is always of the same file, or empty. *fits false: they are too large, or a file cannot be
 * written so. Once for each call the windows are put, which the writer then writes. */
tsr_status stream_writer_take(bool *fits, stream_writer *writer, stream_window *window, int n,
                              tsr_error *err) TSR_NODISCARD;
void stream_writer_put(stream_writer *writer);
/* Wait until everything that was put is in the files. NULL is fine. */
tsr_status stream_writer_wait(stream_writer *writer, tsr_error *err) TSR_NODISCARD;
void stream_writer_free(stream_writer *writer);

/* ---- stream_bucket.c: entries in a file ---- */

/* A bucket: chunks of entries with logical coordinates, each array in the narrowest width that holds it. */
typedef struct stream_bucket {
    stream_file file;
    uint64_t nentries;
    /* the chunk that is being filled: n of capacity entries */
    uint64_t *crd[TSR_MAX_ORDER];
    unsigned char *values;
    size_t n;
    tsr_type type;
} stream_bucket;

typedef struct stream_buckets {
    int order, n;
    size_t capacity;        /* entries of a chunk */
    bool iso;               /* values are not stored */
    int nthreads, nwriters; /* that order entries, and that write chunks at once */
    void *memory;
    stream_bucket *bucket; /* n */
    unsigned char *chunks; /* nwriters chunks as they are in the file, each chunk_nbytes */
    size_t chunk_nbytes;
    /* a slice of a run, whose entries are ordered by buckets; memory of `slice` */
    void *slice;
    uint64_t *ordered[TSR_MAX_ORDER];
    unsigned char *ordered_values;
    uint32_t *at;    /* nthreads * n: where a thread puts its next entry of a bucket */
    uint32_t *begin; /* nthreads * (n + 1): where the entries of a bucket are, of each thread */
    uint32_t *place; /* of each entry of the slice */
    tsr_error *errors;
} stream_buckets;

/* How buckets are made: n of them, whose chunks take nbytes together; name: a prefix of the names of the files. */
typedef struct stream_buckets_plan {
    bool keep;           /* the files outlive a failure */
    stream_state *state; /* not NULL: continue with the buckets saved there */
    int n;
    const char *folder, *name;
    uint64_t nbytes;
    int nthreads; /* that may add the entries of a run; 0: 1 */
} stream_buckets_plan;
tsr_status stream_buckets_new(stream_buckets *buckets, const stream_buckets_plan *plan,
                              const tsr_facts *facts, tsr_error *err) TSR_NODISCARD;
/* Which bucket the entries of a run belong to: entry i to id[i]. find (NULL: the numbers are there) sets those of entries [first,
 * first + n), in thread t; threads call it at once. */
typedef struct stream_finding {
    const uint16_t *id;
    void (*find)(void *ctx, int t, uint64_t first, uint64_t n);
    void *ctx;
} stream_finding;
/* Append each entry of the run to its bucket. */
tsr_status stream_buckets_add(stream_buckets *buckets, const tsr_run *run, const stream_finding *finding,
                              tsr_error *err) TSR_NODISCARD;
/* Runs that threads take at once: each orders the entries of a run of its own, and adds them to bucket after bucket, when that has those of the
 * runs before. */
typedef struct stream_turns {
    stream_buckets *buckets;
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t passed;
    uint64_t *turn; /* of each bucket: the number of the run that comes next */
    int nwaiting;
    bool stopped; /* after an error: the buckets are not complete */
} stream_turns;
tsr_status stream_turns_start(stream_turns *turns, stream_buckets *buckets, tsr_error *err) TSR_NODISCARD;
void stream_turns_clear(stream_turns *turns);
/* Append the entries of run number k in thread t < nwriters, as stream_buckets_add. The runs before it are taken by this thread or by
 * running ones. After the error of another thread nothing is done. */
typedef struct stream_turn {
    int t;
    uint64_t k;
} stream_turn;
tsr_status stream_turns_take(stream_turns *turns, const stream_turn *turn, const tsr_run *run,
                             const stream_finding *finding, tsr_error *err) TSR_NODISCARD;
void stream_turns_stop(stream_turns *turns);
/* Write what is buffered, and save where each bucket ends; those before `first` are not needed any more. */
tsr_status stream_buckets_save(stream_buckets *buckets, int first, stream_state *state,
                               tsr_error *err) TSR_NODISCARD;
/* Buckets in memory (plan->folder is NULL): add the chunks that are being filled to file.buf, file.nbytes bytes; begin anew. */
tsr_status stream_buckets_settle(stream_buckets *buckets, tsr_error *err) TSR_NODISCARD;
void stream_buckets_reset(stream_buckets *buckets);
/* Write all chunks and free the memory; the files stay. */
tsr_status stream_buckets_end(stream_buckets *buckets, tsr_error *err) TSR_NODISCARD;
void stream_buckets_clear(stream_buckets *buckets);
/* Chunks of a file, and entries in chunks that follow each other. */
typedef struct stream_part {
    const stream_file *file;
    uint64_t first, nbytes;
} stream_part;
typedef struct stream_list {
    uint64_t nentries;
    int nparts;
    const stream_part *part;
} stream_list;
/* A feed of the entries of a list, which is borrowed. `facts`: of the entries. */
tsr_status stream_list_feed(tsr_feed **out, const stream_list *list, const tsr_facts *facts,
                            tsr_error *err) TSR_NODISCARD;

/* A chunk of a list: n entries, the first of which is number `at` of the list. */
typedef struct stream_list_chunk {
    uint64_t at;
    size_t n;
    tsr_type type;
    const stream_file *file;
    uint64_t offset; /* of the file */
} stream_list_chunk;
/* All chunks of a feed made by stream_list_feed; the caller frees *out. TSR_CORRUPT where they do not hold the entries of the list. */
tsr_status stream_list_chunks(stream_list_chunk **out, size_t *nchunks, tsr_feed *feed,
                              tsr_error *err) TSR_NODISCARD;
/* Memory of a thread that loads chunks; start with {0}. */
typedef struct stream_chunk_room {
    void *memory;
    size_t nbytes;
} stream_chunk_room;
/* Load a chunk: coordinates into crd[m] from element chunk->at on, and the run with its values, which are borrowed from the room. */
tsr_status stream_list_load(tsr_array *const *crd, tsr_run *run, const stream_list_chunk *chunk,
                            const tsr_facts *facts, stream_chunk_room *room, tsr_error *err) TSR_NODISCARD;
void stream_chunk_room_clear(stream_chunk_room *room);

/* ---- stream_fill.c: sorted entries to level arrays ---- */

typedef struct stream_fill stream_fill;
/* facts: final. The binding belongs to the format and the dims; all are borrowed. continues: stream_fill_continue follows. */
tsr_status stream_fill_new(stream_fill **out, const tsr_binding *binding, const tsr_facts *facts,
                           const tsr_stream_options *options, bool continues, tsr_error *err) TSR_NODISCARD;
/* Write what is buffered, and save where the arrays end; go on from there in a new fill. */
tsr_status stream_fill_save(stream_fill *fill, stream_state *state, tsr_error *err) TSR_NODISCARD;
tsr_status stream_fill_continue(stream_fill *fill, stream_state *state, tsr_error *err) TSR_NODISCARD;
/* Add n <= TSR_LEVEL_BLOCK entries in storage order, which follow those before. coord[l]: storage coordinates, which are
 * changed; values: of facts->type, one where iso. Where there is no entry at all,
 * the value of an iso tensor is given with n = 0. */
tsr_status stream_fill_add(stream_fill *fill, uint64_t *const *coord, const void *values, size_t n,
                           tsr_error *err) TSR_NODISCARD;
/* *out: the tensor; the fill is empty afterwards. */
tsr_status stream_fill_end(tsr_parts **out, stream_fill *fill, tsr_pack_stats *stats,
                           tsr_error *err) TSR_NODISCARD;
void stream_fill_free(stream_fill *fill);

/* With options->ranks a fill makes a piece of the tensor: the entries of a rank. A fill in memory does so, too. Positions count from the first entry of the
 * piece, and its arrays begin there, not at 0. Arrays are as long as their level. */
typedef struct stream_piece {
    uint64_t nentries, nstored, nduplicates, first_duplicate;
    uint64_t first[TSR_MAX_LEVELS],
        last[TSR_MAX_LEVELS]; /* storage coordinates of the first and the last entry */
    uint64_t first_position[TSR_MAX_LEVELS],
        last_position[TSR_MAX_LEVELS]; /* their positions at each level */
    uint64_t npos[TSR_MAX_LEVELS];     /* positions that were opened */
    uint64_t begin[TSR_MAX_LEVELS],
        written[TSR_MAX_LEVELS];    /* the file of pos holds those of parents begin to written - 1 */
    uint64_t begin_values, nvalues; /* the file of values holds these positions */
    unsigned char iso_value[TSR_MAX_VALUE_NBYTES];
} stream_piece;
typedef struct stream_piece_files {
    size_t pos_width[TSR_MAX_LEVELS]; /* of the elements of pos in the file */
    stream_file pos[TSR_MAX_LEVELS], crd[TSR_MAX_LEVELS], values;
} stream_piece_files;
/* The fill gives its files away. */
tsr_status stream_fill_end_piece(stream_piece *piece, stream_piece_files *files, stream_fill *fill,
                                 tsr_error *err) TSR_NODISCARD;
/* A tensor without arrays; found: positions that all entries have opened, for each level that is not full. */
tsr_status stream_fill_describe(tsr_tensor **out, const stream_fill *fill, const uint64_t *found,
                                uint64_t nduplicates, tsr_error *err) TSR_NODISCARD;
/* An entry opens a position at level l where it differs from the one before it at the cut or above. */
uint8_t stream_fill_cut(const stream_fill *fill, int l);
/* The error of a singleton level: the first entry of the piece is a second child. */
tsr_status stream_fill_check_child(const stream_fill *fill, const stream_piece *piece, int level,
                                   tsr_error *err) TSR_NODISCARD;

/* The binding that the fill was made with. */
const tsr_binding *stream_fill_binding(const stream_fill *fill);
/* Elements [first, first + n) of a file of pos whose elements have this width. */
tsr_status stream_fill_read_pos(uint64_t *out, const stream_file *file, size_t width, uint64_t first,
                                size_t n, tsr_error *err) TSR_NODISCARD;

/* A fill in memory, with the levels of another one, for some of its entries. A reset makes it empty; then TSR_LIMIT where an array
 * would be longer than most_nbytes because of empty cells (stream_fill_overflows). */
tsr_status stream_fill_new_piece(stream_fill **out, const stream_fill *like, tsr_error *err) TSR_NODISCARD;
void stream_fill_reset(stream_fill *piece, uint64_t most_nbytes);
bool stream_fill_overflows(const stream_fill *piece);
/* Append what n pieces in memory hold, which follow each other and the entries of the fill, and have no cell in common. The pieces need
 * a reset afterwards. */
tsr_status stream_fill_append(stream_fill *fill, stream_fill *const *piece, int n,
                              tsr_error *err) TSR_NODISCARD;

/* ---- stream_place.c: where pieces that follow each other lie in the arrays of the tensor ---- */

/* A piece has elements [start, end) of an array, of which its file holds [own, stop). Those before repeat the position at which the
 * pieces before it end, or the fill, and so do those after it, which the last piece has. */
typedef struct stream_extent {
    uint64_t start, own, stop, end;
    uint64_t skip; /* elements at the beginning of the file that belong to the piece before */
} stream_extent;
typedef struct stream_place {
    stream_extent pos[TSR_MAX_LEVELS], crd[TSR_MAX_LEVELS], values;
    uint64_t base[TSR_MAX_LEVELS];   /* of the positions of a level */
    uint64_t before[TSR_MAX_LEVELS]; /* positions of the level that earlier pieces have opened */
} stream_place;
/* The end of the pieces so far; start with {0}. */
typedef struct stream_front {
    bool any;
    uint64_t npos[TSR_MAX_LEVELS], written[TSR_MAX_LEVELS], nvalues;
    uint64_t last[TSR_MAX_LEVELS], last_position[TSR_MAX_LEVELS];
} stream_front;
/* Place a piece, which may be empty, behind the front. Positions count from the first entry of the piece: the number of positions
 * before it is added. Where its first entry has the same parent as the last entry before, that parent is stored once. */
tsr_status stream_place_piece(stream_place *place, stream_front *front, const stream_fill *fill,
                              const stream_piece *piece, tsr_error *err) TSR_NODISCARD;

/* ---- stream_map.c: storage coordinates of runs ---- */

/* The map from logical to storage coordinates. */
typedef struct stream_map {
    tsr_binding *binding;
    tsr_map_plan *plan;
    int order, nlevels;
    uint64_t bound; /* coordinates are below it; 0: they were checked */
} stream_map;
enum { STREAM_BLOCK = 1024 };
/* A thread's memory. */
typedef struct stream_rows {
    void *memory, *scratch;
    int64_t *level[TSR_MAX_LEVELS]; /* STREAM_BLOCK */
} stream_rows;

/* facts->has_dims is false: the map serves to compare entries only. */
tsr_status stream_map_init(stream_map *map, const tsr_format *format, const tsr_facts *facts,
                           tsr_error *err) TSR_NODISCARD;
void stream_map_clear(stream_map *map);
tsr_status stream_rows_init(stream_rows *rows, const stream_map *map, tsr_error *err) TSR_NODISCARD;
void stream_rows_clear(stream_rows *rows);
/* rows->level[l][i]: the result of the map for entry first + i of the run, less the base; n <= STREAM_BLOCK. TSR_LIMIT: a
 * coordinate is too large for the map. */
tsr_status stream_map_apply(stream_rows *rows, const stream_map *map, const tsr_run *run, uint64_t first,
                            size_t n, tsr_error *err) TSR_NODISCARD;

/* ---- stream_sample.c ---- */

/* Keys that cut the entries into n + 1 buckets. */
typedef struct stream_splitters {
    int n, nlevels;
    int64_t *key;   /* n rows of nlevels storage coordinates, rising */
    uint8_t *after; /* n: entries equal to the key belong to the bucket before it */
} stream_splitters;

typedef struct stream_sample {
    uint64_t nentries; /* of the whole input: an estimate, unless the facts know */
    bool sorted;       /* the entries that were looked at are in storage order */
    uint64_t n;        /* entries in the sample */
    int64_t *key;      /* n rows of nlevels + 1 numbers, sorted: nlevels, storage coordinates */
    int nlevels;
} stream_sample;

/* Look at a part of the entries. The feed must be able to seek, and stands at its beginning afterwards. */
tsr_status stream_sample_take(stream_sample *sample, tsr_feed *feed, const stream_map *map, stream_rows *rows,
                              const tsr_facts *facts, tsr_error *err) TSR_NODISCARD;
void stream_sample_clear(stream_sample *sample);
/* Add row i to a sample that has only keys of this function; sort the keys. */
tsr_status stream_sample_add(stream_sample *sample, const stream_rows *rows, size_t i,
                             tsr_error *err) TSR_NODISCARD;
void stream_sample_sort(stream_sample *sample);
/* Splitters for about nbuckets buckets: fewer where keys repeat. */
tsr_status stream_splitters_new(stream_splitters *out, const stream_sample *sample, int nbuckets,
                                tsr_error *err) TSR_NODISCARD;
/* The splitters, and one before and one after each key of the sample, which is sorted. */
tsr_status stream_splitters_merge(stream_splitters *out, const stream_splitters *splitters,
                                  const stream_sample *sample, tsr_error *err) TSR_NODISCARD;
void stream_splitters_clear(stream_splitters *splitters);
/* Splitters with the number of those before each of some thousand coordinates of level 0, which leaves few to search. */
enum { STREAM_GUIDE_SLOTS = 1 << 12 };
typedef struct stream_guide {
    const stream_splitters *splitters; /* borrowed */
    int shift;                         /* slot: coordinate >> shift */
    uint16_t first[STREAM_GUIDE_SLOTS + 1];
} stream_guide;
void stream_guide_init(stream_guide *guide, const stream_splitters *splitters);
/* id[i]: the bucket of entry i of the rows. */
void stream_guide_find(uint16_t *id, const stream_guide *guide, const stream_rows *rows, size_t n);

#endif
