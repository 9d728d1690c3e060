# The target check-mli runs all tests, after building what is part of `all`.

# mli_find_targets(FOLDER RESULT): those that FOLDER and the folders below it add.
function(mli_find_targets folder result)
  get_property(found DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  get_property(below DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(subfolder ${below})
    mli_find_targets(${subfolder} more)
    list(APPEND found ${more})
  endforeach()
  set(${result} ${found} PARENT_SCOPE)
endfunction()

# mli_add_check(): after all other targets.
function(mli_add_check)
  mli_find_targets(${PROJECT_SOURCE_DIR} targets)
  add_custom_target(check-mli
    COMMAND ${PROJECT_SOURCE_DIR}/.ci/tests ${PROJECT_BINARY_DIR}
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} USES_TERMINAL)
  foreach(target ${targets})
    get_target_property(type ${target} TYPE)
    if(target MATCHES "-manual$" OR
       (type MATCHES "EXECUTABLE|LIBRARY" AND NOT type STREQUAL INTERFACE_LIBRARY))
      add_dependencies(check-mli ${target})
    endif()
  endforeach()
endfunction()
