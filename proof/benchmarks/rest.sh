#!/usr/bin/env bash
# What `evenkeel run` takes while nothing happens: processor and memory, every so often until interrupted.
#   proof/benchmarks/rest.sh [NODES [SECONDS [OPTION...]]]   12 nodes, every 300 s
# The cluster is `evenkeel hollow` on the same machine, with these options. EVENKEEL_JAVA_OPTS goes to the scheduler.
set -euo pipefail
nodes=${1-12} seconds=${2-300}
shift $(($# < 2 ? $# : 2))
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
folder=$(mktemp -d)
hollow='' scheduler=''
trap 'kill ${scheduler:-} ${hollow:-} 2>/dev/null; wait; rm -rf "$folder"' EXIT

# of the scheduler, all threads, also those that have ended, in milliseconds
processor() { awk -v hz="$(getconf CLK_TCK)" '{ print ($14 + $15) * 1000 / hz }' "/proc/$scheduler/stat"; }

EVENKEEL_JAVA_OPTS='' "$root/evenkeel" hollow --nodes "$nodes" --kubeconfig "$folder/kubeconfig" "$@" >"$folder/hollow" &
hollow=$!
until grep -qs "kubectl get nodes" "$folder/hollow"; do kill -0 "$hollow"; sleep 0.2; done
"$root/evenkeel" run --kubeconfig "$folder/kubeconfig" --bind-address 127.0.0.1 --secure-port $((20000 + RANDOM % 10000)) \
  2>"$folder/log" &
scheduler=$!
until grep -qs "Successfully acquired lease" "$folder/log"; do kill -0 "$scheduler"; sleep 0.2; done
for ((since = 0; ; since += seconds)); do
  before=$(processor)
  sleep "$seconds"
  awk -v ms="$(($(processor) - before))" -v s="$seconds" -v from="$since" -v rss="$(awk '$1 == "VmRSS:" { print $2 }' "/proc/$scheduler/status")" \
    'BEGIN { printf "%5d to %5d s: %.3f %% of a core, RSS %d MiB\n", from, from + s, ms / s / 10, rss / 1024 }'
done
