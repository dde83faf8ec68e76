/* One download with libcurl: see fetch_internal.h. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include <curl/curl.h>

#include "fetch_internal.h"
#include "tsr_num.h"

enum { CONNECT_S = 30, MAX_REDIRECTS = 10, PARTIAL = 206, NOT_SATISFIABLE = 416 };

typedef struct transfer {
    fetch_download *d;
    CURL *curl;
    bool begun; /* what the answer means is decided */
    bool keep;  /* its body is the file */
    /* Of the answer whose headers came last: */
    char etag[FETCH_VALIDATOR_NBYTES], date[FETCH_VALIDATOR_NBYTES];
    bool has_range;            /* a Content-Range that was understood */
    uint64_t range_first, all; /* its first byte; bytes of the whole (UINT64_MAX: not said) */
    tsr_status status;         /* of a callback; its sentence is in err */
    tsr_error *err;
} transfer;

/* ---- headers ---- */

/* The value of the header when the line is of that name. */
static bool is_header(const char **value, size_t *n, const char *line, size_t nline, const char *name)
{
    const size_t nname = strlen(name);
    if (nline <= nname || strncasecmp(line, name, nname) != 0 || line[nname] != ':')
        return false;
    const char *p = line + nname + 1, *end = line + nline;
    while (p < end && (*p == ' ' || *p == '\t'))
        p++;
    while (end > p && isspace((unsigned char)end[-1]))
        end--;
    *value = p;
    *n = (size_t)(end - p);
    return true;
}

/* A value that will be sent back as it is, and kept in a line of a file. */
static void keep_validator(char out[FETCH_VALIDATOR_NBYTES], const char *value, size_t n)
{
    out[0] = '\0';
    if (n >= FETCH_VALIDATOR_NBYTES)
        return;
    for (size_t i = 0; i < n; i++)
        if (value[i] < ' ' || value[i] > '~')
            return;
    memcpy(out, value, n);
    out[n] = '\0';
}

/* "bytes 100-199/200", "bytes 100-199" + "/" + "*", or "bytes *" + "/200". */
static void take_range(transfer *t, const char *p, size_t n)
{
    const char *const end = p + n;
    uint64_t last;
    t->has_range = false;
    t->all = UINT64_MAX;
    t->range_first = UINT64_MAX;
    if (n < 6 || strncasecmp(p, "bytes ", 6) != 0)
        return;
    p += 6;
    if (p < end && *p == '*') {
        p++;
    } else {
        p = tsr_parse_u64(&t->range_first, p, end);
        if (!p || p == end || *p++ != '-')
            return;
        p = tsr_parse_u64(&last, p, end);
    }
    if (!p || p == end || *p++ != '/')
        return;
    if ((p < end && *p == '*') || tsr_parse_u64(&t->all, p, end) == end)
        t->has_range = true;
}

static size_t on_header(char *line, size_t size, size_t n, void *ctx)
{
    transfer *const t = ctx;
    const char *value;
    size_t nvalue;
    n *= size;
    if (n >= 5 && memcmp(line, "HTTP/", 5) == 0) { /* another answer begins: after a redirect, say */
        t->etag[0] = t->date[0] = '\0';
        t->has_range = false;
    } else if (is_header(&value, &nvalue, line, n, "etag")) {
        if (nvalue < 2 || memcmp(value, "W/", 2) != 0) /* weak: the same meaning, not the same bytes */
            keep_validator(t->etag, value, nvalue);
    } else if (is_header(&value, &nvalue, line, n, "last-modified")) {
        keep_validator(t->date, value, nvalue);
    } else if (is_header(&value, &nvalue, line, n, "content-range")) {
        take_range(t, value, nvalue);
    }
    return n;
}

/* ---- the body ---- */

static tsr_status restart(fetch_download *d, tsr_error *err)
{
    d->nbytes = 0;
    d->validator[0] = '\0';
    if (ftruncate(d->fd, 0) != 0 || lseek(d->fd, 0, SEEK_SET) != 0)
        return tsr_fail_errno(err, errno, d->path, "cannot empty it");
    return TSR_OK;
}

static long answer_code(const transfer *t)
{
    long code = 0;
    (void)curl_easy_getinfo(t->curl, CURLINFO_RESPONSE_CODE, &code);
    return code;
}

