#!/usr/bin/env bash
# Builds the image without a registry, and tests it as the user nobody, with a read-only root, no capabilities, and a
# volume. The base image is made from this machine's C library and busybox instead of Alpine. All other steps come from
# the last stage of the Dockerfile. Needs podman, runc and busybox (Debian packages), and root.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

work=$(mktemp -d)
container=petstore-try-$$
podman() { command podman --root "$work/images" --runroot "$work/run" --runtime runc "$@"; }
clear_up() {
  podman rm --force --volumes "$container" >/dev/null 2>&1 || true
  podman rmi --all --force >/dev/null 2>&1 || true
  rm -rf "$work"
}
trap clear_up EXIT
fail() { echo "FAILED: $1" >&2; exit 1; }

npm run --silent build
mkdir -p "$work"/base/{bin,proc,sys,dev,etc,tmp} "$work"/made/{app/dist,data}
cp dist/petstore dist/petstore.licenses.txt "$work/made/app/dist/"
cp "$(command -v busybox)" "$work/base/bin/busybox"
for name in sh wget touch id; do ln -s busybox "$work/base/bin/$name"; done
for file in dist/petstore "$work/base/bin/busybox"; do
  ldd "$file" | grep -o '/[^ ]*' | xargs -I{} cp -L --parents {} "$work/base"
done

{ echo 'FROM scratch' && echo 'COPY base /'; } >"$work/base.Dockerfile"
awk '/^FROM/ { stages++ } stages == 2' Dockerfile | sed 's/^FROM .*/FROM localhost\/base/; /^RUN apk/d' >"$work/Dockerfile"
podman build --quiet --isolation chroot --tag localhost/base --file "$work/base.Dockerfile" "$work" >/dev/null
podman build --quiet --isolation chroot --format docker --build-context build="$work/made" --tag localhost/petstore \
  --file "$work/Dockerfile" "$work/base" >/dev/null

port=$((20000 + $$ % 20000))
export PETSTORE_ADMIN_KEY="ps_live_$(tr -dc a-zA-Z0-9 </dev/urandom | head -c 30)"
podman run --detach --name "$container" --network host --read-only --cap-drop all --security-opt no-new-privileges \
  --ulimit nofile=1024:1024 --ulimit nproc=1024:1024 --env PETSTORE_ADMIN_KEY --env HOST=127.0.0.1 --env PORT=$port \
  localhost/petstore >/dev/null

call() { curl --silent --show-error --fail --max-time 10 --header "Authorization: Bearer $PETSTORE_ADMIN_KEY" "$@"; }
is_ready() { for _ in {1..100}; do podman healthcheck run "$container" >/dev/null 2>&1 && return; sleep 0.1; done; fail 'the container is not healthy'; }

is_ready
pet=$(call --json '{"name":"Rex","categoryId":1}' "http://127.0.0.1:$port/v1/pets")
[ "$(podman exec "$container" id -u)" = 65534 ] || fail 'the service does not run as nobody'
! podman exec "$container" touch /written 2>/dev/null || fail 'the root file system is writable'
podman restart --time 20 "$container" >/dev/null
is_ready
[ "$(call "http://127.0.0.1:$port/v1/pets?ids=1")" = "[$pet]" ] || fail 'the volume has lost a pet'

size_of() { podman image inspect --format '{{.Size}}' "$1" | awk '{ printf "%.1f", $1 / 1e6 }'; }
echo "The image works: $(size_of localhost/petstore) MB, of which the base is $(size_of localhost/base)."
