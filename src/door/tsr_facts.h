/* Facts about a tensor or a file, as JSON: the answers of tinfo --json and of tessera_info. */
#ifndef TSR_FACTS_H
#define TSR_FACTS_H

#include "tsr_brief.h"
#include "tsr_codec.h"
#include "tsr_json.h"
#include "tsr_survey.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is known about a tensor, ready to print. */
typedef struct tsr_tensor_facts {
    const char *path;            /* NULL: not from a file */
    const char *codec;           /* its name; NULL when unknown (standard input) */
    uint64_t file_nbytes;        /* 0: unknown */
    const tsr_data *data;        /* as read; a packed tensor may lack the values */
    bool spreads, sizes, values; /* the parts to print */
    tsr_survey survey;
    const tsr_density *density; /* of the first two modes, for characters; NULL: none */
} tsr_tensor_facts;

/* Whether the values of a file are worth reading, only to count them: not those of large files. */
enum { TSR_FACTS_VALUES_NBYTES = 256 << 20 };
static inline bool tsr_facts_want_values(uint64_t file_nbytes)
{
    return file_nbytes <= TSR_FACTS_VALUES_NBYTES;
}

/* What coordinates and packed tensors have in common. */
typedef struct tsr_facts_head {
    int order;
    const uint64_t *dims;
    tsr_type type;
    bool iso;
    tsr_structure structure;
    const unsigned char *fill; /* NULL: 0 */
} tsr_facts_head;
tsr_facts_head tsr_facts_head_of(const tsr_data *data);
/* The bytes of all arrays of the tensor, including values that were not read. */
uint64_t tsr_facts_nbytes(const tsr_tensor *tensor);

/* Add everything as members to an open JSON object. */
void tsr_facts_json(tsr_json *json, const tsr_tensor_facts *info);
/* Add the arrays as members: {"levels": [...], "values": [...]} of a packed tensor, {"modes": [...], "values":
 * [...]} of coordinates. */
void tsr_facts_arrays(tsr_json *json, const tsr_data *data);
/* Add the stored entries of a tensor, which must pass tsr_tensor_check, as the member "entries": for each its
 * coordinates "crd" and its position in each level, "at"; in storage order. TSR_NOMEM, TSR_CORRUPT. */
tsr_status tsr_facts_entries(tsr_json *json, const tsr_tensor *tensor, tsr_error *err) TSR_NODISCARD;
/* Add what the headers of the file `path` report; file_nbytes 0: unknown. */
void tsr_facts_brief_json(tsr_json *json, const tsr_brief *brief, const char *path, uint64_t file_nbytes);

#ifdef __cplusplus
}
#endif
#endif
