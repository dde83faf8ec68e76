/* From text to a program. It is compiled in a temporary folder inside the given folder, and moved when it is
 * complete. */
#include "jit_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

enum { TIMEOUT_MS = 60000 };

/* job: the text and the name of the program. */
static tsr_status compile(const char *target, const char *parent, jit_job job, const tsr_jit_options *options,
                          tsr_text *log, tsr_error *err)
{
    jit_compiler compiler;
    tsr_folder folder;
    TSR_TRY(tsr_jit_compiler_init(&compiler, options, err));
    tsr_status status = tsr_folder_new(&folder, parent, err);
    if (status == TSR_OK) {
        job.compiler = &compiler;
        job.flags = options->flags;
        job.timeout_ms = options->timeout_ms ? options->timeout_ms : TIMEOUT_MS;
        status = tsr_jit_compile(&folder, &job, log, err);
        if (status == TSR_OK && renameat(folder.fd, job.object_name, AT_FDCWD, target) != 0)
            status = tsr_fail_errno(err, errno, target, "cannot write");
        tsr_folder_remove(&folder);
    }
    tsr_jit_compiler_clear(&compiler);
    return status;
}

tsr_status tsr_jit_program(const char *folder, const char *name, const char *text,
                           const tsr_jit_options *options, tsr_text *log, tsr_error *err)
{
    tsr_text target = {0}, said = {0};
    tsr_text_addf(&target, "%s/%s", folder, name);
    tsr_status status = tsr_text_status(&target, err);
    if (status == TSR_OK)
        status = compile(tsr_text_cstr(&target), folder, (jit_job){.text = text, .object_name = name},
                         options, &said, err);
    if (log)
        tsr_text_add(log, tsr_text_cstr(&said));
    tsr_text_clear(&said);
    tsr_text_clear(&target);
    return status;
}
