package io.evenkeel.framework.why;

import io.evenkeel.model.Pod;
import java.util.List;

/**
 * Fewer domains asked for by one of the pod's spread constraints.
 *
 * @param index its place among them
 * @param before how many it asks for now, more than one
 */
public record MinDomains(int index, String topologyKey, int before, int minDomains) implements PodChange, Sized {
    @Override
    public Kind kind() {
        return Kind.MIN_DOMAINS;
    }

    @Override
    public String text() {
        return "minDomains " + minDomains + " instead of " + before + " over " + topologyKey;
    }

    @Override
    public long size() {
        return (long) before - minDomains;
    }

    @Override
    public Change ofSize(long size) {
        return new MinDomains(index, topologyKey, before, (int) Math.max(1, before - size));
    }

    @Override
    public Pod applied(Pod pod) {
        return SpreadConstraints.changed(pod, index, constraint -> constraint.withMinDomains(minDomains));
    }

    @Override
    public List<PatchOperation> patch(Pod pod) {
        return List.of(PatchOperation.replace(SpreadConstraints.path(index, "minDomains"), minDomains));
    }
}
