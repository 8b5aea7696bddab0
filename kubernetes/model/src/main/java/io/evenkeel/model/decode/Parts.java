package io.evenkeel.model.decode;

import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * How a message's value is made where much of it is alike in many objects: first what is alike, of all fields but those
 * that stand {@link Field#apart}, then the whole, of that and these. In protobuf what is alike is made once for equal
 * bytes.
 */
public record Parts<S, T>(Function<Values, S> alike, BiFunction<S, Values, T> whole) {
    T make(Values values) {
        return whole.apply(alike.apply(values), values);
    }
}
