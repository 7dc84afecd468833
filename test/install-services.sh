#!/usr/bin/env bash
# Installs what the tests need beside Node and npm: Chromium, from the Debian or Ubuntu archive.
set -euo pipefail

for name in chromium chromium-browser google-chrome; do
  if command -v "$name" >/dev/null; then
    echo "$name is here already: $(command -v "$name")"
    exit 0
  fi
done

if ! command -v apt-get >/dev/null; then
  echo 'There is no apt-get on this machine. Install Chromium by hand and set CHROMIUM_PATH to it.' >&2
  exit 1
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo 'Installing Chromium needs root: run this as root, or install sudo.' >&2
    exit 1
  fi
  as_root=(sudo)
fi

export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update
"${as_root[@]}" apt-get install -y --no-install-recommends chromium
