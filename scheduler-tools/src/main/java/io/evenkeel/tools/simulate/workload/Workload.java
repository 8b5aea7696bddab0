package io.evenkeel.tools.simulate.workload;

/** An owner of pods, such as a Deployment. */
public record Workload(String kind, String namespace, String name) implements Comparable<Workload> {
    public static final String DEPLOYMENT = "Deployment";
    public static final String REPLICA_SET = "ReplicaSet";
    public static final String REPLICATION_CONTROLLER = "ReplicationController";
    public static final String STATEFUL_SET = "StatefulSet";
    public static final String DAEMON_SET = "DaemonSet";
    public static final String JOB = "Job";

    /** The kind of what is not made by anything. */
    public static final String POD = "Pod";

    /** As people are told of it. */
    public String title() {
        return kind + " " + namespace + "/" + name;
    }

    @Override
    public int compareTo(Workload other) {
        int byNamespace = namespace.compareTo(other.namespace);
        int byName = byNamespace != 0 ? byNamespace : name.compareTo(other.name);
        return byName != 0 ? byName : kind.compareTo(other.kind);
    }
}
