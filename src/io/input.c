/* Text input in blocks of whole lines: see tsr_input.h.
 *
 * The text is `head`, then what the source yields (through gunzip or directly). A block is: `carry` (the
 * incomplete last line of the block before), then text up to the requested size; it is cut after its last
 * newline, and the rest becomes `carry`.
 *
 * One thread at a time makes blocks, without the lock. Where the text is inflated, which takes about as long as parsing it,
 * this thread goes on while other threads wait for blocks or will soon: its blocks wait in `made`. So inflation does not
 * stop while the role passes to a thread that has to wake up. Blocks are given out in order. */
#include "tsr_input.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io_internal.h"
#include "tsr_alloc.h"
#include "tsr_memory.h"
#include "tsr_interrupt.h"
#include "tsr_system.h"

enum {
    DEFAULT_NBYTES = 1 << 20,
    HEAD_NBYTES = 1 << 16, /* the most bytes that tsr_input_peek gives */
    MOST_MADE = 8,         /* blocks that wait */
    AHEAD = 2,             /* of them beyond those that threads wait for */
};

typedef struct buffer {
    char *bytes; /* capacity bytes, owned */
    size_t capacity, nbytes;
} buffer;

struct tsr_input {
    pthread_mutex_t lock;   /* of what follows up to `failure` */
    pthread_cond_t changed; /* a block was made, or its thread stops making blocks */
    bool has_lock, has_changed;
    bool is_making; /* a thread makes blocks: it alone uses the fields after `failure` */
    bool is_shared; /* some thread waited for a block */
    int nwaiting;   /* threads that wait for a block */
    int nmade;
    tsr_block made[MOST_MADE + 1]; /* the first nmade wait, the oldest first; the memory of all is kept */
    bool started;                  /* a block was requested: `head` can no longer be peeked */
    tsr_status status;             /* sticky; `failure` holds the sentence */
    tsr_error failure;
    char *path;
    bool owns_fd;
    tsr_source source;
    tsr_gunzip *gunzip; /* NULL: plain text */
    uint64_t file_nbytes;
    size_t block_nbytes;
    buffer head; /* text that was read but not yet consumed: [head_at, head.nbytes) */
    size_t head_at;
    buffer carry;                     /* an incomplete line, which comes before the text in `head` */
    bool at_end;                      /* the source is at its end */
    bool can_seek;                    /* a plain regular file, opened by its name */
    bool words;                       /* blocks end after any blank, not only after a newline */
    bool skips;                       /* the text up to the next newline belongs to the line before */
    uint64_t stop;                    /* lines that begin here or later are not given out */
    uint64_t next_index, next_offset; /* index and offset of the next block */
};

/* Make room for `capacity` bytes; keep the contents only if `keep`. */
static bool reserve(buffer *b, size_t capacity, bool keep)
{
    if (capacity <= b->capacity)
        return true;
    if (!keep) {
        tsr_free(b->bytes);
        *b = (buffer){0};
    }
    char *bytes = tsr_realloc(b->bytes, capacity);
    if (!bytes)
        return false;
    b->bytes = bytes;
    b->capacity = capacity;
    return true;
}

/* The next piece of text from the source, *n = 0 at the end. */
static tsr_status read_source(size_t *n, tsr_input *input, char *out, size_t room, tsr_error *err)
{
    return input->gunzip ? tsr_gunzip_read(n, input->gunzip, out, room, err)
                         : tsr_source_read(n, &input->source, out, room, err);
}

/* Append text to out[*n .. want) until it is full or the input ends. */
static tsr_status read_text(size_t *n, tsr_input *input, char *out, size_t want, tsr_error *err)
{
    const size_t left = input->head.nbytes - input->head_at;
    if (left > 0 && *n < want) {
        const size_t take = left < want - *n ? left : want - *n;
        memcpy(out + *n, input->head.bytes + input->head_at, take);
        input->head_at += take;
        *n += take;
        if (take == left) {
            tsr_free(input->head.bytes);
            input->head = (buffer){0};
            input->head_at = 0;
        }
    }
    while (*n < want && !input->at_end) {
        size_t got;
        TSR_TRY(read_source(&got, input, out + *n, want - *n, err));
        *n += got;
        input->at_end = got == 0;
    }
    return TSR_OK;
}

/* Whether a block may end after this byte. */
static bool ends_block(const tsr_input *input, char c)
{
    return c == '\n' || (input->words && (c == ' ' || c == '\t' || c == '\r'));
}

/* The number of bytes of text[from .. n) up to the last byte after which a block may end; `from` if there is no such byte. */
static size_t cut_text(const tsr_input *input, const char *text, size_t from, size_t n)
{
    while (n > from && !ends_block(input, text[n - 1]))
        n--;
    return n;
}

