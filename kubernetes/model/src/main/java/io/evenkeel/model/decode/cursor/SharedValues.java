package io.evenkeel.model.decode.cursor;

import io.evenkeel.model.value.Quantity;
import io.evenkeel.model.value.ValueSet;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes equal strings, quantities, lists of resources and large sets of values one object: label keys and values, resource
 * names and amounts repeat in every pod of a cluster.
 *
 * <p>A direct-mapped table: a value takes its slot from whatever was there. So it never grows, whatever a cluster's
 * labels look like, costs one comparison, and needs no lock: a lost race only means that a value is not shared.
 *
 * <p>What it keeps is bounded in bytes, too: long strings are not shared, and what has many parts is kept for no longer than
 * some object has it.
 */
public final class SharedValues {
    private static final int SLOTS = 1 << 13;

    /** In characters; a label's value has 63, and a key seldom more. */
    private static final int LONGEST = 128;

    private final @Nullable String[] strings = new @Nullable String[SLOTS];
    private final @Nullable ParsedQuantity[] quantities = new @Nullable ParsedQuantity[SLOTS];
    private final @Nullable WeakReference<Map<String, Quantity>>[] resources = newReferences();
    private final @Nullable WeakReference<ValueSet>[] valueSets = newReferences();

    private record ParsedQuantity(String text, Quantity quantity) {}

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static <T> @Nullable WeakReference<T>[] newReferences() {
        return new @Nullable WeakReference[SLOTS];
    }

    public String share(String text) {
        if (text.length() > LONGEST) {
            return text;
        }
        int slot = slot(text.hashCode());
        String shared = strings[slot];
        if (shared != null && shared.equals(text)) {
            return shared;
        }
        strings[slot] = text;
        return text;
    }

    /** Shares without making a string of the characters where one is there already. */
    public String share(char[] buffer, int offset, int length) {
        if (length > LONGEST) {
            return new String(buffer, offset, length);
        }
        int hash = 0;
        for (int i = offset; i < offset + length; i++) {
            hash = 31 * hash + buffer[i];
        }
        int slot = slot(hash);
        String shared = strings[slot];
        if (shared != null && equal(shared, buffer, offset, length)) {
            return shared;
        }
        String text = new String(buffer, offset, length);
        strings[slot] = text;
        return text;
    }

    /** Shares without making a string of the UTF-8 where one is there already. */
    public String share(byte[] utf8, int offset, int length) {
        if (length > LONGEST) {
            return new String(utf8, offset, length, StandardCharsets.UTF_8);
        }
        int hash = 0;
        int allBits = 0;
        for (int i = offset; i < offset + length; i++) {
            hash = 31 * hash + utf8[i];
            allBits |= utf8[i];
        }
        if (allBits < 0) {
            return share(new String(utf8, offset, length, StandardCharsets.UTF_8));
        }
        int slot = slot(hash);
        String shared = strings[slot];
        if (shared != null && equal(shared, utf8, offset, length)) {
            return shared;
        }
        String text = new String(utf8, offset, length, StandardCharsets.US_ASCII);
        strings[slot] = text;
        return text;
    }

    private static boolean equal(String text, byte[] ascii, int offset, int length) {
        if (text.length() != length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (text.charAt(i) != ascii[offset + i]) {
                return false;
            }
        }
        return true;
    }

    /**
     * The quantity that the text stands for.
     *
     * @throws IllegalArgumentException if it is none
     */
    public Quantity quantity(String text) {
        if (text.length() > LONGEST) {
            return Quantity.parse(text);
        }
        int slot = slot(text.hashCode());
        ParsedQuantity shared = quantities[slot];
        if (shared != null && shared.text.equals(text)) {
            return shared.quantity;
        }
        Quantity quantity = Quantity.parse(text);
        quantities[slot] = new ParsedQuantity(text, quantity);
        return quantity;
    }

    /** An equal list of amounts: replicas ask for the same. */
    public Map<String, Quantity> resources(Map<String, Quantity> amounts) {
        return shared(amounts, resources);
    }

    /** An equal set of values: each replica of a workload brings its selector along. */
    public List<String> values(List<String> values) {
        return values instanceof ValueSet many ? shared(many, valueSets) : values;
    }

    private static <T> T shared(T value, @Nullable WeakReference<T>[] known) {
        int slot = slot(value.hashCode());
        WeakReference<T> reference = known[slot];
        T shared = reference == null ? null : reference.get();
        if (shared != null && shared.equals(value)) {
            return shared;
        }
        known[slot] = new WeakReference<>(value);
        return value;
    }

    private static int slot(int hash) {
        return (hash ^ (hash >>> 16)) & (SLOTS - 1);
    }

    private static boolean equal(String text, char[] buffer, int offset, int length) {
        if (text.length() != length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (text.charAt(i) != buffer[offset + i]) {
                return false;
            }
        }
        return true;
    }
}
