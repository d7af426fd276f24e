# Installs the built package into a scratch folder and builds the consumer project against it: by find_package, and
# by a compile line from pkg-config. Both programs must print the package's version.
#
# cmake -D build_dir=.. -D consumer_dir=.. -D scratch_dir=.. -D generator=.. -D compiler=.. -D flags=..
#       -D libdir=.. -D version=.. -P consumer_test.cmake

cmake_minimum_required(VERSION 3.25)

set(prefix "${scratch_dir}/prefix")
file(REMOVE_RECURSE "${scratch_dir}")
file(MAKE_DIRECTORY "${scratch_dir}")

# Runs a command; stops the test with its output if it fails; else leaves the output in `output`.
function(run what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE errors)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " line)
    message(FATAL_ERROR "${what} failed (${status}): ${line}\n${output}${errors}")
  endif()
  return(PROPAGATE output)
endfunction()

function(expect_version what)
  string(FIND "${output}" "${version}" place)
  if(place EQUAL -1)
    message(FATAL_ERROR "${what} should print the version ${version} but printed:\n${output}")
  endif()
endfunction()

run("install" "${CMAKE_COMMAND}" --install "${build_dir}" --prefix "${prefix}")
if(NOT EXISTS "${prefix}/share/doc/driftless/LICENSE")
  message(FATAL_ERROR "the licence is not installed")
endif()

run("the installed program" "${prefix}/bin/driftless" --version)
expect_version("the installed program")

run("configuring the consumer" "${CMAKE_COMMAND}" -S "${consumer_dir}" -B "${scratch_dir}/by_cmake" -G "${generator}"
    "-DCMAKE_CXX_COMPILER=${compiler}" "-DCMAKE_CXX_FLAGS=${flags}" "-DCMAKE_PREFIX_PATH=${prefix}")
run("building the consumer" "${CMAKE_COMMAND}" --build "${scratch_dir}/by_cmake")
run("the consumer" "${scratch_dir}/by_cmake/consumer")
expect_version("the consumer built by find_package")

find_program(pkg_config pkg-config REQUIRED)
set(ENV{PKG_CONFIG_PATH} "${prefix}/${libdir}/pkgconfig")
set(ENV{LD_LIBRARY_PATH} "${prefix}/${libdir}")  # for a shared library; pkg-config has no rpath
run("pkg-config --modversion" "${pkg_config}" --modversion driftless)
expect_version("pkg-config --modversion")
run("pkg-config" "${pkg_config}" --cflags --libs driftless)
separate_arguments(package UNIX_COMMAND "${output}")
separate_arguments(extra UNIX_COMMAND "${flags}")
run("compiling with pkg-config" "${compiler}" -std=c++20 ${extra} "${consumer_dir}/main.cpp"
    -o "${scratch_dir}/by_pkg_config" ${package})
run("the consumer built by pkg-config" "${scratch_dir}/by_pkg_config")
expect_version("the consumer built by pkg-config")

# A program compiled for other vector instructions than the library: Eigen must allocate alike in both, or freeing
# crashes. Only where this processor has them.
file(READ /proc/cpuinfo processor)
if(processor MATCHES " avx2 ")
  run("compiling for AVX2" "${compiler}" -std=c++20 -mavx2 -mfma ${extra} "${consumer_dir}/main.cpp"
      -o "${scratch_dir}/for_avx2" ${package})
  run("the consumer built for AVX2" "${scratch_dir}/for_avx2")
endif()

file(REMOVE_RECURSE "${scratch_dir}")
