/* Helpers of jit's tests: cache folders, fake compilers, texts. */
#ifndef JIT_SUPPORT_H
#define JIT_SUPPORT_H

#include "tsr_jit.h"
#include "tsr_test.h"

/* "folder/name"; stays as it is. */
const char *jit_path(const char *folder, const char *name);
/* The path of a cache folder of that name (in the test's scratch folder), which is emptied or not there. */
const char *jit_fresh_folder(const char *name);
/* A shell script of these lines as a program; returns its path. */
const char *jit_script(const char *name, const char *lines);
/* The text of a kernel `int answer(void)` that returns v. */
const char *jit_answer_text(int v);
/* Call `answer` of jit. */
int jit_answer(const tsr_jit *jit);
/* Files of a folder whose names end so; 0 when there is no folder. */
int jit_count_files(const char *folder, const char *end);

#endif
