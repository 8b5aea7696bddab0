package io.evenkeel.model.value;

import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** One of the few values that a string of the API can have. */
public interface NamedConstant {
    /** As the API writes it, such as NoSchedule. */
    String apiName();

    /** The constants of an enum by their names. */
    static <E extends Enum<E> & NamedConstant> Map<String, E> byName(Class<E> constants) {
        return Arrays.stream(constants.getEnumConstants())
                .collect(Collectors.toUnmodifiableMap(NamedConstant::apiName, Function.identity()));
    }
}
