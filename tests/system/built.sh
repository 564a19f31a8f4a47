#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: built.sh BUILD SOURCES PACKAGE VARIABLE COMPILER
#
# Prints a folder with the package as COMPILER, which its makefile calls VARIABLE, has made it, with all objects.  It is
# made once for all that want it, and again when plait has changed; whoever changes something takes a copy (cp -a).
set -eu
build=$1 sources=$2 package=$3 variable=$4 compiler=$5
key=$(cat "$build/bin/plait" "$build/lib/plait/libplait_gate.a" | cksum | cut -d' ' -f1)
name=$package-$(basename "$compiler")
folder=$sources/made/$name-$key

mkdir -p "$sources/made"
exec 9>"$sources/made/$name.lock"
flock 9
if [ ! -e "$folder/.made" ]; then
    rm -rf "$sources/made/$name"-*
    cp -a "$sources/$package" "$folder"
    make -C "$folder" "$variable=$compiler" "$package" >"$folder.log" 2>&1 || { cat "$folder.log" >&2; exit 1; }
    touch "$folder/.made"
fi
echo "$folder"
