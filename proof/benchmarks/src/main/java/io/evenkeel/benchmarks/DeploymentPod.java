package io.evenkeel.benchmarks;

import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * A running pod of a Deployment as an API server sends it: some 10 KB of JSON, 40 % of them managed fields. Pods of one
 * Deployment differ in what real ones differ in, not least in the random name of the volume that holds the token.
 */
final class DeploymentPod {
    private static final List<String> CONTAINER_FIELDS = List.of(
            "args",
            "command",
            "image",
            "imagePullPolicy",
            "name",
            "resources",
            "terminationMessagePath",
            "terminationMessagePolicy",
            "securityContext",
            "volumeMounts",
            "ports",
            "env",
            "livenessProbe",
            "readinessProbe",
            "startupProbe",
            "lifecycle");
    private static final List<String> STATUS_FIELDS = List.of(
            "conditions",
            "containerStatuses",
            "hostIP",
            "hostIPs",
            "phase",
            "podIP",
            "podIPs",
            "startTime",
            "observedGeneration",
            "qosClass");

    private DeploymentPod() {}

    static String json(RandomGenerator random) {
        String suffix = letters(random, 5);
        String token = "kube-api-access-" + letters(random, 5);
        String ip = "10.%d.%d.%d".formatted(random.nextInt(250), random.nextInt(250), random.nextInt(250));
        String uid = "%08x-1111-2222-3333-%012x".formatted(random.nextInt(), random.nextLong(1L << 47));
        String node = "node-" + random.nextInt(5000);
        String started =
                "2026-05-%02dT10:%02d:%02dZ".formatted(1 + random.nextInt(28), random.nextInt(60), random.nextInt(60));
        return """
                {"kind":"Pod","apiVersion":"v1","metadata":{"name":"checkout-7c9d8b6f5d-%1$s",\
                "generateName":"checkout-7c9d8b6f5d-","namespace":"shop","uid":"%2$s","resourceVersion":"%3$d",\
                "generation":1,"creationTimestamp":"%4$s","labels":{"app":"checkout","app.kubernetes.io/name":"checkout",\
                "app.kubernetes.io/part-of":"shop","pod-template-hash":"7c9d8b6f5d","tier":"backend"},\
                "annotations":{"prometheus.io/scrape":"true","prometheus.io/port":"9090",\
                "kubectl.kubernetes.io/restartedAt":"2026-05-01T08:00:00Z",\
                "checksum/config":"4a1f0c7b9d3e5f60718293a4b5c6d7e8f9010203"},\
                "ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"checkout-7c9d8b6f5d",\
                "uid":"0a1b2c3d-1111-2222-3333-0123456789ab","controller":true,"blockOwnerDeletion":true}],\
                "managedFields":[%5$s]},\
                "spec":{"volumes":[{"name":"config","configMap":{"name":"checkout-config","defaultMode":420}},\
                {"name":"tmp","emptyDir":{}},{"name":"%6$s","projected":{"sources":[{"serviceAccountToken":\
                {"expirationSeconds":3607,"path":"token"}},{"configMap":{"name":"kube-root-ca.crt","items":[{"key":\
                "ca.crt","path":"ca.crt"}]}},{"downwardAPI":{"items":[{"path":"namespace","fieldRef":{"apiVersion":"v1",\
                "fieldPath":"metadata.namespace"}}]}}],"defaultMode":420}}],\
                "containers":[%7$s,%8$s],"restartPolicy":"Always","terminationGracePeriodSeconds":30,\
                "dnsPolicy":"ClusterFirst","serviceAccountName":"checkout","serviceAccount":"checkout",\
                "nodeName":"%9$s","securityContext":{"runAsUser":1000,"fsGroup":1000},"affinity":{"podAntiAffinity":\
                {"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":100,"podAffinityTerm":{"labelSelector":\
                {"matchLabels":{"app":"checkout"}},"topologyKey":"kubernetes.io/hostname"}}]}},\
                "schedulerName":"default-scheduler","tolerations":[{"key":"node.kubernetes.io/not-ready","operator":\
                "Exists","effect":"NoExecute","tolerationSeconds":300},{"key":"node.kubernetes.io/unreachable",\
                "operator":"Exists","effect":"NoExecute","tolerationSeconds":300}],"priority":0,\
                "enableServiceLinks":true,"preemptionPolicy":"PreemptLowerPriority","topologySpreadConstraints":\
                [{"maxSkew":1,"topologyKey":"topology.kubernetes.io/zone","whenUnsatisfiable":"DoNotSchedule",\
                "labelSelector":{"matchLabels":{"app":"checkout"}}}]},\
                "status":{"phase":"Running","conditions":[%10$s],"hostIP":"192.168.1.7","hostIPs":[{"ip":"192.168.1.7"}],\
                "podIP":"%11$s","podIPs":[{"ip":"%11$s"}],"startTime":"%4$s","containerStatuses":[%12$s,%13$s],\
                "qosClass":"Burstable"}}""".formatted(
                        suffix,
                        uid,
                        random.nextInt(1 << 30),
                        started,
                        managedFields(started),
                        token,
                        container("checkout", "registry.example/shop/checkout:1.42.0", token),
                        container("proxy", "registry.example/mesh/proxy:2.7.1", token),
                        node,
                        conditions(started),
                        ip,
                        status("checkout", "registry.example/shop/checkout:1.42.0", uid, started),
                        status("proxy", "registry.example/mesh/proxy:2.7.1", uid, started));
    }

