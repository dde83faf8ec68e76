/* The attributes of instructions, parsed when an operation needs them. */
#include "hlo_internal.h"

#include <string.h>

#include "tsr_num.h"

/* The part of a span that is not parsed yet. */
typedef struct span {
    const char *p, *end;
    const hlo_instruction *in;
    const char *name; /* name of the attribute */
    tsr_error *err;
} span;

const hlo_attribute *hlo_attribute_of(const hlo_instruction *in, const char *name)
{
    const size_t n = strlen(name);
    const hlo_attribute *a = in->attributes;
    while (a && (a->name_nbytes != n || memcmp(a->name, name, n) != 0))
        a = a->next;
    return a;
}

static tsr_status fail_value(const span *s, const char *what)
{
    const hlo_attribute *a = hlo_attribute_of(s->in, s->name);
    const size_t n = a ? a->value_nbytes : 0;
    return tsr_fail(s->err, TSR_ARGUMENT, "%.40s of '%.40s' %s, not '%.*s'", s->name, s->in->name, what,
                    n > 60 ? 60 : (int)n, a ? a->value : "");
}

static bool open_span(span *s, const hlo_instruction *in, const char *name, tsr_error *err)
{
    const hlo_attribute *a = hlo_attribute_of(in, name);
    *s = (span){.in = in, .name = name, .err = err};
    if (a) {
        s->p = a->value;
        s->end = a->value + a->value_nbytes;
    }
    return a != NULL;
}

static tsr_status need_span(span *s, const hlo_instruction *in, const char *name, tsr_error *err)
{
    if (open_span(s, in, name, err))
        return TSR_OK;
    return tsr_fail(err, TSR_ARGUMENT, "'%.40s' (%.40s) has no %s", in->name, in->opcode, name);
}

static void skip(span *s)
{
    while (s->p < s->end && (*s->p == ' ' || *s->p == '\t' || *s->p == '\n' || *s->p == '\r'))
        s->p++;
}

static bool take(span *s, char c)
{
    skip(s);
    if (s->p == s->end || *s->p != c)
        return false;
    s->p++;
    return true;
}

static bool take_int(int64_t *out, span *s)
{
    skip(s);
    if (s->p < s->end && *s->p == '+')
        return false;
    const char *next = tsr_parse_i64(out, s->p, s->end);
    if (!next)
        return false;
    s->p = next;
    return true;
}

static bool at_end(span *s)
{
    skip(s);
    return s->p == s->end;
}

tsr_status hlo_ints(int64_t *out, int *n, int max, const hlo_instruction *in, const char *name,
                    tsr_error *err)
{
    span s;
    *n = 0;
    if (!open_span(&s, in, name, err))
        return TSR_OK;
    bool good = take(&s, '{');
    if (good && !take(&s, '}')) {
        do {
            if (*n == max)
                return tsr_fail(err, TSR_ARGUMENT, "%.40s of '%.40s' has more than %d numbers", name,
                                in->name, max);
            good = take_int(&out[*n], &s) && out[*n] >= 0;
            ++*n;
        } while (good && take(&s, ','));
        good = good && take(&s, '}');
    }
    return good && at_end(&s) ? TSR_OK : fail_value(&s, "must be a list like {1, 0}");
}

tsr_status hlo_dim_list(int *out, int *n, int below, const hlo_instruction *in, const char *name,
                        tsr_error *err)
{
    int64_t list[TSR_MAP_MAX_VARS];
    TSR_TRY(hlo_ints(list, n, TSR_XLA_MAX_RANK, in, name, err));
    for (int i = 0; i < *n; i++) {
        if (list[i] >= below)
            return tsr_fail(err, TSR_ARGUMENT, "%.40s of '%.40s' names dim %lld, but there are only %d dims",
                            name, in->name, (long long)list[i], below);
        for (int j = 0; j < i; j++)
            if (list[j] == list[i])
                return tsr_fail(err, TSR_ARGUMENT, "%.40s of '%.40s' names dim %lld twice", name, in->name,
                                (long long)list[i]);
        out[i] = (int)list[i];
    }
    return TSR_OK;
}

tsr_status hlo_int(int64_t *out, int64_t otherwise, const hlo_instruction *in, const char *name,
                   tsr_error *err)
{
    span s;
    *out = otherwise;
    if (!open_span(&s, in, name, err))
        return TSR_OK;
    return take_int(out, &s) && *out >= 0 && at_end(&s) ? TSR_OK : fail_value(&s, "must be a number");
}

bool hlo_flag(const hlo_instruction *in, const char *name)
{
    const hlo_attribute *a = hlo_attribute_of(in, name);
    return a && a->value_nbytes == 4 && memcmp(a->value, "true", 4) == 0;
}

tsr_status hlo_slices(tsr_slice *out, int n, const hlo_instruction *in, tsr_error *err)
{
    span s;
    TSR_TRY(need_span(&s, in, "slice", err));
    bool good = take(&s, '{');
    for (int i = 0; good && i < n; i++) {
        int64_t start, limit, stride = 1;
        good = (i == 0 || take(&s, ',')) && take(&s, '[') && take_int(&start, &s) && take(&s, ':') &&
               take_int(&limit, &s);
        if (good && take(&s, ':'))
            good = take_int(&stride, &s);
        good = good && take(&s, ']') && start >= 0 && limit >= 0 && stride > 0;
        if (good)
            out[i] = (tsr_slice){(uint64_t)start, (uint64_t)limit, (uint64_t)stride};
    }
    good = good && take(&s, '}') && at_end(&s);
    return good ? TSR_OK : fail_value(&s, "must have a [start:limit:stride] for each dim");
}

