/* Helpers: see jit_support.h. */
#include "jit_support.h"

#include <dirent.h>
#include <sys/stat.h>

const char *jit_path(const char *folder, const char *name)
{
    static char paths[256][600];
    static int n;
    char path[600];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    for (int i = 0; i < n; i++)
        if (strcmp(paths[i], path) == 0)
            return paths[i];
    assert_true(n < 256);
    return strcpy(paths[n++], path);
}

const char *jit_fresh_folder(const char *name)
{
    const char *path = jit_path(tsr_test_tmp(), name);
    char command[1200];
    snprintf(command, sizeof command, "rm -rf '%.600s'", path);
    assert_int_equal(system(command), 0);
    return path;
}

const char *jit_script(const char *name, const char *lines)
{
    const char *path = jit_path(tsr_test_tmp(), name);
    char text[4000];
    snprintf(text, sizeof text, "#!/bin/sh\n%s\n", lines);
    remove(path);
    tsr_test_spit(path, text, strlen(text));
    chmod(path, 0700);
    return path;
}

const char *jit_answer_text(int v)
{
    static _Thread_local char text[200];
    snprintf(text, sizeof text,
             "/* the answer %d */\nint answer(void);\nint answer(void)\n{\n    return %d;\n}\n", v, v);
    return text;
}

int jit_answer(const tsr_jit *jit)
{
    int (*answer)(void) = (int (*)(void))tsr_jit_find(jit, "answer");
    assert_non_null(answer);
    return answer();
}

int jit_count_files(const char *folder, const char *end)
{
    DIR *dir = opendir(folder);
    int n = 0;
    for (const struct dirent *e = dir ? readdir(dir) : NULL; e; e = readdir(dir)) {
        const size_t length = strlen(e->d_name), nend = strlen(end);
        n += e->d_name[0] != '.' && length >= nend && strcmp(e->d_name + length - nend, end) == 0;
        n += *end == '.' && strncmp(e->d_name, ".tessera-", 9) == 0 && strcmp(end, ".tessera-") == 0;
    }
    if (dir)
        closedir(dir);
    return n;
}
