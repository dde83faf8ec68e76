/* How much memory may be taken: see tsr_memory.h. */
#include "tsr_memory.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base_internal.h"
#include "tsr_alloc.h"
#include "tsr_machine.h"
#include "tsr_num.h"
#include "tsr_system.h"

enum { PATH_NBYTES = 4096, LINE_NBYTES = 4096 };

/* A search for the tightest limit. */
typedef struct search {
    tsr_memory_room *room;
    const char *root;    /* prefix of each path; usually "" */
    uint64_t own_nbytes; /* resident memory of this process that is not file pages */
    uint64_t resident;   /* resident memory of this process, file pages too */
    uint64_t unwritten;  /* bytes of our blocks that are not resident yet */
    uint64_t mapped;     /* address space */
    uint64_t data;       /* the memory that RLIMIT_DATA counts */
} search;

/* ---- files of the system ---- */

static FILE *open_file(const search *s, const char *folder, const char *name)
{
    char path[PATH_NBYTES];
    const int n = snprintf(path, sizeof path, "%s%s%s", s->root, folder, name);
    return n > 0 && n < (int)sizeof path ? fopen(path, "r") : NULL;
}

/* Read the number behind blanks and step over it. */
static bool take_number(uint64_t *out, const char **at)
{
    const char *const begin = *at + strspn(*at, " \t");
    const char *const end = tsr_parse_u64(out, begin, begin + strlen(begin));
    *at = end ? end : begin;
    return end != NULL;
}

/* Read the number at the beginning of a file. False: the file does not exist or does not begin with a number
 * ("max": no limit). */
static bool read_number(uint64_t *out, const search *s, const char *folder, const char *name)
{
    FILE *const f = open_file(s, folder, name);
    char line[LINE_NBYTES];
    const char *at = line;
    const bool found = f && fgets(line, sizeof line, f) && take_number(out, &at);
    if (f)
        fclose(f);
    return found;
}

/* Add up the numbers after these words (NULL-terminated) at the beginnings of the lines of a file. False: the
 * first word was not found. */
static bool read_words(uint64_t *sum, const search *s, const char *folder, const char *name,
                       const char *const *words)
{
    FILE *const f = open_file(s, folder, name);
    char line[LINE_NBYTES];
    bool found = false;
    *sum = 0;
    while (f && fgets(line, sizeof line, f)) {
        const size_t n = strcspn(line, " \t\n");
        const char *at = line + n;
        uint64_t value;
        if (!take_number(&value, &at))
            continue;
        for (int i = 0; words[i]; i++)
            if (strlen(words[i]) == n && memcmp(line, words[i], n) == 0) {
                *sum += value;
                found = found || i == 0;
            }
    }
    if (f)
        fclose(f);
    return found;
}

/* ---- limits ---- */

static void consider(search *s, uint64_t limit, uint64_t used, const char *who)
{
    const uint64_t left = used < limit ? limit - used : 0;
    if (left < s->room->nbytes)
        *s->room = (tsr_memory_room){.nbytes = left, .limit_nbytes = limit, .limit = who};
}

/* The kernel also charges page tables and its own data for each page. */
static uint64_t with_overhead(uint64_t used, uint64_t limit)
{
    const uint64_t left = used < limit ? limit - used : 0;
    return used + left / 32;
}

static void consider_machine(search *s)
{
    static const char *const words[] = {"MemAvailable:", "SwapFree:", NULL};
    const uint64_t total = tsr_memory_nbytes();
    uint64_t kb;
    if (total == UINT64_MAX)
        return;
    const bool told =
        read_words(&kb, s, tsr_system_path(TSR_SYSTEM_MEMORY), "", words) && kb <= UINT64_MAX / 1024;
    const uint64_t left = told ? kb * 1024 : total;
    consider(s, total, with_overhead((total > left ? total - left : 0) + s->unwritten, total),
             "this machine has");
}

/* The files of one version of control groups. */
typedef struct group_files {
    const char *mount, *limit, *used, *caches[3];
} group_files;

