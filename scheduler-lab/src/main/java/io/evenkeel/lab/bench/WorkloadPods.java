package io.evenkeel.lab.bench;

import static io.evenkeel.lab.bench.WorkloadCluster.ZONE;

import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.PodAffinity;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * The pods of a workload. Each is built separately down to its selectors, so that nothing is found equal only because it is
 * the same object, which pods from an API server never share.
 */
final class WorkloadPods {
    static final String APP = "app";
    private static final int PREEMPTING_PRIORITY = 1_000;
    private static final int DISTINCT_CPU_REQUESTS = 50;

    private WorkloadPods() {}

    /** The pods to be placed: they come after the ones which are there already. */
    static List<Pod> of(BenchCase benchCase) {
        return range(benchCase, benchCase.filled(), benchCase.filled() + benchCase.pods());
    }

    /** The pods of the indexes from the first to before the last. */
    static List<Pod> range(BenchCase benchCase, int from, int to) {
        if (benchCase.workload() == Workload.SHAPES_UNIQUE) {
            return StatefulSetPods.range(benchCase, from, to);
        }
        List<Pod> pods = new ArrayList<>(to - from);
        for (int index = from; index < to; index++) {
            pods.add(pod(benchCase, index));
        }
        return pods;
    }

    /** Pods of different kinds are never of one app, lest one kind count where another is spread. */
    static String app(Workload kind, int group) {
        return kind.id() + "-" + group;
    }

    /** Which of its kind's apps the pod of this index is of. */
    static int group(BenchCase benchCase, int index) {
        return index / benchCase.workload().turns() % benchCase.groups();
    }

    private static Pod pod(BenchCase benchCase, int index) {
        Workload kind = benchCase.workload().at(index);
        int group = group(benchCase, index);
        PodBuilder pod = PodBuilder.pod(kind.id() + "-" + index).label(APP, app(kind, group));
        LabelSelector peers = LabelSelector.matchingLabels(Labels.of(APP, app(kind, group)));
        request(pod, kind, index, group);
        if (kind.preempts()) {
            pod.priority(PREEMPTING_PRIORITY);
        }
        switch (kind) {
            case ZONE_HARD, PREEMPTION_SPREAD -> pod.spread(hard(ZONE, peers));
            case HOST_HARD -> pod.spread(hard(Node.HOSTNAME, peers));
            case BOTH_HARD -> pod.spread(hard(ZONE, peers)).spread(hard(Node.HOSTNAME, peers));
            case HOST_SOFT -> pod.spread(soft(Node.HOSTNAME, peers));
            case BOTH_SOFT -> pod.spread(soft(ZONE, peers)).spread(soft(Node.HOSTNAME, peers));
            case ANTI ->
                pod.podAffinity(new PodAffinity(List.of(), List.of(), List.of(term(Node.HOSTNAME, peers)), List.of()));
            case AFFINITY ->
                pod.podAffinity(new PodAffinity(List.of(term(ZONE, peers)), List.of(), List.of(), List.of()));
            case VOLUMES -> PodsVolumes.claim(pod, index);
            case DRA -> PodsDevices.claim(pod, index);
            case BASIC,
                    SHAPES_1K,
                    SHAPES_10K,
                    DEFAULT_SOFT,
                    UNSCHEDULABLE,
                    FULL,
                    PREEMPTION,
                    PREEMPTION_PDB,
                    TRACE_GPU,
                    HOSTILE_VALUES,
                    HOSTILE_TERMS,
                    HOSTILE_RESOURCES,
                    HOSTILE_HOSTNAMES,
                    HOSTILE_KEYS,
                    HOSTILE_AFFINITY,
                    HOSTILE_POLICIES,
                    HOSTILE_GROUPS,
                    HOSTILE_CLAIMS,
                    CROWD -> {}
            case MIXED, SHAPES_UNIQUE -> throw new IllegalArgumentException(kind.id() + " has no pods of this form");
        }
        return pod.build();
    }

