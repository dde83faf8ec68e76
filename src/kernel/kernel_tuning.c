/* Where the tuning of the machine is kept: see tsr_kernel.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tsr_input.h"
#include "tsr_jit.h"
#include "tsr_kernel.h"

enum { MAX_NBYTES = 65536 };

void tsr_kept_path(tsr_text *path, const char *variable, const char *name)
{
    const char *const asked = getenv(variable);
    if (asked && asked[0] != '\0') {
        if (strcmp(asked, "none") != 0)
            tsr_text_add(path, asked);
        return;
    }
    const size_t before = path->nbytes;
    tsr_jit_add_cache_folder(path);
    if (path->nbytes > before)
        tsr_text_addf(path, "/%s", name);
}

void tsr_tuning_path(tsr_text *path)
{
    tsr_kept_path(path, "TSR_TUNING", "tuning");
}

tsr_status tsr_tuning_load(tsr_tuning *out, tsr_error *err)
{
    tsr_text path = {0}, text = {0};
    const char *const asked = getenv("TSR_TUNING");
    *out = asked && strcmp(asked, "none") == 0 ? (tsr_tuning){0} : tsr_tuning_of_machine();
    tsr_tuning_path(&path);
    tsr_status status = tsr_text_status(&path, err);
    if (status == TSR_OK && path.nbytes > 0 && access(path.s, F_OK) == 0) {
        status = tsr_input_read(&text, path.s, MAX_NBYTES, err);
        if (status == TSR_OK)
            status = tsr_tuning_parse(out, tsr_text_cstr(&text), err);
        if (status == TSR_SYNTAX)
            status =
                tsr_fail_at(err, TSR_SYNTAX, path.s, err ? err->line : 0, 0,
                            "%s: write it anew by tbench calibrate", err ? err->message : "not a tuning");
    }
    tsr_text_clear(&path);
    tsr_text_clear(&text);
    return status;
}
