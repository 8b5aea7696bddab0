package io.evenkeel.framework.run;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.node.NodeRanking;
import io.evenkeel.cluster.node.NodeRanking.KeptScores;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * The rankings of a profile, one for each combination of kept scores that pods come with: pods of the same requests, images and
 * preferences share one. Those that were not asked for longest go where there are as many as are worth their memory.
 */
final class Rankings {

    /** Kept scores and their weights, looked up as they are gathered and copied once they are new. */
    public static final class Sum {
        private KeptScores[] scores;
        private int[] weights;
        private int size;

        Sum() {
            this(new KeptScores[8], new int[8], 0);
        }

        private Sum(KeptScores[] scores, int[] weights, int size) {
            this.scores = scores;
            this.weights = weights;
            this.size = size;
        }

        void clear() {
            size = 0;
        }

        void add(KeptScores kept, int weight) {
            if (size == scores.length) {
                scores = Arrays.copyOf(scores, 2 * size);
                weights = Arrays.copyOf(weights, 2 * size);
            }
            scores[size] = kept;
            weights[size++] = weight;
        }

        boolean isEmpty() {
            return size == 0;
        }

        private boolean hasDropped() {
            for (int i = 0; i < size; i++) {
                if (scores[i].isDropped()) {
                    return true;
                }
            }
            return false;
        }

        private Sum copy() {
            return new Sum(Arrays.copyOf(scores, size), Arrays.copyOf(weights, size), size);
        }

        private List<NodeRanking.Part> parts() {
            List<NodeRanking.Part> parts = new ArrayList<>(size);
            for (int i = 0; i < size; i++) {
                parts.add(new NodeRanking.Part(scores[i], weights[i]));
            }
            return parts;
        }

        /** Each column exists once. */
        @Override
        @SuppressWarnings("ReferenceEquality")
        public boolean equals(Object other) {
            if (!(other instanceof Sum that) || that.size != size) {
                return false;
            }
            for (int i = 0; i < size; i++) {
                if (scores[i] != that.scores[i] || weights[i] != that.weights[i]) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public int hashCode() {
            int hash = size;
            for (int i = 0; i < size; i++) {
                hash = 31 * hash + System.identityHashCode(scores[i]);
            }
            return hash;
        }
    }

    private static final int FEW = 16;

    private final ClusterView cluster;
    private int addedSinceLook;
    private final LinkedHashMap<Sum, NodeRanking> bySum = new LinkedHashMap<>(16, 0.75f, true);

    Rankings(ClusterView cluster) {
        this.cluster = cluster;
    }

    /** The ranking by this sum, up to date. */
    NodeRanking of(Sum sum) {
        NodeRanking ranking = bySum.get(sum);
        if (ranking == null) {
            makeRoom();
            ranking = cluster.derivations().ranking(sum.parts());
            bySum.put(sum.copy(), ranking);
        }
        return ranking.current();
    }

    int size() {
        return bySum.size();
    }

    /** Now and then rankings go, too, that gave their scores back: not each time, lest ever new pods have all gone through. */
    private void makeRoom() {
        while (!bySum.isEmpty() && bySum.size() >= cluster.rankingsWorthKeeping()) {
            cluster.derivations().drop(bySum.pollFirstEntry().getValue());
        }
        if (++addedSinceLook > FEW + bySum.size() / 8) {
            addedSinceLook = 0;
            bySum.entrySet().removeIf(entry -> {
                boolean goes = entry.getKey().hasDropped();
                if (goes) {
                    cluster.derivations().drop(entry.getValue());
                }
                return goes;
            });
        }
    }
}
