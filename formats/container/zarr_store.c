/* The keys of a Zarr store: files of a folder, or members of a ZIP archive. See zarr.md. */
#include "zarr_internal.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "file_bytes.h"
#include "tsr_fetched.h"
#include "zip_io.h"

static const char *const node_keys[] = {"zarr.json", ".zgroup", ".zarray"};
enum { NKEYS = sizeof node_keys / sizeof *node_keys };

typedef struct member {
    const char *name; /* borrowed from the archive */
    uint64_t i;       /* the number of the member */
} member;

struct tsr_zarr_store {
    char *folder; /* owned; NULL: an archive */
    tsr_zip *zip;
    tsr_text prefix; /* archive: the folder that holds the store, "TOP/", or empty */
    member *members; /* archive: in the order of the names; for equal names, of the numbers */
    uint64_t nmembers;
    bool complete; /* the metadata that are not there do not exist: they are not fetched */
};

/* ---- opening ---- */

/* Whether a folder is a store: it has metadata of a group or an array. */
static bool is_store(const char *path)
{
    struct stat st;
    for (int i = 0; i < NKEYS; i++) {
        char key[4096];
        if (strlen(path) + strlen(node_keys[i]) + 2 > sizeof key)
            return false;
        strcpy(key, path);
        strcat(strcat(key, "/"), node_keys[i]);
        if (tsr_fetched_file(key) && stat(key, &st) == 0 && S_ISREG(st.st_mode))
            return true;
    }
    return false;
}

static int by_name(const void *a, const void *b)
{
    const member *const x = a, *const y = b;
    const int order = strcmp(x->name, y->name);
    return order ? order : x->i < y->i ? -1 : x->i > y->i;
}

static tsr_status sort_members(tsr_zarr_store *store, tsr_error *err)
{
    void *members = NULL;
    store->nmembers = tsr_zip_count(store->zip);
    TSR_TRY(tsr_alloc_array(&members, store->nmembers, sizeof(member), 0, "the names of the archive", err));
    store->members = members;
    for (uint64_t i = 0; i < store->nmembers; i++)
        store->members[i] = (member){tsr_zip_name(store->zip, i), i};
    qsort(store->members, store->nmembers, sizeof(member), by_name);
    return TSR_OK;
}

/* Find the folder of the archive that holds the store: the shortest path of metadata. */
static tsr_status find_prefix(tsr_zarr_store *store, tsr_error *err)
{
    const char *best = NULL;
    size_t best_nbytes = SIZE_MAX;
    for (uint64_t i = 0; i < store->nmembers; i++) {
        const char *const name = store->members[i].name, *const slash = strrchr(name, '/');
        const char *const leaf = slash ? slash + 1 : name;
        for (int k = 0; k < NKEYS; k++)
            if (strcmp(leaf, node_keys[k]) == 0 && (size_t)(leaf - name) < best_nbytes) {
                best = name;
                best_nbytes = (size_t)(leaf - name);
            }
    }
    if (!best)
        return tsr_fail(err, TSR_UNSUPPORTED, "is a ZIP archive without a Zarr group or array");
    tsr_text_add_n(&store->prefix, best, best_nbytes);
    return tsr_text_status(&store->prefix, err);
}

static tsr_status open_archive(tsr_zarr_store *store, tsr_error *err)
{
    TSR_TRY(sort_members(store, err));
    return find_prefix(store, err);
}

tsr_status tsr_zarr_store_open(tsr_zarr_store **out, const char *path, tsr_error *err)
{
    struct stat st;
    *out = NULL;
    if (stat(path, &st) != 0)
        return tsr_fail_errno(err, errno, NULL, "cannot open");
    const bool folder = S_ISDIR(st.st_mode);
    if (folder && !is_store(path))
        return tsr_fail(err, TSR_UNSUPPORTED, "is a folder without a Zarr group or array");
    tsr_zarr_store *const store = tsr_calloc(1, sizeof *store);
    if (!store)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    tsr_status status = TSR_OK;
    if (folder) {
        store->folder = tsr_strdup(path);
        status = store->folder ? TSR_OK : tsr_fail(err, TSR_NOMEM, "out of memory");
    } else {
        status = tsr_zip_open(&store->zip, path, err);
        if (status == TSR_OK)
            status = open_archive(store, err);
    }
    if (status == TSR_OK)
        *out = store;
    else
        tsr_zarr_store_free(store);
    return status;
}

