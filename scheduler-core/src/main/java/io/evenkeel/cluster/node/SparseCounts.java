package io.evenkeel.cluster.node;

import io.evenkeel.cluster.index.ClusterIndex.AuditFacts;
import io.evenkeel.cluster.index.ClusterIndex.Differences;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;

/**
 * A number for each node, or for each domain, most of them zero as a rule: a hash map while few have one, an array while more
 * than a quarter do (from there on the array is smaller) and until less than a sixteenth do. Where all ids are small it
 * is an array in any case. Reading and adding are O(1) either way, changing over O(1) for each that came or went.
 */
public final class SparseCounts {
    private static final int SMALL_IDS = 64;
    private static final int ARRAY_ABOVE = 4;
    private static final int MAP_BELOW = 16;
    private static final IntLongMap NO_MAP = new IntLongMap();
    private static final int[] NO_ARRAY = {};

    private IntLongMap sparse = NO_MAP;
    private int[] dense = NO_ARRAY;
    private boolean isDense = true;
    private int nonZero;
    private int highest = -1;

    private SparseCounts() {}

    /** Starts with zero everywhere; the caller is to count. */
    public static Writer create() {
        return new SparseCounts().new Writer();
    }

    public int get(int id) {
        if (isDense) {
            return id < dense.length ? dense[id] : 0;
        }
        return (int) sparse.get(id);
    }

    /** How many have a number that is not zero. */
    public int size() {
        return isDense ? nonZero : sparse.size();
    }

    /** Whether all numbers are at hand as an array. */
    boolean isDense() {
        return isDense;
    }

    /** Room for so many numbers: what it takes to keep them. */
    public int room() {
        return isDense ? dense.length : sparse.slots();
    }

    /** Writes those ids and their numbers into arrays, in no order, and returns how many they are. */
    public int writeTo(int[] targetIds, int[] targetCounts) {
        int written = 0;
        if (isDense) {
            for (int id = 0; id < dense.length && written < nonZero; id++) {
                if (dense[id] != 0) {
                    targetIds[written] = id;
                    targetCounts[written++] = dense[id];
                }
            }
            return written;
        }
        for (int slot = 0; slot < sparse.slots(); slot++) {
            if (sparse.keyAt(slot) != IntLongMap.FREE) {
                targetIds[written] = sparse.keyAt(slot);
                targetCounts[written++] = (int) sparse.countAt(slot);
            }
        }
        return written;
    }

    /** Writes the numbers of all ids below {@code end} into an array. */
    public void writeTo(int[] target, int end) {
        if (isDense) {
            int kept = Math.min(end, dense.length);
            System.arraycopy(dense, 0, target, 0, kept);
            Arrays.fill(target, kept, end, 0);
            return;
        }
        Arrays.fill(target, 0, end, 0);
        for (int slot = 0; slot < sparse.slots(); slot++) {
            int id = sparse.keyAt(slot);
            if (id != IntLongMap.FREE && id < end) {
                target[id] = (int) sparse.countAt(slot);
            }
        }
    }

    /** Visits all with a number other than zero. */
    public void forEachNode(IntConsumer visitor) {
        if (isDense) {
            for (int id = 0; id < dense.length; id++) {
                if (dense[id] != 0) {
                    visitor.accept(id);
                }
            }
            return;
        }
        for (int slot = 0; slot < sparse.slots(); slot++) {
            if (sparse.keyAt(slot) != IntLongMap.FREE) {
                visitor.accept(sparse.keyAt(slot));
            }
        }
    }

    /** Returns the numbers by name, for people. */
    public Map<String, Integer> byName(IntFunction<String> nameOf) {
        Map<String, Integer> byName = new TreeMap<>();
        forEachNode(id -> byName.put(nameOf.apply(id), get(id)));
        return byName;
    }

    /** Compares with a recount by node, wherever one of both sides has a number that is not zero. */
    public void audit(String what, Map<Integer, Integer> recounted, AuditFacts facts, Differences differences) {
        forEachNode(node -> differences.compare(
                () -> what + " on node " + facts.nameOf(node), get(node), recounted.getOrDefault(node, 0)));
        recounted.forEach((node, count) -> {
            if (get(node) == 0) {
                differences.compare(() -> what + " on node " + facts.nameOf(node), 0, count);
            }
        });
    }

    /** Changes the numbers; made with them, and not to be had from them. */
    public final class Writer {
        private Writer() {}

        public SparseCounts counts() {
            return SparseCounts.this;
        }

        public void add(int id, int delta) {
            highest = Math.max(highest, id);
            if (isDense && id >= dense.length) {
                makeRoom();
            }
            if (isDense) {
                addDense(id, delta);
            } else {
                addSparse(id, delta);
            }
        }

        /** The numbers of all ids below {@code end} as an array: the one that they are kept in, if they are. */
        public int[] array(int end, IntFunction<int[]> otherwise) {
            boolean isShort = dense.length < end;
            if (!isDense || (isShort && highest < SMALL_IDS && end > SMALL_IDS)) {
                int[] written = otherwise.apply(end);
                writeTo(written, end);
                return written;
            }
            if (isShort) {
                dense = Arrays.copyOf(dense, Math.max(end, dense.length * 2));
            }
            return dense;
        }
    }

    private void makeRoom() {
        if (highest < SMALL_IDS || nonZero >= highest / MAP_BELOW) {
            dense = Arrays.copyOf(dense, Math.max(highest + 1, dense.length * 2));
        } else {
            becomeSparse();
        }
    }

    private void addDense(int id, int delta) {
        int before = dense[id];
        dense[id] = before + delta;
        nonZero += (dense[id] != 0 ? 1 : 0) - (before != 0 ? 1 : 0);
        if (dense[id] == 0 && highest >= SMALL_IDS && nonZero < highest / MAP_BELOW) {
            becomeSparse();
        }
    }

    private void addSparse(int id, int delta) {
        sparse.add(id, delta);
        if (sparse.size() > highest / ARRAY_ABOVE) {
            becomeDense();
        }
    }

    private void becomeDense() {
        int[] all = new int[highest + 1];
        writeTo(all, all.length);
        nonZero = sparse.size();
        dense = all;
        isDense = true;
        sparse = NO_MAP;
    }

    private void becomeSparse() {
        IntLongMap map = new IntLongMap();
        for (int id = 0; id < dense.length; id++) {
            map.add(id, dense[id]);
        }
        sparse = map;
        isDense = false;
        dense = NO_ARRAY;
    }
}
