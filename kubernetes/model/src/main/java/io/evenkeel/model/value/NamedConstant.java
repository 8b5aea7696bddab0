package io.evenkeel.model.value;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** One of the few values that a string of the API can have. */
public interface NamedConstant {
    /** As the code has it, such as NO_SCHEDULE. */
    String name();

    /** As the API writes it, such as NoSchedule. */
    default String apiName() {
        return Arrays.stream(name().split("_"))
                .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
                .collect(Collectors.joining());
    }

    /** The constants of an enum by their names. */
    static <E extends Enum<E> & NamedConstant> Map<String, E> byName(Class<E> constants) {
        return Arrays.stream(constants.getEnumConstants())
                .collect(Collectors.toUnmodifiableMap(NamedConstant::apiName, Function.identity()));
    }
}
