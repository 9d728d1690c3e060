# Sets how every target is compiled and linked.

find_program(MLI_CCACHE ccache)
if(MLI_CCACHE)
  # Paths from the build folder on, so that builds share what they compile alike,
  # and the sloppiness that precompiled headers need.
  set(launcher ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      ${MLI_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
endif()

if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # Without the time stamp ccache can share a precompiled header.
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
endif()

# lld links libMLIR.so programs ten times as fast as GNU ld; -B finds this
# release's, where plain -fuse-ld=lld may be another's.
find_program(MLI_LLD ld.lld HINTS ${MLI_LLVM_ROOT}/bin NO_DEFAULT_PATH)
if(MLI_LLD)
  add_link_options(-fuse-ld=lld -B${MLI_LLVM_ROOT}/bin)
endif()

# mli_add_library(Name SOURCES... LINK LIBRARIES... ROOMS ROOM...): a library without
# LLVM. Its one room is the folder that adds it, unless it has others.
function(mli_add_library name)
  cmake_parse_arguments(ARG "" "" "LINK;ROOMS" ${ARGN})
  if(NOT ARG_ROOMS)
    get_filename_component(ARG_ROOMS ${CMAKE_CURRENT_SOURCE_DIR} NAME)
  endif()
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${name} PRIVATE -Wall -Wextra)
  mli_add_rooms(${name} ${ARG_ROOMS})
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
  mli_install_library(${name} runtime)
endfunction()

# Every instruction set that Highway knows is compiled, whatever the compiler's
# default; its checks would need its library.
set(MLI_HIGHWAY_DEFINITIONS HWY_COMPILE_ALL_ATTAINABLE HWY_IS_DEBUG_BUILD=0)
# The default target of Arm is compiled as the others: g++ refuses to inline
# constructors of vectors into functions for a target of their own.
if(CMAKE_SYSTEM_PROCESSOR STREQUAL aarch64)
  list(APPEND MLI_HIGHWAY_DEFINITIONS TOOLCHAIN_MISS_SYS_AUXV_H)
endif()
