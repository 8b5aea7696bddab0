package io.evenkeel.world.life;

import java.util.List;

/** The sorts of pods that ReplicaSets have: where two rules cross, an order has to be found, or room for all of a gang. */
final class OwnedTemplates {
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final String HOSTNAME = "kubernetes.io/hostname";

    private record Sort(String app, String cpu, String spec) {}

    /** The first is the one that most is looked ahead for. */
    private static final List<Sort> ALL = List.of(
            new Sort("crossing", "250m", spread("crossing", ZONE, HOSTNAME)),
            new Sort("rows", "250m", spread("rows", ZONE) + apart("rows", HOSTNAME)),
            new Sort("wide", "1", ""),
            new Sort("zonal", "250m", apart("zonal", ZONE)),
            new Sort("heavy", "2", ""),
            new Sort("dedicated", "2", Templates.only(Nodes.OF_GANG)),
            new Sort("devoted", "250m", ",\"resourceClaims\":[%s]".formatted(Templates.CLAIM_OF_TEMPLATE)));

    /** For two of these there is a node. */
    static final int DEDICATED = 5;

    /** These have a device each. */
    static final int DEVOTED = 6;

    /** All or none. */
    static final String GANG = "gang";

    /** How the pods of one owner are to be placed: what the annotation says, if anything; most often all or none. */
    private static final List<String> MODES = List.of("", "", "", GANG, GANG, GANG, GANG, "end-state");

    /** The same by a PodGroup. */
    static final String POD_GROUP = "pod-group";

    private OwnedTemplates() {}

    /** That of the name of the owner. */
    static String podGroup(Owner owner, int members) {
        return """
            {"kind":"PodGroup","apiVersion":"scheduling.x-k8s.io/v1alpha1","metadata":{"name":"%s","namespace":"%s"},\
            "spec":{"minMember":%d}}\
            """.formatted(owner.name(), owner.namespace(), members);
    }

    /** Those of them that come by chance. */
    static int sorts() {
        return DEDICATED;
    }

    static List<String> modes() {
        return MODES;
    }

    static String app(int sort) {
        return ALL.get(sort).app;
    }

    private static String spread(String app, String... keys) {
        List<String> constraints =
                List.of(keys).stream().map(key -> """
                    {"maxSkew":1,"topologyKey":"%s","whenUnsatisfiable":"DoNotSchedule","labelSelector":{"matchLabels":{"app":"%s"}}}\
                    """.formatted(key, app)).toList();
        return ",\"topologySpreadConstraints\":[" + String.join(",", constraints) + "]";
    }

    private static String apart(String app, String key) {
        return """
            ,"affinity":{"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":\
            [{"topologyKey":"%s","labelSelector":{"matchLabels":{"app":"%s"}}}]}}\
            """.formatted(key, app);
    }

    static String owner(Owner owner, int replicas) {
        return """
            {"kind":"ReplicaSet","apiVersion":"apps/v1","metadata":{"name":"%s","namespace":"%s"},"spec":{"replicas":%d,\
            "selector":{"matchLabels":{"set":"%1$s"}},"template":{"metadata":{"labels":{"set":"%1$s"}},\
            "spec":{"containers":[{"name":"main","image":"example.com/main:1"}]}}}}\
            """.formatted(owner.name(), owner.namespace(), replicas);
    }

    /** @param gated whether it waits for a gate of its own too */
    static String pod(Owner owner, String name, boolean gated) {
        Sort sort = ALL.get(owner.sort());
        boolean isOfPodGroup = owner.mode().equals(POD_GROUP);
        String label = isOfPodGroup ? ",\"scheduling.x-k8s.io/pod-group\":\"%s\"".formatted(owner.name()) : "";
        String annotations = owner.mode().isEmpty() || isOfPodGroup
                ? ""
                : ",\"annotations\":{\"evenkeel.io/group-placement\":\"%s\"}".formatted(owner.mode());
        String priority = owner.important() ? ",\"priorityClassName\":\"%s\"".formatted(Templates.IMPORTANT) : "";
        String gate = gated ? ",\"schedulingGates\":[{\"name\":\"example.com/wait\"}]" : "";
        return """
            {"kind":"Pod","apiVersion":"v1","metadata":{"name":"%s","namespace":"%s","labels":{"app":"%s","set":"%s"%s}%s,\
            "ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"%4$s","uid":"%s","controller":true}]},\
            "spec":{"schedulerName":"%s","containers":[{"name":"main","image":"example.com/main:1",\
            "resources":{"requests":{"cpu":"%s","memory":"64Mi"}}}]%s%s%s}}\
            """.formatted(
                        name,
                        owner.namespace(),
                        sort.app,
                        owner.name(),
                        label,
                        annotations,
                        owner.uid(),
                        owner.schedulerName(),
                        sort.cpu,
                        sort.spec,
                        priority,
                        gate);
    }
}
