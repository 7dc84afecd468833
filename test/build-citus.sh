#!/usr/bin/env bash
# Builds the Citus extension from a source tree, and installs it into the newest PostgreSQL on this machine. Works on
# Debian and Ubuntu. The project contains no part of Citus; get the source from github.com/citusdata/citus.
set -euo pipefail

if [ "$#" -ne 1 ] || [ ! -f "$1/src/backend/distributed/citus.control" ]; then
  echo 'Usage: bash test/build-citus.sh <source tree of Citus>' >&2
  echo 'For example: git clone --branch v13.2.2 https://github.com/citusdata/citus.git' >&2
  exit 1
fi
source_tree=$(cd "$1" && pwd)

# The tests use the newest version too.
server=$(find /usr/lib/postgresql -path '*/bin/postgres' 2>/dev/null | sort -V | tail -n 1)
if [ -z "$server" ]; then
  echo 'PostgreSQL is not installed; install it with npm run services:install' >&2
  exit 1
fi
programs=${server%/postgres}
version=$(basename "${programs%/bin}")

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo 'Installing packages and Citus needs root: run this as root, or install sudo.' >&2
    exit 1
  fi
  as_root=(sudo)
fi

# Prefers the headers of the installed release. Installing other headers would upgrade the server, which may be in use.
headers=postgresql-server-dev-$version
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update
release=$(dpkg-query -W -f '${Version}' "postgresql-$version" 2>/dev/null || true)
if apt-cache madison "$headers" | grep -qF " $release "; then headers+="=$release"; fi
"${as_root[@]}" apt-get install -y --no-install-recommends "$headers" gcc libc6-dev make flex \
  libicu-dev libkrb5-dev liblz4-dev libpam0g-dev libreadline-dev libselinux1-dev libssl-dev libxml2-dev libxslt1-dev \
  libzstd-dev zlib1g-dev

# Citus uses libcurl only for usage reports. LLVM is needed only for bitcode files, which are optional for PostgreSQL.
cd "$source_tree"
./configure --without-libcurl PG_CONFIG="$programs/pg_config"
make -j "$(nproc)" with_llvm=no
"${as_root[@]}" make install with_llvm=no
built=$(sed -n "s/^default_version = '\(.*\)'/\1/p" src/backend/distributed/citus.control)
echo "Installed Citus $built for PostgreSQL $version."
