/* Folders: those above a file, and temporary folders of Tessera: mode 0700, removed with all their contents. The process that makes a folder
 * holds a lock on it (flock) until it removes the folder. The system drops the lock when the process dies,
 * however it dies. So a folder that can be locked has lost its owner, and the next process that makes a
 * folder removes it. */
#ifndef TSR_FOLDER_H
#define TSR_FOLDER_H

#include <stdbool.h>

#include "tsr_error.h"
#include "tsr_text.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tsr_folder {
    tsr_text path; /* PARENT/.tessera-XXXXXX; empty: not made yet */
    int fd;        /* open and locked */
} tsr_folder;

/* Make a folder in `parent`. TSR_IO, TSR_NOMEM. */
tsr_status tsr_folder_new(tsr_folder *folder, const char *parent, tsr_error *err) TSR_NODISCARD;
/* Make a folder in $TMPDIR, or in /tmp when that is not set, after removing the folders there whose owners
 * are dead. */
tsr_status tsr_folder_new_temporary(tsr_folder *folder, tsr_error *err) TSR_NODISCARD;
/* Remove the folder with all its contents; does nothing when it was not made. */
void tsr_folder_remove(tsr_folder *folder);

/* Make the folders above the file `path`, with mode 0700; errors are ignored. The path is changed during the call
 * only. */
void tsr_folder_make_above(char *path);

/* Whether `name` is the name of a temporary folder. */
bool tsr_folder_is_temporary(const char *name);
/* Remove the temporary folder `name` in the open folder `parent` if its owner is dead, or in any case if
 * `always`. */
void tsr_folder_sweep(int parent, const char *name, bool always);

#ifdef __cplusplus
}
#endif
#endif
