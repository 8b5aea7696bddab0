package io.evenkeel.lab.demo;

/**
 * A manifest as a user would write it into a file.
 *
 * @param what it is, in few words
 * @param point the lines that matter, as YAML
 * @param yaml all of it
 */
record Manifest(String what, String point, String yaml) {
    /** Spread constraints as pods have them in the stories; to be formatted with the app that they count. */
    static final String ZONES = """
            topologySpreadConstraints:
            - maxSkew: 1
              topologyKey: topology.kubernetes.io/zone
              whenUnsatisfiable: DoNotSchedule
              labelSelector: {matchLabels: {app: %s}}
            """;

    static final String ZONES_AND_NODES = ZONES + """
            - maxSkew: 1
              topologyKey: kubernetes.io/hostname
              whenUnsatisfiable: DoNotSchedule
              labelSelector: {matchLabels: {app: %<s}}
            """;

    private static final int IN_A_POD = 2;
    private static final int IN_A_TEMPLATE = 6;

    static Manifest deployment(String name, int replicas, String point) {
        return workload("Deployment", name, replicas, "", point);
    }

    /** Makes a Deployment that makes all new pods before the first old one goes. */
    static Manifest surgingDeployment(String name, int replicas, String point) {
        return workload("Deployment", name, replicas, """
                minReadySeconds: 1
                strategy:
                  rollingUpdate: {maxSurge: 100%, maxUnavailable: 0}
                """, point);
    }

    static Manifest statefulSet(String name, int replicas, String point) {
        return workload("StatefulSet", name, replicas, "serviceName: " + name + "\n", point);
    }

    /** A pod of the app that its name begins with. */
    static Manifest pod(String name, String point) {
        return pod(name, "app: " + name.substring(0, name.indexOf('-')), point);
    }

    /**
     * A pod with labels of its own.
     *
     * @param labels as in {@code app: web, tier: front}
     */
    static Manifest pod(String name, String labels, String point) {
        return new Manifest("Pod " + name, point, """
                apiVersion: v1
                kind: Pod
                metadata:
                  name: %s
                  labels: {%s}
                spec:
                """.formatted(name, labels) + podSpec(point, IN_A_POD));
    }

    /** Pods that name it are placed together. */
    static Manifest podGroup(String name, String point) {
        return new Manifest("PodGroup " + name, point, """
                apiVersion: scheduling.k8s.io/v1beta1
                kind: PodGroup
                metadata:
                  name: %s
                spec:
                """.formatted(name) + point.indent(IN_A_POD));
    }

    private static Manifest workload(String kind, String name, int replicas, String more, String point) {
        String head = """
                apiVersion: apps/v1
                kind: %s
                metadata:
                  name: %s
                spec:
                  replicas: %d
                """.formatted(kind, name, replicas);
        String template = """
                selector:
                  matchLabels: {app: %s}
                template:
                  metadata:
                    labels: {app: %s}
                  spec:
                """.formatted(name, name);
        return new Manifest(
                "%s %s, %,d replicas".formatted(kind, name, replicas),
                point,
                head + (more + template).indent(2) + podSpec(point, IN_A_TEMPLATE));
    }

    private static String podSpec(String point, int indent) {
        String containers = """
                containers:
                - name: main
                  image: registry.k8s.io/pause:3.10
                  resources:
                    requests: {cpu: 200m, memory: 256Mi}
                """;
        return (point + containers).indent(indent);
    }
}
