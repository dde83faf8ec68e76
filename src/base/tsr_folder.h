/* Temporary folders of our own: mode 0700, removed with all that is in them. Whoever makes one holds a lock
 * on it (flock) until it is removed; the system drops the lock when the process dies, however it dies, so a
 * folder that can be locked is nobody's, and the next one sweeps it away. */
#ifndef TSR_FOLDER_H
#define TSR_FOLDER_H

#include <stdbool.h>

#include "tsr_error.h"
#include "tsr_text.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tsr_folder {
    tsr_text path; /* PARENT/.tessera-XXXXXX; empty: there is none */
    int fd;        /* open and locked */
} tsr_folder;

/* TSR_IO, TSR_NOMEM. */
tsr_status tsr_folder_new(tsr_folder *folder, const char *parent, tsr_error *err) TSR_NODISCARD;
/* The same in $TMPDIR, or /tmp when there is none, after sweeping there. */
tsr_status tsr_folder_new_temporary(tsr_folder *folder, tsr_error *err) TSR_NODISCARD;
/* Remove it with all that is in it; an empty one is left as it is. */
void tsr_folder_remove(tsr_folder *folder);

/* Whether `name` is a temporary folder's. */
bool tsr_folder_is_temporary(const char *name);
/* Remove the temporary folder `name` in the open folder `parent` when whoever made it is dead, or, with
 * `always`, in any case. */
void tsr_folder_sweep(int parent, const char *name, bool always);

#ifdef __cplusplus
}
#endif
#endif
