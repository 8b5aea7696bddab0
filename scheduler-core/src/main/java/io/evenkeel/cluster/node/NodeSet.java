package io.evenkeel.cluster.node;

import java.util.Arrays;

/**
 * A set of node ids as a bitset.
 *
 * <p>Combining two sets costs one word operation for 64 nodes; that is why filters speak in sets. Sets of different
 * length combine as if the shorter one went on with zeros.
 */
public final class NodeSet {
    private long[] words;

    public NodeSet() {
        this(0);
    }

    public NodeSet(int capacity) {
        words = new long[(capacity + 63) >>> 6];
    }

    public boolean contains(int node) {
        int word = node >>> 6;
        return word < words.length && (words[word] & (1L << node)) != 0;
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

    public void copyFrom(NodeSet other) {
        if (words.length < other.words.length) {
            words = Arrays.copyOf(other.words, other.words.length);
        } else {
            System.arraycopy(other.words, 0, words, 0, other.words.length);
            Arrays.fill(words, other.words.length, words.length, 0);
        }
    }

    public NodeSet copy() {
        NodeSet copy = new NodeSet();
        copy.copyFrom(this);
        return copy;
    }

    public void retainAll(NodeSet other) {
        int common = Math.min(words.length, other.words.length);
        for (int i = 0; i < common; i++) {
            words[i] &= other.words[i];
        }
        Arrays.fill(words, common, words.length, 0);
    }

    public void removeAll(NodeSet other) {
        int common = Math.min(words.length, other.words.length);
        for (int i = 0; i < common; i++) {
            words[i] &= ~other.words[i];
        }
    }

    public void addAll(NodeSet other) {
        ensureWord(other.words.length - 1);
        for (int i = 0; i < other.words.length; i++) {
            words[i] |= other.words[i];
        }
    }

    public boolean isEmpty() {
        for (long word : words) {
            if (word != 0) {
                return false;
            }
        }
        return true;
    }

    public boolean containsAll(NodeSet other) {
        for (int i = 0; i < other.words.length; i++) {
            long mine = i < words.length ? words[i] : 0;
            if ((other.words[i] & ~mine) != 0) {
                return false;
            }
        }
        return true;
    }

    public boolean intersects(NodeSet other) {
        int common = Math.min(words.length, other.words.length);
        for (int i = 0; i < common; i++) {
            if ((words[i] & other.words[i]) != 0) {
                return true;
            }
        }
        return false;
    }

    public int sizeOfIntersection(NodeSet other) {
        int common = Math.min(words.length, other.words.length);
        int size = 0;
        for (int i = 0; i < common; i++) {
            size += Long.bitCount(words[i] & other.words[i]);
        }
        return size;
    }

    public int size() {
        int size = 0;
        for (long word : words) {
            size += Long.bitCount(word);
        }
        return size;
    }

    /** The smallest member that is at least {@code from}, or -1. Loop: {@code for (n = first(); n >= 0; n = next(n + 1))}. */
    public int next(int from) {
        int word = from >>> 6;
        if (word >= words.length) {
            return -1;
        }
        long bits = words[word] & (-1L << from);
        while (bits == 0) {
            if (++word == words.length) {
                return -1;
            }
            bits = words[word];
        }
        return (word << 6) + Long.numberOfTrailingZeros(bits);
    }

    public int first() {
        return next(0);
    }

    /** The number of 64-bit words; {@link #word} gives each. For loops that would be too slow member by member. */
    public int wordCount() {
        return words.length;
    }

    public long word(int index) {
        return index < words.length ? words[index] : 0;
    }

    /** Replaces 64 members at once. */
    public void setWord(int index, long bits) {
        ensureWord(index);
        words[index] = bits;
    }

    private void ensureWord(int word) {
        if (word >= words.length) {
            words = Arrays.copyOf(words, Math.max(word + 1, words.length + (words.length >> 1)));
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof NodeSet that && containsAll(that) && that.containsAll(this);
    }

    @Override
    public int hashCode() {
        int hash = 1;
        for (int node = first(); node >= 0; node = next(node + 1)) {
            hash = 31 * hash + node;
        }
        return hash;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("{");
        for (int node = first(); node >= 0; node = next(node + 1)) {
            text.append(text.length() > 1 ? ", " : "").append(node);
        }
        return text.append('}').toString();
    }
}
