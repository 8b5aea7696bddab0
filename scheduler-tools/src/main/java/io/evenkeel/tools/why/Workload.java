package io.evenkeel.tools.why;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.model.Pod;
import io.evenkeel.whatif.why.Remedy.PodTemplate;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** An owner of pods, such as a Deployment; a pod that nothing owns is its own. */
public record Workload(String kind, String namespace, String name) implements Comparable<Workload> {
    public static final String DEPLOYMENT = "Deployment";
    public static final String REPLICA_SET = "ReplicaSet";
    public static final String REPLICATION_CONTROLLER = "ReplicationController";
    public static final String STATEFUL_SET = "StatefulSet";
    public static final String DAEMON_SET = "DaemonSet";
    public static final String JOB = "Job";
    public static final String CRON_JOB = "CronJob";
    public static final String POD_GROUP = "PodGroup";

    /** The kind of what is not made by anything. */
    public static final String POD = "Pod";

    private static final Comparator<Workload> ORDER = Comparator.comparing(Workload::namespace)
            .thenComparing(Workload::name)
            .thenComparing(Workload::kind);

    /** By their short names and their own. */
    private static final Map<String, String> KINDS = new TreeMap<>(Map.of(
            "po", POD,
            "deploy", DEPLOYMENT,
            "rs", REPLICA_SET,
            "rc", REPLICATION_CONTROLLER,
            "sts", STATEFUL_SET,
            "ds", DAEMON_SET,
            "cj", CRON_JOB,
            "pg", POD_GROUP,
            "job", JOB));

    static {
        Map.copyOf(KINDS).values().forEach(kind -> KINDS.put(kind.toLowerCase(Locale.ROOT), kind));
    }

    /** The kind by a name that kubectl takes for it: short, of one or of several, with its group or without. */
    public static Optional<String> kindNamed(String typed) {
        String name = typed.toLowerCase(Locale.ROOT).replaceFirst("\\..*", "");
        return Optional.ofNullable(KINDS.get(name))
                .or(() -> name.endsWith("s")
                        ? Optional.ofNullable(KINDS.get(name.substring(0, name.length() - 1)))
                        : Optional.empty());
    }

    /** The workload above a pod: a ReplicaSet is a Deployment's where it says so, or where its name is as a Deployment makes it. */
    public static Workload of(Pod pod, ClusterView cluster) {
        return PodTemplate.of(pod, cluster)
                .map(owner -> new Workload(owner.kind(), owner.namespace(), owner.name()))
                .orElseGet(() -> new Workload(POD, pod.namespace(), pod.name()));
    }

    /** Whether a CronJob makes Jobs of this name. */
    public boolean isJobOf(Workload cronJob) {
        return kind.equals(JOB)
                && cronJob.kind.equals(CRON_JOB)
                && namespace.equals(cronJob.namespace)
                && name.matches(Pattern.quote(cronJob.name) + "-[0-9]+");
    }

    /** Such as {@code Deployment shop/web}. */
    public String title() {
        return kind + " " + namespace + "/" + name;
    }

    @Override
    public String toString() {
        return title();
    }

    @Override
    public int compareTo(Workload other) {
        return ORDER.compare(this, other);
    }
}
