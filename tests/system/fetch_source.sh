#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: fetch_source.sh FOLDER PACKAGE...
#
# Unpacks Debian's sources of the packages in FOLDER, with the machine's own
# mirrors but without touching its configuration: source entries are made from
# the binary ones, in lists of their own.
set -eu
folder=$1
shift
mkdir -p "$folder/lists/partial" "$folder/empty"
apt-get indextargets --format '$(REPO_URI) $(CODENAME) $(COMPONENT)' 'Created-By: Packages' |
    sort -u | sed 's/^/deb-src [trusted=yes] /' >"$folder/sources.list"
if ! [ -s "$folder/sources.list" ]; then
    echo "fetch_source.sh: apt knows no mirror. Run apt-get update." >&2
    exit 1
fi
set -- -o Dir::Etc::SourceList="$folder/sources.list" -o Dir::Etc::SourceParts="$folder/empty" \
    -o Dir::State::Lists="$folder/lists" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= \
    -o APT::Sandbox::User=root -q -- "$@"
cd "$folder"
options=
while [ "$1" != -- ]; do
    options="$options $1"
    shift
done
shift
# shellcheck disable=SC2086
apt-get $options update >update.log 2>&1 || { cat update.log >&2; exit 1; }
# shellcheck disable=SC2086
apt-get $options source "$@" >source.log 2>&1 || { cat source.log >&2; exit 1; }
