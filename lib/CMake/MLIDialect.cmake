# Adds what only the MLIR side needs: TableGen, reference docs, libMLIR.so and the
# one precompiled header.

find_package(MLIR REQUIRED CONFIG HINTS ${MLI_LLVM_ROOT})
set(MLIR_BINARY_DIR ${PROJECT_BINARY_DIR})
set(MLIR_LINK_MLIR_DYLIB ON)
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)
include(HandleLLVMOptions) # RTTI and exceptions as the installed LLVM has them.
include_directories(SYSTEM ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})

add_custom_target(mli-headers)
add_custom_target(mli-doc
  COMMAND ${PROJECT_SOURCE_DIR}/.ci/rules.py
  COMMAND ${PROJECT_SOURCE_DIR}/.ci/kernels.py
  COMMAND ${PROJECT_SOURCE_DIR}/.ci/coverage.py
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
  COMMENT "Writing docs/reference from the .td files, tables and rule ids")

# mli_add_doc(File.td Name GENERATOR...) writes docs/reference/Name.md.
function(mli_add_doc td name)
  set(LLVM_TARGET_DEFINITIONS ${td})
  mlir_tablegen(${name}.md ${ARGN})
  add_custom_target(mli-doc-${name}
    COMMAND ${CMAKE_COMMAND} -E copy_if_different
            ${CMAKE_CURRENT_BINARY_DIR}/${name}.md
            ${PROJECT_SOURCE_DIR}/docs/reference/${name}.md
    DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/${name}.md)
  add_dependencies(mli-doc mli-doc-${name})
endfunction()

# mli_add_passes(Name): a folder's Passes.td -> Passes.h.inc and its docs page.
function(mli_add_passes name)
  set(LLVM_TARGET_DEFINITIONS Passes.td)
  mlir_tablegen(Passes.h.inc -gen-pass-decls -name MLI${name})
  add_public_tablegen_target(MLI${name}IncGen)
  add_dependencies(mli-headers MLI${name}IncGen)
  mli_add_doc(Passes.td ${name}Passes -gen-pass-doc)
endfunction()

# Only what is compiled against MLIR: that itself is not instrumented, and the
# libraries without it are tested by a build of their own.
option(MLI_SANITIZE_COMPILER
       "AddressSanitizer and UndefinedBehaviorSanitizer for dialect, passes and tools"
       OFF)

# mli_sanitize(TARGET): for all that the functions below add, and for tests. What
# needs type information at run time is not checked: LLVM has none.
function(mli_sanitize name)
  if(MLI_SANITIZE_COMPILER)
    # The statistics of upstream's passes read a bool that nobody has set.
    target_compile_options(${name} PRIVATE -fsanitize=address,undefined
      -fno-sanitize=bool -fno-sanitize-recover=undefined -O1 -gline-tables-only)
    target_link_options(${name} PUBLIC -fsanitize=address,undefined)
  endif()
endfunction()

# mli_add_mlir_library(Name SOURCES... LINK_UPSTREAM MLIRFoo... LINK MLIBar...)
function(mli_add_mlir_library name)
  cmake_parse_arguments(ARG "" "" "LINK;LINK_UPSTREAM" ${ARGN})
  add_mlir_library(${name} STATIC EXCLUDE_FROM_LIBMLIR DISABLE_INSTALL
    PARTIAL_SOURCES_INTENDED
    ${ARG_UNPARSED_ARGUMENTS} DEPENDS mli-headers)
  get_filename_component(room ${CMAKE_CURRENT_SOURCE_DIR} NAME)
  mli_add_rooms(${name} ${room})
  mlir_target_link_libraries(${name} PUBLIC ${ARG_LINK_UPSTREAM})
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
  mli_sanitize(${name})
  if(name STREQUAL MLIDialect)
    target_precompile_headers(${name} PRIVATE
      ${PROJECT_SOURCE_DIR}/lib/IR/Precompiled.h)
  else()
    target_precompile_headers(${name} REUSE_FROM MLIDialect)
  endif()
  mli_install_library(${name} compiler)
endfunction()

# mli_add_mlir_tool(name SOURCES... LINK MLIBar...)
function(mli_add_mlir_tool name)
  cmake_parse_arguments(ARG "" "" "LINK;LINK_UPSTREAM" ${ARGN})
  add_llvm_executable(${name} PARTIAL_SOURCES_INTENDED ${ARG_UNPARSED_ARGUMENTS})
  add_dependencies(${name} mli-headers)
  llvm_update_compile_flags(${name})
  mlir_target_link_libraries(${name} PRIVATE ${ARG_LINK_UPSTREAM})
  target_link_libraries(${name} PRIVATE ${ARG_LINK})
  mli_sanitize(${name})
  target_precompile_headers(${name} REUSE_FROM MLIDialect)
  # Installed tools find libMLIR.so as those of the build do.
  set_property(TARGET ${name} APPEND PROPERTY
    INSTALL_RPATH ${LLVM_LIBRARY_DIRS})
  mli_install_tool(${name})
endfunction()
