package io.evenkeel.model.decode;

import io.evenkeel.model.value.IntOrPercent;
import io.evenkeel.model.value.Quantity;

/**
 * Takes an object a value at a time, in either encoding. A value is of the field that was named last; what begins a list,
 * a map or a message is followed by what ends it, and then again by values of the field that it is.
 *
 * <pre>
 * field("taints", 5)  beginList  beginMessage  field("key", 1)  string("gpu")  endMessage  endList
 *
 * JSON       "taints":[{"key":"gpu"}]
 * protobuf   2a 05 0a 03 g p u
 * </pre>
 */
public interface Encoder {
    /** Whose value comes next: its name in JSON, its number in protobuf. */
    void field(String name, int number);

    void string(String value);

    void bool(boolean value);

    void integer(long value);

    default void quantity(Quantity value) {
        string(value.toString());
    }

    /** A number as it is, a share as text. */
    default void intOrPercent(IntOrPercent value) {
        if (value.isPercent()) {
            string(value.toString());
        } else {
            integer(value.number());
        }
    }

    /** A moment as RFC 3339 has it, in whole seconds. */
    default void time(String value) {
        string(value);
    }

    /** Anything, as the text of its JSON. */
    default void json(String value) {
        string(value);
    }

    default void beginList() {}

    default void endList() {}

    default void beginMap() {}

    /** Whose value comes next, and then {@link #endEntry}. */
    void entry(String key);

    default void endEntry() {}

    default void endMap() {}

    void beginMessage();

    void endMessage();

    /** Begins, in protobuf, a message of this number within this one, for all that comes next. */
    default void beginInlined(int number) {}

    default void endInlined() {}
}
