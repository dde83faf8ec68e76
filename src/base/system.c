/* What differs between systems: see tsr_system.h. */
#if defined(__linux__) && !defined(TSR_PORTABLE)
#define _GNU_SOURCE /* pipe2, sync_file_range, O_DIRECT, dlinfo, dladdr1 */
#define IS_LINUX 1
#else
#define IS_LINUX 0
#endif
#include "tsr_system.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>
#if IS_LINUX
#include <link.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/vfs.h>
#endif

const char *tsr_system_path(tsr_system_file file)
{
#if IS_LINUX
    static const char *const paths[] = {
        [TSR_SYSTEM_MEMORY] = "/proc/meminfo",         [TSR_SYSTEM_GROUP] = "/proc/self/cgroup",
        [TSR_SYSTEM_GROUPS] = "/sys/fs/cgroup",        [TSR_SYSTEM_GROUPS_1] = "/sys/fs/cgroup/memory",
        [TSR_SYSTEM_PAGES] = "/proc/self/statm",       [TSR_SYSTEM_STATUS] = "/proc/self/status",
        [TSR_SYSTEM_CLEAR] = "/proc/self/clear_refs",  [TSR_SYSTEM_THREADS] = "/proc/self/task",
        [TSR_SYSTEM_FILES] = "/proc/self/fd",          [TSR_SYSTEM_PROGRAM] = "/proc/self/exe",
        [TSR_SYSTEM_LOAD] = "/proc/loadavg",           [TSR_SYSTEM_PROCESSORS] = "/proc/cpuinfo",
        [TSR_SYSTEM_CPUS] = "/sys/devices/system/cpu",
    };
    return paths[file];
#else
    (void)file;
    return "";
#endif
}

/* ---- descriptors ---- */

#if !IS_LINUX
static bool close_both(int fd[2])
{
    (void)close(fd[0]);
    (void)close(fd[1]);
    return false;
}

static bool close_in_children(int fd[2])
{
    return (fcntl(fd[0], F_SETFD, FD_CLOEXEC) == 0 && fcntl(fd[1], F_SETFD, FD_CLOEXEC) == 0) ||
           close_both(fd);
}
#endif

bool tsr_system_pipe(int fd[2])
{
#if IS_LINUX
    return pipe2(fd, O_CLOEXEC) == 0;
#else
    return pipe(fd) == 0 && close_in_children(fd);
#endif
}

bool tsr_system_sockets(int fd[2])
{
#if IS_LINUX
    return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd) == 0;
#else
    return socketpair(AF_UNIX, SOCK_STREAM, 0, fd) == 0 && close_in_children(fd);
#endif
}

/* ---- files ---- */

void tsr_system_read_ahead(int fd)
{
#if IS_LINUX
    (void)posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
#else
    (void)fd;
#endif
}

void tsr_system_read_soon(int fd, uint64_t offset, uint64_t nbytes)
{
#if IS_LINUX
    if (offset <= INT64_MAX && nbytes <= INT64_MAX - offset)
        (void)posix_fadvise(fd, (off_t)offset, (off_t)nbytes, POSIX_FADV_WILLNEED);
#else
    (void)fd;
    (void)offset;
    (void)nbytes;
#endif
}

void tsr_system_write_soon(int fd, uint64_t offset, uint64_t nbytes)
{
#if IS_LINUX
    enum { WORTH_NBYTES = 1 << 20 };
    if (nbytes >= WORTH_NBYTES && offset <= INT64_MAX && nbytes <= INT64_MAX - offset)
        (void)sync_file_range(fd, (off_t)offset, (off_t)nbytes, SYNC_FILE_RANGE_WRITE);
#else
    (void)fd;
    (void)offset;
    (void)nbytes;
#endif
}

int tsr_system_open_direct(const char *path)
{
#if IS_LINUX
    return open(path, O_RDWR | O_DIRECT | O_NOFOLLOW | O_CLOEXEC);
#else
    (void)path;
    return -1;
#endif
}

