/* Writing to the disk while the next bytes are made: see tsr_output_start. */
#define _GNU_SOURCE /* sync_file_range, O_DIRECT */
#include "tsr_output.h"

#include <fcntl.h>

void tsr_output_start(int fd, uint64_t offset, uint64_t nbytes)
{
#ifdef SYNC_FILE_RANGE_WRITE
    enum { WORTH_NBYTES = 1 << 20 };
    if (nbytes >= WORTH_NBYTES && offset <= INT64_MAX && nbytes <= INT64_MAX - offset)
        (void)sync_file_range(fd, (off_t)offset, (off_t)nbytes, SYNC_FILE_RANGE_WRITE);
#else
    (void)fd;
    (void)offset;
    (void)nbytes;
#endif
}

int tsr_output_open_direct(const char *path)
{
#ifdef O_DIRECT
    return open(path, O_RDWR | O_DIRECT | O_NOFOLLOW | O_CLOEXEC);
#else
    (void)path;
    return -1;
#endif
}