tsr_status tsr_zarr_store_again(tsr_zarr_store **out, const tsr_zarr_store *store, tsr_error *err)
{
    *out = NULL;
    tsr_zarr_store *const again = tsr_calloc(1, sizeof *again);
    if (!again)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    tsr_status status = TSR_OK;
    if (store->folder) {
        again->folder = tsr_strdup(store->folder);
        status = again->folder ? TSR_OK : tsr_fail(err, TSR_NOMEM, "out of memory");
    } else {
        status = tsr_zip_open_again(&again->zip, store->zip, err);
        if (status == TSR_OK)
            status = open_archive(again, err);
    }
    if (status == TSR_OK)
        *out = again;
    else
        tsr_zarr_store_free(again);
    return status;
}

void tsr_zarr_store_free(tsr_zarr_store *store)
{
    if (!store)
        return;
    tsr_zip_free(store->zip);
    tsr_text_clear(&store->prefix);
    tsr_free(store->members);
    tsr_free(store->folder);
    tsr_free(store);
}

/* ---- keys ---- */

/* The first member whose name is not before `name`. */
static uint64_t lower_bound(const tsr_zarr_store *store, const char *name)
{
    uint64_t low = 0, high = store->nmembers;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (strcmp(store->members[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Append the path of the key in the folder or the archive. */
static tsr_status add_place(tsr_text *name, const tsr_zarr_store *store, const char *key, tsr_error *err)
{
    tsr_text_addf(name, "%s%s%s", store->folder ? store->folder : tsr_text_cstr(&store->prefix),
                  store->folder ? "/" : "", key);
    return tsr_text_status(name, err);
}

/* The last member of this name; NULL: none. */
static const member *find_member(const tsr_zarr_store *store, const char *name)
{
    uint64_t at = lower_bound(store, name);
    if (at == store->nmembers || strcmp(store->members[at].name, name) != 0)
        return NULL;
    while (at + 1 < store->nmembers && strcmp(store->members[at + 1].name, name) == 0)
        at++;
    return &store->members[at];
}

static tsr_status too_long(const char *key, uint64_t n, uint64_t most, tsr_error *err)
{
    return tsr_fail(err, TSR_LIMIT, "'%s' has %" PRIu64 " bytes: at most %" PRIu64 " are supported", key, n,
                    most);
}

static tsr_status get_member(tsr_array *out, const tsr_zarr_store *store, const char *name, uint64_t most,
                             tsr_error *err)
{
    tsr_bytes bytes;
    const member *const found = find_member(store, name);
    if (!found)
        return TSR_OK;
    TSR_TRY(tsr_zip_begin(&bytes, store->zip, found->i, err));
    const uint64_t n = bytes.left;
    tsr_status status = n > most ? too_long(name, n, most, err) : tsr_array_init(out, n, 1, 0, name, err);
    if (status == TSR_OK)
        status = tsr_bytes_take(&bytes, out->data, n, err);
    if (status == TSR_OK)
        status = tsr_zip_end(&bytes, err);
    tsr_zip_drop(&bytes);
    return status;
}

static tsr_status get_file(tsr_array *out, const char *path, uint64_t most, tsr_error *err)
{
    struct stat st;
    tsr_file file;
    if (stat(path, &st) != 0 && (errno == ENOENT || errno == ENOTDIR))
        return TSR_OK;
    tsr_status status = tsr_file_open(&file, path, err);
    const uint64_t n = file.nbytes;
    if (status == TSR_OK && n > most)
        status = too_long(path, n, most, err);
    if (status == TSR_OK)
        status = tsr_array_init(out, n, 1, 0, "a file of the store", err);
    if (status == TSR_OK)
        status = tsr_bytes_take(&file.bytes, out->data, n, err);
    tsr_file_close(&file);
    return status;
}

static bool is_metadata(const char *key)
{
    static const char *const names[] = {"zarr.json", ".zgroup", ".zarray", ".zattrs"};
    const char *const slash = strrchr(key, '/'), *const leaf = slash ? slash + 1 : key;
    bool is = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        is = is || strcmp(leaf, names[i]) == 0;
    return is;
}

tsr_status tsr_zarr_store_get(tsr_array *out, const tsr_zarr_store *store, const char *key, uint64_t most,
                              tsr_error *err)
{
    tsr_text name = {0};
    *out = (tsr_array){0};
    tsr_status status = add_place(&name, store, key, err);
    if (status == TSR_OK && store->folder && !(store->complete && is_metadata(key)) &&
        !tsr_fetched_file(name.s))
        status = tsr_fail(err, TSR_IO, "a file of the store cannot be fetched");
    if (status == TSR_OK)
        status = store->folder ? get_file(out, name.s, most, err) : get_member(out, store, name.s, most, err);
    if (status != TSR_OK)
        tsr_array_clear(out);
    tsr_text_clear(&name);
    return status;
}

/* ---- parts of keys ---- */

uint64_t tsr_zarr_store_length(const tsr_zarr_store *store, const char *key)
{
    tsr_text name = {0};
    uint64_t n = UINT64_MAX;
    struct stat st;
    tsr_bytes bytes;
    if (add_place(&name, store, key, NULL) == TSR_OK && store->folder) {
        if (tsr_fetched_file(name.s) && stat(name.s, &st) == 0 && S_ISREG(st.st_mode))
            n = (uint64_t)st.st_size;
    } else if (tsr_text_status(&name, NULL) == TSR_OK) {
        const member *const found = find_member(store, name.s);
        if (found && tsr_zip_begin(&bytes, store->zip, found->i, NULL) == TSR_OK) {
            n = bytes.left;
            tsr_zip_drop(&bytes);
        }
    }
    tsr_text_clear(&name);
    return n;
}

/* Pass over `first` bytes, and read n. */
static tsr_status take_member_part(void *out, const tsr_zarr_store *store, const char *name, uint64_t first,
                                   uint64_t n, tsr_error *err)
{
    char skipped[1 << 13];
    tsr_bytes bytes;
    const member *const found = find_member(store, name);
    if (!found)
        return tsr_fail(err, TSR_CORRUPT, "'%s' is missing", name);
    TSR_TRY(tsr_zip_begin(&bytes, store->zip, found->i, err));
    tsr_status status = TSR_OK;
    if (tsr_zip_pass(&bytes, first))
        first = 0;
    while (first > 0 && status == TSR_OK) {
        const uint64_t step = first < sizeof skipped ? first : sizeof skipped;
        status = tsr_bytes_take(&bytes, skipped, step, err);
        first -= step;
    }
    if (status == TSR_OK)
        status = tsr_bytes_take(&bytes, out, n, err);
    tsr_zip_drop(&bytes);
    return status;
}

static tsr_status take_file_part(void *out, const char *path, uint64_t first, uint64_t n, tsr_error *err)
{
    tsr_file file;
    TSR_TRY(tsr_file_open(&file, path, err));
    tsr_status status = tsr_file_skip(&file, first, err);
    if (status == TSR_OK)
        status = tsr_bytes_take(&file.bytes, out, n, err);
    tsr_file_close(&file);
    return status;
}

tsr_status tsr_zarr_store_get_part(tsr_array *out, const tsr_zarr_store *store, const char *key,
                                   uint64_t first, uint64_t n, tsr_error *err)
{
    tsr_text name = {0};
    *out = (tsr_array){0};
    tsr_status status = add_place(&name, store, key, err);
    if (status == TSR_OK)
        status = tsr_array_init(out, n, 1, 0, "a part of the store", err);
    if (status == TSR_OK)
        status = store->folder ? take_file_part(out->data, name.s, first, n, err)
                               : take_member_part(out->data, store, name.s, first, n, err);
    if (status != TSR_OK)
        tsr_array_clear(out);
    tsr_text_clear(&name);
    return status;
}

/* ---- listing ---- */

bool tsr_zarr_store_is_fetched(const tsr_zarr_store *store)
{
    tsr_text path = {0};
    const bool is =
        store->folder && add_place(&path, store, "x", NULL) == TSR_OK && tsr_fetched_in_folder(path.s);
    tsr_text_clear(&path);
    return is;
}

void tsr_zarr_store_put(tsr_zarr_store *store, const char *key, const char *text)
{
    tsr_text path = {0};
    store->complete = true;
    if (is_metadata(key) && add_place(&path, store, key, NULL) == TSR_OK)
        tsr_fetched_put(path.s, text, strlen(text));
    tsr_text_clear(&path);
}

static bool may_be_node(const char *name)
{
    return *name != '.' && *name != '\0' && strcmp(name, "zarr.json") != 0;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static tsr_status list_folder(tsr_text *names, const char *path, int most, tsr_error *err)
{
    DIR *const folder = opendir(path);
    char **found = NULL;
    int n = 0;
    tsr_status status = TSR_OK;
    if (!folder)
        return tsr_fail_errno(err, errno, NULL, "cannot list a folder of the store");
    found = tsr_calloc((size_t)most, sizeof *found);
    if (!found)
        status = tsr_fail(err, TSR_NOMEM, "out of memory");
    for (struct dirent *entry; status == TSR_OK && n < most && (entry = readdir(folder)) != NULL;)
        if (may_be_node(entry->d_name)) {
            found[n] = tsr_strdup(entry->d_name);
            if (!found[n++])
                status = tsr_fail(err, TSR_NOMEM, "out of memory");
        }
    closedir(folder);
    if (status == TSR_OK)
        qsort(found, (size_t)n, sizeof *found, by_text);
    for (int i = 0; i < n; i++) {
        if (status == TSR_OK)
            tsr_text_add_n(names, found[i], strlen(found[i]) + 1);
        tsr_free(found[i]);
    }
    tsr_free(found);
    return status == TSR_OK ? tsr_text_status(names, err) : status;
}

/* The folders directly in the folder `path` of the archive, which ends with '/' unless it is empty. */
static tsr_status list_archive(tsr_text *names, const tsr_zarr_store *store, const char *path, int most,
                               tsr_error *err)
{
    const size_t n = strlen(path);
    size_t last = SIZE_MAX, last_nbytes = 0; /* the name that was added last */
    for (uint64_t i = lower_bound(store, path); i < store->nmembers && most > 0; i++) {
        const char *const name = store->members[i].name;
        if (strncmp(name, path, n) != 0)
            break;
        const char *const slash = strchr(name + n, '/');
        const size_t k = slash ? (size_t)(slash - name) - n : 0;
        if (!slash || !may_be_node(name + n) ||
            (last != SIZE_MAX && last_nbytes == k && memcmp(names->s + last, name + n, k) == 0))
            continue;
        last = names->nbytes;
        last_nbytes = k;
        tsr_text_add_n(names, name + n, k);
        tsr_text_add_n(names, "", 1);
        TSR_TRY(tsr_text_status(names, err));
        most--;
    }
    return TSR_OK;
}

tsr_status tsr_zarr_store_list(tsr_text *names, const tsr_zarr_store *store, const char *path, int most,
                               tsr_error *err)
{
    tsr_text full = {0};
    tsr_text_addf(&full, "%s%s%s%s", store->folder ? store->folder : tsr_text_cstr(&store->prefix),
                  store->folder ? "/" : "", path, !store->folder && *path ? "/" : "");
    tsr_status status = tsr_text_status(&full, err);
    if (status == TSR_OK)
        status = store->folder ? list_folder(names, full.s, most, err)
                               : list_archive(names, store, tsr_text_cstr(&full), most, err);
    tsr_text_clear(&full);
    return status;
}
