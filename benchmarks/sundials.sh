#!/usr/bin/env bash
# Compiles SUNDIALS' IDA, CVODE and ARKODE for `./dev bench ida`, `peers` and `scaling` with the flags of the preset `bench`, from the
# source package of the system (Debian 12: 6.4.1). Debian's own library will not do for a comparison: its debian/rules sets
# CMAKE_C_FLAGS, which drops -O2, so that it is not optimized at all. Nothing of the system is changed and no root is needed; the sparse
# solver KLU is the system's (libsuitesparse-dev).
#   sundials.sh FOLDER            include/ and lib/ are made there, unless they are there already
#   sundials.sh --check FOLDER    says by its status whether they are
set -euo pipefail

complete() {
  local library
  for library in ida cvode arkode sunlinsolklu; do [[ -f $1/lib/libsundials_$library.a ]] || return 1; done
}

if [[ $1 == --check ]]; then
  complete "$2"
  exit
fi
folder=$1
if complete "$folder"; then exit 0; fi
command -v apt-get >/dev/null || {
  echo "no apt-get, which would download the source: install SUNDIALS 6, compiled with -O3 -march=x86-64-v3, to $folder"
  exit 1
}
klu=$("${CC:-cc}" -print-file-name=libklu.so)  # with its whole path if it is there
[[ $klu == /* && -f /usr/include/suitesparse/klu.h ]] || {
  echo "no KLU, which IDA needs for sparse matrices: install SuiteSparse (Debian: apt-get install libsuitesparse-dev)"
  exit 1
}

rm -rf -- "$folder"
mkdir -p -- "$folder/apt/lists/partial" "$folder/apt/cache/archives/partial" "$folder/apt/sources"
cd -- "$folder"
# The sources of the packages that this system gets, from where it gets them.
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
  [[ ! -f $file ]] || sed -n 's/^deb /deb-src /p' "$file" >"apt/sources/$(basename "$file" .list).list"
done
for file in /etc/apt/sources.list.d/*.sources; do
  [[ ! -f $file ]] || sed 's/^Types:.*/Types: deb-src/' "$file" >"apt/sources/$(basename "$file")"
done
apt=(apt-get -q -o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$PWD/apt/sources"
  -o "Dir::State::lists=$PWD/apt/lists" -o "Dir::Cache=$PWD/apt/cache" -o "APT::Sandbox::User=$(id -un)")
"${apt[@]}" update
"${apt[@]}" --download-only source sundials
mkdir source
tar -xf sundials_*.orig.tar.xz -C source --strip-components=1

cmake -S source -B objects -G Ninja -DCMAKE_INSTALL_PREFIX="$PWD" -DCMAKE_INSTALL_LIBDIR=lib \
  -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE='-O3 -DNDEBUG -march=x86-64-v3' \
  -DBUILD_{CVODES,IDAS,KINSOL}=OFF -DEXAMPLES_ENABLE_C=OFF -DEXAMPLES_INSTALL=OFF \
  -DBUILD_SHARED_LIBS=OFF -DBUILD_STATIC_LIBS=ON \
  -DENABLE_KLU=ON -DKLU_INCLUDE_DIR=/usr/include/suitesparse -DKLU_LIBRARY_DIR="$(dirname "$klu")"
cmake --build objects --parallel 2 --target install
rm -rf source objects apt sundials_*
