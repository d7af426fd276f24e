#!/usr/bin/env bash
# Compiles Simbody for `./dev bench scaling`, from the source package of the system (Debian 12: 3.7), with the instructions of the preset
# `bench`. Debian's own library will not do for a comparison: it is compiled without -DNDEBUG, so that all its assertions are
# checked, and takes up to twice as long. Nothing of the system is changed and no root is needed; BLAS and LAPACK are the system's
# (liblapack-dev).
#   simbody.sh FOLDER            include/ and lib/ are made there, unless they are there already
#   simbody.sh --check FOLDER    says by its status whether they are
set -euo pipefail

complete() {
  local library
  for library in common math simbody; do [[ -f $1/lib/libSimTK$library.so ]] || return 1; done
}

if [[ $1 == --check ]]; then
  complete "$2"
  exit
fi
folder=$1
if complete "$folder"; then exit 0; fi
command -v apt-get >/dev/null || {
  echo "no apt-get, which would download the source: install Simbody 3.7, compiled as a release with -march=x86-64-v3, to $folder"
  exit 1
}
[[ $("${CC:-cc}" -print-file-name=liblapack.so) == /* ]] || {
  echo "no LAPACK, which Simbody needs: install it (Debian: apt-get install liblapack-dev)"
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
"${apt[@]}" --download-only source simbody
mkdir source
tar -xf simbody_*.orig.tar.xz -C source --strip-components=1

# Simbody sets the flags of a release itself, -O2 -DNDEBUG, and drops those given for it.
cmake -S source -B objects -G Ninja -DCMAKE_INSTALL_PREFIX="$PWD" -DCMAKE_INSTALL_LIBDIR=lib -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_C_FLAGS=-march=x86-64-v3 -DCMAKE_CXX_FLAGS=-march=x86-64-v3 -DSIMBODY_VISUALIZER_INSTALL_DIR="$PWD/unused" \
  -DBUILD_VISUALIZER=OFF -DBUILD_EXAMPLES=OFF -DBUILD_TESTING=OFF -DINSTALL_DOCS=OFF
cmake --build objects --parallel 2 --target install
rm -rf source objects apt simbody_*
