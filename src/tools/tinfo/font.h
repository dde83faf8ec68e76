/* The font of the pictures: 5 by 7 dots for every printable ASCII character. */
#ifndef TSR_CLI_FONT_H
#define TSR_CLI_FONT_H

enum { TSR_FONT_WIDTH = 5, TSR_FONT_HEIGHT = 7, TSR_FONT_ADVANCE = 6 };

/* 7 rows, top first; in a row bit 4 is the leftmost dot. Other characters get the dots of '?'. */
const unsigned char *tsr_font_glyph(char c);

#endif