    private static void request(PodBuilder pod, Workload kind, int index, int group) {
        if (kind == Workload.TRACE_GPU) {
            PublishedTrace.ofGpus().request(pod, index);
            return;
        }
        int milliCpu = 100;
        int mebibytes = 128;
        if (kind == Workload.UNSCHEDULABLE) {
            milliCpu = 1000 * (WorkloadCluster.CPUS + 1);
        } else if (kind == Workload.SHAPES_1K || kind == Workload.SHAPES_10K) {
            int number = index % (kind == Workload.SHAPES_1K ? 1_000 : 10_000);
            milliCpu += number % DISTINCT_CPU_REQUESTS;
            mebibytes += number / DISTINCT_CPU_REQUESTS;
        } else if (kind.preempts()) {
            milliCpu = 3_201 + group;
            mebibytes = 20_000;
        }
        pod.container("cpu", milliCpu + "m", "memory", mebibytes + "Mi");
    }

    private static TopologySpreadConstraint hard(String topologyKey, LabelSelector peers) {
        return TopologySpreadConstraint.of(1, topologyKey, WhenUnsatisfiable.DO_NOT_SCHEDULE, peers);
    }

    private static TopologySpreadConstraint soft(String topologyKey, LabelSelector peers) {
        return TopologySpreadConstraint.of(1, topologyKey, WhenUnsatisfiable.SCHEDULE_ANYWAY, peers);
    }

    private static PodAffinityTerm term(String topologyKey, LabelSelector peers) {
        return new PodAffinityTerm(peers, topologyKey, List.of(), LabelSelector.NOTHING);
    }

    /**
     * Pods as an API server serves them for a StatefulSet: no two alike, though scheduling reads nothing that differs. The
     * set's controller gives each a name label and an index label, ServiceAccount admission a volume of random name.
     */
    private static final class StatefulSetPods {
        private static final String RANDOM_LETTERS = "bcdfghjklmnpqrstvwxz2456789";

        private StatefulSetPods() {}

        /** The pods of the indexes from the first to before the last. */
        static List<Pod> range(BenchCase benchCase, int from, int to) {
            ObjectReader reader = new ObjectReader();
            SplittableRandom random = new SplittableRandom(benchCase.seed() + from);
            List<Pod> pods = new ArrayList<>(to - from);
            for (int index = from; index < to; index++) {
                pods.add((Pod) reader.read(json(benchCase, index, random)));
            }
            return pods;
        }

        private static String json(BenchCase benchCase, int index, SplittableRandom random) {
            String set = WorkloadPods.app(Workload.SHAPES_UNIQUE, index % benchCase.groups());
            int ordinal = index / benchCase.groups();
            String token = "kube-api-access-" + letters(random, 5);
            return String.format(Locale.ROOT, """
                {"apiVersion": "v1", "kind": "Pod",
                 "metadata": {
                   "name": "%1$s-%2$d", "namespace": "default", "uid": "%3$016x%4$016x",
                   "labels": {
                     "app": "%1$s",
                     "apps.kubernetes.io/pod-index": "%2$d",
                     "controller-revision-hash": "%1$s-6f5d8c7b9",
                     "statefulset.kubernetes.io/pod-name": "%1$s-%2$d"},
                   "ownerReferences": [
                     {"apiVersion": "apps/v1", "kind": "StatefulSet", "name": "%1$s", "controller": true}]},
                 "spec": {
                   "schedulerName": "default-scheduler",
                   "containers": [{
                     "name": "main", "image": "registry.k8s.io/pause:3.10",
                     "resources": {"requests": {"cpu": "100m", "memory": "128Mi"}},
                     "volumeMounts": [{"name": "%5$s", "mountPath": "/var/run/secrets/kubernetes.io/serviceaccount"}]}],
                   "tolerations": [
                     {"key": "node.kubernetes.io/not-ready", "operator": "Exists", "effect": "NoExecute",
                      "tolerationSeconds": 300},
                     {"key": "node.kubernetes.io/unreachable", "operator": "Exists", "effect": "NoExecute",
                      "tolerationSeconds": 300}],
                   "volumes": [{"name": "%5$s", "projected": {"sources": [
                     {"serviceAccountToken": {"path": "token", "expirationSeconds": 3607}}]}}]},
                 "status": {"phase": "Pending"}}
                """, set, ordinal, random.nextLong(), random.nextLong(), token);
        }

        private static String letters(SplittableRandom random, int count) {
            StringBuilder text = new StringBuilder(count);
            for (int i = 0; i < count; i++) {
                text.append(RANDOM_LETTERS.charAt(random.nextInt(RANDOM_LETTERS.length())));
            }
            return text.toString();
        }
    }
}
