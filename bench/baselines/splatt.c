/* SPLATT (https://github.com/ShadenSmith/splatt), as a child process: drivers/splatt.c, compiled with its
 * library.
 *
 * Its own `splatt bench` and `splatt cpd` are not used: they report times to the millisecond, and multiply by
 * random factors that they do not output, so no answer could be checked. */
#define _XOPEN_SOURCE 700 /* realpath */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench_child.h"
#include "tsr_codec.h"

enum { NPARENTS = 3 }; /* a library SPLATT/build/SYSTEM/lib belongs to splatt.h in SPLATT/include */

typedef struct install {
    tsr_text library, include; /* path of the library; path of the folder with splatt.h */
} install;

static void install_clear(install *in)
{
    tsr_text_clear(&in->library);
    tsr_text_clear(&in->include);
}

/* Cut off the last part of a path. False: there is only one part. */
static bool cut_last(char *path)
{
    char *const slash = strrchr(path, '/');
    if (slash)
        *slash = '\0';
    return slash != NULL;
}

/* Whether FOLDER SUB NAME can be read. */
static bool is_there(const char *folder, const char *sub, const char *name)
{
    tsr_text path = {0};
    tsr_text_addf(&path, "%s%s%s", folder, sub, name);
    const bool found = !path.failed && access(tsr_text_cstr(&path), R_OK) == 0;
    tsr_text_clear(&path);
    return found;
}

/* Find the library in the given folder, or beside the given program, or in the lib folder beside it; then the
 * nearest splatt.h. `folder` is overwritten. */
static tsr_status find_in(install *in, char *folder, const char *given, tsr_error *err)
{
    static const char *const subs[] = {"/", "/lib/", "/../lib/"};
    static const char *const names[] = {"libsplatt.a", "libsplatt.so"};
    for (int i = 0; i < 6 && in->library.nbytes == 0; i++)
        if (is_there(folder, subs[i / 2], names[i % 2]))
            tsr_text_addf(&in->library, "%s%s%s", folder, subs[i / 2], names[i % 2]);
    if (in->library.nbytes == 0)
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "no libsplatt.a and no libsplatt.so in %s, in its lib or in ../lib", folder);
    for (int i = 0; i <= NPARENTS && in->include.nbytes == 0; i++) {
        if (is_there(folder, "/include", "/splatt.h"))
            tsr_text_addf(&in->include, "%s/include", folder);
        else if (is_there(folder, "", "/splatt.h"))
            tsr_text_add(&in->include, folder);
        else if (!cut_last(folder))
            break;
    }
    if (in->include.nbytes == 0)
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "no splatt.h beside %s, or in an include folder there or up to %d folders above",
                        given, NPARENTS);
    TSR_TRY(tsr_text_status(&in->library, err));
    return tsr_text_status(&in->include, err);
}

static tsr_status install_find(install *in, const char *given, tsr_error *err)
{
    char *const path = realpath(given, NULL);
    struct stat s;
    if (!path || stat(path, &s) != 0) {
        const int errnum = errno;
        free(path);
        return tsr_fail(err, TSR_UNSUPPORTED, "%s: %s", given, strerror(errnum));
    }
    if (!S_ISDIR(s.st_mode)) {
        if (strncmp(strrchr(path, '/'), "/libsplatt.", strlen("/libsplatt.")) == 0)
            tsr_text_add(&in->library, path);
        (void)cut_last(path);
    }
    const tsr_status status = find_in(in, path, given, err);
    free(path);
    return status;
}

/* Append the path of the driver for this installation. A static library needs LAPACK for functions that are
 * never called; a shared library links it itself. */
static tsr_status make_driver(tsr_text *program, const install *in, const bench_asked *asked, tsr_error *err)
{
    static const char *const lapacks[][2] = {{"-llapack", "-lblas"}, {"-lopenblas", NULL}, {NULL, NULL}};
    const char *const library = tsr_text_cstr(&in->library);
    tsr_text include = {0}, rpath = {0}, source = {0};
    tsr_status status = TSR_OK;
    /* a library that changes makes another program */
    tsr_text_addf(&source, "%s/* ", bench_driver_find("splatt.c"));
    TSR_TRY_OUT(tsr_path_identity(&source, library, err));
    tsr_text_add(&source, " */\n");
    TSR_TRY_OUT(tsr_text_status(&source, err));
    tsr_text_addf(&include, "-I%s", tsr_text_cstr(&in->include));
    tsr_text_addf(&rpath, "-Wl,-rpath,%.*s", (int)(strrchr(library, '/') - library), library);
    TSR_TRY_OUT(tsr_text_status(&include, err));
    TSR_TRY_OUT(tsr_text_status(&rpath, err));
    for (size_t i = 0; i < sizeof lapacks / sizeof *lapacks; i++) {
        const char *const flags[] = {"-O3",         "-fopenmp",
                                     "-w",          tsr_text_cstr(&include),
                                     library,       tsr_text_cstr(&rpath),
                                     "-lm",         lapacks[i][0],
                                     lapacks[i][1], NULL};
        tsr_error mine = {0};
        status =
            bench_child_program(program, asked, &(bench_source){.text = source.s, .flags = flags}, &mine);
        if (status == TSR_OK || status == TSR_CANCELLED || status == TSR_NOMEM || i == 0)
            *err = mine;
        if (status == TSR_OK || status == TSR_CANCELLED || status == TSR_NOMEM)
            break;
    }
out:
    tsr_text_clear(&include);
    tsr_text_clear(&rpath);
    tsr_text_clear(&source);
    return status;
}

static tsr_status splatt_open(void **state, bench_opened *opened, const bench_case *c,
                              const bench_asked *asked, tsr_error *err)
{
    install in = {0};
    tsr_text program = {0};
    tsr_status status;
    TSR_TRY_OUT(install_find(&in, asked->path, err));
    TSR_TRY_OUT(make_driver(&program, &in, asked, err));
    const char *const argv[] = {tsr_text_cstr(&program), NULL};
    status = bench_child_start(state, opened, argv, c, asked, err);
    opened->note = "size and packing are those of one CSF tensor for each mode";
out:
    install_clear(&in);
    tsr_text_clear(&program);
    return status;
}

const bench_baseline bench_splatt = {
    .name = "splatt",
    .summary = "SPLATT: mttkrp, with one CSF tensor for each mode",
    .format = "csf per mode",
    .path_is = "the program splatt, libsplatt, or the folder where SPLATT was built or installed",
    .wants_path = true,
    .takes = bench_is_mttkrp,
    .open = splatt_open,
    .run = bench_child_run,
    .overwrite = bench_child_overwrite,
    .result = bench_child_result,
    .said_ns = bench_child_said_ns,
    .close = bench_child_close,
};
