/* Whole command lines, in process: the lines of the input up to a NUL byte are the words, the tool's name
 * first (tconv, tinfo, tlayout, tkern); what follows the NUL is the content of the file "in". They run in a
 * folder of their own that holds a few good files (fuzz_cli_files.c). A slash in a word becomes '_', so that
 * no command line leads out of it. The tool must end with a documented exit code and leave no temporary file.
 */
#include "fuzz_cli_files.h"
#include "tsr_fuzz.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "report.h"

enum { MAX_WORDS = 24, MAX_LINE_NBYTES = 4000, MAX_SECONDS = 60 };

/* Large arrays are out of memory at once: the tools must say so, and the target has to be quick. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1:max_allocation_size_mb=200";
}

const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libhdf5";
}

static const struct {
    const char *name;
    int (*run)(int argc, char *const *argv);
} tools[] = {{"tconv", tsr_cli_tconv},
             {"tinfo", tsr_cli_tinfo},
             {"tlayout", tsr_cli_tlayout},
             {"tkern", tsr_cli_tkern}};

/* The tools take signals for themselves; the fuzzer wants its own back. Its timer's SIGALRM would end a tool, so it is
 * ignored meanwhile, and the time is looked at afterwards. */
static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGXCPU, SIGXFSZ, SIGPIPE};
enum { NSIGNALS = sizeof signals / sizeof signals[0] };

static int run(int argc, char *const *argv)
{
    struct sigaction before[NSIGNALS];
    int code = -1;
    for (int i = 0; i < NSIGNALS; i++)
        sigaction(signals[i], NULL, &before[i]);
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigaction(SIGALRM, &ignore, NULL);
    const double start = tsr_cli_now();
    for (size_t t = 0; t < sizeof tools / sizeof tools[0]; t++)
        if (strcmp(argv[0], tools[t].name) == 0)
            code = tools[t].run(argc, argv);
    for (int i = 0; i < NSIGNALS; i++)
        sigaction(signals[i], &before[i], NULL);
    TSR_FUZZ_MUST(tsr_cli_now() - start < MAX_SECONDS);
    return code;
}

/* Cut text, which is changed, into words: one a line. */
static int split(char *argv[MAX_WORDS + 1], char *text)
{
    int argc = 0;
    for (char *word = text; word && argc < MAX_WORDS;) {
        char *const end = strchr(word, '\n');
        if (end)
            *end = '\0';
        argv[argc++] = word;
        word = end ? end + 1 : NULL;
    }
    argv[argc] = NULL;
    for (int i = 0; i < argc; i++)
        for (char *slash = argv[i]; (slash = strchr(slash, '/'));)
            *slash = '_';
    return argc;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes)
{
    const uint8_t *const nul = nbytes ? memchr(data, 0, nbytes) : NULL;
    const size_t line_nbytes = nul ? (size_t)(nul - data) : nbytes;
    char line[MAX_LINE_NBYTES + 1], *argv[MAX_WORDS + 1];
    if (line_nbytes == 0 || line_nbytes > MAX_LINE_NBYTES)
        return 0;
    memcpy(line, data, line_nbytes);
    line[line_nbytes] = '\0';
    fuzz_cli_files_enter(nul ? nul + 1 : NULL, nul ? nbytes - line_nbytes - 1 : 0);
    const int code = run(split(argv, line), argv);
    TSR_FUZZ_MUST(code == -1 || (code >= TSR_EXIT_OK && code <= TSR_EXIT_SYSTEM));
    TSR_FUZZ_MUST(fuzz_cli_files_leave() == 0);
    return 0;
}
