/* Maps as C: the compiled text computes the same as eval. */
#include "tsr_test.h"

#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "map_oracle.h"
#include "map_random.h"
#include "tsr_map.h"

/* Compile the text into a shared object; its path. */
static const char *compiled(const char *text)
{
    const char *source = tsr_test_path(tsr_test_tmp(), "map.c"),
               *object = tsr_test_path(tsr_test_tmp(), "map.so");
    tsr_test_spit(source, text, strlen(text));
    const pid_t pid = fork();
    if (pid == 0) {
        execlp(TSR_CC, TSR_CC, "-std=c11", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-O1", "-shared",
               "-fPIC", "-o", object, source, (char *)NULL);
        _exit(127);
    }
    int status = -1;
    assert_true(pid > 0);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        fail_msg("the compiler refuses\n%s", text);
    return object;
}

static void *symbol(void *handle, const char *name, int number, const char *suffix)
{
    char full[64];
    snprintf(full, sizeof full, "%s%d%s", name, number, suffix);
    void *p = dlsym(handle, full);
    assert_non_null(p);
    return p;
}

typedef void (*map3)(int64_t *result, int64_t i, int64_t j, int64_t k);
typedef int (*inside3)(int64_t i, int64_t j, int64_t k);

static const char *const written[] = {
    "(int, result, t0) -> (int floordiv 4 + result, -t0 mod 3, min(int, t0) * max(result, 3) - 2), domain: "
    "int in "
    "[-20, 20], result in [0, 9], t0 in [-3, 3]",
    "(a, b, c) -> (a * b - c * c * 3, (a mod 5) * -7 + (a mod 5) floordiv 2, -(b floordiv 2), 4, -3), "
    "domain: a in "
    "[-9, 9], b in [0, 30], c in [0, 4], a + b in [0, 20], (a + c) mod 3 in [1, 2]",
    "(a, b, c) -> (a), domain: a in [3, 1]",
    "(a, b, c) -> ()",
};

/* Maps of three dims, from the list and random ones, all in one C text. */
static void test_emitted_maps(void **state)
{
    (void)state;
    enum { NMAPS = 60 };
    const int nwritten = (int)(sizeof written / sizeof written[0]);
    tsr_map *maps[NMAPS];
    tsr_text all = {0};
    tsr_rng rng = {.s = 3};
    for (int m = 0; m < NMAPS; m++) {
        tsr_text text = {0};
        char name[32];
        map_random_of(&text, &rng, 3, 3, true);
        assert_ok(tsr_map_parse(&maps[m], m < nwritten ? written[m] : tsr_text_cstr(&text), err));
        snprintf(name, sizeof name, "map%d", m);
        assert_ok(tsr_map_emit_c(&all, maps[m], name, err));
        tsr_text_clear(&text);
    }
    /* the generated text has no prototypes, so -Wmissing-prototypes is off */
    void *handle = dlopen(compiled(tsr_text_cstr(&all)), RTLD_NOW);
    assert_non_null(handle);
    for (int m = 0; m < NMAPS; m++) {
        map3 function;
        inside3 inside;
        *(void **)&function = symbol(handle, "map", m, "");
        *(void **)&inside = symbol(handle, "map", m, "_inside");
        char *text = map_text_of(maps[m]);
        map_oracle oracle;
        map_box box;
        map_oracle_read(&oracle, text);
        map_box_init(&box, &oracle, 300);
        while (map_box_next(&box)) {
            int64_t want[8] = {0}, got[8] = {0};
            bool is_inside;
            assert_ok(tsr_map_eval(want, maps[m], box.x, err));
            function(got, box.x[0], box.x[1], box.x[2]);
            if (memcmp(want, got, sizeof want) != 0)
                fail_msg("%s at (%d, %d, %d)", text, (int)box.x[0], (int)box.x[1], (int)box.x[2]);
            assert_ok(tsr_map_inside(&is_inside, maps[m], box.x, err));
            assert_int_equal(inside(box.x[0], box.x[1], box.x[2]), is_inside);
            assert_ok(tsr_map_inside(&is_inside, maps[m], (int64_t[]){box.x[1], 50, box.x[0] - 30}, err));
            assert_int_equal(inside(box.x[1], 50, box.x[0] - 30), is_inside);
        }
        free(text);
        tsr_map_free(maps[m]);
    }
    dlclose(handle);
    tsr_text_clear(&all);
}

static void test_text(void **state)
{
    (void)state;
    tsr_map *map;
    tsr_text text = {0};
    assert_ok(
        tsr_map_parse(&map,
                      "(row, col) -> ((row * 8 + col) floordiv 4, (row * 8 + col) mod 4), domain: row in [0, "
                      "9], col in [0, 7], row + col in [2, 12]",
                      err));
    assert_ok(tsr_map_emit_c(&text, map, "block", err));
    const char *functions = strstr(tsr_text_cstr(&text), "#endif\n");
    assert_non_null(functions);
    assert_string_equal(functions + 7,
                        "\n"
                        "/* (d0, d1) -> ((d0 * 8 + d1) floordiv 4, (d0 * 8 + d1) mod 4), domain: d0 in "
                        "[0, 9], d1 in [0, 7], d0 + d1 in [2, 12] */\n"
                        "void block(int64_t *result, int64_t row, int64_t col)\n"
                        "{\n"
                        "    result[0] = (row * 8 + col) / 4;\n"
                        "    result[1] = (row * 8 + col) % 4;\n"
                        "}\n"
                        "\n"
                        "/* Whether the point is in the domain. */\n"
                        "int block_inside(int64_t row, int64_t col)\n"
                        "{\n"
                        "    return row >= 0 &&\n"
                        "           row <= 9 &&\n"
                        "           col >= 0 &&\n"
                        "           col <= 7 &&\n"
                        "           row + col >= 2 &&\n"
                        "           row + col <= 12;\n"
                        "}\n");
    tsr_text_clear(&text);
    assert_int_equal(tsr_map_emit_c(&text, map, "while", NULL), TSR_ARGUMENT);
    assert_int_equal(tsr_map_emit_c(&text, map, "2d", NULL), TSR_ARGUMENT);
    tsr_map_free(map);
    assert_ok(tsr_map_parse(&map, "(i, j) -> (#i, j)", err));
    assert_int_equal(tsr_map_emit_c(&text, map, "ell", NULL), TSR_UNSUPPORTED);
    tsr_map_free(map);
    tsr_text_clear(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_emitted_maps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
