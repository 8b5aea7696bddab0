package io.evenkeel.lab.bench;

import io.evenkeel.lab.bench.Bench.Scenario;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import java.util.List;

/**
 * The measurement to make.
 *
 * @param pods how many are to be placed
 * @param groups how many distinct values the pods' {@code app} label has
 * @param fill how many pods a node are there before the first is placed
 * @param seed of all that is random: the choice among equally good nodes, and made-up names
 */
record BenchCase(Workload workload, int nodes, int pods, int zones, int groups, int fill, long seed)
        implements Scenario {
    static final int USUAL_ZONES = 5;

    BenchCase {
        requireAtLeastOne("nodes", nodes);
        requireAtLeastOne("pods", pods);
        requireAtLeastOne("zones", zones);
        requireAtLeastOne("groups", groups);
        if (fill < 0) {
            throw new IllegalArgumentException("fill must be at least 0, got " + fill);
        }
    }

    /** Onto an empty cluster, with five zones, as the reference was measured, and as many groups as let all pods be placed. */
    static BenchCase of(Workload workload, int nodes, int pods, long seed) {
        return new BenchCase(workload, nodes, pods, USUAL_ZONES, workload.usualGroups(nodes, pods), 0, seed);
    }

    /** Fills the cluster with so many pods a node first, with more groups where these need them. */
    BenchCase filledBy(int podsANode) {
        int enough = Math.max(groups, workload.usualGroups(nodes, podsANode * nodes + pods));
        return new BenchCase(workload, nodes, pods, zones, enough, podsANode, seed);
    }

    /** Takes pods of another workload. */
    BenchCase of(Workload other) {
        return new BenchCase(other, nodes, pods, zones, groups, fill, seed);
    }

    /** How many pods are there before the first is placed. */
    int filled() {
        return fill * nodes;
    }

    /** Changes the size, with more groups where the size needs them. */
    private BenchCase resized(int newNodes, int newPods) {
        int enough = Math.max(groups, workload.usualGroups(newNodes, fill * newNodes + newPods));
        return new BenchCase(workload, newNodes, newPods, zones, enough, fill, seed);
    }

    @Override
    public List<KubernetesObject> objects() {
        return WorkloadCluster.objects(this);
    }

    @Override
    public List<Pod> newcomers() {
        return WorkloadPods.of(this);
    }

    /**
     * On a filled cluster one of each app: had its pods been placed one after the other, what is kept of their selectors would be
     * there, which is worked out from all placed pods when the first one asks.
     */
    @Override
    public List<Pod> knownBefore() {
        int apps = fill == 0 ? 0 : Math.min(pods, workload.turns() * groups);
        return WorkloadPods.range(this, filled(), filled() + apps);
    }

    /** As full as this, and with whole zones, without which a full cluster may not be spread. */
    @Override
    public BenchCase smaller(int mostNodes, int mostNewcomers) {
        int fewerNodes = Math.min(nodes, mostNodes);
        int fewerPods = Math.min(pods, mostNewcomers);
        if (fill == 0) {
            return resized(fewerNodes, fewerPods);
        }
        int inWholeZones = Math.max(fewerNodes - fewerNodes % zones, zones);
        long room = FillLimits.room(resized(inWholeZones, fewerPods));
        return resized(inWholeZones, Math.clamp(room, 1, fewerPods));
    }

    BenchCase firstPods(int count) {
        return new BenchCase(workload, nodes, Math.min(count, pods), zones, groups, fill, seed);
    }

    private static void requireAtLeastOne(String what, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(what + " must be at least 1, got " + value);
        }
    }
}
