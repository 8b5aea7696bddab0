package io.evenkeel.cluster.counting;

import io.evenkeel.cluster.counting.LabelClasses.LabelClass;
import io.evenkeel.cluster.index.ClusterIndex.AuditFacts;
import io.evenkeel.cluster.index.ClusterIndex.Differences;
import io.evenkeel.cluster.node.CountLevels;
import io.evenkeel.cluster.node.SparseCounts;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A number of pods, or a sum of weights, for each node, and everything that sums it up by domain. A pod that comes or
 * goes touches its node's entry and one entry of each counter.
 *
 * <p>Nodes that have pods are kept by {@link CountLevels level} too, while they are more than a few; few can be gone through.
 */
public final class PodTally {
    /** Levels are kept where one node in so many has pods, and no longer where one in eight times as many has. */
    private static final int WORTH_LEVELS = 256;

    private static final int FEW = 32;

    private final SparseCounts.Writer counting = SparseCounts.create();
    private final SparseCounts counts = counting.counts();
    private final List<DomainCounter> counters = new ArrayList<>();
    private final boolean countsPods;
    private final @Nullable SelectorGroup group;
    private CountLevels.@Nullable Writer levels;
    private int highestNode;

    private PodTally(boolean countsPods, @Nullable SelectorGroup group) {
        this.countsPods = countsPods;
        this.group = group;
    }

    static PodTally ofPods() {
        return new PodTally(true, null);
    }

    static PodTally ofPods(SelectorGroup group) {
        return new PodTally(true, group);
    }

    /** Keeps sums that may be negative, without levels. */
    static PodTally ofWeights() {
        return new PodTally(false, null);
    }

    /** Whether it counts the pods of this class, as pods of a group. */
    boolean countsAll(LabelClass pods) {
        return group != null && group.classes.contains(pods);
    }

    public int countOn(int node) {
        return counts.get(node);
    }

    public SparseCounts counts() {
        return counts;
    }

    /** Whether {@link #levels} can be asked; else few nodes have pods, or not pods are counted. */
    public boolean hasLevels() {
        return levels != null;
    }

    public CountLevels levels() {
        if (levels == null) {
            throw new IllegalStateException("no levels are kept of so few nodes");
        }
        return levels.levels();
    }

    void add(int node, int delta) {
        counting.add(node, delta);
        if (countsPods) {
            keepLevels(node, delta);
        }
        for (int i = 0; i < counters.size(); i++) {
            counters.get(i).tallyChanged(node, delta);
        }
    }

    private void keepLevels(int node, int delta) {
        highestNode = Math.max(highestNode, node);
        CountLevels.Writer kept = levels;
        if (kept == null) {
            if (counts.size() > FEW + highestNode / WORTH_LEVELS) {
                CountLevels.Writer made = CountLevels.create();
                counts.forEachNode(occupied -> made.move(occupied, 0, counts.get(occupied)));
                levels = made;
            }
        } else if (counts.size() < (FEW + highestNode / WORTH_LEVELS) / 8) {
            levels = null;
        } else {
            int count = counts.get(node);
            kept.move(node, count - delta, count);
        }
    }

    void attach(DomainCounter counter) {
        counter.placeInTally = counters.size();
        counters.add(counter);
    }

    void detach(DomainCounter counter) {
        DomainCounter last = counters.removeLast();
        if (last != counter) {
            counters.set(counter.placeInTally, last);
            last.placeInTally = counter.placeInTally;
        }
    }

    /** Returns the counters that sum it up, by whichever topology. */
    public List<DomainCounter> counters() {
        return Collections.unmodifiableList(counters);
    }

    /** Compares the counts with a recount by node, and the levels with the counts. */
    void audit(String what, Map<Integer, Integer> recounted, AuditFacts facts, Differences differences) {
        counts.audit(what, recounted, facts, differences);
        String difference = differenceOfLevels();
        differences.require(difference.isEmpty(), () -> what + ": " + difference);
    }

    /** Empty where the levels that are kept say the same as the counts. */
    String differenceOfLevels() {
        if (levels == null) {
            return "";
        }
        CountLevels kept = levels.levels();
        CountLevels.Writer recounting = CountLevels.create();
        counts.forEachNode(node -> recounting.move(node, 0, counts.get(node)));
        CountLevels recounted = recounting.levels();
        for (int level = 1; level < Math.max(kept.end(), recounted.end()); level++) {
            if (kept.isEmpty(level) != recounted.isEmpty(level)
                    || (!kept.isEmpty(level) && !kept.at(level).equals(recounted.at(level)))) {
                return "level " + level + " of the tally differs from a recount";
            }
        }
        return kept.occupied().equals(recounted.occupied()) ? "" : "the occupied nodes differ from a recount";
    }
}
