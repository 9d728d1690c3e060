# Writes the commit of the sources to a file that is as it was where that is the same, so
# that only another commit builds anything again. A script of each build, too.

# mli_add_commit(TARGET FILE): FILE, of which TARGET is to be built first.
function(mli_add_commit target file)
  find_package(Git QUIET)
  add_custom_target(${target}
    COMMAND ${CMAKE_COMMAND} -DGIT=${GIT_EXECUTABLE} -DSOURCES=${PROJECT_SOURCE_DIR}
            -DFILE=${file} -P ${PROJECT_SOURCE_DIR}/lib/CMake/MLICommit.cmake
    BYPRODUCTS ${file}
    COMMENT "" VERBATIM)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE)
  set(commit "unknown")
  if(GIT)
    # Two lines, the first of which is empty: the sources are no part of others.
    execute_process(COMMAND ${GIT} rev-parse --show-prefix --short=12 HEAD
      WORKING_DIRECTORY ${SOURCES} RESULT_VARIABLE status
      OUTPUT_VARIABLE found ERROR_QUIET)
    if(status EQUAL 0 AND found MATCHES "^\n([0-9a-f]+)\n$")
      set(commit ${CMAKE_MATCH_1})
    endif()
  endif()
  set(text "\"${commit}\"\n")
  set(old "")
  if(EXISTS ${FILE})
    file(READ ${FILE} old)
  endif()
  if(NOT old STREQUAL text)
    file(WRITE ${FILE} ${text})
  endif()
endif()
