/* The room in the folder of the temporary files. */
#include <sys/statvfs.h>

#include "stream_internal.h"

tsr_status stream_space_check(const char *folder, double nbytes, tsr_error *err)
{
    struct statvfs room;
    char need[32], have[32];
    if (statvfs(folder, &room) != 0)
        return TSR_OK; /* the writes will tell */
    const double left = (double)room.f_bavail * (double)room.f_frsize;
    if (nbytes <= left)
        return TSR_OK;
    return tsr_fail(err, TSR_LIMIT,
                    "temporary files need about %s, but %s has %s left: use another folder for them",
                    tsr_bytes_text_f(need, nbytes), folder, tsr_bytes_text_f(have, left));
}
