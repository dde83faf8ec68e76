/* What differs between systems: the calls that POSIX does not have, each with a fallback, and the files in which Linux
 * describes itself. No other file of src, formats or datasets uses such a call. With TSR_PORTABLE, as on systems other than
 * Linux, only the fallbacks are built: hints are left out, and what only Linux reports counts as unknown. */
#ifndef TSR_SYSTEM_H
#define TSR_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <time.h>
#include "tsr_system.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The files and folders in which Linux describes the machine and the process. */
typedef enum tsr_system_file {
    TSR_SYSTEM_MEMORY,     /* the memory of the machine */
    TSR_SYSTEM_GROUP,      /* the control groups of this process */
    TSR_SYSTEM_GROUPS,     /* the folder of all control groups, version 2 */
    TSR_SYSTEM_GROUPS_1,   /* the folder of the control groups of memory, version 1 */
    TSR_SYSTEM_PAGES,      /* the pages of this process */
    TSR_SYSTEM_STATUS,     /* the state of this process */
    TSR_SYSTEM_CLEAR,      /* a word written there resets the peak of the memory of this process */
    TSR_SYSTEM_THREADS,    /* the folder of the threads of this process */
    TSR_SYSTEM_FILES,      /* the folder of the open files of this process */
    TSR_SYSTEM_PROGRAM,    /* a link to the program of this process */
    TSR_SYSTEM_LOAD,       /* the load of the machine */
    TSR_SYSTEM_PROCESSORS, /* the description of the processors */
    TSR_SYSTEM_CPUS,       /* the folder of the processors */
} tsr_system_file;
/* Its path, without a slash at the end; "", the name of no file, where the system does not have it. */
const char *tsr_system_path(tsr_system_file file);

/* Two connected descriptors that child programs do not inherit: a pipe (fd[0] reads, fd[1] writes), or a pair of sockets.
 * Where the system cannot make such descriptors in one step, a child that another thread starts meanwhile may inherit them. */
bool tsr_system_pipe(int fd[2]);
bool tsr_system_sockets(int fd[2]);

/* Hint: the file will be read from its beginning to its end. */
void tsr_system_read_ahead(int fd);
/* Hint: these bytes of a file will be read: begin to fetch them, without waiting. */
void tsr_system_read_soon(int fd, uint64_t offset, uint64_t nbytes);
/* Hint: begin to write these bytes of a file to the disk, without waiting, so that the flush at the end has less to do. For
 * files that are kept; fewer than 1 MiB are left to the flush. */
void tsr_system_write_soon(int fd, uint64_t offset, uint64_t nbytes);
/* Open a file for writing and reading past the cache of the system, in blocks whose address, length and place are multiples
 * of TSR_DIRECT_NBYTES; -1 where the file cannot be written so. For files that are larger than the memory that may be used:
 * the cache would only be another copy. */
enum { TSR_DIRECT_NBYTES = 4096 };
int tsr_system_open_direct(const char *path);
/* When the file was changed. */
struct timespec tsr_system_changed(const struct stat *s);
/* Whether other machines may use the file system of this file, too, so that locks may not reach all its users; true where
 * the system does not report it. */
bool tsr_system_is_shared(int fd);

/* The bytes of a block of malloc; 0: unknown. */
size_t tsr_system_block_nbytes(void *block);
/* Hint: back this memory by large pages. */
void tsr_system_large_pages(void *block, size_t nbytes);
/* Hint: the pages inside this memory may be taken back at any time; what they hold is lost then. Writing to a page ends that. */
void tsr_system_offer_memory(void *block, size_t nbytes);
/* From now on, give large freed blocks back to the system at once. */
void tsr_system_return_memory(void);

/* Whether `symbol` belongs to the library `handle` of dlopen, not to a library that it needs; true where the system does not
 * report it. */
bool tsr_system_is_defined(void *handle, void *symbol);
/* Keep the library that `symbol` belongs to in memory for good. */
void tsr_system_keep_library(const void *symbol);

#ifdef __cplusplus
}
#endif
#endif
