# plots/style.gp as lines of C, so that the program finds it wherever it is installed.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/style.gp)
file(READ ${CMAKE_CURRENT_LIST_DIR}/style.gp PLOT_STYLE_LINES)
string(REGEX REPLACE "([\"\\])" "\\\\\\1" PLOT_STYLE_LINES "${PLOT_STYLE_LINES}")
string(REGEX REPLACE "([^\n]*)\n" "    \"\\1\",\n" PLOT_STYLE_LINES "${PLOT_STYLE_LINES}")
set(PLOT_STYLE_SOURCE ${PROJECT_BINARY_DIR}/plot_style.c)
configure_file(${CMAKE_CURRENT_LIST_DIR}/plot_style.c.in ${PLOT_STYLE_SOURCE} @ONLY)
