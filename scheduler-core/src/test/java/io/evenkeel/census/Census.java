package io.evenkeel.census;

import java.lang.ref.Reference;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Everything that some objects hold, by class: an object counts 1, an array 1 and as many as it has room for. Constants of a class
 * count with the first of its objects, what is held weakly does not. So it is exact where a heap is not.
 */
public final class Census {
    /** By the root pom, for all tests. */
    private static final Set<String> OPENED =
            Set.of("java.util", "java.util.concurrent", "java.util.concurrent.atomic");

    private static final Map<Class<?>, List<Field>> FIELDS = new HashMap<>();

    private final Map<String, Long> counts = new TreeMap<>();
    private final Set<Object> met = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Deque<Object> toVisit = new ArrayDeque<>();

    private Census() {}

    public static Census of(Object... roots) {
        Census census = new Census();
        Arrays.asList(roots).forEach(census::meet);
        while (!census.toVisit.isEmpty()) {
            census.visit(census.toVisit.pop());
        }
        census.met.clear();
        return census;
    }

    public long total() {
        return counts.values().stream().mapToLong(count -> count).sum();
    }

    /** What there is more of than there was, or less. */
    public Map<String, Long> since(Census before) {
        Map<String, Long> changes = new TreeMap<>(counts);
        before.counts.forEach((type, count) -> changes.merge(type, -count, Long::sum));
        changes.values().removeIf(change -> change == 0);
        return changes;
    }

    /** How many objects there are more than there were. Arrays aside: their room comes and goes by itself. */
    public long moreSince(Census before) {
        Map<String, Long> changes = since(before);
        changes.keySet().removeIf(type -> type.endsWith("[]"));
        return changes.values().stream().mapToLong(change -> change).sum();
    }

    /** Numbers are none: small ones are shared, others are not. */
    private void meet(@Nullable Object object) {
        if (object != null && !(object instanceof Number) && met.add(object)) {
            toVisit.push(object);
        }
    }

    private void visit(Object object) {
        Class<?> type = object.getClass();
        counts.merge(type.getTypeName(), type.isArray() ? 1L + Array.getLength(object) : 1L, Long::sum);
        if (object instanceof Object[] elements) {
            Arrays.asList(elements).forEach(this::meet);
        }
        for (Class<?> declaring = type; declaring != null; declaring = declaring.getSuperclass()) {
            boolean isFirst = met.add(declaring);
            for (Field field : FIELDS.computeIfAbsent(declaring, Census::fields)) {
                if (isFirst || !Modifier.isStatic(field.getModifiers())) {
                    meet(value(field, object));
                }
            }
        }
    }

    private static @Nullable Object value(Field field, Object object) {
        try {
            return field.get(object);
        } catch (IllegalAccessException denied) {
            throw new IllegalStateException(denied);
        }
    }

    /** Those of ours and of collections that lead on. */
    private static List<Field> fields(Class<?> type) {
        boolean isOurs = type.getName().startsWith("io.evenkeel.");
        if (!isOurs && (!OPENED.contains(type.getPackageName()) || Reference.class.isAssignableFrom(type))) {
            return List.of();
        }
        List<Field> fields = Arrays.stream(type.getDeclaredFields())
                .filter(field -> !field.getType().isPrimitive())
                .filter(field -> isOurs || !Modifier.isStatic(field.getModifiers()))
                .toList();
        fields.forEach(field -> field.setAccessible(true));
        return fields;
    }
}
