package io.evenkeel.model.decode.cursor;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Walks over the fields of one protobuf message within a byte array, without copying.
 *
 * <p>A message is read as {@code while (next()) switch (field()) …}. A field that is not asked for is stepped over in O(1),
 * so that unknown ones cost nothing. Lengths are checked against the message around them: whatever the bytes are, the
 * cursor moves forward, stays inside, and ends in a {@link ObjectReadException} or at the end.
 */
public final class ProtobufCursor {
    private static final int VARINT = 0;
    private static final int FIXED_64 = 1;
    private static final int LENGTH_DELIMITED = 2;
    private static final int FIXED_32 = 5;

    private final byte[] bytes;
    private final int start;
    private final int end;
    private int fieldStart;
    private int valueStart;
    private int valueEnd;
    private int field;
    private int wireType;
    private long number;

    /** Stands before the first field of the message that the bytes in this range are. */
    public ProtobufCursor(byte[] bytes, int from, int to) {
        if (from < 0 || from > to || to > bytes.length) {
            throw new IllegalArgumentException("no range of " + bytes.length + " bytes: " + from + " to " + to);
        }
        this.bytes = bytes;
        this.start = from;
        this.end = to;
        this.valueStart = from;
        this.valueEnd = from;
    }

    /** Steps to the next field; false at the message's end. */
    public boolean next() {
        if (valueEnd == end) {
            return false;
        }
        fieldStart = valueEnd;
        field = 0;
        long tag = readVarint(fieldStart);
        if (tag >>> 32 != 0 || tag >>> 3 == 0) {
            throw malformed("no field number");
        }
        field = (int) (tag >>> 3);
        wireType = (int) tag & 7;
        switch (wireType) {
            case VARINT -> number = readVarint(valueStart);
            case FIXED_64 -> stepOver(8);
            case LENGTH_DELIMITED -> stepOver(readVarint(valueStart));
            case FIXED_32 -> stepOver(4);
            default -> throw malformed("no wire type " + wireType);
        }
        return true;
    }

    /** Reads the varint at a position and leaves valueStart and valueEnd behind it. */
    private long readVarint(int position) {
        long value = 0;
        int at = position;
        for (int shift = 0; shift < 64; shift += 7) {
            if (at >= end) {
                throw malformed("a number is cut off");
            }
            byte b = bytes[at++];
            value |= (long) (b & 0x7f) << shift;
            if (b >= 0) {
                valueStart = at;
                valueEnd = at;
                return value;
            }
        }
        throw malformed("a number of more than 64 bits");
    }

    private void stepOver(long length) {
        if (length < 0 || length > end - valueStart) {
            throw malformed("a value of " + length + " bytes where " + (end - valueStart) + " are left");
        }
        valueEnd = valueStart + (int) length;
    }

    public int field() {
        return field;
    }

    public long int64() {
        expect(VARINT);
        return number;
    }

    public int int32() {
        expect(VARINT);
        if (number != (int) number) {
            throw new FieldProblem("", "expected an integer of 32 bits, got " + number);
        }
        return (int) number;
    }

    public boolean bool() {
        expect(VARINT);
        return number != 0;
    }

    public String string() {
        expect(LENGTH_DELIMITED);
        return new String(bytes, valueStart, valueEnd - valueStart, StandardCharsets.UTF_8);
    }

    /** How often the field has stood in the message before. */
    public int countBefore() {
        int count = 0;
        ProtobufCursor before = new ProtobufCursor(bytes, start, fieldStart);
        while (before.next()) {
            count += before.field == field ? 1 : 0;
        }
        return count;
    }

    public boolean is(byte[] text) {
        return wireType == LENGTH_DELIMITED && Arrays.equals(bytes, valueStart, valueEnd, text, 0, text.length);
    }

    @FunctionalInterface
    public interface Range<T> {
        T apply(byte[] bytes, int from, int to);
    }

    public <T> T range(Range<T> reader) {
        expect(LENGTH_DELIMITED);
        return reader.apply(bytes, valueStart, valueEnd);
    }

    public boolean isEmpty() {
        expect(LENGTH_DELIMITED);
        return valueStart == valueEnd;
    }

    public ProtobufCursor message() {
        expect(LENGTH_DELIMITED);
        return new ProtobufCursor(bytes, valueStart, valueEnd);
    }

    public String string(SharedValues shared) {
        expect(LENGTH_DELIMITED);
        return shared.share(bytes, valueStart, valueEnd - valueStart);
    }

    /** The value decoded, or what was decoded from the same bytes before. */
    public <T> T decoded(DecodedByBytes<T> known) {
        expect(LENGTH_DELIMITED);
        return known.get(bytes, valueStart, valueEnd);
    }

    public void copyTo(Projection projection) {
        projection.add(bytes, fieldStart, valueEnd);
    }

    private void expect(int type) {
        if (wireType != type) {
            throw malformed("wire type " + wireType + " where " + type + " was expected");
        }
    }

    private ObjectReadException malformed(String problem) {
        return new ObjectReadException("protobuf, field " + field + " at byte " + fieldStart + ": " + problem);
    }
}
