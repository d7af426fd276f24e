# The worked example of docs/adding-a-formulation.md: in a copy of the project its one file is added, and with no other edit the new
# formulation must be listed, be named in the help, run, and stand in the conformance suite.
# Called with -Dsource_dir=, -Dscratch_dir=, -Dgenerator=, -Dcompiler=.
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

# A copy of the project. What has not changed keeps its time, so that a second run of this test builds little.
set(copy "${scratch_dir}/project")
file(MAKE_DIRECTORY "${copy}")
foreach(item CMakeLists.txt CMakePresets.json LICENSE README.md apps cmake docs examples include src tests)
  file(COPY "${source_dir}/${item}" DESTINATION "${copy}")
endforeach()
set(new_file "${copy}/src/formulations/velocity_damping.cpp")
set(old "")
if(EXISTS "${new_file}")
  file(READ "${new_file}" old)
endif()
if(NOT old STREQUAL code)
  file(WRITE "${new_file}" "${code}")
endif()

set(build "${scratch_dir}/build")
run("configuring" "${CMAKE_COMMAND}" -S "${copy}" -B "${build}" -G "${generator}" "-DCMAKE_CXX_COMPILER=${compiler}"
    -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS=-O0 -DDRIFTLESS_TESTS=ON -DDRIFTLESS_WERROR=ON)
run("building" "${CMAKE_COMMAND}" --build "${build}" --target driftless_program test_conformance)

run("list" "${build}/bin/driftless" list formulations)
expect("${output}" "velocity-damping")
expect("${output}" "rate at which g' decays")
run("help" "${build}/bin/driftless" run --help)
expect("${output}" "velocity-damping")
run("run" "${build}/bin/driftless" run pendulum --formulation velocity-damping:alpha=10 --out "${scratch_dir}/results" --json)
expect("${output}" "\"reason\": \"reached-end\"")
run("the conformance suite" "${build}/tests/test_conformance" "--gtest_filter=*EveryFormulation*velocity_damping*")
expect("${output}" "velocity_damping_mechanical")
expect("${output}" "[  PASSED  ]")
