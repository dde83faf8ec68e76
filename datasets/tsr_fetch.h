/* Fetching datasets: download (with resume), checksum, unpack, rename. */
#ifndef TSR_FETCH_H
#define TSR_FETCH_H

#include "sha256.h"
#include "tsr_dataset.h"

typedef struct tsr_fetch_options {
    const char *folder; /* the data folder, which exists or can be made */
    int retries;        /* after a cut connection or an error of the server: resumed; 0: 5, -1: none */
    int stall_s;        /* give up on a connection that is slower than min_speed for so long; 0: 60 */
    int min_speed;      /* bytes a second; 0: 1000, -1: any that is not silent */
    const tsr_observer *observer; /* progress "fetch" and "unpack", in bytes; may be NULL */
} tsr_fetch_options;

typedef struct tsr_fetched {
    tsr_text path;                   /* of the unpacked file */
    bool was_there;                  /* nothing was done; what follows is then not known */
    uint64_t nbytes, nbytes_resumed; /* downloaded in all; of these, by an earlier run */
    char sha256[SHA256_TEXT_NBYTES]; /* of the download */
    bool verified;                   /* against the table, or against an earlier fetch */
} tsr_fetched;                       /* {0} to begin with */

/* Fetch the dataset into FOLDER/NAME.tns (.mtx for a matrix) unless it is there. What is being downloaded is
 * FOLDER/NAME.part, which a later call goes on with where the server can (Range, and the same ETag or date).
 * A download whose SHA-256 is not the table's, or, where the table has none, not that of an earlier fetch
 * (FOLDER/sha256sums), is removed: TSR_CORRUPT. Of a .tar.gz the file NAME.mtx (.tns) is taken.
 * TSR_UNSUPPORTED: built without libcurl; TSR_IO: the network, the server's answer, the disk; TSR_LIMIT: the
 * file is far larger than the row says; TSR_CANCELLED. */
tsr_status tsr_fetch(tsr_fetched *out, const tsr_dataset *dataset, const tsr_fetch_options *options,
                     tsr_error *err) TSR_NODISCARD;
void tsr_fetched_clear(tsr_fetched *fetched);

#endif
