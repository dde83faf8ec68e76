/* The state of a stopped run, or of a shard: a text file in the folder of the temporary files, replaced as a whole (by rename) at each
 * checkpoint. It holds what cannot be found out again: how far the input was read, the splitters, the lengths of all files, and where
 * the level arrays stand. What was added to a file after the checkpoint is cut off. Numbers are decimal, in the order of save(). */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "stream_internal.h"
#include "tsr_input.h"

enum { MAX_NBYTES = 64 << 20 };

static const char magic[] = "tessera stream 2\n";

/* ---- writing ---- */

void stream_state_add(stream_state *state, uint64_t number)
{
    tsr_text_add_u64(&state->text, number);
    tsr_text_add(&state->text, "\n");
}

void stream_state_add_bytes(stream_state *state, const void *bytes, size_t nbytes)
{
    for (size_t i = 0; i < nbytes; i++)
        stream_state_add(state, ((const unsigned char *)bytes)[i]);
}

void stream_state_begin(stream_state *state, const char *identity)
{
    tsr_text_clear(&state->text);
    tsr_text_add(&state->text, magic);
    tsr_text_add(&state->text, identity);
    tsr_text_add(&state->text, "\n");
}

static tsr_status write_bytes(int fd, const char *p, size_t nbytes)
{
    while (nbytes > 0) {
        const ssize_t n = write(fd, p, nbytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return TSR_IO;
        p += n;
        nbytes -= (size_t)n;
    }
    return TSR_OK;
}

tsr_status stream_state_save(stream_state *state, const char *folder, const char *name, tsr_error *err)
{
    tsr_text to = {0}, fresh = {0};
    tsr_text_addf(&to, "%s/%s", folder, name);
    tsr_text_addf(&fresh, "%s/%s.new", folder, name);
    tsr_status status = tsr_text_status(&state->text, err);
    if (status == TSR_OK)
        status = tsr_text_status(&fresh, err);
    if (status == TSR_OK) {
        const int fd = open(fresh.s, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
        bool ok = fd >= 0 && write_bytes(fd, state->text.s, state->text.nbytes) == TSR_OK;
        if (fd >= 0)
            ok = close(fd) == 0 && ok;
        if (!ok || rename(fresh.s, tsr_text_cstr(&to)) != 0)
            status = tsr_fail_errno(err, errno, to.s, "cannot write the state of this run");
    }
    tsr_text_clear(&to);
    tsr_text_clear(&fresh);
    return status;
}

/* ---- reading ---- */

bool stream_state_has(const char *folder, const char *name)
{
    tsr_text path = {0};
    tsr_text_addf(&path, "%s/%s", folder, name);
    const bool found = access(tsr_text_cstr(&path), R_OK) == 0;
    tsr_text_clear(&path);
    return found;
}

tsr_status stream_state_load(stream_state *state, const char *folder, const char *name, const char *identity,
                             tsr_error *err)
{
    tsr_text path = {0};
    tsr_text_addf(&path, "%s/%s", folder, name);
    tsr_status status = tsr_text_status(&path, err);
    if (status == TSR_OK)
        status = tsr_input_read(&state->text, path.s, MAX_NBYTES, err);
    tsr_text_clear(&path);
    TSR_TRY(status);
    const char *const text = tsr_text_cstr(&state->text);
    const size_t nmagic = strlen(magic), nidentity = strlen(identity);
    if (strncmp(text, magic, nmagic) != 0 || strncmp(text + nmagic, identity, nidentity) != 0 ||
        text[nmagic + nidentity] != '\n')
        return tsr_fail(err, TSR_ARGUMENT,
                        "the temporary files in %s belong to another conversion, or the input has changed: "
                        "remove that folder",
                        folder);
    state->at = text + nmagic + nidentity + 1;
    return TSR_OK;
}

uint64_t stream_state_get(stream_state *state)
{
    char *end;
    errno = 0;
    const uint64_t number = strtoull(state->at, &end, 10);
    state->failed = state->failed || end == state->at || *end != '\n' || errno != 0;
    state->at = end + (*end == '\n');
    return state->failed ? 0 : number;
}

void stream_state_get_bytes(stream_state *state, void *bytes, size_t nbytes)
{
    for (size_t i = 0; i < nbytes; i++)
        ((unsigned char *)bytes)[i] = (unsigned char)stream_state_get(state);
}

tsr_status stream_state_check(const stream_state *state, const char *folder, tsr_error *err)
{
    return state->failed
               ? tsr_fail(err, TSR_CORRUPT, "the state in %s is damaged: remove that folder", folder)
               : TSR_OK;
}

void stream_state_clear(stream_state *state)
{
    tsr_text_clear(&state->text);
    *state = (stream_state){0};
}
