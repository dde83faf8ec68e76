/* Prints JSON, value by value, to a text or to any function that takes bytes, so that arrays of any length need
 * no memory. Integers are written in full, floats as their shortest round trip; values that JSON cannot represent
 * are strings: "nan", "inf". */
#ifndef TSR_JSON_H
#define TSR_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "tsr_array.h"
#include "tsr_error.h"
#include "tsr_text.h"
#include "tsr_type.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TSR_JSON_MAX_DEPTH = 16 };

typedef struct tsr_json {
    void (*put)(void *to, const char *bytes, size_t n);
    void *to;
    int depth;
    bool any[TSR_JSON_MAX_DEPTH];    /* per open container: it has a value already */
    bool inside[TSR_JSON_MAX_DEPTH]; /* per open container: it is written on one line */
} tsr_json;

/* JSON that is appended to a text. */
tsr_json tsr_json_of_text(tsr_text *text);

/* Every function below writes one value: with its key inside an object, with key NULL inside an array or at
 * the top. open: bracket is '{' or '['; `one_line` writes the whole container on one line. */
void tsr_json_open(tsr_json *json, const char *key, char bracket, bool one_line);
void tsr_json_close(tsr_json *json, char bracket);
void tsr_json_string(tsr_json *json, const char *key, const char *text);
void tsr_json_bool(tsr_json *json, const char *key, bool v);
void tsr_json_null(tsr_json *json, const char *key);
void tsr_json_u64(tsr_json *json, const char *key, uint64_t v);
void tsr_json_i64(tsr_json *json, const char *key, int64_t v);
void tsr_json_f64(tsr_json *json, const char *key, double v);
/* One value of a tensor: complex as [re, im], pattern as 1. */
void tsr_json_value(tsr_json *json, const char *key, tsr_type type, const void *v);
/* A whole array of n integers, such as the sizes of modes. */
void tsr_json_dims(tsr_json *json, const char *key, int n, const uint64_t *dims);
/* A whole array of integers. */
void tsr_json_indices(tsr_json *json, const char *key, const tsr_array *array);

#ifdef __cplusplus
}
#endif
#endif
