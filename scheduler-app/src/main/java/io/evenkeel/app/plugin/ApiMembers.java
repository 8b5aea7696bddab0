package io.evenkeel.app.plugin;

import java.lang.constant.ConstantDescs;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The published classes and what others may use of each, inherited members included; by names and descriptors. */
final class ApiMembers {
    private final PublishedApi api;
    private final Map<String, Set<String>> membersByClass = new HashMap<>();

    ApiMembers(PublishedApi api) {
        this.api = api;
    }

    boolean has(String className) {
        return !membersOf(className).isEmpty();
    }

    boolean has(String className, String member, String descriptor) {
        return membersOf(className).contains(member + descriptor);
    }

    /** None where there is no such class: each that there is has what it inherits from Object. */
    private Set<String> membersOf(String className) {
        return membersByClass.computeIfAbsent(className, name -> {
            Set<String> members = new HashSet<>();
            try {
                Class<?> type = api.loadClass(name);
                addInherited(type, members);
                add(Object.class, members);
            } catch (ClassNotFoundException none) {
                members.clear();
            }
            return members;
        });
    }

    private static void addInherited(Class<?> type, Set<String> members) {
        add(type, members);
        if (type.getSuperclass() != null) {
            addInherited(type.getSuperclass(), members);
        }
        Stream.of(type.getInterfaces()).forEach(parent -> addInherited(parent, members));
    }

    private static void add(Class<?> type, Set<String> members) {
        Stream.of(type.getDeclaredFields(), type.getDeclaredMethods(), type.getDeclaredConstructors())
                .flatMap(Stream::<Member>of)
                .filter(member -> (member.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0)
                .map(ApiMembers::key)
                .forEach(members::add);
    }

    private static String key(Member member) {
        return switch (member) {
            case Field field -> field.getName() + field.getType().descriptorString();
            case Method method -> method.getName() + descriptor(method.getReturnType(), method);
            case Constructor<?> constructor -> ConstantDescs.INIT_NAME + descriptor(void.class, constructor);
            default -> throw new IllegalArgumentException("neither field, method nor constructor: " + member);
        };
    }

    private static String descriptor(Class<?> returned, Executable executable) {
        return MethodType.methodType(returned, executable.getParameterTypes()).descriptorString();
    }
}