/* Read up to the end of the line in which the input stands. */
static tsr_status skip_line(tsr_input *input, tsr_error *err)
{
    enum { STEP = 4096 };
    char bytes[STEP];
    input->skips = false;
    for (;;) {
        size_t n = 0;
        TSR_TRY(read_text(&n, input, bytes, STEP, err));
        const char *const newline = n ? memchr(bytes, '\n', n) : NULL;
        const size_t skipped = newline ? (size_t)(newline + 1 - bytes) : n;
        input->next_offset += skipped;
        if (n == 0)
            return TSR_OK;
        if (!newline)
            continue;
        /* what follows may hold newlines, so it is not an incomplete line for `carry` */
        if (!reserve(&input->head, HEAD_NBYTES, false))
            return tsr_fail_at(err, TSR_NOMEM, input->path, 0, 0, "out of memory");
        memcpy(input->head.bytes, bytes + skipped, n - skipped);
        input->head.nbytes = n - skipped;
        input->head_at = 0;
        return TSR_OK;
    }
}

/* The part of the lines text[0..cut) that begin before input->stop. */
static size_t cut_at_stop(tsr_input *input, const char *text, size_t cut)
{
    if (input->stop - input->next_offset >= cut)
        return cut;
    /* the last line that is wanted contains the byte before `stop`, or ends there */
    const size_t before = (size_t)(input->stop - input->next_offset) - 1;
    const char *const newline = memchr(text + before, '\n', cut - before);
    return newline ? (size_t)(newline + 1 - text) : cut;
}

/* Make room in the block for nbytes of text, and what follows a text; `keeps`: what is in it stays. */
static tsr_status grow_block(tsr_block *block, const tsr_input *input, size_t nbytes, bool keeps,
                             tsr_error *err)
{
    buffer text = {block->text, block->capacity, 0};
    const bool ok = reserve(&text, nbytes + 1 + TSR_INPUT_PADDING, keeps);
    block->text = text.bytes;
    block->capacity = text.capacity;
    if (ok)
        return TSR_OK;
    char words[TSR_MEMORY_WORDS_NBYTES];
    const bool told = !tsr_memory_fits((double)nbytes);
    return tsr_fail_at(err, TSR_NOMEM, input->path, 0, 0, "out of memory: a block of text needs %s",
                       told ? tsr_memory_words(words, (double)nbytes) : tsr_bytes_text(words, nbytes));
}

/* Read n bytes into the block, of which the first *cut are whole lines; at the end of the input all are. */
static tsr_status fill_block(size_t *cut, size_t *n, tsr_block *block, tsr_input *input, tsr_error *err)
{
    enum { LAST_LINE = 1 << 12 }; /* what is read behind `stop` at first, for the line that it cuts */
    const uint64_t left = input->stop - input->next_offset;
    size_t want = left < input->block_nbytes ? (size_t)left + LAST_LINE : input->block_nbytes;
    want = want > input->carry.nbytes ? want : 2 * input->carry.nbytes;
    for (*n = 0;; want *= 2) {
        want = want < TSR_INPUT_MAX_LINE ? want : TSR_INPUT_MAX_LINE;
        TSR_TRY(grow_block(block, input, want, *n > 0, err));
        if (*n == 0 && input->carry.nbytes > 0) {
            *n = input->carry.nbytes; /* `carry` contains no end of a block */
            memcpy(block->text, input->carry.bytes, *n);
        }
        const size_t seen = *n;
        TSR_TRY(read_text(n, input, block->text, want, err));
        *cut = cut_text(input, block->text, seen, *n);
        if (*cut > seen)
            return TSR_OK;
        *cut = *n;
        if (*n < want) /* the end: the last line has no newline */
            return TSR_OK;
        if (want == TSR_INPUT_MAX_LINE)
            return tsr_fail_at(err, TSR_LIMIT, input->path, 0, 0,
                               "the %s that begins at byte %" PRIu64
                               " of the text is longer than the limit of %d bytes",
                               input->words ? "word" : "line", input->next_offset, TSR_INPUT_MAX_LINE);
    }
}

