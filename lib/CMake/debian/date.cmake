# CPack reads it first: files in packages are as old as the last commit, if no
# SOURCE_DATE_EPOCH says something else.
if("$ENV{SOURCE_DATE_EPOCH}" STREQUAL "")
  execute_process(COMMAND git log -1 --format=%ct
    WORKING_DIRECTORY ${CMAKE_CURRENT_LIST_DIR} OUTPUT_VARIABLE date
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(date STREQUAL "")
    set(date 0)
  endif()
  set(ENV{SOURCE_DATE_EPOCH} ${date})
endif()
