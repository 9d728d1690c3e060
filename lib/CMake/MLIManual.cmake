# Man pages of tools, and what shells complete: made of their `--help`.

set(manual_is_made ON)
if(CMAKE_CROSSCOMPILING OR CMAKE_CXX_FLAGS MATCHES "sanitize" OR MLI_SANITIZE_COMPILER)
  set(manual_is_made OFF) # The tools do not run here, or slowly.
endif()
find_program(MLI_HELP2MAN help2man)
find_package(Python3 COMPONENTS Interpreter)
if(NOT Python3_FOUND)
  set(manual_is_made OFF)
elseif(NOT MLI_HELP2MAN)
  message(STATUS "No man pages: help2man is not installed")
endif()
set(MLI_MANUAL ${PROJECT_SOURCE_DIR}/tools/manual)

# mli_add_manual_file(TOOL FILE FOLDER SCRIPT ARGUMENT...): FILE of the build, which the
# script writes after these arguments, to be installed in that folder.
function(mli_add_manual_file tool file folder script)
  set(output ${PROJECT_BINARY_DIR}/manual/${file})
  get_filename_component(parent ${output} DIRECTORY)
  file(MAKE_DIRECTORY ${parent})
  add_custom_command(OUTPUT ${output}
    COMMAND Python3::Interpreter ${MLI_MANUAL}/${script} $<TARGET_FILE:${tool}> ${ARGN}
            ${output}
    DEPENDS ${tool} ${MLI_MANUAL}/${script} ${MLI_MANUAL}/help_text.py
    COMMENT "Writing ${file}" VERBATIM)
  set(files ${files} ${output} PARENT_SCOPE)
  install(FILES ${output} DESTINATION ${CMAKE_INSTALL_DATADIR}/${folder})
endfunction()

# mli_install_tool(TOOL): the program and its manual. Shells find completions by the
# names of their files.
function(mli_install_tool tool)
  install(TARGETS ${tool})
  if(NOT manual_is_made)
    return()
  endif()
  if(MLI_HELP2MAN)
    mli_add_manual_file(${tool} man/${tool}.1.gz man/man1 man.py ${PROJECT_VERSION})
  endif()
  mli_add_manual_file(${tool} bash/${tool} bash-completion/completions completion.py bash)
  mli_add_manual_file(${tool} zsh/_${tool} zsh/vendor-completions completion.py zsh)
  mli_add_manual_file(${tool} fish/${tool}.fish fish/vendor_completions.d
    completion.py fish)
  add_custom_target(${tool}-manual ALL DEPENDS ${files})
endfunction()
