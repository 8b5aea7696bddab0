#!/usr/bin/env bash
# The table that the workload trace-gpu is made of, from the files of a published trace of a GPU cluster:
# https://github.com/alibaba/clusterdata/tree/master/cluster-trace-gpu-v2023 (Weng and others, Beware of Fragmentation, USENIX ATC 2023).
#   proof/benchmarks/trace.sh openb_node_list_all_node.csv openb_pod_list_gpuspec33.csv >scheduler-lab/src/main/resources/io/evenkeel/lab/bench/trace-gpu.csv
# A line is a kind of node or of pod, and how many of it there are; a pod's GPUs, too, are counted in thousandths.
set -euo pipefail
[ $# -ge 2 ] || { echo "usage: proof/benchmarks/trace.sh NODES.csv PODS.csv" >&2; exit 2; }
export LC_ALL=C
nodes=$1 pods=$2
echo "what,count,cpu_milli,memory_mib,gpu_milli,models"
awk -F, 'NR > 1 { count[$2 "," $3 "," $4 * 1000 "," $5]++ } END { for (kind in count) print "node," count[kind] "," kind }' "$nodes" | sort
awk -F, 'NR > 1 { count[$2 "," $3 "," $4 * $5 "," $6]++ } END { for (kind in count) print "pod," count[kind] "," kind }' "$pods" | sort