/* Fill *block with whole lines. */
static tsr_status next_block(tsr_block *block, tsr_input *input, tsr_error *err)
{
    size_t n, cut;
    if (input->skips)
        TSR_TRY(skip_line(input, err));
    block->index = input->next_index;
    block->offset = input->next_offset;
    block->nbytes = 0;
    if (input->next_offset >= input->stop) /* a block of no bytes is the end */
        return TSR_OK;
    TSR_TRY(fill_block(&cut, &n, block, input, err));
    input->carry.nbytes = 0;
    if (!reserve(&input->carry, n - cut, false))
        return tsr_fail_at(err, TSR_NOMEM, input->path, 0, 0, "out of memory for a line of %zu bytes or more",
                           n - cut);
    if (n > cut)
        memcpy(input->carry.bytes, block->text + cut, n - cut);
    input->carry.nbytes = n - cut;

    block->file_nbytes = input->gunzip ? tsr_gunzip_nbytes(input->gunzip) : tsr_input_nbytes_read(input);
    cut = cut_at_stop(input, block->text, cut);
    if (cut > 0) {
        input->next_index++;
        input->next_offset += cut;
        if (!ends_block(input, block->text[cut - 1]))
            block->text[cut++] = '\n';
    }
    memset(block->text + cut, 0, TSR_INPUT_PADDING);
    block->nbytes = cut;
    return TSR_OK;
}

/* Take the lock; return the failure of an earlier call. Every path after this goes through leave(). */
static tsr_status enter(tsr_input *input, tsr_error *err)
{
    pthread_mutex_lock(&input->lock);
    if (input->status != TSR_OK && err)
        *err = input->failure;
    return input->status;
}

static tsr_status leave(tsr_input *input, tsr_status status, const tsr_error *failure, tsr_error *err)
{
    if (input->status == TSR_OK && status != TSR_OK) {
        input->status = status;
        input->failure = *failure;
        if (err)
            *err = *failure;
    }
    pthread_mutex_unlock(&input->lock);
    return status;
}

static void swap_blocks(tsr_block *a, tsr_block *b)
{
    const tsr_block c = *a;
    *a = *b;
    *b = c;
}

/* Give out the oldest block that waits; the memory of *block is kept for a later one. */
static void take_made(tsr_block *block, tsr_input *input)
{
    swap_blocks(block, &input->made[0]);
    input->nmade--;
    for (int k = 0; k < input->nmade; k++)
        swap_blocks(&input->made[k], &input->made[k + 1]);
}

/* Make blocks, the last one in *block, until it should be given to the caller; under the lock, which is released
 * meanwhile. Failures are kept in input->status. */
static void make_blocks(tsr_block *block, tsr_input *input)
{
    tsr_status status;
    bool goes_on;
    input->is_making = true;
    do {
        tsr_error failure = {0};
        pthread_mutex_unlock(&input->lock);
        block->nbytes = 0;
        status = next_block(block, input, &failure);
        pthread_mutex_lock(&input->lock);
        if (status != TSR_OK) {
            input->status = status;
            input->failure = failure;
        }
        goes_on = status == TSR_OK && block->nbytes > 0 && input->gunzip && input->is_shared &&
                  input->nmade < MOST_MADE && input->nmade < input->nwaiting + AHEAD;
        if (goes_on) {
            swap_blocks(block, &input->made[input->nmade++]);
            pthread_cond_signal(&input->changed);
        }
    } while (goes_on);
    input->is_making = false;
    pthread_cond_broadcast(&input->changed);
}

tsr_status tsr_input_next(tsr_block *block, tsr_input *input, tsr_error *err)
{
    block->nbytes = 0;
    pthread_mutex_lock(&input->lock);
    input->started = true;
    while (input->nmade == 0 && input->is_making) {
        input->is_shared = true;
        input->nwaiting++;
        pthread_cond_wait(&input->changed, &input->lock);
        input->nwaiting--;
    }
    if (input->nmade > 0) {
        take_made(block, input);
    } else if (input->status == TSR_OK) {
        make_blocks(block, input);
        if (input->nmade > 0) { /* older blocks first */
            if (block->nbytes > 0)
                swap_blocks(block, &input->made[input->nmade++]);
            take_made(block, input);
        }
    }
    const tsr_status status = block->nbytes > 0 ? TSR_OK : input->status;
    if (status != TSR_OK && err)
        *err = input->failure;
    pthread_mutex_unlock(&input->lock);
    return status;
}

static tsr_status fill_head(tsr_input *input, size_t want, tsr_error *err)
{
    want = want < HEAD_NBYTES ? want : HEAD_NBYTES;
    if (!reserve(&input->head, HEAD_NBYTES, true))
        return tsr_fail_at(err, TSR_NOMEM, input->path, 0, 0, "out of memory for the first %d bytes",
                           HEAD_NBYTES);
    while (input->head.nbytes < want && !input->at_end) {
        size_t got;
        TSR_TRY(read_source(&got, input, input->head.bytes + input->head.nbytes,
                            HEAD_NBYTES - input->head.nbytes, err));
        input->head.nbytes += got;
        input->at_end = got == 0;
    }
    return TSR_OK;
}

