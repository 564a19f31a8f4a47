#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes a Debian 12 with nothing but its base, git and build-essential in a folder, clones this
# repository into it, and runs `make demo` and `make test` there.
# usage: debootstrap.sh [FOLDER]
# Needs root, debootstrap and an apt mirror; takes a quarter of an hour.  The mirror and its
# keys are those that this machine is configured with.  FOLDER must be empty or absent; without
# it, a temporary one is used and removed again.
set -eu

suite=bookworm
home=tester # a folder of the new system
root=$(cd "$(dirname "$0")/../.." && pwd)

fail() {
    echo "debootstrap.sh: $*" >&2
    exit 1
}

[ "$(id -u)" -eq 0 ] || fail "only root can make a system. Run it as root."
command -v debootstrap >/dev/null || fail "debootstrap is missing. Install it: apt-get install debootstrap"
git -C "$root" rev-parse -q --verify HEAD >/dev/null || fail "there is no commit to clone. Commit first."

# The first source that has packages of Debian 12's main archive.
mirror=$(apt-get indextargets --format '$(CODENAME) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' |
    awk -v suite="$suite" '$1 == suite && $2 == "main" { print $3; exit }')
[ -n "$mirror" ] || fail "apt has no source with $suite main. Add one and run apt-get update."

if [ $# -gt 0 ]; then
    mkdir -p "$1"
    system=$(cd "$1" && pwd)
    keep=yes
else
    system=$(mktemp -d)
    keep=no
fi
[ -z "$(ls -A "$system")" ] || fail "$system is not empty. Name another folder."

mounted=
clean_up() {
    for place in $mounted; do
        umount -l "$system/$place" || true
    done
    if [ "$keep" = no ]; then
        rm -rf --one-file-system "$system"
    fi
}
trap clean_up EXIT
trap 'exit 1' HUP INT TERM

mount_into() { # TYPE PLACE
    mkdir -p "$system/$2"
    if mount -t "$1" "$1" "$system/$2"; then
        mounted="$2 $mounted"
    else
        fail "cannot mount $2 in the new system."
    fi
}

# Downloads go into the new system, so take over how this machine reaches its mirror.
copy_apt_settings() {
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list \
        /etc/apt/sources.list.d/*.sources; do
        [ -f "$file" ] || continue
        mkdir -p "$system$(dirname "$file")"
        cp "$file" "$system$file"
    done
    apt-config dump --format '%f "%v";%n' Acquire |
        grep -i -e '::proxy' -e '::verify' -e check-valid-until >"$system/etc/apt/apt.conf.d/90mirror" || true
    mkdir -p "$system/usr/share/keyrings"
    for key in /usr/share/keyrings/*.gpg; do
        [ -f "$system$key" ] || cp "$key" "$system$key"
    done
    for file in /etc/resolv.conf /etc/hosts; do
        if [ -f "$file" ]; then
            cp -L "$file" "$system$file"
        fi
    done
    # A mirror behind TLS may have a certificate of its own.
    if [ -f /etc/ssl/certs/ca-certificates.crt ]; then
        mkdir -p "$system/etc/ssl/certs"
        cp /etc/ssl/certs/ca-certificates.crt "$system/etc/ssl/certs/"
    fi
}

inside() {
    chroot "$system" env -i HOME="/$home" PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        LANG=C.UTF-8 TERM=dumb ${http_proxy:+http_proxy="$http_proxy"} \
        ${https_proxy:+https_proxy="$https_proxy"} sh -c "$1"
}

debootstrap --variant=minbase --include=git,build-essential "$suite" "$system" "$mirror"
copy_apt_settings
mount_into proc proc
mount_into sysfs sys
mount_into tmpfs dev/shm
mkdir -p "$system/$home"
git clone -q --no-local "$root" "$system/$home/plait"

inside 'cd "$HOME/plait" && make demo'
inside 'cd "$HOME/plait" && make test'
echo "debootstrap.sh: demo and tests pass on a fresh Debian 12."
