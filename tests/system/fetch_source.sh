#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: fetch_source.sh FOLDER PACKAGE
#
# Unpacks Debian's source of a package in FOLDER/PACKAGE, from the machine's own
# mirrors but without touching its configuration: source entries are made from
# the binary ones, in lists of their own.  A mirror that does not keep the
# sources of this release may have those of a newer one.  Tests that run at the
# same time may ask for the same package: one fetches it, the others wait.
set -eu
mkdir -p "$1"
folder=$(cd "$1" && pwd)
package=$2
exec 9>"$folder/$package.lock"
flock 9
[ -d "$folder/$package" ] && exit 0

# fetch LINE...: with these lines as sources.list
fetch() {
    rm -rf "$folder/tmp-$package"
    mkdir -p "$folder/tmp-$package/lists/partial" "$folder/tmp-$package/none" "$folder/tmp-$package/source"
    printf '%s\n' "$@" >"$folder/tmp-$package/sources.list"
    (
        cd "$folder/tmp-$package/source"
        set -- -o "Dir::Etc::SourceList=$folder/tmp-$package/sources.list" \
            -o "Dir::Etc::SourceParts=$folder/tmp-$package/none" -o "Dir::State::Lists=$folder/tmp-$package/lists" \
            -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o APT::Sandbox::User=root -q
        apt-get "$@" update && apt-get "$@" source "$package"
    ) >"$folder/$package.log" 2>&1 || return 1
    for d in "$folder/tmp-$package/source"/*/; do
        mv "$d" "$folder/$package"
    done
    rm -rf "$folder/tmp-$package"
}

targets=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME) $(COMPONENT)' 'Created-By: Packages' | sort -u)
if [ -z "$targets" ]; then
    echo "fetch_source.sh: apt knows no mirror. Run apt-get update." >&2
    exit 1
fi
fetch "$(echo "$targets" | sed 's/^/deb-src [trusted=yes] /')" && exit 0
main=$(echo "$targets" | awk '$2 !~ /-/ {print $1; exit}')
for newer in trixie sid; do
    fetch "deb-src [trusted=yes] $main $newer main" && exit 0
done
cat "$folder/$package.log" >&2
exit 1
