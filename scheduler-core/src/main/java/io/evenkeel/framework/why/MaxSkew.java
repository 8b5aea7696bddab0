package io.evenkeel.framework.why;

import io.evenkeel.model.Pod;
import java.util.List;

/**
 * More skew allowed by one of the pod's spread constraints.
 *
 * @param index its place among them
 * @param before what it allows now
 */
public record MaxSkew(int index, String topologyKey, int before, int maxSkew) implements PodChange, Sized {
    @Override
    public Kind kind() {
        return Kind.MAX_SKEW;
    }

    @Override
    public String text() {
        return "maxSkew " + maxSkew + " instead of " + before + " over " + topologyKey;
    }

    @Override
    public long size() {
        return (long) maxSkew - before;
    }

    @Override
    public Change ofSize(long size) {
        return new MaxSkew(index, topologyKey, before, (int) Math.min(Integer.MAX_VALUE, before + size));
    }

    @Override
    public Pod applied(Pod pod) {
        return SpreadConstraints.changed(pod, index, constraint -> constraint.withMaxSkew(maxSkew));
    }

    @Override
    public List<PatchOperation> patch(Pod pod) {
        return List.of(PatchOperation.replace(SpreadConstraints.path(index, "maxSkew"), maxSkew));
    }
}
