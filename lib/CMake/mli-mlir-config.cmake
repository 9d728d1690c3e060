# find_package(mli-mlir): mli::MLIRuntime, the kernels, for programs without a
# compiler; mli::MLIPipelines, mli::MLIImport and mli::MLIExecution for those that
# have one. These need the MLIR that this package was built with.

include(CMakeFindDependencyMacro)
if(EXISTS ${CMAKE_CURRENT_LIST_DIR}/../../libMLIPipelines.a)
  find_dependency(MLIR CONFIG)
endif()
include(${CMAKE_CURRENT_LIST_DIR}/mli-mlirTargets.cmake)
if(TARGET mli::MLIDialect)
  set_property(TARGET mli::MLIDialect APPEND PROPERTY
    INTERFACE_INCLUDE_DIRECTORIES ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
endif()
