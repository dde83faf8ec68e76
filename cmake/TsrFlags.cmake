# tsr_flags: what every target of ours is compiled with.
add_library(tsr_flags INTERFACE)
target_compile_features(tsr_flags INTERFACE c_std_11)
target_compile_definitions(tsr_flags INTERFACE _POSIX_C_SOURCE=200809L _FILE_OFFSET_BITS=64)
target_compile_options(tsr_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla
  $<$<BOOL:${TSR_WERROR}>:-Werror>)
if(TSR_FAULTS)
  target_compile_definitions(tsr_flags INTERFACE TSR_FAULTS)
endif()
if(TSR_SANITIZE)
  target_compile_options(tsr_flags INTERFACE -fsanitize=${TSR_SANITIZE} -fno-omit-frame-pointer
                         -fno-sanitize-recover=all)
  target_link_options(tsr_flags INTERFACE -fsanitize=${TSR_SANITIZE})
endif()
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
endif()
