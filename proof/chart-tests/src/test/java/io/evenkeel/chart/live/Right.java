package io.evenkeel.chart.live;

import io.evenkeel.hollow.Authorizer.Attributes;

/**
 * One verb on one resource.
 *
 * @param namespace where; empty for everywhere
 * @param name on which object; empty for all
 */
public record Right(String namespace, String group, String resource, String verb, String name) {
    /**
     * What a call takes: everywhere and on all objects, as the scheduler's pods, nodes and events are anybody's. Only its
     * Lease and the cluster's authorities are one object each.
     */
    static Right takenBy(Attributes call) {
        boolean single = call.resource().equals("leases") || call.resource().equals("configmaps");
        return new Right(
                single ? call.namespace() : "",
                call.group(),
                call.resourcePath(),
                call.verb(),
                single ? call.name() : "");
    }

    boolean allows(Attributes call) {
        return group.equals(call.group())
                && resource.equals(call.resourcePath())
                && verb.equals(call.verb())
                && (namespace.isEmpty() || namespace.equals(call.namespace()))
                && (name.isEmpty() || name.equals(call.name()));
    }
}
