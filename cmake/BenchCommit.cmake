# cmake -DSOURCE=dir -DOUTPUT=file.h -P BenchCommit.cmake: write the commit that is built as the macro BENCH_COMMIT. The file is
# written only if the commit changed.
execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=12 --exclude=* OUTPUT_VARIABLE commit
                OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed OR NOT commit MATCHES "^[0-9a-z-]+$")
  set(commit unknown)
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#define BENCH_COMMIT \"${commit}\"\n" @ONLY)