tsr_status hlo_paddings(tsr_padding *out, int n, const hlo_instruction *in, tsr_error *err)
{
    span s;
    if (n == 0)
        return TSR_OK;
    TSR_TRY(need_span(&s, in, "padding", err));
    bool good = true;
    for (int i = 0; good && i < n; i++) {
        int64_t interior = 0;
        good = (i == 0 || take(&s, 'x')) && take_int(&out[i].low, &s) && take(&s, '_') &&
               take_int(&out[i].high, &s);
        if (good && take(&s, '_'))
            good = take_int(&interior, &s) && interior >= 0;
        out[i].interior = (uint64_t)interior;
    }
    return good && at_end(&s) ? TSR_OK
                              : fail_value(&s, "must have low_high_interior for each dim, separated by x");
}

/* Parse one field of a window, `size=1x512`, after its '='. */
static bool take_field(tsr_index_window *out, int n, span *s, const char *name, size_t name_nbytes)
{
    static const char *const names[] = {"size", "stride", "pad", "lhs_dilate", "rhs_dilate", "rhs_reversal"};
    const size_t field = tsr_name_find(names, 6, sizeof *names, name, name_nbytes);
    for (int i = 0; i < n; i++) {
        int64_t a, b = 0;
        if ((i > 0 && !take(s, 'x')) || !take_int(&a, s) ||
            (field == 2 && (!take(s, '_') || !take_int(&b, s))) || (field != 2 && a < 0) ||
            (field != 2 && field != 5 && a == 0))
            return false;
        if (field == 0)
            out[i].size = (uint64_t)a;
        else if (field == 1)
            out[i].stride = (uint64_t)a;
        else if (field == 2)
            out[i].low = a, out[i].high = b;
        else if (field == 3)
            out[i].base_dilation = (uint64_t)a;
        else if (field == 4)
            out[i].window_dilation = (uint64_t)a;
        else if (field == 5)
            out[i].reversed = a != 0;
        else
            return false;
    }
    return true;
}

tsr_status hlo_windows(tsr_index_window *out, int n, const hlo_instruction *in, tsr_error *err)
{
    span s;
    for (int i = 0; i < n; i++)
        out[i] = (tsr_index_window){0};
    if (n == 0)
        return TSR_OK;
    TSR_TRY(need_span(&s, in, "window", err));
    bool good = take(&s, '{');
    while (good && !take(&s, '}')) {
        skip(&s);
        const char *name = s.p;
        while (s.p < s.end && ((*s.p >= 'a' && *s.p <= 'z') || *s.p == '_'))
            s.p++;
        const size_t nbytes = (size_t)(s.p - name);
        good = nbytes > 0 && take(&s, '=') && take_field(out, n, &s, name, nbytes);
    }
    return good && at_end(&s) ? TSR_OK
                              : fail_value(&s, "must have size, stride, pad, lhs_dilate, rhs_dilate, "
                                               "rhs_reversal with a number for each dim");
}

/* Parse n labels such as "b01f": the indices of the two letters and of the digits. */
typedef struct labels {
    int *first, *second, *spatial;
} labels;

static bool take_labels(labels out, int n, const char letters[2], span *s)
{
    bool seen[TSR_MAP_MAX_VARS] = {0};
    for (int i = 0; i < n; i++) {
        if (s->p == s->end)
            return false;
        const char c = *s->p++;
        const int role = c == letters[0] ? 0 : c == letters[1] ? 1 : c >= '0' && c <= '9' ? c - '0' + 2 : n;
        if (role >= n || seen[role])
            return false;
        seen[role] = true;
        if (role == 0)
            *out.first = i;
        else if (role == 1)
            *out.second = i;
        else
            out.spatial[role - 2] = i;
    }
    return true;
}

tsr_status hlo_dim_labels(tsr_convolution *c, int *base, int *kernel, int *output, const hlo_instruction *in,
                          tsr_error *err)
{
    const int n = c->nspatial + 2;
    span s;
    TSR_TRY(need_span(&s, in, "dim_labels", err));
    const bool good =
        take_labels((labels){&c->base_batch, &c->base_feature, base}, n, "bf", &s) && take(&s, '_') &&
        take_labels((labels){&c->kernel_input, &c->kernel_output, kernel}, n, "io", &s) && take(&s, '-') &&
        take(&s, '>') && take_labels((labels){&c->out_batch, &c->out_feature, output}, n, "bf", &s) &&
        at_end(&s);
    c->base_spatial = base;
    c->kernel_spatial = kernel;
    c->out_spatial = output;
    return good ? TSR_OK
                : fail_value(&s, "must be like b01f_i01o->b01f, with a letter or digit for each dim");
}

bool hlo_integer(int64_t *out, const hlo_instruction *in)
{
    span s = {.p = in->literal, .end = in->literal ? in->literal + in->literal_nbytes : NULL};
    return strcmp(in->opcode, "constant") == 0 && take_int(out, &s) && at_end(&s);
}
