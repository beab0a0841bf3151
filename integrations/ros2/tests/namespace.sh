#!/bin/sh
# Runs a command in a network namespace that has only loopback: DDS announces itself on all networks that it finds.
[ $# -gt 0 ] || { echo "usage: $0 COMMAND ARGUMENT…" >&2; exit 2; }
user=
[ "$(id -u)" = 0 ] || user=--map-root-user
exec unshare --net $user sh -c '
    ip link set lo up && ip link set lo multicast on && ip route add 224.0.0.0/4 dev lo || exit 1
    exec "$@"
' namespace "$@"
