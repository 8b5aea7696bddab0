package io.evenkeel.world.exhaustive;

import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;

/** A node as the server keeps it. */
record ServedNode(String name, String uid, int milliCpu) {
    Node read(long version) {
        KubernetesObject object = Readings.of("""
            {"kind":"Node","apiVersion":"v1","metadata":{"name":"%1$s","uid":"%2$s","resourceVersion":"%4$d",\
            "labels":{"kubernetes.io/hostname":"%1$s"}},"status":{"allocatable":{"cpu":"%3$dm","memory":"8Gi","pods":"8"},\
            "capacity":{"cpu":"%3$dm","memory":"8Gi","pods":"8"}}}\
            """.formatted(name, uid, milliCpu, version));
        return (Node) object;
    }

    @Override
    public String toString() {
        return name + " " + uid + " " + milliCpu + "m";
    }
}
