# find_package(mli-mlir [COMPONENTS runtime compiler]). Of runtime is mli::MLIRuntime, the
# kernels, for programs without a compiler; of compiler are mli::MLIPipelines,
# mli::MLIImport and mli::MLIExecution, which need the MLIR that this package was built
# with. Who names none gets those that were built.

include(CMakeFindDependencyMacro)
set(folder ${CMAKE_CURRENT_LIST_DIR})
set(components ${mli-mlir_FIND_COMPONENTS})
if(NOT components)
  set(components runtime)
  if(EXISTS ${folder}/mli-mlir-compiler.cmake)
    list(APPEND components compiler)
  endif()
endif()
include(${folder}/mli-mlir-runtime.cmake)
set(mli-mlir_runtime_FOUND TRUE)
if(compiler IN_LIST components AND EXISTS ${folder}/mli-mlir-compiler.cmake)
  find_dependency(MLIR CONFIG)
  include(${folder}/mli-mlir-compiler.cmake)
  set_property(TARGET mli::MLIDialect APPEND PROPERTY
    INTERFACE_INCLUDE_DIRECTORIES ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
  set(mli-mlir_compiler_FOUND TRUE)
endif()
foreach(component ${components})
  if(mli-mlir_FIND_REQUIRED_${component} AND NOT mli-mlir_${component}_FOUND)
    set(mli-mlir_FOUND FALSE)
    set(mli-mlir_NOT_FOUND_MESSAGE "it was built without '${component}'")
  endif()
endforeach()
