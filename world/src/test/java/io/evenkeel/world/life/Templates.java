package io.evenkeel.world.life;

import java.util.List;

/** The sorts of pods that are made, each with another reason not to be placed just anywhere. */
final class Templates {
    private static final String SELECTOR = "{\"matchLabels\":{\"app\":\"%s\"}}";

    /** App, CPU, and what else stands in the spec; the first is the tamest. */
    private static final List<String[]> ALL = List.of(
            new String[] {"plain", "1", ""},
            new String[] {"large", "3", ""},
            new String[] {"zones", "1", spread("zones", "topology.kubernetes.io/zone", 1)},
            new String[] {"hosts", "500m", spread("hosts", "kubernetes.io/hostname", 2)},
            new String[] {"apart", "500m", """
                ,"affinity":{"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":\
                [{"topologyKey":"kubernetes.io/hostname","labelSelector":%s}]}}\
                """.formatted(SELECTOR.formatted("apart"))},
            new String[] {"near", "500m", """
                ,"affinity":{"podAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":\
                [{"topologyKey":"topology.kubernetes.io/zone","labelSelector":%s}]}}\
                """.formatted(SELECTOR.formatted("zones"))},
            new String[] {"port", "500m", ""},
            new String[] {"gated", "1", ",\"schedulingGates\":[{\"name\":\"example.com/wait\"}]"});

    private Templates() {}

    static int count() {
        return ALL.size();
    }

    private static String spread(String app, String key, int maxSkew) {
        return """
            ,"topologySpreadConstraints":[{"maxSkew":%d,"topologyKey":"%s","whenUnsatisfiable":"DoNotSchedule",\
            "labelSelector":%s}]\
            """.formatted(maxSkew, key, SELECTOR.formatted(app));
    }

    static String app(int template) {
        return ALL.get(template)[0];
    }

    static String pod(int template, String name, String schedulerName) {
        String[] parts = ALL.get(template);
        String ports = parts[0].equals("port") ? ",\"ports\":[{\"containerPort\":80,\"hostPort\":8080}]" : "";
        return """
            {"kind":"Pod","apiVersion":"v1","metadata":{"name":"%s","namespace":"default","labels":{"app":"%s"}},\
            "spec":{"schedulerName":"%s","containers":[{"name":"main","image":"example.com/main:1",\
            "resources":{"requests":{"cpu":"%s","memory":"64Mi"}}%s}]%s}}\
            """.formatted(name, parts[0], schedulerName, parts[1], ports, parts[2]);
    }

    static String node(String name, int zone, int cpus) {
        return """
            {"kind":"Node","apiVersion":"v1","metadata":{"name":"%1$s","labels":{"kubernetes.io/hostname":"%1$s",\
            "topology.kubernetes.io/zone":"zone-%2$d"}},"status":{"allocatable":{"cpu":"%3$d","memory":"8Gi",\
            "pods":"8"},"capacity":{"cpu":"%3$d","memory":"8Gi","pods":"8"}}}\
            """.formatted(name, zone, cpus);
    }
}