/* Consider one group; the folder is the mount point and the path of the group. */
static void consider_group(search *s, const group_files *files, const char *folder)
{
    uint64_t limit, used, cached;
    if (!read_number(&limit, s, folder, files->limit) || limit >= (uint64_t)INT64_MAX / 4096 * 4096)
        return;
    if (read_number(&used, s, folder, files->used)) {
        (void)read_words(&cached, s, folder, "/memory.stat", files->caches);
        used -= cached < used ? cached : used;
    } else {
        used = s->own_nbytes;
    }
    consider(s, limit, with_overhead(used + s->unwritten, limit), "the control group allows");
}

/* Consider a group and all groups above it, up to the mount point. Where only a part of the hierarchy is
 * mounted (containers), the groups outside it are not visible, and the mount point is the container's own
 * group. */
static void consider_groups(search *s, const group_files *files, const char *group)
{
    char folder[PATH_NBYTES];
    const size_t nmount = strlen(files->mount);
    const int n = snprintf(folder, sizeof folder, "%s%s", files->mount, strcmp(group, "/") == 0 ? "" : group);
    if (n < 0 || n >= (int)sizeof folder || strstr(folder, "/.."))
        return;
    for (;;) {
        consider_group(s, files, folder);
        char *const slash = strrchr(folder, '/');
        if (!slash || (size_t)(slash - folder) < nmount)
            return;
        *slash = '\0';
    }
}

static bool is_memory_list(const char *controllers)
{
    const size_t n = strlen("memory");
    for (const char *p = controllers; p; p = strchr(p, ',')) {
        p += *p == ',';
        if (strncmp(p, "memory", n) == 0 && (p[n] == ',' || p[n] == '\0'))
            return true;
    }
    return false;
}

/* The file has a line for each hierarchy, NUMBER:CONTROLLERS:GROUP; version 2 has no controllers. */
static void consider_control_groups(search *s)
{
    const group_files version1 = {tsr_system_path(TSR_SYSTEM_GROUPS_1),
                                  "/memory.limit_in_bytes",
                                  "/memory.usage_in_bytes",
                                  {"total_inactive_file", "total_active_file", NULL}};
    const group_files version2 = {tsr_system_path(TSR_SYSTEM_GROUPS),
                                  "/memory.max",
                                  "/memory.current",
                                  {"inactive_file", "active_file", NULL}};
    FILE *const f = open_file(s, tsr_system_path(TSR_SYSTEM_GROUP), "");
    char line[LINE_NBYTES];
    while (f && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = '\0';
        char *const controllers = strchr(line, ':');
        char *const group = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!group || group[1] != '/')
            continue;
        *group = '\0';
        if (controllers[1] == '\0')
            consider_groups(s, &version2, group + 1);
        else if (is_memory_list(controllers + 1))
            consider_groups(s, &version1, group + 1);
    }
    if (f)
        fclose(f);
}

