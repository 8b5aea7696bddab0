#!/usr/bin/env bash
# The processor time a pod of each case of `bench --suite`, beside that of another checkout: both run by turns, so that what else the
# machine does falls on both. Ends with 1 where a case takes more than 15 % more, by the median of its pairs.
#   proof/benchmarks/pairs.sh OTHER [PAIRS]   3 pairs
# OTHER is a folder, say a `git worktree` of the last release. jq is needed.
set -euo pipefail
[ $# -ge 1 ] || { echo "usage: proof/benchmarks/pairs.sh OTHER [PAIRS]" >&2; exit 2; }
other=$1 pairs=${2-3}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

run() { "$1/evenkeel" bench --suite --output json | tail -n 1 >>"$folder/$2"; }

"$other/evenkeel" version
"$root/evenkeel" version
for ((pair = 1; pair <= pairs; pair++)); do
  if ((pair % 2)); then
    run "$other" before && run "$root" now
  else
    run "$root" now && run "$other" before
  fi
done
jq -n -r --slurpfile before "$folder/before" --slurpfile now "$folder/now" '
  def key: "\(.workload) nodes=\(.nodes) fill=\(.fill) pods=\(.pods)";
  def median: sort | if length % 2 == 1 then .[length / 2 | floor] else (.[length / 2 - 1] + .[length / 2]) / 2 end;
  def cpu(runs): [runs[].cases[] | {key: key, cpu: .cpu_us_per_pod}] | group_by(.key) | map({(.[0].key): map(.cpu)}) | add;
  cpu($before) as $old | cpu($now) as $new
  | [$new | to_entries[] | select($old[.key] != null)
      | {case: .key, before: ($old[.key] | median), now: (.value | median),
         times: ([.value, $old[.key]] | transpose | map(.[0] / .[1]) | median)}]
  | sort_by(-.times)[]
  | [(.times * 100 | round / 100), .before, .now, .case] | @tsv' >"$folder/table"
printf 'times\tbefore\tnow\tcase\n'
cat "$folder/table"
awk -F '\t' '$1 > 1.15 { print "slower by more than 15 %: " $4; worse = 1 } END { exit worse }' "$folder/table"
