package io.evenkeel.lab.bench;

import io.evenkeel.model.Pod;
import io.evenkeel.model.read.ObjectReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Pods as an API server serves them for a StatefulSet: no two alike, though scheduling reads nothing that differs. The
 * set's controller gives each a name label and an index label, ServiceAccount admission a volume of random name.
 */
final class StatefulSetPods {
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