static void consider_rlimit(search *s, int which, uint64_t used, const char *who)
{
    struct rlimit limit;
    if (getrlimit(which, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        consider(s, limit.rlim_cur, used, who);
}

/* ---- memory of this process ---- */

/* a - b, but at least 0. */
static uint64_t less(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

/* Always the real file: the root of a test describes limits, not this process. */
static void find_own(search *s)
{
    enum { SIZE, RESIDENT, SHARED, TEXT, LIB, DATA, NWORDS };
    uint64_t word[NWORDS];
    char line[LINE_NBYTES];
    const char *at = line;
    int n = 0;
    const long page_nbytes = sysconf(_SC_PAGESIZE);
    FILE *const f = fopen(tsr_system_path(TSR_SYSTEM_PAGES), "r");
    if (f && page_nbytes > 0 && fgets(line, sizeof line, f))
        while (n < NWORDS && take_number(&word[n], &at))
            n++;
    if (n == NWORDS) {
        const uint64_t kept = base_kept_nbytes();
        s->mapped = less(word[SIZE] * (uint64_t)page_nbytes, kept);
        s->data = less(word[DATA] * (uint64_t)page_nbytes, kept);
        s->resident = less(word[RESIDENT] * (uint64_t)page_nbytes, kept);
        s->own_nbytes = less(less(word[RESIDENT], word[SHARED]) * (uint64_t)page_nbytes, kept);
        s->unwritten = less(base_held_nbytes(), s->own_nbytes);
    }
    if (f)
        fclose(f);
}

uint64_t tsr_memory_resident(void)
{
    search s = {.root = NULL};
    find_own(&s);
    return s.resident;
}

/* The limit of tsr_memory_set_limit. A global variable, since the limit holds for the whole process. */
static atomic_ullong own_limit = UINT64_MAX;

void tsr_memory_set_limit(uint64_t nbytes)
{
    atomic_store(&own_limit, nbytes);
}

uint64_t tsr_memory_limit(void)
{
    return atomic_load(&own_limit);
}

uint64_t tsr_memory_checked_nbytes(void)
{
    return tsr_memory_limit() == UINT64_MAX ? TSR_MEMORY_LARGE_NBYTES : TSR_MEMORY_LIMITED_NBYTES;
}

static void consider_own_limit(search *s)
{
    enum { SMALL_NBYTES = 1 << 20 }; /* for blocks that are not looked up, and stacks */
    const uint64_t limit = tsr_memory_limit();
    if (limit != UINT64_MAX)
        consider(s, limit, s->resident + s->unwritten + SMALL_NBYTES, "the memory limit allows");
}

/* Slurm's limit, which it enforces late or, without control groups, not at all. */
static void consider_job(search *s)
{
    const uint64_t limit = tsr_scheduler_memory();
    if (limit != UINT64_MAX)
        consider(s, limit, s->resident + s->unwritten, "the Slurm job gives a task");
}

void tsr_memory_find_room_below(tsr_memory_room *room, const char *root)
{
    search s = {.room = room, .root = root};
    *room = (tsr_memory_room){.nbytes = UINT64_MAX, .limit_nbytes = UINT64_MAX, .limit = "can be addressed"};
    find_own(&s);
    consider_own_limit(&s);
    consider_job(&s);
    consider_machine(&s);
    consider_control_groups(&s);
    consider_rlimit(&s, RLIMIT_AS, s.mapped, "ulimit -v allows");
#ifdef RLIMIT_DATA
    consider_rlimit(&s, RLIMIT_DATA, s.data, "ulimit -d allows");
#endif
}

void tsr_memory_find_room(tsr_memory_room *room)
{
    const char *root = NULL;
#ifdef TSR_FAULTS
    root = getenv("TSR_MEMORY_ROOT");
#endif
    tsr_memory_find_room_below(room, root ? root : "");
}

/* ---- errors ---- */

bool tsr_memory_fits(double nbytes)
{
    enum {
        SMALL_NBYTES = 1 << 20
    }; /* left to the allocator: most tensors are small, and the lookup takes time */
    tsr_memory_room room;
    const bool limited = tsr_memory_limit() != UINT64_MAX;
    if (nbytes < (limited ? (double)TSR_MEMORY_LIMITED_NBYTES : (double)SMALL_NBYTES))
        return true;
    tsr_memory_find_room(&room);
    return nbytes <= (double)room.nbytes;
}

/* A size that exceeds the whole machine is compared with the machine, even if another limit is tighter. */
const char *tsr_memory_words(char *buf, double nbytes)
{
    char need[32], left[32], limit[32];
    tsr_memory_room room;
    tsr_memory_find_room(&room);
    const uint64_t machine = tsr_memory_nbytes();
    if (nbytes > (double)machine)
        room = (tsr_memory_room){.limit_nbytes = machine, .limit = "this machine has"};
    tsr_bytes_text_f(need, nbytes);
    tsr_bytes_text(limit, room.limit_nbytes);
    if (nbytes > (double)room.limit_nbytes)
        snprintf(buf, TSR_MEMORY_WORDS_NBYTES, "%s, more than the %s that %s", need, limit, room.limit);
    else if (room.nbytes == 0)
        snprintf(buf, TSR_MEMORY_WORDS_NBYTES, "%s, but nothing is left of the %s that %s", need, limit,
                 room.limit);
    else
        snprintf(buf, TSR_MEMORY_WORDS_NBYTES, "%s, more than the %s left of the %s that %s", need,
                 tsr_bytes_text(left, room.nbytes), limit, room.limit);
    return buf;
}

tsr_status tsr_memory_check(double nbytes, const char *what, tsr_error *err)
{
    char words[TSR_MEMORY_WORDS_NBYTES];
    if (tsr_memory_fits(nbytes))
        return TSR_OK;
    return tsr_fail(err, TSR_LIMIT, "%s needs %s", what, tsr_memory_words(words, nbytes));
}