tsr_status tsr_input_peek(const char **bytes, size_t *n, tsr_input *input, size_t want, tsr_error *err)
{
    tsr_error failure = {0};
    *bytes = NULL;
    *n = 0;
    tsr_status status = enter(input, err);
    if (status == TSR_OK && input->started)
        status = tsr_fail_at(&failure, TSR_ARGUMENT, input->path, 0, 0,
                             "tsr_input_peek was called after the first block was read");
    if (status == TSR_OK)
        status = fill_head(input, want, &failure);
    if (status == TSR_OK) {
        *bytes = input->head.bytes;
        *n = want < input->head.nbytes ? want : input->head.nbytes;
    }
    return leave(input, status, &failure, err);
}

/* Open for reading without waiting for the writer of a FIFO: the reads wait. If that call is refused because
 * another program holds a lease on the file, use the plain call, which waits. */
static int open_waiting(const char *path)
{
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    while (fd < 0 && (errno == EINTR || errno == EWOULDBLOCK) && !tsr_interrupted())
        fd = open(path, O_RDONLY | O_CLOEXEC);
    return fd;
}

/* Open the file, unless the source has bytes, and find the size. */
static tsr_status open_file(tsr_input *input, const char *path, tsr_error *err)
{
    const bool is_stdin = !input->source.inflow.read && strcmp(path, "-") == 0;
    input->path = tsr_strdup(is_stdin ? "standard input" : path);
    if (!input->path)
        return tsr_fail_at(err, TSR_NOMEM, path, 0, 0, "out of memory");
    input->source.path = input->path;
    if (input->source.inflow.read) {
        input->file_nbytes = input->source.inflow.nbytes;
        return TSR_OK;
    }
    input->owns_fd = !is_stdin;
    input->source.fd = is_stdin ? STDIN_FILENO : open_waiting(path);
    struct stat st;
    if (input->source.fd < 0)
        TSR_TRY(tsr_interrupt_check(err));
    if (input->source.fd < 0 && errno == ENOENT && strstr(path, "://"))
        return tsr_fail_at(err, TSR_IO, input->path, 0, 0,
                           "is a URL, not a file: download the file first, then give its name");
    if (input->source.fd < 0 || fstat(input->source.fd, &st) != 0)
        return tsr_fail_errno(err, errno, input->path, "cannot open");
    if (S_ISDIR(st.st_mode))
        return tsr_fail_errno(err, EISDIR, input->path, "cannot read");
    input->source.waits = !S_ISREG(st.st_mode);
    if (S_ISREG(st.st_mode)) {
        const off_t at = lseek(input->source.fd, 0, SEEK_CUR);
        input->file_nbytes = at >= 0 && at < st.st_size ? (uint64_t)(st.st_size - at) : 0;
        input->can_seek = !is_stdin;
        tsr_system_read_ahead(input->source.fd);
    }
    return TSR_OK;
}

/* Look for the magic number of gzip; if it is there, read through gunzip. */
static tsr_status detect_gzip(tsr_input *input, const tsr_observer *observer, tsr_error *err)
{
    TSR_TRY(fill_head(input, 2, err));
    const unsigned char *magic = (const unsigned char *)input->head.bytes;
    if (input->head.nbytes < 2 || magic[0] != 0x1f || magic[1] != 0x8b)
        return TSR_OK;
    TSR_TRY(tsr_gunzip_new(&input->gunzip, &input->source, magic, input->head.nbytes, observer, err));
    input->head.nbytes = 0;
    input->at_end = false;
    return TSR_OK;
}

/* bytes NULL: the file `path`. */
static tsr_status open_input(tsr_input **out, const char *path, const tsr_inflow *bytes, size_t block_nbytes,
                             const tsr_observer *observer, tsr_error *err)
{
    *out = NULL;
    tsr_input *input = tsr_calloc(1, sizeof *input);
    if (!input)
        return tsr_fail_at(err, TSR_NOMEM, path, 0, 0, "out of memory");
    input->source.fd = -1;
    if (bytes)
        input->source.inflow = *bytes;
    atomic_init(&input->source.nbytes, 0);
    input->stop = UINT64_MAX;
    input->block_nbytes = block_nbytes ? block_nbytes : DEFAULT_NBYTES;
    tsr_status status = TSR_OK;
    const int lock_error = pthread_mutex_init(&input->lock, NULL);
    input->has_lock = lock_error == 0;
    if (lock_error != 0)
        TSR_TRY_OUT(tsr_fail_errno(err, lock_error, path, "cannot make a lock"));
    const int changed_error = pthread_cond_init(&input->changed, NULL);
    input->has_changed = changed_error == 0;
    if (changed_error != 0)
        TSR_TRY_OUT(tsr_fail_errno(err, changed_error, path, "cannot make a lock"));
    TSR_TRY_OUT(open_file(input, path, err));
    TSR_TRY_OUT(detect_gzip(input, observer, err));
    *out = input;
    return TSR_OK;
out:
    tsr_input_free(input);
    return status;
}

