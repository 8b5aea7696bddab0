package io.evenkeel.config.yaml;

import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Values of unknown structure: maps, lists, strings, booleans, Long, BigInteger beyond that, and Double. */
final class PlainTree {
    /** Only an alias inside its own anchor nests deeper, SnakeYAML's own limit being the same. */
    private static final int DEPTH_LIMIT = 50;

    private PlainTree() {}

    static Optional<Map<String, Object>> of(Cursor mapping) {
        return map(mapping, 0);
    }

    private static Optional<Map<String, Object>> map(Cursor cursor, int depth) {
        return cursor.mapping(fields -> {
            Map<String, Object> map = new LinkedHashMap<>();
            for (String name : fields.names()) {
                fields.get(name).flatMap(value -> tree(value, depth + 1)).ifPresent(tree -> map.put(name, tree));
            }
            return map;
        });
    }

    private static Optional<Object> tree(Cursor value, int depth) {
        if (depth > DEPTH_LIMIT) {
            value.error("is nested too deeply");
            return Optional.empty();
        }
        return switch (value.type()) {
            case STRING -> value.string().map(text -> text);
            case BOOLEAN -> value.bool().map(truth -> truth);
            case INTEGER -> Optional.of(integer(value));
            case FLOAT ->
                value.number().stream().boxed().<Object>map(number -> number).findFirst();
            case MAPPING -> map(value, depth).map(map -> map);
            case LIST -> Optional.of(value.list(element -> tree(element, depth + 1)));
            case NULL, OTHER -> {
                value.unexpected("a string, number, boolean, mapping or list");
                yield Optional.empty();
            }
        };
    }

    private static Object integer(Cursor value) {
        BigInteger number = value.anyInteger();
        return number.bitLength() < Long.SIZE ? (Object) number.longValue() : number;
    }
}
