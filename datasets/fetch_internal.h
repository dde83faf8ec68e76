/* The steps of a fetch. */
#ifndef FETCH_INTERNAL_H
#define FETCH_INTERNAL_H

#include "tsr_fetch.h"

enum { FETCH_VALIDATOR_NBYTES = 256 };

typedef struct fetch_download fetch_download;
struct fetch_download {
    const char *url;
    int fd;           /* open for writing */
    const char *path; /* of fd, for messages */
    uint64_t
        nbytes; /* in the file: of an earlier try to begin with, in all at the end, also after a failure */
    uint64_t max_nbytes;
    char validator[FETCH_VALIDATOR_NBYTES]; /* ETag or date of the earlier try, "" for none; becomes this
                                               one's */
    bool again;                             /* the failure may pass: trying again makes sense */
    int stall_s, min_speed; /* give up when fewer bytes a second than min_speed come for stall_s seconds */
    const tsr_observer *observer;
    /* Called before the first byte is written, when validator and nbytes are known. */
    tsr_status (*begin)(fetch_download *d, tsr_error *err);
    void *ctx;
};

/* Download `url` into fd, going on behind its nbytes bytes where the server can and the validator still
 * holds, else from the beginning. */
tsr_status fetch_run(fetch_download *d, tsr_error *err) TSR_NODISCARD;

typedef struct fetch_archive {
    const char *from, *url, *name;
    uint64_t max_nbytes; /* of what is unpacked */
} fetch_archive;
/* Unpack the file `from`, as the end of `url` tells (.tar.gz and .tgz: the member `name`; .gz; else as it
 * is), to `to`, whole or not at all. */
tsr_status fetch_unpack(const fetch_archive *archive, const char *to, const tsr_observer *observer,
                        tsr_error *err) TSR_NODISCARD;

#endif
