package io.evenkeel.hollow.controller;

import com.google.gson.JsonObject;
import io.evenkeel.model.json.Trees;
import java.util.ArrayList;
import java.util.List;

/**
 * How far a rolling update may go now: the next sizes of the old ReplicaSets and the new one, such that there are never more
 * than {@code replicas + maxSurge} pods and never fewer than {@code replicas − maxUnavailable} available ones.
 */
record RollingUpdate(long replicas, long maxSurge, long maxUnavailable) {

    /** A ReplicaSet's size as asked for, and how many of its pods are available. */
    record Size(long wanted, long available) {}

    /** The next sizes: of the new ReplicaSet, and of the old ones in the order given. */
    record Step(long fresh, List<Long> old) {}

    static RollingUpdate of(JsonObject deployment) {
        long replicas = Trees.number(deployment, "spec", "replicas").orElse(1L);
        JsonObject rolling =
                Trees.object(deployment, "spec", "strategy", "rollingUpdate").orElseGet(JsonObject::new);
        long surge = IntOrPercent.resolve(rolling, "maxSurge", "25%", replicas, true);
        long unavailable = IntOrPercent.resolve(rolling, "maxUnavailable", "25%", replicas, false);
        // both zero would let nothing ever happen
        return new RollingUpdate(replicas, surge, surge == 0 && unavailable == 0 ? 1 : unavailable);
    }

    /** The next step; it is the present state when only time can help. */
    Step next(Size fresh, List<Size> old) {
        long total = fresh.wanted + old.stream().mapToLong(Size::wanted).sum();
        List<Long> present = old.stream().map(Size::wanted).toList();
        if (fresh.wanted > replicas) {
            return new Step(replicas, present);
        }
        long room = Math.min(replicas + maxSurge - total, replicas - fresh.wanted);
        if (room > 0) {
            return new Step(fresh.wanted + room, present);
        }
        return new Step(fresh.wanted, shrunk(fresh, old, total));
    }

    private List<Long> shrunk(Size fresh, List<Size> old, long total) {
        long minAvailable = replicas - maxUnavailable;
        long freshUnavailable = fresh.wanted - fresh.available;
        long spare = total - minAvailable - freshUnavailable;
        List<Long> sizes = new ArrayList<>();
        // unavailable pods serve no client: they go first
        for (Size each : old) {
            long going = Math.clamp(spare, 0, Math.max(each.wanted - each.available, 0));
            spare -= going;
            sizes.add(each.wanted - going);
        }
        long available =
                fresh.available + old.stream().mapToLong(Size::available).sum();
        long spareAvailable = Math.min(available - minAvailable, Math.max(spare, 0));
        for (int i = 0; i < sizes.size() && spareAvailable > 0; i++) {
            long going = Math.min(sizes.get(i), spareAvailable);
            spareAvailable -= going;
            sizes.set(i, sizes.get(i) - going);
        }
        return sizes;
    }
}
