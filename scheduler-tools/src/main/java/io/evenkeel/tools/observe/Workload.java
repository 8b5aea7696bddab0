package io.evenkeel.tools.observe;

import java.util.Comparator;

/** A thing that people made and that has pods: a Deployment, a StatefulSet, a Job. */
record Workload(String namespace, String kind, String name) implements Comparable<Workload> {
    private static final Comparator<Workload> ORDER = Comparator.comparing(Workload::namespace)
            .thenComparing(Workload::kind)
            .thenComparing(Workload::name);

    /** Such as {@code Deployment/web}. */
    String inNamespace() {
        return kind + "/" + name;
    }

    @Override
    public int compareTo(Workload other) {
        return ORDER.compare(this, other);
    }

    /** Such as {@code Deployment shop/web}. */
    @Override
    public String toString() {
        return kind + " " + namespace + "/" + name;
    }
}
