package io.evenkeel.model.value;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** One of the few values that a string can have, as the API writes them. */
public interface NamedConstant {
    /** As the code has it, such as NO_SCHEDULE. */
    String name();

    /** As the API writes it, such as NoSchedule. */
    default String apiName() {
        return Arrays.stream(name().split("_"))
                .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
                .collect(Collectors.joining());
    }

    /** As a field of the API would be named, such as noSchedule. */
    default String fieldName() {
        return apiName().substring(0, 1).toLowerCase(Locale.ROOT) + apiName().substring(1);
    }

    /** The constants of an enum by their names. */
    static <E extends Enum<E> & NamedConstant> Map<String, E> byName(Class<E> constants) {
        return Arrays.stream(constants.getEnumConstants())
                .collect(Collectors.toUnmodifiableMap(NamedConstant::apiName, Function.identity()));
    }
}
