/* Parts of a file by lists of coordinates: rows 100 to 199 and 5000. Codecs that can read only the wanted slices of the mode of
 * their first level; the remaining modes are selected in memory. */
#ifndef TSR_PICKED_H
#define TSR_PICKED_H

#include "tsr_codec.h"

#ifdef __cplusplus
extern "C" {
#endif

/* For each mode a list of coordinates, "100:200,5000,-1": indices and slices as NumPy's, with commas between them. The list is the
 * order of the result, and may name a coordinate more than once. NULL or ":": the whole mode. A list ends at a semicolon or with the
 * text. Borrowed. */
struct tsr_picked {
    const char *text[TSR_MAX_ORDER];
};

/* Cut "100:200,5000; :; 3" into the lists of the modes; a list that is left out is the whole mode. TSR_SYNTAX. */
tsr_status tsr_picked_parse(tsr_picked *out, const char *text, tsr_error *err) TSR_NODISCARD;
/* Whether a mode is selected from; s may be NULL. */
bool tsr_picked_any(const tsr_picked *s);
/* Check the lists before the dims are known. TSR_SYNTAX. */
tsr_status tsr_picked_check(const tsr_picked *s, tsr_error *err) TSR_NODISCARD;
/* *out: the coordinates (of 8 bytes) that the list of the mode means, in the order of the list. TSR_SYNTAX; TSR_RANGE: an index is
 * beyond the dim. */
tsr_status tsr_picked_list(tsr_array *out, const tsr_picked *s, int mode, uint64_t dim,
                           tsr_error *err) TSR_NODISCARD;
/* The same coordinates, each once, rising: what a codec reads. Then it sets tsr_data.slices. */
tsr_status tsr_picked_slices(tsr_array *out, const tsr_picked *s, int mode, uint64_t dim,
                             tsr_error *err) TSR_NODISCARD;
/* Whether a codec may read only slices of this mode: the option is set, and no other option needs the whole. */
bool tsr_picked_in(const tsr_read_options *options, int mode);

/* tsr_read of the selected part, or of the whole without a selection. A stored triangle is expanded before. A packed tensor keeps its
 * format where that suits the new dims. TSR_ARGUMENT: a list for a mode that the tensor does not have, or for one triangle that is
 * kept. */
tsr_status tsr_read_selected(tsr_data *out, const char *path, const tsr_codec *codec,
                             const tsr_read_options *options, tsr_error *err) TSR_NODISCARD;

#ifdef __cplusplus
}
#endif
#endif
