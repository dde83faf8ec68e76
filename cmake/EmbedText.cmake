# cmake -DINPUT=file -DOUTPUT=file.c -DNAME=name -P EmbedText.cmake: write a C file with the text as const char NAME[].
file(READ ${INPUT} hex HEX)
string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," hex "${hex}")
file(WRITE ${OUTPUT} "extern const char ${NAME}[];\nconst char ${NAME}[] = {\n${hex}0};\n")
