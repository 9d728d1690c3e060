# Writes texts into a file that C++ includes, so that programs have them without files
# beside them. A script of each build, too.

# mli_embed(FILE TEXTS...): FILE, rows `{"name", R"...(text)..."},` with the texts as
# they are.
function(mli_embed file)
  list(TRANSFORM ARGN PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  string(REPLACE ";" "|" texts "${ARGN}")
  add_custom_command(OUTPUT ${file}
    COMMAND ${CMAKE_COMMAND} -DFILE=${file} "-DTEXTS=${texts}"
            -P ${PROJECT_SOURCE_DIR}/lib/CMake/MLIEmbed.cmake
    DEPENDS ${ARGN} ${PROJECT_SOURCE_DIR}/lib/CMake/MLIEmbed.cmake
    COMMENT "" VERBATIM)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE)
  string(REPLACE "|" ";" texts "${TEXTS}")
  file(WRITE ${FILE} "")
  foreach(path ${texts})
    get_filename_component(name ${path} NAME)
    file(READ ${path} text)
    file(APPEND ${FILE} "{\"${name}\", R\"~embedded~(${text})~embedded~\"},\n")
  endforeach()
endif()