struct timespec tsr_system_changed(const struct stat *s)
{
#ifdef __APPLE__
    return (struct timespec){s->st_mtime, s->st_mtimensec};
#else
    return s->st_mtim;
#endif
}

/* File systems that other machines mount, too: some of these keep locks local (NFS with local_lock, Lustre with
 * localflock, FUSE). */
bool tsr_system_is_shared(int fd)
{
#if IS_LINUX
    static const unsigned long shared[] = {
        0x6969,     /* NFS */
        0x517b,     /* SMB */
        0xff534d42, /* CIFS */
        0xfe534d42, /* SMB2 */
        0x0bd00bd0, /* Lustre */
        0x47504653, /* GPFS */
        0x19830326, /* BeeGFS */
        0x00c36400, /* Ceph */
        0x65735546, /* FUSE */
        0x01021997, /* 9P */
        0x01161970, /* GFS2 */
        0x7461636f, /* OCFS2 */
        0x5346414f, /* AFS */
        0x73757245, /* Coda */
        0x20030528, /* OrangeFS */
    };
    struct statfs s;
    if (fstatfs(fd, &s) != 0)
        return true;
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
        if (((unsigned long)s.f_type & 0xffffffff) == shared[i])
            return true;
    return false;
#else
    (void)fd;
    return true;
#endif
}

/* ---- memory ---- */

size_t tsr_system_block_nbytes(void *block)
{
#if IS_LINUX
    return block ? malloc_usable_size(block) : 0;
#else
    (void)block;
    return 0;
#endif
}

/* The advice is for all pages of the block: with a page of it without advice, realloc could not move the pages, and would
 * copy. */
void tsr_system_large_pages(void *block, size_t nbytes)
{
#if IS_LINUX && defined(MADV_HUGEPAGE)
    enum { PAGE_NBYTES = 4096 };
    const uintptr_t first = (uintptr_t)block / PAGE_NBYTES * PAGE_NBYTES;
    const uintptr_t end = ((uintptr_t)block + nbytes + PAGE_NBYTES - 1) / PAGE_NBYTES * PAGE_NBYTES;
    (void)madvise((void *)first, end - first, MADV_HUGEPAGE); /* only advice: a failure does no harm */
#else
    (void)block;
    (void)nbytes;
#endif
}

void tsr_system_offer_memory(void *block, size_t nbytes)
{
#if IS_LINUX && defined(MADV_FREE)
    enum { PAGE_NBYTES = 4096 };
    const uintptr_t first = ((uintptr_t)block + PAGE_NBYTES - 1) / PAGE_NBYTES * PAGE_NBYTES;
    const uintptr_t end = ((uintptr_t)block + nbytes) / PAGE_NBYTES * PAGE_NBYTES;
    (void)madvise((void *)first, end > first ? end - first : 0, MADV_FREE);
#else
    (void)block;
    (void)nbytes;
#endif
}

void tsr_system_return_memory(void)
{
#if IS_LINUX && defined(__GLIBC__)
    (void)mallopt(M_MMAP_THRESHOLD, 1 << 17);
    (void)mallopt(M_TRIM_THRESHOLD, 1 << 17);
#endif
}

/* ---- libraries ---- */

bool tsr_system_is_defined(void *handle, void *symbol)
{
#if IS_LINUX && defined(__GLIBC__)
    void *object = NULL, *owner = NULL;
    Dl_info info;
    return dlinfo(handle, RTLD_DI_LINKMAP, &object) == 0 &&
           dladdr1(symbol, &info, &owner, RTLD_DL_LINKMAP) != 0 && object == owner;
#else
    (void)handle;
    (void)symbol;
    return true;
#endif
}

void tsr_system_keep_library(const void *symbol)
{
#if IS_LINUX
    Dl_info info;
    if (dladdr(symbol, &info) == 0 || !info.dli_fname)
        return;
    void *const library = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
    if (library)
        (void)dlclose(library);
#else
    (void)symbol;
#endif
}
