# The nine-bus case of crow as lines of C, so that `papers` finds it wherever the program is installed.
foreach(part m csv)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cases/wscc9.${part})
  file(READ ${PROJECT_SOURCE_DIR}/cases/wscc9.${part} text)
  string(REPLACE ";" "@semicolon@" text "${text}") # which would end an item of a list
  string(REGEX REPLACE "([\"\\])" "\\\\\\1" text "${text}")
  string(REGEX REPLACE "([^\n]*)\n" "    \"\\1\\\\n\"\n" text "${text}")
  string(REPLACE "@semicolon@" ";" WSCC9_${part} "${text}")
endforeach()
set(PAPER_CASE_SOURCE ${PROJECT_BINARY_DIR}/paper_case.c)
configure_file(${CMAKE_CURRENT_LIST_DIR}/paper_case.c.in ${PAPER_CASE_SOURCE} @ONLY)
