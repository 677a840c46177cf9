# data/ is installed as share/ridgepoint and mirrored into the build tree, where programs find it at
# ../share/ridgepoint from their own folder (analyzer/core/data_path.h).
file(GLOB_RECURSE ridgepoint_data_files CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/data"
     "${PROJECT_SOURCE_DIR}/data/*")
set(ridgepoint_data_stamps "")
foreach(file IN LISTS ridgepoint_data_files)
  add_custom_command(
    OUTPUT "${RIDGEPOINT_DATA_OUTPUT}/${file}"
    COMMAND ${CMAKE_COMMAND} -E copy "${PROJECT_SOURCE_DIR}/data/${file}" "${RIDGEPOINT_DATA_OUTPUT}/${file}"
    DEPENDS "${PROJECT_SOURCE_DIR}/data/${file}"
    VERBATIM)
  list(APPEND ridgepoint_data_stamps "${RIDGEPOINT_DATA_OUTPUT}/${file}")
endforeach()
add_custom_target(ridgepoint_data ALL DEPENDS ${ridgepoint_data_stamps})
install(DIRECTORY "${PROJECT_SOURCE_DIR}/data/" DESTINATION "${CMAKE_INSTALL_DATADIR}/ridgepoint")
