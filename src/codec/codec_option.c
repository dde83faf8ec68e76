/* The options of codecs: see tsr_codec_option. */
#include <string.h>

#include "tsr_codec_given.h"
#include "tsr_shown.h"

bool tsr_codec_has_option(const tsr_codec *codec, const tsr_codec_option *option)
{
    for (int k = 0; codec->options && codec->options[k]; k++)
        if (codec->options[k] == option)
            return true;
    return false;
}

/* Whether a codec before number c has the option. */
static bool came_before(int c, const tsr_codec_option *option)
{
    for (int i = 0; i < c; i++)
        if (tsr_codec_has_option(tsr_codecs[i], option))
            return true;
    return false;
}

const tsr_codec_option *tsr_codec_next_option(size_t *i)
{
    size_t n = 0;
    for (int c = 0; tsr_codecs[c]; c++)
        for (int k = 0; tsr_codecs[c]->options && tsr_codecs[c]->options[k]; k++)
            if (!came_before(c, tsr_codecs[c]->options[k]) && n++ == *i) {
                ++*i;
                return tsr_codecs[c]->options[k];
            }
    return NULL;
}

void tsr_codec_option_owners(tsr_text *names, const tsr_codec_option *option)
{
    bool first = true;
    for (int c = 0; tsr_codecs[c]; c++)
        if (tsr_codec_has_option(tsr_codecs[c], option)) {
            tsr_text_addf(names, "%s%s", first ? "" : ", ", tsr_codecs[c]->name);
            first = false;
        }
}

tsr_status tsr_codec_set_option(const tsr_codec_settings *to, const char *name, const char *value,
                                tsr_error *err)
{
    char shown[TSR_SHOWN_NBYTES];
    size_t i = 0;
    for (const tsr_codec_option *o; (o = tsr_codec_next_option(&i));)
        if (strcmp(o->name, name) == 0) {
            if (value ? !o->arg : o->arg && o->arg[0] != '[')
                return tsr_fail(err, TSR_ARGUMENT,
                                value ? "the option %s takes no value" : "the option %s needs a value",
                                o->name);
            return o->set(to, value, err);
        }
    return tsr_fail(err, TSR_ARGUMENT, "no file format has the option '%s'", tsr_show(shown, name));
}

tsr_status tsr_codec_give(tsr_codec_given *given, const tsr_codec_settings *to, const char *name,
                          const char *value, tsr_error *err)
{
    size_t i = 0;
    for (const tsr_codec_option *o; (o = tsr_codec_next_option(&i));)
        if (strcmp(o->name, name) == 0 && given->n < TSR_MAX_CODEC_GIVEN)
            given->options[given->n++] = o;
    return tsr_codec_set_option(to, name, value, err);
}

tsr_status tsr_codec_check_given(const tsr_codec_given *given, const tsr_codec *in, const tsr_codec *out,
                                 const char *mark, tsr_error *err)
{
    for (int k = 0; k < given->n; k++) {
        const tsr_codec_option *const o = given->options[k];
        const bool known = o->writes ? out != NULL : in != NULL;
        if (!known || (in && tsr_codec_has_option(in, o)) || (out && tsr_codec_has_option(out, o)))
            continue;
        tsr_text owners = {0};
        tsr_codec_option_owners(&owners, o);
        const tsr_status status =
            tsr_fail(err, TSR_ARGUMENT, "%s%s is for %s files, not for %s: leave it out", mark, o->name,
                     tsr_text_cstr(&owners), o->writes ? out->name : in->name);
        tsr_text_clear(&owners);
        return status;
    }
    return TSR_OK;
}
