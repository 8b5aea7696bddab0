package io.evenkeel.model.value;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/**
 * Many different strings, sorted, as the values of a selector: one may write ten thousand of them, in as many pods as
 * its quota allows. So they are kept in one array of bytes, a byte a character where all are of Latin-1, else two; a
 * look-up is a binary search that makes no string, and the hash, which maps ask for again and again, is worked out once.
 *
 * <pre>{@code
 *   a, db, web    characters  a d b w e b     ends  1 3 6
 * }</pre>
 *
 * <p>A list of strings to all others, equal to any of the same strings; {@link #get} makes a string each time.
 */
public final class ValueSet extends AbstractList<String> implements RandomAccess {
    /** So many strings are as well off as a list: they are looked through in no time. */
    public static final int MOST_LISTED = 16;

    private final byte[] characters;
    private final int[] ends;
    private final boolean wide;
    private final int hash;

    private ValueSet(String[] sorted) {
        wide = Arrays.stream(sorted).anyMatch(ValueSet::isWide);
        ends = new int[sorted.length];
        int end = 0;
        int sum = 1;
        for (int i = 0; i < sorted.length; i++) {
            end += sorted[i].length();
            ends[i] = end;
            sum = 31 * sum + sorted[i].hashCode();
        }
        hash = sum;
        characters = new byte[wide ? 2 * end : end];
        for (int i = 0; i < sorted.length; i++) {
            write(sorted[i], start(i));
        }
    }

    /** These values, each once and sorted. */
    public static List<String> sorted(Collection<String> values) {
        if (values instanceof ValueSet set) {
            return set;
        }
        List<String> sorted = values.stream().sorted().distinct().toList();
        return sorted.size() <= MOST_LISTED ? sorted : new ValueSet(sorted.toArray(String[]::new));
    }

    /**
     * These values, in whatever order and number, for those to whom it only matters which there are and whether there is
     * one: few as they come, many each once and sorted.
     */
    public static List<String> compact(List<String> values) {
        if (values.size() <= MOST_LISTED) {
            return List.copyOf(values);
        }
        List<String> sorted = sorted(values);
        return sorted.size() > 1 ? sorted : List.of(sorted.getFirst(), sorted.getFirst());
    }

    @Override
    public int size() {
        return ends.length;
    }

    @Override
    public String get(int index) {
        StringBuilder text = new StringBuilder(ends[index] - start(index));
        for (int i = start(index); i < ends[index]; i++) {
            text.append(at(i));
        }
        return text.toString();
    }

    @Override
    public boolean contains(@Nullable Object sought) {
        return sought instanceof String text && find(text) >= 0;
    }

    private int find(String text) {
        int from = 0;
        int to = ends.length - 1;
        while (from <= to) {
            int middle = (from + to) >>> 1;
            int order = compare(middle, text);
            if (order == 0) {
                return middle;
            }
            if (order < 0) {
                from = middle + 1;
            } else {
                to = middle - 1;
            }
        }
        return -1;
    }

    /** As {@link String#compareTo}. */
    private int compare(int index, String text) {
        int start = start(index);
        int length = ends[index] - start;
        int common = Math.min(length, text.length());
        for (int i = 0; i < common; i++) {
            int order = at(start + i) - text.charAt(i);
            if (order != 0) {
                return order;
            }
        }
        return length - text.length();
    }

    private int start(int index) {
        return index == 0 ? 0 : ends[index - 1];
    }

    private char at(int place) {
        return wide
                ? (char) (((characters[2 * place] & 0xff) << 8) | (characters[2 * place + 1] & 0xff))
                : (char) (characters[place] & 0xff);
    }

    private void write(String text, int start) {
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            if (wide) {
                characters[2 * (start + i)] = (byte) (character >> 8);
                characters[2 * (start + i) + 1] = (byte) character;
            } else {
                characters[start + i] = (byte) character;
            }
        }
    }

    private static boolean isWide(String text) {
        return text.chars().anyMatch(character -> character > 0xff);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        if (this == other) {
            return true;
        }
        if (other instanceof ValueSet that) {
            return hash == that.hash
                    && wide == that.wide
                    && Arrays.equals(ends, that.ends)
                    && Arrays.equals(characters, that.characters);
        }
        return super.equals(other);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
