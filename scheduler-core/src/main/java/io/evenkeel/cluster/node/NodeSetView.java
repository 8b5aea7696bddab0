package io.evenkeel.cluster.node;

import java.util.Arrays;

/**
 * A set of node ids as those see it who may not change it: what the cluster keeps and hands out is read through this
 * type. The set behind it goes on changing with the cluster; {@link #copy} and {@link #frozen} give one that does not.
 */
public sealed class NodeSetView permits NodeSet {
    public static final NodeSetView NONE = new NodeSetView(new long[0]);

    /** So many words are counted at once where only the sum matters. */
    private static final int STRIDE = 32;

    long[] words;

    NodeSetView(long[] words) {
        this.words = words;
    }

    public final boolean contains(int node) {
        int word = node >>> 6;
        return word < words.length && (words[word] & (1L << node)) != 0;
    }

    public final NodeSet copy() {
        return new NodeSet(words.clone());
    }

    /** The members as they are now, for good. */
    public final NodeSetView frozen() {
        return new NodeSetView(words.clone());
    }

    public final boolean isEmpty() {
        return isEmptyFrom(0);
    }

    private boolean isEmptyFrom(int word) {
        for (int i = word; i < words.length; i++) {
            if (words[i] != 0) {
                return false;
            }
        }
        return true;
    }

    public final boolean containsAll(NodeSetView other) {
        int common = Math.min(words.length, other.words.length);
        long missing = 0;
        for (int i = 0; i < common; i++) {
            missing |= other.words[i] & ~words[i];
        }
        return missing == 0 && other.isEmptyFrom(common);
    }

    public final boolean intersects(NodeSetView other) {
        int common = Math.min(words.length, other.words.length);
        for (int i = 0; i < common; i++) {
            if ((words[i] & other.words[i]) != 0) {
                return true;
            }
        }
        return false;
    }

    /** Whether this and the other have a member in common that the third has not. */
    public final boolean intersects(NodeSetView other, NodeSetView butNot) {
        int common = Math.min(words.length, other.words.length);
        for (int i = 0; i < common; i++) {
            if ((words[i] & other.words[i] & ~butNot.word(i)) != 0) {
                return true;
            }
        }
        return false;
    }

    /** Whether this and two others have a member in common. */
    public final boolean intersectsBoth(NodeSetView one, NodeSetView other) {
        int common = Math.min(words.length, Math.min(one.words.length, other.words.length));
        for (int i = 0; i < common; i++) {
            if ((words[i] & one.words[i] & other.words[i]) != 0) {
                return true;
            }
        }
        return false;
    }

    public final int size() {
        int size = 0;
        for (long word : words) {
            size += Long.bitCount(word);
        }
        return size;
    }

    /** The member that so many smaller ones come before; there are more than that. */
    public final int nth(int smaller) {
        int before = smaller;
        for (int word = 0; word < words.length; word += STRIDE) {
            int end = Math.min(word + STRIDE, words.length);
            int members = 0;
            for (int i = word; i < end; i++) {
                members += Long.bitCount(words[i]);
            }
            if (before < members) {
                return nthFrom(word, before);
            }
            before -= members;
        }
        throw new IndexOutOfBoundsException("there is no member that " + smaller + " come before");
    }

    private int nthFrom(int first, int smaller) {
        int word = first;
        int before = smaller;
        for (int members = Long.bitCount(words[word]); before >= members; members = Long.bitCount(words[++word])) {
            before -= members;
        }
        long bits = words[word];
        for (; before > 0; before--) {
            bits &= bits - 1;
        }
        return (word << 6) + Long.numberOfTrailingZeros(bits);
    }

    /** The smallest member that is at least {@code from}, or -1. Loop: {@code for (n = first(); n >= 0; n = next(n + 1))}. */
    public final int next(int from) {
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

    public final int first() {
        return next(0);
    }

    /** The first word in which this and the other differ, or -1; both have so many. */
    final int differenceFrom(int from, int end, NodeSetView other) {
        int found = Arrays.mismatch(words, from, end, other.words, from, end);
        return found < 0 ? -1 : from + found;
    }

    /** The number of 64-bit words; {@link #word} gives each. For loops that would be too slow member by member. */
    public final int wordCount() {
        return words.length;
    }

    public final long word(int index) {
        return index < words.length ? words[index] : 0;
    }

    @Override
    public final boolean equals(Object other) {
        return other instanceof NodeSetView that && hasSameMembers(that);
    }

    private boolean hasSameMembers(NodeSetView other) {
        int common = Math.min(words.length, other.words.length);
        return Arrays.equals(words, 0, common, other.words, 0, common)
                && isEmptyFrom(common)
                && other.isEmptyFrom(common);
    }

    @Override
    public final int hashCode() {
        int hash = 1;
        for (int node = first(); node >= 0; node = next(node + 1)) {
            hash = 31 * hash + node;
        }
        return hash;
    }

    @Override
    public final String toString() {
        StringBuilder text = new StringBuilder("{");
        for (int node = first(); node >= 0; node = next(node + 1)) {
            text.append(text.length() > 1 ? ", " : "").append(node);
        }
        return text.append('}').toString();
    }
}
