# find_package(geartrain) defines geartrain::geartrain_shared, geartrain::geartrain_static, and geartrain::geartrain,
# which is the shared one.
include(${CMAKE_CURRENT_LIST_DIR}/geartrainTargets.cmake)
if(NOT TARGET geartrain::geartrain)
  add_library(geartrain::geartrain INTERFACE IMPORTED)
  set_target_properties(geartrain::geartrain PROPERTIES INTERFACE_LINK_LIBRARIES geartrain::geartrain_shared)
endif()
