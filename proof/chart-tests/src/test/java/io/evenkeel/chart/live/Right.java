package io.evenkeel.chart.live;

import io.evenkeel.hollow.Authorizer.Attributes;
import java.util.List;

/**
 * One verb on one resource.
 *
 * @param namespace where; empty for everywhere
 * @param name on which object; empty for all
 */
public record Right(String namespace, String group, String resource, String verb, String name) {
    /**
     * What a call takes: everywhere and on all objects, as the scheduler's pods, nodes and events are anybody's. Only the
     * Leases that it writes and the cluster's authorities are one object each; those that it reads may be of another number of shards. Who gives a claim devices and users takes one right more.
     */
    static List<Right> takenBy(Attributes call) {
        boolean single = call.resource().equals("leases") || call.resource().equals("configmaps");
        Right right = new Right(
                single ? call.namespace() : "",
                call.group(),
                call.resourcePath(),
                call.verb(),
                single && !(call.resource().equals("leases") && call.verb().equals("get")) ? call.name() : "");
        return right.resource.equals("resourceclaims/status")
                ? List.of(right, new Right("", right.group, "resourceclaims/binding", right.verb, ""))
                : List.of(right);
    }

    boolean allows(Attributes call) {
        return group.equals(call.group())
                && resource.equals(call.resourcePath())
                && verb.equals(call.verb())
                && (namespace.isEmpty() || namespace.equals(call.namespace()))
                && (name.isEmpty() || name.equals(call.name()));
    }
}
