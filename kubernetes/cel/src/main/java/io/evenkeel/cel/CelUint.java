package io.evenkeel.cel;

/** An unsigned number of 64 bits. */
public record CelUint(long bits) implements Comparable<CelUint> {
    @Override
    public int compareTo(CelUint other) {
        return Long.compareUnsigned(bits, other.bits);
    }

    @Override
    public String toString() {
        return Long.toUnsignedString(bits);
    }
}
