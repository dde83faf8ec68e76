#!/usr/bin/env bash
# root.sh ARCHITECTURE FOLDER [PACKAGE...]: fill FOLDER/root with packages of Debian and all that they need, for any processor (arm64);
# without PACKAGE the libraries that Tessera links: those of step `build` in cmake/debian-packages.txt. They are downloaded by apt into a folder of its own and unpacked. The system stays as
# it is, and root is not needed. Exit 77 where the archive cannot be reached.
set -euo pipefail
source=$(cd "$(dirname "$0")/../.." && pwd)
arch=$1
mkdir -p "$2"/lists/partial "$2"/cache/archives/partial
dir=$(cd "$2" && pwd)
[ ! -e "$dir/done" ] || exit 0
: >"$dir/status"
mirror=$(grep -rhoE 'https?://[^ ]*/debian/? ' /etc/apt/sources.list /etc/apt/sources.list.d 2>/dev/null | head -n 1 || true)
[ -n "$mirror" ] || mirror=$(sed -nE 's/^URIs: (http[^ ]*\/debian)\/?$/\1/p' /etc/apt/sources.list.d/*.sources 2>/dev/null | head -n 1 || true)
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${mirror:-http://deb.debian.org/debian} bookworm main" >"$dir/sources.list"
apt() {
    apt-get -q -o Dir::Etc::sourcelist="$dir/sources.list" -o Dir::Etc::sourceparts=- -o Dir::State="$dir" -o Dir::State::lists="$dir/lists" \
        -o Dir::State::status="$dir/status" -o Dir::Cache="$dir/cache" -o APT::Architecture="$arch" -o APT::Architectures="$arch" \
        -o APT::Sandbox::User=root -o Debug::NoLocking=1 "$@"
}
# The compiler and the programs of the build are this machine's. tbench, which downloads data sets, is not built for others.
packages="${*:3}"
[ -n "$packages" ] || packages="libc6-dev libgomp1 "$(awk '$1 == "build" && $2 ~ /-dev$/ && $2 !~ /curl/ {print $2}' "$source/cmake/debian-packages.txt")
{
    apt update && apt install -y --no-install-recommends --download-only $packages
} >"$dir/apt.log" 2>&1 || { echo "the packages for $arch cannot be downloaded: $(tail -n 1 "$dir/apt.log")" >&2; exit 77; }
grep -q '^E:\|^Err:' "$dir/apt.log" && { echo "the packages for $arch cannot be downloaded: $(grep -m 1 '^E\(rr\)\?:' "$dir/apt.log")" >&2; exit 77; }
rm -rf "$dir/root" && mkdir "$dir/root"
for package in "$dir"/cache/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$package" | tar -x -C "$dir/root" --exclude='./usr/share/doc*' --exclude='./usr/share/man*'
done
# Links to /lib would lead out of the folder.
find "$dir/root" -type l -lname '/*' | while read -r link; do
    ln -sfnr "$dir/root$(readlink "$link")" "$link"
done
touch "$dir/done"
