#!/usr/bin/env bash
# What `evenkeel run` takes on a cluster of so many nodes and pods: processor, memory, and time until it is ready.
#   proof/benchmarks/sizing.sh NODES PODS_PER_NODE
# The cluster is `evenkeel hollow` on the same machine, which takes about as much again and more.
#   MEMORY   the container's limit that the JVM is told of (default: 1g, as in the chart)
#   QPS      writes a second (default: 1000)
#   HOLLOW   options for the cluster's JVM (default: -Xmx12g)
# Needs kubectl, curl and the JDK's jcmd.
set -euo pipefail
[ $# -ge 2 ] || { echo "usage: proof/benchmarks/sizing.sh NODES PODS_PER_NODE" >&2; exit 2; }
nodes=$1 each=$2 pods=$(($1 * $2))
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
. "$root/.mvn/find-jdk.sh"
folder=$(mktemp -d)
export KUBECONFIG=$folder/kubeconfig
hollow='' scheduler=''
trap 'kill ${scheduler:-} ${hollow:-} 2>/dev/null; wait; rm -rf "$folder"' EXIT
port=$((20000 + RANDOM % 10000))

# nodes that know 40 images each, of 400; awk, as a shell would take minutes
awk -v nodes="$nodes" 'BEGIN { for (n = 0; n < nodes; n++) {
  printf "{apiVersion: v1, kind: Node, metadata: {name: node-%d, labels: {kubernetes.io/hostname: node-%d, ", n, n
  printf "kubernetes.io/os: linux, kubernetes.io/arch: amd64, node.kubernetes.io/instance-type: m7.xlarge, "
  printf "topology.kubernetes.io/region: r, topology.kubernetes.io/zone: zone-%d}}, status: {", n % 3
  printf "capacity: {cpu: 64, memory: 256Gi, pods: 110}, allocatable: {cpu: 64, memory: 256Gi, pods: 110}, images: ["
  for (i = 0; i < 40; i++) { k = (n * 7 + i * 10) % 400
    printf "{names: [\"registry.example/team-%d/service@sha256:%064d\", \"registry.example/team-%d/service:1.%d\"], ", k % 20, k, k % 20, k
    printf "sizeBytes: %d}, ", 50000000 + k * 1000000 }
  print "]}}\n---" } }' >"$folder/nodes.yaml"

# workloads of 100 pods: a third spread over zones, a third apart from each other, a third with neither
workloads() {
  local left=$pods
  for ((w = 0; left > 0; w++, left -= 100)); do
    local rule='{}'
    case $((w % 3)) in
    0) rule="{topologySpreadConstraints: [{maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: w$w}}}]}" ;;
    1) rule="{affinity: {podAntiAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 100, podAffinityTerm: {topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: w$w}}}}]}}}" ;;
    esac
    cat <<END
apiVersion: apps/v1
kind: Deployment
metadata: {name: w$w}
spec:
  replicas: $((left < 100 ? left : 100))
  selector: {matchLabels: {app: w$w}}
  template:
    metadata: {labels: {app: w$w, team: t$((w % 20))}, annotations: {prometheus.io/scrape: "true", prometheus.io/port: "8080"}}
    spec:
      <<: $rule
      schedulerName: evenkeel
      containers:
      - name: c
        image: registry.example/team-$((w % 20))/service:1.$((w % 400))
        env: [{name: A, value: a}, {name: B, value: b}, {name: NODE, valueFrom: {fieldRef: {fieldPath: spec.nodeName}}}]
        ports: [{containerPort: 8080}]
        resources: {requests: {cpu: 100m, memory: 128Mi}, limits: {memory: 256Mi}}
        livenessProbe: {httpGet: {path: /livez, port: 8080}}
        readinessProbe: {httpGet: {path: /readyz, port: 8080}}
        volumeMounts: [{name: config, mountPath: /etc/service}]
      volumes: [{name: config, configMap: {name: config}}]
---
END
  done
}

now() { date +%s%3N; }
metric() { curl -s "localhost:$port/metrics" | awk -v name="$1" 'index($1, name) == 1 { sum += $2 } END { printf "%d", sum }'; }
# of the scheduler, all threads, in milliseconds
processor() { awk -v hz="$(getconf CLK_TCK)" '{ print ($14 + $15) * 1000 / hz }' "/proc/$scheduler/stat"; }
status() { awk -v name="$1:" '$1 == name { print int($2 / 1024) }' "/proc/$scheduler/status"; }
heap() {
  "$JAVA_HOME/bin/jcmd" "$scheduler" GC.run >/dev/null
  # G1 tells of one heap, serial of two generations
  "$JAVA_HOME/bin/jcmd" "$scheduler" GC.heap_info | sed -nE 's/.*(heap|DefNew|Tenured) .*total.* used ([0-9]+)K.*/\2/p' |
    awk '{ sum += $1 } END { print int(sum / 1024) }'
}
start() {
  local since
  since=$(now)
  EVENKEEL_JAVA_OPTS="-XX:MaxRAM=${MEMORY:-1g} -XX:MaxRAMPercentage=70 ${OPTIONS-}" "$root/evenkeel" run \
    --insecure-port "$port" --secure-port 0 --kube-api-qps "${QPS:-1000}" --kube-api-burst "${QPS:-1000}" 2>>"$folder/log" &
  scheduler=$!
  until [ "$(curl -s "localhost:$port/readyz")" = ok ]; do
    kill -0 "$scheduler" 2>/dev/null || { echo "the scheduler has ended:" >&2; tail -n 3 "$folder/log" >&2; scheduler=''; exit 1; }
    sleep 0.05
  done
  echo "$1: ready after $(($(now) - since)) ms, $(processor) ms of processor, RSS $(status VmRSS) MiB, at most $(status VmHWM) MiB"
}

EVENKEEL_JAVA_OPTS=${HOLLOW:--Xmx12g} "$root/evenkeel" hollow --nodes 0 --kubeconfig "$KUBECONFIG" --load "$folder/nodes.yaml" >"$folder/hollow" &
hollow=$!
until grep -qs "kubectl get nodes" "$folder/hollow"; do kill -0 "$hollow"; sleep 0.2; done
echo "$nodes nodes, $pods pods, JVM told of ${MEMORY:-1g}"

start "without pods"
echo "heap without pods: $(heap) MiB after collection"
before=$(processor) since=$(now)
workloads | sed '/<<: {}/d; s/<<: {\(.*\)}$/\1/' >"$folder/workloads.yaml"
kubectl create -f "$folder/workloads.yaml" >/dev/null
until done=$(metric 'scheduler_schedule_attempts_total{profile="evenkeel",result="scheduled"'); [ "$done" -ge "$pods" ]; do
  kill -0 "$scheduler" 2>/dev/null || { echo "the scheduler has ended:" >&2; tail -n 3 "$folder/log" >&2; scheduler=''; exit 1; }
  sleep 1
done
took=$(($(now) - since)) spent=$(($(processor) - before))
echo "placed: $pods pods in $took ms, $(awk "BEGIN { printf \"%.2f\", $spent / $pods }") ms of processor a pod, RSS $(status VmRSS) MiB, at most $(status VmHWM) MiB"
sleep 15
echo "heap with pods: $(heap) MiB after collection, RSS then $(status VmRSS) MiB"
before=$(processor)
sleep 30
echo "at rest: $(awk "BEGIN { printf \"%.0f\", ($(processor) - $before) / 30 }")m of processor"
kill "$scheduler"
wait "$scheduler" || true
start "with all pods"
echo "heap: $(heap) MiB after collection, RSS then $(status VmRSS) MiB"
