#!/usr/bin/env bash
# Installs what some tests need beside Node and npm, from the Debian or Ubuntu archive, unless it is here already.
set -euo pipefail

is_here() { for name in "$@"; do command -v "$name" >/dev/null && return 0; done; return 1; }

packages=()
is_here chromium chromium-browser google-chrome || packages+=(chromium)
is_here openssl || packages+=(openssl)
is_here script || packages+=(bsdutils)

if [ "${#packages[@]}" -eq 0 ]; then
  echo 'Everything is here already.'
  exit 0
fi

if ! command -v apt-get >/dev/null; then
  echo "There is no apt-get on this machine. Install by hand: ${packages[*]} (CHROMIUM_PATH names a browser elsewhere)." >&2
  exit 1
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "Installing ${packages[*]} needs root: run this as root, or install sudo." >&2
    exit 1
  fi
  as_root=(sudo)
fi

export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update
"${as_root[@]}" apt-get install -y --no-install-recommends "${packages[@]}"
