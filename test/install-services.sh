#!/usr/bin/env bash
# Installs missing programs that some tests need in addition to Node and npm. Works on Debian and Ubuntu.
set -euo pipefail

is_here() { for name in "$@"; do command -v "$name" >/dev/null && return 0; done; return 1; }

# Debian does not put PostgreSQL's server programs on the PATH.
is_postgres_here() {
  local programs version
  for programs in /usr/lib/postgresql/*/bin/postgres; do
    version=$(basename "${programs%/bin/postgres}")
    if [ -x "$programs" ] && [ "$version" -ge 15 ]; then return 0; fi
  done
  is_here postgres
}

packages=()
is_here chromium-headless-shell chromium chromium-browser google-chrome || packages+=(chromium)
is_here openssl || packages+=(openssl)
is_here script || packages+=(bsdutils)
is_here zsh || packages+=(zsh)
is_here fish || packages+=(fish)
is_here gcc cc || packages+=(gcc libc6-dev)
is_here redis-server || packages+=(redis-server)
is_here redis-cli || packages+=(redis-tools)
is_here prometheus || packages+=(prometheus)
is_postgres_here || packages+=(postgresql)
PATH="$PATH:/usr/sbin" is_here pgbouncer || packages+=(pgbouncer)
is_here javac || packages+=(default-jdk-headless)
is_here go || packages+=(golang-go)
is_here pip3 || packages+=(python3-pip)
is_here python3 || packages+=(python3)
python3 -c 'import flask' 2>/dev/null || /usr/bin/python3 -c 'import flask' 2>/dev/null || packages+=(python3-flask)

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

# The tests start their own servers, so the installation must not create a database or start a service.
if [[ " ${packages[*]} " == *' postgresql '* ]]; then
  no_cluster=/etc/postgresql-common/createcluster.d/petstore-tests.conf
  "${as_root[@]}" mkdir -p "$(dirname "$no_cluster")"
  echo 'create_main_cluster = false' | "${as_root[@]}" tee "$no_cluster" >/dev/null
  trap '"${as_root[@]}" rm -f "$no_cluster"' EXIT
fi

export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update
# Prefers the headless shell, which needs half as much processor time as the full browser. Some package archives do not
# contain it.
if apt-cache show chromium-headless-shell >/dev/null 2>&1; then
  packages=("${packages[@]/%chromium/chromium-headless-shell}")
fi
"${as_root[@]}" apt-get install -y --no-install-recommends "${packages[@]}"

if [ -d /run/systemd/system ]; then
  for server in redis-server prometheus pgbouncer; do
    if [[ " ${packages[*]} " == *" $server "* ]]; then "${as_root[@]}" systemctl disable --now "$server"; fi
  done
fi
