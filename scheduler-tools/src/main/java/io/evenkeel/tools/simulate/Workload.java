package io.evenkeel.tools.simulate;

/** An owner of pods, such as a Deployment. */
record Workload(String kind, String namespace, String name) implements Comparable<Workload> {
    static final String DEPLOYMENT = "Deployment";
    static final String REPLICA_SET = "ReplicaSet";
    static final String REPLICATION_CONTROLLER = "ReplicationController";
    static final String STATEFUL_SET = "StatefulSet";
    static final String DAEMON_SET = "DaemonSet";
    static final String JOB = "Job";

    /** The kind of what is not made by anything. */
    static final String POD = "Pod";

    String title() {
        return kind + " " + namespace + "/" + name;
    }

    @Override
    public int compareTo(Workload other) {
        int byNamespace = namespace.compareTo(other.namespace);
        int byName = byNamespace != 0 ? byNamespace : name.compareTo(other.name);
        return byName != 0 ? byName : kind.compareTo(other.kind);
    }
}
