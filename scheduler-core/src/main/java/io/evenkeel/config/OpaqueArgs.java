package io.evenkeel.config;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Arguments of an out-of-tree plugin, as they were written: an immutable tree of Map, List, String, Boolean, Long,
 * BigInteger and Double. Fields that are null are left out.
 */
public record OpaqueArgs(Map<String, Object> fields) implements PluginArgs {
    public OpaqueArgs {
        fields = frozenMap(fields);
    }

    public static OpaqueArgs defaults() {
        return new OpaqueArgs(Map.of());
    }

    private static Map<String, Object> frozenMap(Map<?, ?> map) {
        Map<String, Object> copy = new LinkedHashMap<>();
        map.forEach((key, value) -> copy.put((String) key, frozen(value)));
        return Collections.unmodifiableMap(copy);
    }

    private static Object frozen(Object value) {
        return switch (value) {
            case Map<?, ?> map -> frozenMap(map);
            case List<?> list -> list.stream().map(OpaqueArgs::frozen).toList();
            default -> value;
        };
    }
}
