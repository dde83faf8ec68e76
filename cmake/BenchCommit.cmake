# cmake -DSOURCE=dir -DOUTPUT=file.h -P BenchCommit.cmake: write the commit that is built as the macro BENCH_COMMIT, with -dirty
# where files that it tracks are changed. Changes of what ./dev results writes do not count, so that several runs of it have one
# commit. The file is written only if the commit changed.
execute_process(COMMAND git -C ${SOURCE} describe --always --abbrev=12 --exclude=* OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE
                ERROR_QUIET RESULT_VARIABLE failed)
execute_process(COMMAND git -C ${SOURCE} diff --quiet HEAD -- . ":(exclude)results" ":(exclude)README.md" ":(exclude)docs"
                OUTPUT_QUIET ERROR_QUIET RESULT_VARIABLE changed)
if(changed)
  string(APPEND commit -dirty)
endif()
if(failed OR NOT commit MATCHES "^[0-9a-z-]+$")
  set(commit unknown)
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#define BENCH_COMMIT \"${commit}\"\n" @ONLY)