/* What the answer means, before its first byte is used. */
static tsr_status begin(transfer *t)
{
    fetch_download *const d = t->d;
    const long code = answer_code(t);
    t->begun = true;
    if (code == PARTIAL && (!t->has_range || t->range_first != d->nbytes)) {
        d->again = true;
        TSR_TRY(restart(d, t->err));
        return tsr_fail_at(t->err, TSR_IO, d->url, 0, 0,
                           "the server sent another part of the file than asked for");
    }
    if (code == 200)
        TSR_TRY(restart(d, t->err));
    t->keep = code == 200 || code == PARTIAL;
    if (!t->keep)
        return TSR_OK;
    memcpy(d->validator, t->etag[0] ? t->etag : t->date, FETCH_VALIDATOR_NBYTES);
    return d->begin(d, t->err);
}

static tsr_status write_body(transfer *t, const char *p, size_t n)
{
    fetch_download *const d = t->d;
    if (!t->begun)
        TSR_TRY(begin(t));
    if (!t->keep)
        return TSR_OK;
    if (d->nbytes > d->max_nbytes || n > d->max_nbytes - d->nbytes)
        return tsr_fail_at(t->err, TSR_LIMIT, d->url, 0, 0,
                           "it has more than %" PRIu64 " bytes, far more than the table's entries take",
                           d->max_nbytes);
    while (n > 0) {
        const ssize_t w = write(d->fd, p, n);
        if (w < 0 && errno == EINTR)
            continue;
        if (w <= 0)
            return tsr_fail_errno(t->err, w < 0 ? errno : ENOSPC, d->path, "cannot write");
        p += w;
        n -= (size_t)w;
        d->nbytes += (uint64_t)w;
    }
    return TSR_OK;
}

static size_t on_body(char *p, size_t size, size_t n, void *ctx)
{
    transfer *const t = ctx;
    t->status = write_body(t, p, size * n);
    return t->status == TSR_OK ? size * n : size * n + 1; /* anything else than all of it ends the transfer */
}

static int on_progress(void *ctx, curl_off_t total, curl_off_t now, curl_off_t up_total, curl_off_t up)
{
    transfer *const t = ctx;
    (void)up_total, (void)up;
    if (t->status != TSR_OK) /* libcurl calls once more after a callback has failed */
        return 1;
    const uint64_t before = t->d->nbytes - (now > 0 && (uint64_t)now <= t->d->nbytes ? (uint64_t)now : 0);
    t->status =
        tsr_progress(t->d->observer, "fetch", t->d->nbytes, total > 0 ? before + (uint64_t)total : 0, t->err);
    return t->status != TSR_OK;
}

/* ---- the request ---- */

static bool set_protocols(CURL *curl, const char *url)
{
    const bool secure = strncmp(url, "https://", 8) == 0; /* then no redirect leads to what is not */
#if LIBCURL_VERSION_NUM >= 0x075500
    return curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https") == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS_STR, secure ? "https" : "http,https") == CURLE_OK;
#else
    const long http = CURLPROTO_HTTP, https = CURLPROTO_HTTPS;
    return curl_easy_setopt(curl, CURLOPT_PROTOCOLS, http | https) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS, secure ? https : http | https) == CURLE_OK;
#endif
}

static bool set_options(transfer *t, struct curl_slist *headers, char failure[CURL_ERROR_SIZE])
{
    CURL *const c = t->curl;
    bool ok = set_protocols(c, t->d->url);
#define SET(option, value) ok = ok && curl_easy_setopt(c, option, value) == CURLE_OK
    SET(CURLOPT_URL, t->d->url);
    SET(CURLOPT_ERRORBUFFER, failure);
    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_FOLLOWLOCATION, 1L);
    SET(CURLOPT_MAXREDIRS, (long)MAX_REDIRECTS);
    SET(CURLOPT_CONNECTTIMEOUT, (long)CONNECT_S);
    SET(CURLOPT_LOW_SPEED_LIMIT, (long)t->d->min_speed);
    SET(CURLOPT_LOW_SPEED_TIME, (long)t->d->stall_s);
    SET(CURLOPT_USERAGENT, "tessera");
    SET(CURLOPT_HTTPHEADER, headers);
    SET(CURLOPT_HEADERFUNCTION, on_header);
    SET(CURLOPT_HEADERDATA, t);
    SET(CURLOPT_WRITEFUNCTION, on_body);
    SET(CURLOPT_WRITEDATA, t);
    SET(CURLOPT_NOPROGRESS, 0L);
    SET(CURLOPT_XFERINFOFUNCTION, on_progress);
    SET(CURLOPT_XFERINFODATA, t);
