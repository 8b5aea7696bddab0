package io.evenkeel.cluster;

import io.evenkeel.cluster.index.ClusterIndex.Differences;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The types of Evenkeel that somebody gets hold of who has one of them and calls its public methods. */
public final class ReachableTypes {
    private final Set<Class<?>> found = new LinkedHashSet<>();
    private final ArrayDeque<Class<?>> waiting = new ArrayDeque<>();

    private ReachableTypes() {}

    public static Set<Class<?>> from(Type... starts) {
        ReachableTypes types = new ReachableTypes();
        Arrays.stream(starts).forEach(types::visit);
        while (!types.waiting.isEmpty()) {
            publicMethods(types.waiting.pop()).forEach(method -> types.visit(method.getGenericReturnType()));
        }
        return types.found;
    }

    /** Those of objects; what a class makes anew by static methods belongs to whoever asks for it. */
    public static Stream<Method> publicMethods(Class<?> type) {
        return Arrays.stream(type.getMethods())
                .filter(method -> method.getDeclaringClass().getName().startsWith("io.evenkeel."))
                .filter(method -> !Modifier.isStatic(method.getModifiers()))
                .filter(method -> !method.isBridge());
    }

    /** The methods of these types that answer nothing and tell nothing, so that they can only do something. */
    public static Set<String> namesOfDeeds(Set<Class<?>> types) {
        return types.stream()
                .flatMap(ReachableTypes::publicMethods)
                .filter(method -> method.getReturnType() == void.class)
                .filter(method -> !tellsItsCaller(method))
                .map(ReachableTypes::nameOf)
                .collect(Collectors.toSet());
    }

    /** By way of a visitor, an array or a collector of differences that it is handed. */
    private static boolean tellsItsCaller(Method method) {
        return Arrays.stream(method.getParameterTypes())
                .anyMatch(type -> type.isArray()
                        || type == Differences.class
                        || type.getName().startsWith("java.util.function."));
    }

    /** As {@code NodeTable.find}. */
    public static String nameOf(Executable method) {
        return method.getDeclaringClass().getSimpleName() + "." + method.getName();
    }

    private void visit(Type type) {
        switch (type) {
            case Class<?> plain when plain.isArray() -> visit(plain.getComponentType());
            case Class<?> plain
            when plain.getName().startsWith("io.evenkeel.") && found.add(plain) -> waiting.push(plain);
            case ParameterizedType generic -> {
                visit(generic.getRawType());
                Arrays.stream(generic.getActualTypeArguments()).forEach(this::visit);
            }
            case WildcardType wildcard ->
                Arrays.stream(wildcard.getUpperBounds()).forEach(this::visit);
            default -> {}
        }
    }
}
