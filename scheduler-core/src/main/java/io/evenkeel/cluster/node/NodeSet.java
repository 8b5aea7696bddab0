package io.evenkeel.cluster.node;

import java.util.Arrays;

/**
 * A set of node ids as a bitset.
 *
 * <p>Combining two sets costs one word operation for 64 nodes; that is why filters speak in sets. Sets of different
 * length combine as if the shorter one went on with zeros.
 */
public final class NodeSet extends NodeSetView {
    public NodeSet() {
        this(0);
    }

    public NodeSet(int capacity) {
        this(new long[(capacity + 63) >>> 6]);
    }

    NodeSet(long[] words) {
        super(words);
    }

    public void add(int node) {
        ensureWord(node >>> 6);
        words[node >>> 6] |= 1L << node;
    }

    public void remove(int node) {
        int word = node >>> 6;
        if (word < words.length) {
            words[word] &= ~(1L << node);
        }
    }

    public void set(int node, boolean member) {
        if (member) {
            add(node);
        } else {
            remove(node);
        }
    }

    public void clear() {
        Arrays.fill(words, 0);
    }

    public void copyFrom(NodeSetView other) {
        if (words.length < other.words.length) {
            words = Arrays.copyOf(other.words, other.words.length);
        } else {
            System.arraycopy(other.words, 0, words, 0, other.words.length);
            Arrays.fill(words, other.words.length, words.length, 0);
        }
    }

    public void retainAll(NodeSetView other) {
        int common = Math.min(words.length, other.words.length);
        for (int i = 0; i < common; i++) {
            words[i] &= other.words[i];
        }
        Arrays.fill(words, common, words.length, 0);
    }

    public void removeAll(NodeSetView other) {
        int common = Math.min(words.length, other.words.length);
        for (int i = 0; i < common; i++) {
            words[i] &= ~other.words[i];
        }
    }

    /** Becomes what three others have in common, but for the members of the fourth. */
    public void copyCommon(NodeSetView one, NodeSetView two, NodeSetView three, NodeSetView butNot) {
        int common = Math.min(one.words.length, Math.min(two.words.length, three.words.length));
        ensureWord(common - 1);
        int both = Math.min(common, butNot.words.length);
        for (int i = 0; i < both; i++) {
            words[i] = one.words[i] & two.words[i] & three.words[i] & ~butNot.words[i];
        }
        for (int i = both; i < common; i++) {
            words[i] = one.words[i] & two.words[i] & three.words[i];
        }
        Arrays.fill(words, common, words.length, 0);
    }

    /** Adds what three others have in common, but for the members of the fourth. */
    public void addCommon(NodeSetView one, NodeSetView two, NodeSetView three, NodeSetView butNot) {
        int common = Math.min(one.words.length, Math.min(two.words.length, three.words.length));
        ensureWord(common - 1);
        int both = Math.min(common, butNot.words.length);
        for (int i = 0; i < both; i++) {
            words[i] |= one.words[i] & two.words[i] & three.words[i] & ~butNot.words[i];
        }
        for (int i = both; i < common; i++) {
            words[i] |= one.words[i] & two.words[i] & three.words[i];
        }
    }

    public void addAll(NodeSetView other) {
        ensureWord(other.words.length - 1);
        for (int i = 0; i < other.words.length; i++) {
            words[i] |= other.words[i];
        }
    }

    /** Becomes what both others have in common, and takes that out of the first. */
    public void takeCommon(NodeSet from, NodeSetView other) {
        if (words.length < from.words.length) {
            words = new long[from.words.length];
        }
        int common = Math.min(from.words.length, other.words.length);
        for (int i = 0; i < common; i++) {
            long taken = from.words[i] & other.words[i];
            words[i] = taken;
            from.words[i] ^= taken;
        }
        Arrays.fill(words, common, words.length, 0);
    }

    /** Replaces 64 members at once. */
    public void setWord(int index, long bits) {
        ensureWord(index);
        words[index] = bits;
    }

    /** Adds some of 64 at once. */
    public void addWord(int index, long bits) {
        ensureWord(index);
        words[index] |= bits;
    }

    void ensureWord(int word) {
        if (word >= words.length) {
            words = Arrays.copyOf(words, Math.max(word + 1, words.length + (words.length >> 1)));
        }
    }
}
