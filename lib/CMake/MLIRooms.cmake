# Lets a target include its own folders, and the public ones of what it links: each
# room has a folder of links for each of its folders, and no include path leads to
# all of them.
#   rooms/<Room>/include/mli/<Room>    public headers, from include/mli
#   rooms/<Room>/generated/mli/<Room>  what TableGen writes of them: no link, or else
#                                      ninja would not know who writes it
#   rooms/<Room>/lib/<Room>            private headers, from lib
# .ci/rooms.py holds to more: to what a room names, and to rooms within a target.

set(MLI_ROOMS ${PROJECT_BINARY_DIR}/rooms)
set(MLI_GENERATED_ROOMS IR Conversion Transforms Reducer)

# Links FOLDER of the sources as rooms/LINK.
function(mli_link_folder folder link)
  get_filename_component(parent ${MLI_ROOMS}/${link} DIRECTORY)
  file(MAKE_DIRECTORY ${parent})
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${folder} ${MLI_ROOMS}/${link} SYMBOLIC)
endfunction()

# mli_add_rooms(TARGET ROOM...): the rooms that TARGET is made of.
function(mli_add_rooms target)
  foreach(room ${ARGN})
    if(NOT EXISTS ${PROJECT_SOURCE_DIR}/include/mli/${room}
       AND NOT EXISTS ${PROJECT_SOURCE_DIR}/lib/${room})
      message(FATAL_ERROR "${target}: no room ${room} in include/mli or lib")
    endif()
    if(EXISTS ${PROJECT_SOURCE_DIR}/include/mli/${room})
      mli_link_folder(include/mli/${room} ${room}/include/mli/${room})
      target_include_directories(${target} PUBLIC
        $<BUILD_INTERFACE:${MLI_ROOMS}/${room}/include>)
    endif()
    if(room IN_LIST MLI_GENERATED_ROOMS AND NOT MLI_WITHOUT_MLIR)
      target_include_directories(${target} PUBLIC
        $<BUILD_INTERFACE:${MLI_ROOMS}/${room}/generated>)
    endif()
    if(EXISTS ${PROJECT_SOURCE_DIR}/lib/${room})
      mli_link_folder(lib/${room} ${room}/lib/${room})
      target_include_directories(${target} PRIVATE ${MLI_ROOMS}/${room}/lib)
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES MLI_ROOMS "${ARGN}")
endfunction()

# mli_open_rooms(TARGET LIBRARY...): TARGET, a test or a bench, also sees what is
# private in these libraries.
function(mli_open_rooms target)
  foreach(library ${ARGN})
    get_target_property(rooms ${library} MLI_ROOMS)
    foreach(room ${rooms})
      if(EXISTS ${MLI_ROOMS}/${room}/lib)
        target_include_directories(${target} PRIVATE ${MLI_ROOMS}/${room}/lib)
      endif()
    endforeach()
  endforeach()
endfunction()
