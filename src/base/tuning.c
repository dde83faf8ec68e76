/* The text of a tuning: see tsr_tuning.h. */
#include "tsr_tuning.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "tsr_num.h"

static const struct {
    const char *name;
    size_t offset;
    uint64_t most, usual;
} numbers[] = {
    {"prefetch-bytes", offsetof(tsr_tuning, prefetch_nbytes), UINT64_C(1) << 62, 32768},
    {"prefetch-lines", offsetof(tsr_tuning, prefetch_lines), TSR_MAX_PREFETCH_LINES, 128},
};

enum { NNUMBERS = sizeof numbers / sizeof *numbers };

static uint64_t get(const tsr_tuning *tuning, int k)
{
    uint64_t value;
    memcpy(&value, (const char *)tuning + numbers[k].offset, sizeof value);
    return value;
}

static void set(tsr_tuning *tuning, int k, uint64_t value)
{
    memcpy((char *)tuning + numbers[k].offset, &value, sizeof value);
}

tsr_tuning tsr_tuning_complete(const tsr_tuning *tuning)
{
    tsr_tuning complete = tuning ? *tuning : (tsr_tuning){0};
    for (int k = 0; k < NNUMBERS; k++)
        if (get(&complete, k) == 0)
            set(&complete, k, numbers[k].usual);
    return complete;
}

void tsr_tuning_print(tsr_text *text, const tsr_tuning *tuning)
{
    const tsr_tuning complete = tsr_tuning_complete(tuning);
    tsr_text_add(text, "# what kernels assume of this machine, from tbench calibrate\n");
    for (int k = 0; k < NNUMBERS; k++)
        tsr_text_addf(text, "%s: %" PRIu64 "\n", numbers[k].name, get(&complete, k));
}

/* Read one line of n characters. */
static tsr_status parse_line(tsr_tuning *out, const char *line, size_t n, tsr_error *err)
{
    for (int k = 0; k < NNUMBERS; k++) {
        const size_t length = strlen(numbers[k].name);
        uint64_t value;
        if (n < length + 2 || memcmp(line, numbers[k].name, length) != 0 || line[length] != ':')
            continue;
        const char *from = line + length + 1;
        from += *from == ' ';
        if (tsr_parse_u64(&value, from, line + n) != line + n || value == 0 || value > numbers[k].most)
            return tsr_fail(err, TSR_SYNTAX, "%s must be a whole number from 1 to %" PRIu64, numbers[k].name,
                            numbers[k].most);
        set(out, k, value);
        return TSR_OK;
    }
    return tsr_fail(err, TSR_SYNTAX, "expected a line such as 'prefetch-lines: 128', found '%.*s'",
                    n > 60 ? 60 : (int)n, line);
}

tsr_status tsr_tuning_parse(tsr_tuning *out, const char *text, tsr_error *err)
{
    uint64_t number = 1;
    *out = (tsr_tuning){0};
    for (const char *line = text; *line; number++) {
        const char *const newline = strchr(line, '\n'), *const end = newline ? newline : line + strlen(line);
        if (end > line && *line != '#') {
            const tsr_status status = parse_line(out, line, (size_t)(end - line), err);
            if (status != TSR_OK) {
                if (err)
                    err->line = number;
                *out = (tsr_tuning){0};
                return status;
            }
        }
        line = newline ? newline + 1 : end;
    }
    return TSR_OK;
}