#undef SET
    return ok;
}

/* Whether a failed transfer may do better the next time. */
static bool may_pass(CURLcode code)
{
    static const CURLcode codes[] = {CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT, CURLE_PARTIAL_FILE,
                                     CURLE_OPERATION_TIMEDOUT,   CURLE_GOT_NOTHING,     CURLE_SEND_ERROR,
                                     CURLE_RECV_ERROR,           CURLE_HTTP2,           CURLE_HTTP2_STREAM};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (codes[i] == code)
            return true;
    return false;
}

/* The server's answer, which came through whole. */
static tsr_status judge(transfer *t)
{
    fetch_download *const d = t->d;
    const long code = answer_code(t);
    if (!t->begun)
        TSR_TRY(begin(t)); /* no body */
    if (t->keep)
        return TSR_OK;
    if (code == NOT_SATISFIABLE && d->nbytes > 0) {
        if (t->has_range && t->all == d->nbytes)
            return TSR_OK; /* it was all there */
        d->again = true;
        TSR_TRY(restart(d, t->err));
    }
    d->again = d->again || code == 408 || code == 429 || code >= 500;
    return tsr_fail_at(t->err, TSR_IO, d->url, 0, 0, "the server answers with status %ld", code);
}

static tsr_status perform(transfer *t, struct curl_slist *headers)
{
    fetch_download *const d = t->d;
    char failure[CURL_ERROR_SIZE] = "";
    if (!set_options(t, headers, failure))
        return tsr_fail_at(t->err, TSR_UNSUPPORTED, d->url, 0, 0, "libcurl refuses an option: %.200s",
                           failure);
    const CURLcode code = curl_easy_perform(t->curl);
    if (t->status != TSR_OK)
        return t->status;
    if (code == CURLE_OK)
        return judge(t);
    d->again = may_pass(code);
    return tsr_fail_at(t->err, code == CURLE_OUT_OF_MEMORY ? TSR_NOMEM : TSR_IO, d->url, 0, 0,
                       "%.200s (%" PRIu64 " bytes are there)",
                       failure[0] ? failure : curl_easy_strerror(code), d->nbytes);
}

/* Ask for what is missing, if the file is still the same. */
static tsr_status add_headers(struct curl_slist **headers, const fetch_download *d, tsr_error *err)
{
    char line[FETCH_VALIDATOR_NBYTES + 32];
    for (int i = 0; i < 2 && d->nbytes > 0; i++) {
        if (i == 0)
            snprintf(line, sizeof line, "Range: bytes=%" PRIu64 "-", d->nbytes);
        else
            snprintf(line, sizeof line, "If-Range: %s", d->validator);
        struct curl_slist *const longer = curl_slist_append(*headers, line);
        if (!longer)
            return tsr_fail(err, TSR_NOMEM, "out of memory");
        *headers = longer;
    }
    return TSR_OK;
}

tsr_status fetch_run(fetch_download *d, tsr_error *err)
{
    tsr_error own = {0};
    transfer t = {.d = d, .err = err ? err : &own, .range_first = UINT64_MAX, .all = UINT64_MAX};
    struct curl_slist *headers = NULL;
    tsr_status status;
    d->again = false;
    if (d->validator[0] == '\0')
        TSR_TRY(restart(d, t.err));
    if (lseek(d->fd, (off_t)d->nbytes, SEEK_SET) < 0)
        return tsr_fail_errno(err, errno, d->path, "cannot go on with it");
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        return tsr_fail(err, TSR_UNSUPPORTED, "libcurl does not start");
    t.curl = curl_easy_init();
    if (!t.curl)
        TSR_TRY_OUT(tsr_fail(t.err, TSR_NOMEM, "out of memory"));
    TSR_TRY_OUT(add_headers(&headers, d, t.err));
    status = perform(&t, headers);
out:
    curl_easy_cleanup(t.curl);
    curl_slist_free_all(headers);
    curl_global_cleanup();
    return status;
}
