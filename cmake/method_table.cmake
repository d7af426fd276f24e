# Writes the table of methods: which names exist, and the function that makes each.
#
# A method is one .cpp file directly in a method room (not in its common/), and file name = method name:
#
#     src/formulations/index2_baumgarte.cpp  ->  FormulationEntry driftless::formulations::index2_baumgarte()
#                                                is called `index2-baumgarte`
#     src/problems/001_slider_crank.cpp      ->  ProblemEntry driftless::problems::paper_001_slider_crank()
#                                                is called `001-slider-crank` (a C++ name cannot begin with a digit)
#
# So adding a method is adding a file: no list to edit. The generated code calls every function by name, hence a
# linker can drop none of them from a static library (as it does with self-registering objects), and a file without
# its function is a link error that names the function.

set(driftless_method_rooms formulations integrators stabilizers controls controllers problems)

function(driftless_capitalise word result)
  string(SUBSTRING "${word}" 0 1 first)
  string(TOUPPER "${first}" first)
  string(SUBSTRING "${word}" 1 -1 rest)
  set(${result} "${first}${rest}" PARENT_SCOPE)
endfunction()

# Appends one room to the variables `declarations` and `tables` of the caller.
function(driftless_add_room room)
  string(REGEX REPLACE "s$" "" noun "${room}")  # formulations -> formulation
  driftless_capitalise(${noun} entry)
  string(APPEND entry "Entry")  # FormulationEntry

  file(GLOB files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${room}/*.cpp")
  set(names "")
  foreach(file IN LISTS files)
    cmake_path(GET file STEM LAST_ONLY stem)
    if(NOT stem MATCHES "^[a-z0-9]+(_[a-z0-9]+)*$")
      message(FATAL_ERROR "src/${room}/${stem}.cpp: the name of a method file has only lower-case letters, digits "
                          "and single underscores between them, because it is also the method's name; rename the "
                          "file, or move it to src/${room}/common/ if it is not a method")
    endif()
    string(REPLACE "_" "-" name "${stem}")
    list(APPEND names "${name}")
  endforeach()
  list(SORT names)  # by method name: file names sort differently ('_' comes after the digits, '-' before)

  set(room_declarations "")
  set(rows "")
  foreach(name IN LISTS names)
    string(REPLACE "-" "_" function "${name}")
    if(function MATCHES "^[0-9]")
      string(PREPEND function "paper_")
    endif()
    string(APPEND room_declarations "${entry} ${function}();\n")
    string(APPEND rows "      {\"${name}\", ${room}::${function}()},\n")
  endforeach()

  if(names)
    string(APPEND declarations "namespace driftless::${room} {\n${room_declarations}}\n\n")
    set(rows "\n${rows}  ")
  endif()
  string(APPEND tables
         "const std::vector<Named<${entry}>>& ${noun}_table() {\n"
         "  static const std::vector<Named<${entry}>> table = {${rows}};\n"
         "  return table;\n"
         "}\n\n")
  return(PROPAGATE declarations tables)
endfunction()

function(driftless_write_method_table output)
  set(declarations "")
  set(tables "")
  foreach(room IN LISTS driftless_method_rooms)
    driftless_add_room(${room})
  endforeach()
  # file(CONFIGURE) leaves an unchanged file alone, so that configuring again compiles nothing again.
  file(CONFIGURE OUTPUT "${output}" @ONLY CONTENT
"// Written by cmake/method_table.cmake from the files in the method rooms.
#include <driftless/core/entries.hpp>

#include <string>
#include <vector>

@declarations@namespace driftless::catalog {

@tables@}  // namespace driftless::catalog
")
endfunction()

# The types of joints and forces, likewise: src/mechanics/joints/point_on_line.cpp -> JointEntry driftless::mechanics::joints::point_on_line().
function(driftless_write_mechanics_table output)
  set(declarations "")
  set(tables "")
  foreach(noun joint force)
    driftless_capitalise(${noun} type)  # Joint
    file(GLOB files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/mechanics/${noun}s/*.cpp")
    set(functions "")
    set(rows "")
    foreach(file IN LISTS files)
      cmake_path(GET file STEM LAST_ONLY function)
      string(REPLACE "_" "-" name "${function}")
      string(APPEND functions "${type}Entry ${function}();\n")
      string(APPEND rows "      {\"${name}\", ${noun}s::${function}()},\n")
    endforeach()
    string(APPEND declarations "namespace ${noun}s {\n${functions}}\n\n")
    string(APPEND tables
           "const std::vector<Named${type}>& ${noun}_table() {\n"
           "  static const std::vector<Named${type}> table = {\n${rows}  };\n"
           "  return table;\n"
           "}\n\n")
  endforeach()
  file(CONFIGURE OUTPUT "${output}" @ONLY CONTENT
"// Written by cmake/method_table.cmake from the files in src/mechanics/joints and src/mechanics/forces.
#include <driftless/mechanics/force.hpp>
#include <driftless/mechanics/joint.hpp>

namespace driftless::mechanics {

@declarations@@tables@}  // namespace driftless::mechanics
")
endfunction()
