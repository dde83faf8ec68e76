/* Numbers: our parsers accept the same prefix as strtod, strtof and strtoull and give the same bits, except
 * for what our grammar leaves out (hexadecimal, nan(...), leading blanks); what is printed reads back. */
#include "tsr_fuzz.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tsr_digits.h"
#include "tsr_num.h"

/* Whether strtod reads something here that we do not. */
static bool is_foreign(const char *text)
{
    if (isspace((unsigned char)*text))
        return true;
    text += *text == '-' || *text == '+';
    return (text[0] == '0' && (text[1] | 0x20) == 'x') || ((text[0] | 0x20) == 'n' && strchr(text, '('));
}

static void check_f64(const char *p, const char *end, const char *text)
{
    double got, back;
    char *want_end, buf[TSR_F64_NBYTES];
    const char *got_end = tsr_parse_f64(&got, p, end);
    const double want = strtod(text, &want_end);
    TSR_FUZZ_MUST((got_end ? got_end - p : 0) == want_end - text);
    if (!got_end)
        return;
    TSR_FUZZ_MUST(isnan(want) ? isnan(got) : memcmp(&got, &want, sizeof got) == 0);
    const size_t n = tsr_print_f64(buf, got);
    TSR_FUZZ_MUST(n <= sizeof buf && tsr_parse_f64(&back, buf, buf + n) == buf + n);
    TSR_FUZZ_MUST(isnan(got) ? isnan(back) : memcmp(&got, &back, sizeof got) == 0);
}

static void check_f32(const char *p, const char *end, const char *text)
{
    float got, back;
    char *want_end, buf[TSR_F32_NBYTES];
    const char *got_end = tsr_parse_f32(&got, p, end);
    const float want = strtof(text, &want_end);
    TSR_FUZZ_MUST((got_end ? got_end - p : 0) == want_end - text);
    if (!got_end)
        return;
    TSR_FUZZ_MUST(isnan(want) ? isnan(got) : memcmp(&got, &want, sizeof got) == 0);
    const size_t n = tsr_print_f32(buf, got);
    TSR_FUZZ_MUST(n <= sizeof buf && tsr_parse_f32(&back, buf, buf + n) == buf + n);
    TSR_FUZZ_MUST(isnan(got) ? isnan(back) : memcmp(&got, &back, sizeof got) == 0);
}

static void check_u64(const char *p, const char *end, const char *text)
{
    uint64_t got, run;
    char *want_end;
    const char *got_end = tsr_parse_u64(&got, p, end);
    const char *run_end = tsr_digits(&run, text); /* text has the padding */
    if (*text == '+' || *text == '-' || !got_end || got_end - p > 19)
        TSR_FUZZ_MUST(!run_end);
    else
        TSR_FUZZ_MUST(run_end && run_end - text == got_end - p && run == got);
    errno = 0;
    const unsigned long long want = strtoull(text, &want_end, 10);
    if (*text == '-' || want_end == text)
        TSR_FUZZ_MUST(!got_end && got == 0);
    else if (errno == ERANGE)
        TSR_FUZZ_MUST(!got_end && got == UINT64_MAX);
    else
        TSR_FUZZ_MUST(got_end - p == want_end - text && got == want);
}

static void check_i64(const char *p, const char *end, const char *text)
{
    int64_t got;
    char *want_end;
    const char *got_end = tsr_parse_i64(&got, p, end);
    errno = 0;
    const long long want = strtoll(text, &want_end, 10);
    TSR_FUZZ_MUST(got == want);
    TSR_FUZZ_MUST((got_end ? got_end - p : 0) == (errno == ERANGE ? 0 : want_end - text));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes)
{
    char *text = calloc(nbytes + TSR_DIGITS_PADDING, 1); /* with a NUL and the padding; D exponents as E */
    TSR_FUZZ_MUST(text != NULL);
    memcpy(text, data, nbytes);
    const char *p = (const char *)data, *end = p + nbytes;
    if (!is_foreign(text)) {
        check_u64(p, end, text);
        check_i64(p, end, text);
        for (size_t i = 0; i < nbytes; i++)
            if (text[i] == 'd' || text[i] == 'D')
                text[i] = 'e';
        check_f64(p, end, text);
        check_f32(p, end, text);
    }
    free(text);
    return 0;
}
