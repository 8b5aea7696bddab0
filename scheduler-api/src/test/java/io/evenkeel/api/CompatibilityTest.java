package io.evenkeel.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The API beside the list of what was promised. A line that is gone breaks plugins; one that is new makes the promise greater, and
 * the list is renewed: {@code ./mvnw -q -Dquick -pl scheduler-api -am test -Dtest=CompatibilityTest
 * -Dsurefire.failIfNoSpecifiedTests=false -Dapi.renew=true}.
 */
class CompatibilityTest {
    private static final Path PROMISED = Path.of("src/test/resources/io/evenkeel/api/api.txt");
    private static final String OURS = "io.evenkeel.";

    private final Set<String> modelTypes = modelTypes();

    @Test
    void nothingThatWasPromisedIsGone() throws IOException {
        Set<String> now = signatures();
        if (Boolean.getBoolean("api.renew")) {
            Files.writeString(PROMISED, String.join("\n", now) + "\n");
        }
        Set<String> promised = new TreeSet<>(Files.readAllLines(PROMISED));

        assertThat(promised.stream().filter(line -> !now.contains(line)))
                .as("what plugins that were built before may use is gone, which takes another minor version")
                .isEmpty();
        assertThat(now.stream().filter(line -> !promised.contains(line)))
                .as("what is new is not in the list yet, which this class says how to renew")
                .isEmpty();
    }

    @Test
    void theApiIsOfAboutSixtyTypes() throws IOException {
        assertThat(types().filter(type -> type.getEnclosingClass() == null)).hasSizeBetween(50, 70);
    }

    @Test
    void eachTypeSaysSinceWhenItIsThere() throws IOException {
        for (Class<?> type : types().toList()) {
            if (type.getEnclosingClass() == null && type.getPackage() == Plugin.class.getPackage()) {
                assertThat(Files.readString(
                                Path.of("src/main/java", type.getName().replace('.', '/') + ".java")))
                        .as(type.getName())
                        .containsPattern("@since \\d+\\.\\d+\n");
            }
        }
    }

    private Set<String> signatures() throws IOException {
        Set<String> lines = new TreeSet<>();
        types().forEach(type -> {
            lines.add(declaration(type));
            Stream.of(type.getDeclaredFields(), type.getDeclaredMethods(), type.getDeclaredConstructors())
                    .flatMap(Stream::<Member>of)
                    .filter(this::isPromised)
                    .map(member -> type.getName() + " " + signature(member))
                    .forEach(lines::add);
        });
        return lines;
    }

    /** All public types of the API, and those of the model that belong to it, with what is nested in them. */
    private Stream<Class<?>> types() throws IOException {
        Path classes = Path.of("target/classes", Plugin.class.getPackageName().replace('.', File.separatorChar));
        try (Stream<Path> files = Files.list(classes)) {
            Collection<String> own = files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".class") && !name.equals("package-info.class"))
                    .map(name -> Plugin.class.getPackageName() + "." + name.substring(0, name.length() - 6))
                    .filter(name -> !name.contains("$"))
                    .toList();
            return Stream.concat(own.stream(), modelTypes.stream())
                    .<Class<?>>map(CompatibilityTest::named)
                    .flatMap(CompatibilityTest::withNested);
        }
    }

    private static Stream<Class<?>> withNested(Class<?> type) {
        return Modifier.isPublic(type.getModifiers())
                ? Stream.concat(
                        Stream.of(type),
                        Arrays.stream(type.getDeclaredClasses()).flatMap(CompatibilityTest::withNested))
                : Stream.empty();
    }

    private static Class<?> named(String name) {
        try {
            return Class.forName(name);
        } catch (ClassNotFoundException gone) {
            throw new AssertionError("model-types.txt has a type that is not there", gone);
        }
    }

    private boolean isPromised(Member member) {
        Stream<Class<?>> named = switch (member) {
            case Field field -> Stream.of(field.getType());
            case Method method ->
                Stream.concat(Stream.of(method.getReturnType()), Stream.of(method.getParameterTypes()));
            case Executable other -> Stream.of(other.getParameterTypes());
            default -> Stream.empty();
        };
        return (member.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0
                && !member.isSynthetic()
                && named.allMatch(this::mayBeNamed);
    }

    private boolean mayBeNamed(Class<?> type) {
        Class<?> outermost = type;
        while (outermost.isArray()) {
            outermost = outermost.getComponentType();
        }
        while (outermost.getEnclosingClass() != null) {
            outermost = outermost.getEnclosingClass();
        }
        return !outermost.getName().startsWith(OURS)
                || outermost.getPackage() == Plugin.class.getPackage()
                || modelTypes.contains(outermost.getName());
    }

    private static String declaration(Class<?> type) {
        return Stream.of(
                        Stream.of(type.toGenericString()),
                        Stream.ofNullable(type.getGenericSuperclass())
                                .filter(parent -> parent != Object.class)
                                .map(parent -> "extends " + parent.getTypeName()),
                        Stream.of(type.getGenericInterfaces()).map(parent -> "is " + parent.getTypeName()))
                .flatMap(parts -> parts)
                .collect(Collectors.joining(" "));
    }

    private static String signature(Member member) {
        return switch (member) {
            case Field field -> modifiers(field) + field.getGenericType().getTypeName() + " " + field.getName();
            case Method method ->
                modifiers(method) + method.getGenericReturnType().getTypeName() + " " + method.getName()
                        + parameters(method);
            case Constructor<?> constructor -> modifiers(constructor) + "new" + parameters(constructor);
            default -> throw new AssertionError(member);
        };
    }

    private static String modifiers(Member member) {
        String shown =
                Modifier.toString(member.getModifiers() & (Modifier.STATIC | Modifier.ABSTRACT | Modifier.PROTECTED));
        return shown.isEmpty() ? "" : shown + " ";
    }

    private static String parameters(Executable executable) {
        return Arrays.stream(executable.getParameters())
                .map(Parameter::getParameterizedType)
                .map(Type::getTypeName)
                .collect(Collectors.joining(", ", "(", ")"));
    }

    private static Set<String> modelTypes() {
        try (var list = Objects.requireNonNull(Plugin.class.getResourceAsStream("model-types.txt"))) {
            return new String(list.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .collect(Collectors.toSet());
        } catch (IOException unreadable) {
            throw new AssertionError(unreadable);
        }
    }
}
