/* tessera_rt.h: all pieces of src/rt, for texts that include them. */
#include <string.h>

#include "emit_internal.h"

/* Whether the model of this name and type ("i32", "u32", "c128") can have values of type t. */
static bool can_have(const char *name, const char *model_type, tsr_type t)
{
    const char class = tsr_type_class(t);
    if (t == TSR_PATTERN)
        return false;
    if (model_type[0] == 'c')
        return class == 'C';
    if (model_type[0] == 'u')
        return class == 'U';
    return class == 'I' || (class == 'U' && strcmp(name, "div_i32") != 0); /* unsigned numbers have div_u32 */
}

/* Use each piece, for the types that it can have, if it is one for complex values or if it is not. */
static void use_pieces(emit *e, bool complex)
{
    memset(e->piece, 0, sizeof e->piece);
    for (int i = 0; i < EMIT_NPIECES; i++) {
        const char *const model_type = emit_model_type(emit_piece_names[i]);
        if (i == EMIT_tsr_rt_entry || complex != (model_type && model_type[0] == 'c'))
            continue;
        for (int t = 0; t < TSR_NTYPES; t++)
            e->piece[i][t][0] = model_type ? can_have(emit_piece_names[i], model_type, (tsr_type)t) : t == 0;
    }
}

tsr_status tsr_emit_runtime(tsr_text *text, const tsr_emit_target *target, tsr_error *err)
{
    emit e = {.is_runtime = true, .options.target = target, .err = err};
    tsr_text_add(text,
                 "/* What kernels of tkern --runtime=header call. A kernel that must not use AVX-512 defines "
                 "TSR_RT_SCALAR before\n * it includes this file. */\n"
                 "#ifndef TESSERA_RT_H\n#define TESSERA_RT_H\n\n");
    for (int h = 0; h < EMIT_NHEADERS; h++)
        if (strcmp(emit_c_headers[h], "<complex.h>") != 0)
            tsr_text_addf(text, "#include %s\n", emit_c_headers[h]);
    tsr_text_add(text, "\n#ifdef __cplusplus\n#define restrict __restrict\n#endif\n\n");
    use_pieces(&e, false);
    emit_put_pieces(&e, text);
    tsr_text_add(text, "#ifndef __cplusplus\n#include <complex.h>\n\n");
    use_pieces(&e, true);
    emit_put_pieces(&e, text);
    tsr_text_add(text, "#endif\n#endif\n");
    if (text->failed)
        emit_fail(&e, TSR_NOMEM, "out of memory for tessera_rt.h");
    tsr_arena_clear(&e.arena);
    return e.status;
}
