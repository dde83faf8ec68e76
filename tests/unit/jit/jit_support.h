/* Helpers of jit's tests: cache folders, fake compilers, texts. */
#ifndef JIT_SUPPORT_H
#define JIT_SUPPORT_H

#include "tsr_jit.h"
#include "tsr_test.h"

/* "folder/name"; the text stays valid. */
const char *jit_path(const char *folder, const char *name);
/* The path of a cache folder with that name (in the scratch folder of the test), which is empty or does not
 * exist. */
const char *jit_fresh_folder(const char *name);
/* Make a program from a shell script with these lines; returns its path. */
const char *jit_script(const char *name, const char *lines);
/* The text of a kernel `int answer(void)` that returns v. */
const char *jit_answer_text(int v);
/* Call `answer` of jit. */
int jit_answer(const tsr_jit *jit);
/* The number of files in a folder whose names end with `end`; 0 if there is no folder. */
int jit_count_files(const char *folder, const char *end);

#endif