tsr_status tsr_input_open(tsr_input **out, const char *path, size_t block_nbytes,
                          const tsr_observer *observer, tsr_error *err)
{
    return open_input(out, path, NULL, block_nbytes, observer, err);
}

tsr_status tsr_input_open_inflow(tsr_input **out, const tsr_inflow *bytes, size_t block_nbytes,
                                 const tsr_observer *observer, tsr_error *err)
{
    return open_input(out, bytes->name, bytes, block_nbytes, observer, err);
}

bool tsr_input_is_file(const tsr_input *input)
{
    return input->owns_fd;
}

void tsr_input_cut_words(tsr_input *input)
{
    input->words = true;
}

bool tsr_input_can_seek(const tsr_input *input)
{
    return input->can_seek && !input->gunzip;
}

tsr_status tsr_input_seek(tsr_input *input, uint64_t first, uint64_t end, tsr_error *err)
{
    if (!tsr_input_can_seek(input))
        return tsr_fail_at(err, TSR_UNSUPPORTED, input->path, 0, 0,
                           "only a plain file can be read from its middle");
    first = first < input->file_nbytes ? first : input->file_nbytes;
    const uint64_t from =
        first > 0 ? first - 1 : 0; /* a line begins at `first` where a newline stands before it */
    if (lseek(input->source.fd, (off_t)from, SEEK_SET) < 0)
        return tsr_fail_errno(err, errno, input->path, "cannot seek");
    input->source.at_end = input->at_end = false;
    tsr_free(input->head.bytes);
    input->head = (buffer){0};
    input->head_at = 0;
    input->carry.nbytes = 0;
    input->next_index = 0;
    input->next_offset = from;
    input->skips = first > 0;
    input->stop = end;
    input->status = TSR_OK;
    return TSR_OK;
}

void tsr_block_clear(tsr_block *block)
{
    tsr_free(block->text);
    memset(block, 0, sizeof *block);
}

uint64_t tsr_input_nbytes(const tsr_input *input)
{
    return input->file_nbytes;
}

uint64_t tsr_input_nbytes_read(const tsr_input *input)
{
    return atomic_load(&input->source.nbytes);
}

bool tsr_input_is_gzip(const tsr_input *input)
{
    return input->gunzip != NULL;
}

uint64_t tsr_input_max_text_nbytes(const tsr_input *input)
{
    return input->gunzip || input->file_nbytes == 0 ? UINT64_MAX : input->file_nbytes;
}

void tsr_input_free(tsr_input *input)
{
    if (!input)
        return;
    if (input->owns_fd && input->source.fd >= 0)
        (void)close(input->source.fd); /* only reads: an error of close loses nothing */
    if (input->has_lock)
        pthread_mutex_destroy(&input->lock);
    if (input->has_changed)
        pthread_cond_destroy(&input->changed);
    for (int k = 0; k <= MOST_MADE; k++)
        tsr_block_clear(&input->made[k]);
    tsr_gunzip_free(input->gunzip);
    tsr_free(input->head.bytes);
    tsr_free(input->carry.bytes);
    tsr_free(input->path);
    tsr_free(input);
}

tsr_status tsr_input_read(tsr_text *text, const char *path, uint64_t max_nbytes, tsr_error *err)
{
    tsr_input *input;
    tsr_block block = {0};
    uint64_t nbytes = 0;
    char most[32];
    TSR_TRY(tsr_input_open(&input, path, 0, NULL, err));
    tsr_status status;
    do {
        status = tsr_input_next(&block, input, err);
        nbytes += block.nbytes;
        if (status == TSR_OK && nbytes > max_nbytes)
            status = tsr_fail_at(err, TSR_LIMIT, input->path, 0, 0, "the text is longer than the limit of %s",
                                 tsr_bytes_text(most, max_nbytes));
        if (status == TSR_OK)
            tsr_text_add_n(text, block.text, block.nbytes);
    } while (status == TSR_OK && block.nbytes > 0);
    tsr_block_clear(&block);
    tsr_input_free(input);
    return status == TSR_OK ? tsr_text_status(text, err) : status;
}
