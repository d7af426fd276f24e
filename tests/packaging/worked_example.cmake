# The worked example of docs/adding-a-formulation.md: in a copy of the project its one file is added, and with no other edit the new
# formulation must be listed, be named in the help, run, and stand in the conformance suite.
# Called with -Dsource_dir=, -Dscratch_dir=, -Dgenerator=, -Dcompiler=, -Dflags=, and lists of what the build has:
# -Ddefinitions=, -Dincludes=, -Dprogram_objects=, -Dsuite_objects=, -Dsuite_libraries=, -Dlibraries=, -Dgtest=.
cmake_minimum_required(VERSION 3.25)

function(run what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE err)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${what} failed (${status}):\n${out}\n${err}")
  endif()
  set(output "${out}" PARENT_SCOPE)
endfunction()

function(expect text piece)
  string(FIND "${text}" "${piece}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "'${piece}' is not in:\n${text}")
  endif()
endfunction()

# The file between the fences that follow its name.
file(READ "${source_dir}/docs/adding-a-formulation.md" page)
set(marker "<!-- file: src/formulations/velocity_damping.cpp -->\n```cpp\n")
string(FIND "${page}" "${marker}" begin)
if(begin EQUAL -1)
  message(FATAL_ERROR "docs/adding-a-formulation.md has no file velocity_damping.cpp")
endif()
string(LENGTH "${marker}" length)
math(EXPR begin "${begin} + ${length}")
string(SUBSTRING "${page}" ${begin} -1 code)
string(FIND "${code}" "```" end)
string(SUBSTRING "${code}" 0 ${end} code)

# A fresh copy of the project, with the new file. Configuring it finds the file and writes the table of methods.
set(copy "${scratch_dir}/project")
set(new_file "${copy}/src/formulations/velocity_damping.cpp")
file(REMOVE_RECURSE "${scratch_dir}")
file(MAKE_DIRECTORY "${copy}")
foreach(item CMakeLists.txt CMakePresets.json LICENSE README.md apps cmake docs examples experiments include src tests)
  file(COPY "${source_dir}/${item}" DESTINATION "${copy}")
endforeach()
file(WRITE "${new_file}" "${code}")
set(build "${scratch_dir}/build")
run("configuring" "${CMAKE_COMMAND}" -S "${copy}" -B "${build}" -G "${generator}" "-DCMAKE_CXX_COMPILER=${compiler}"
    -DCMAKE_BUILD_TYPE=None -DDRIFTLESS_WERROR=ON)

# What a build would compile anew: the file and the table. Everything else is linked as this build has it; the archive's own table is left
# out by the linker, since the new one comes first.
separate_arguments(extra UNIX_COMMAND "${flags}")
set(compile "${compiler}" -std=c++20 -O0 -Wall -Wextra -Werror ${extra} ${definitions} "-I${copy}/include" "-I${copy}/src"
    "-I${build}/generated/include" ${includes} -c)
foreach(source "${new_file}" "${build}/generated/method_table.cpp")
  get_filename_component(name "${source}" NAME_WE)
  run("compiling ${name}" ${compile} "${source}" -o "${build}/${name}.o")
  list(APPEND new_objects "${build}/${name}.o")
endforeach()
run("linking the program" "${compiler}" ${extra} ${new_objects} ${program_objects} ${libraries} -o "${build}/driftless")
run("linking the suite" "${compiler}" ${extra} ${new_objects} ${suite_objects} ${suite_libraries} ${libraries} ${gtest} -o "${build}/suite")

run("list" "${build}/driftless" list formulations)
expect("${output}" "velocity-damping")
expect("${output}" "rate at which g' decays")
run("help" "${build}/driftless" run --help)
expect("${output}" "velocity-damping")
run("run" "${build}/driftless" run pendulum --formulation velocity-damping:alpha=10 --out "${scratch_dir}/results" --json)
expect("${output}" "\"reason\": \"reached-end\"")
run("the conformance suite" "${build}/suite" "--gtest_filter=*EveryFormulation*velocity_damping*")
expect("${output}" "velocity_damping_mechanical")
expect("${output}" "[  PASSED  ]")