    private static String container(String name, String image, String token) {
        return """
                {"name":"%1$s","image":"%2$s","args":["--listen=:8080","--config=/etc/checkout/config.yaml"],\
                "ports":[{"name":"http","containerPort":8080,"protocol":"TCP"},{"name":"metrics","containerPort":9090,\
                "protocol":"TCP"}],"env":[{"name":"POD_NAME","valueFrom":{"fieldRef":{"apiVersion":"v1","fieldPath":\
                "metadata.name"}}},{"name":"LOG_LEVEL","value":"info"}],"resources":{"limits":{"memory":"512Mi"},\
                "requests":{"cpu":"250m","memory":"256Mi"}},"volumeMounts":[{"name":"config","mountPath":"/etc/checkout"},\
                {"name":"%3$s","readOnly":true,"mountPath":"/var/run/secrets/kubernetes.io/serviceaccount"}],\
                "livenessProbe":{"httpGet":{"path":"/healthz","port":"http","scheme":"HTTP"},"timeoutSeconds":1,\
                "periodSeconds":10,"successThreshold":1,"failureThreshold":3},"terminationMessagePath":\
                "/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"IfNotPresent"}""".formatted(name, image, token);
    }

    private static String status(String name, String image, String uid, String started) {
        return """
                {"name":"%1$s","state":{"running":{"startedAt":"%4$s"}},"lastState":{},"ready":true,"restartCount":0,\
                "image":"%2$s","imageID":"%2$s@sha256:%3$s","containerID":"containerd://%3$s","started":true}""".formatted(name, image, uid.replace("-", "").repeat(2), started);
    }

    private static String conditions(String time) {
        return List.of("PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled").stream()
                .map(type -> "{\"type\":\"" + type + "\",\"observedGeneration\":1,\"status\":\"True\","
                        + "\"lastProbeTime\":null,\"lastTransitionTime\":\"" + time + "\"}")
                .collect(Collectors.joining(","));
    }

    private static String managedFields(String time) {
        String containers = List.of("checkout", "proxy").stream()
                .map(name -> "\"k:{\\\"name\\\":\\\"" + name + "\\\"}\":{\".\":{}," + sets(CONTAINER_FIELDS, 4) + "}")
                .collect(Collectors.joining(","));
        return entry("kube-controller-manager", time, "", "\"f:spec\":{\"f:containers\":{" + containers + "}}")
                + ","
                + entry("kubelet", time, "status", "\"f:status\":{" + sets(STATUS_FIELDS, 3) + "}");
    }

    private static String sets(List<String> fields, int parts) {
        return fields.stream()
                .map(field -> {
                    StringBuilder set = new StringBuilder("\"f:" + field + "\":{\".\":{}");
                    for (int i = 0; i < parts; i++) {
                        set.append(",\"f:")
                                .append(field.toLowerCase(Locale.ROOT))
                                .append(i)
                                .append("\":{}");
                    }
                    return set.append('}').toString();
                })
                .collect(Collectors.joining(","));
    }

    private static String entry(String manager, String time, String subresource, String fields) {
        return "{\"manager\":\"" + manager + "\",\"operation\":\"Update\",\"apiVersion\":\"v1\",\"time\":\"" + time
                + "\",\"fieldsType\":\"FieldsV1\",\"fieldsV1\":{" + fields + "}"
                + (subresource.isEmpty() ? "" : ",\"subresource\":\"" + subresource + "\"") + "}";
    }

    private static String letters(RandomGenerator random, int count) {
        return random.ints(count, 'a', 'z' + 1).mapToObj(Character::toString).collect(Collectors.joining());
    }
}
