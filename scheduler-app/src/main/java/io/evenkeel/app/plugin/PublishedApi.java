package io.evenkeel.app.plugin;

import io.evenkeel.api.Plugin;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.constant.ConstantDescs;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The part of this process that out-of-tree plugins see, as the parent of their class loaders: the JDK, the API for plugins with
 * the types of the model that belong to it, nullness annotations, and SLF4J to log by. Of these they use Evenkeel's classes,
 * whatever else their jars hold; all others, and all resources, they bring along, in the versions they like.
 */
final class PublishedApi extends ClassLoader {
    static final String OURS = "io.evenkeel.";

    static final String API = Plugin.class.getPackageName();

    /** A line each in a file of the API, which the release and the check of what was promised read too. */
    static final Set<String> MODEL_TYPES = read();

    private static final String NULLNESS = "org.jspecify.annotations";
    private static final String LOGGING = "org.slf4j.";

    private final ClassLoader evenkeel = Plugin.class.getClassLoader();

    PublishedApi() {
        super("evenkeel-api", getPlatformClassLoader());
    }

    static boolean offers(String className) {
        String packageName = className.substring(0, Math.max(className.lastIndexOf('.'), 0));
        return packageName.equals(API)
                || MODEL_TYPES.contains(className.split("\\$", 2)[0])
                || packageName.equals(NULLNESS)
                || className.startsWith(LOGGING);
    }

    private static Set<String> read() {
        try (InputStream list = Objects.requireNonNull(Plugin.class.getResourceAsStream("model-types.txt"))) {
            return new String(list.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .collect(Collectors.toUnmodifiableSet());
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        if (!offers(name)) {
            throw new ClassNotFoundException(name);
        }
        return evenkeel.loadClass(name);
    }

    /**
     * Whether what a class uses of Evenkeel is there: only classes that are published, and of them only members that exist and speak
     * of published classes.
     * So what was built against another version, or against the inside, is refused at the start, rather than failing on the
     * first pod that leads there. One class costs a walk over its constants.
     */
    static final class ApiUse {
        private static final String OURS = PublishedApi.OURS.replace('.', '/');
        private static final String BRIDGE = OURS + "clientjava/";
        private static final Pattern CLASS = Pattern.compile("L([^;]+);");

        private final ApiMembers members;

        ApiUse(PublishedApi api) {
            this.members = new ApiMembers(api);
        }

        /** The problem with how a class file uses Evenkeel, to follow the file's name in a message; empty if there is none. */
        Optional<String> problemOf(byte[] classFile) {
            try {
                ClassModel model = ClassFile.of().parse(classFile);
                if (isOurs(model.thisClass().asInternalName())) {
                    return Optional.of(
                            "is one of Evenkeel's own: leave scheduler-api out of the plugin (scope provided)");
                }
                for (PoolEntry entry : model.constantPool()) {
                    Optional<String> problem = problemOf(entry);
                    if (problem.isPresent()) {
                        return problem;
                    }
                }
                return Optional.empty();
            } catch (IllegalArgumentException malformed) {
                return Optional.of("is no class file: " + malformed.getMessage());
            }
        }

        private Optional<String> problemOf(PoolEntry entry) {
            return switch (entry) {
                case ClassEntry type -> ofType(elementOf(type));
                case MemberRefEntry member when isOurs(elementOf(member.owner())) -> ofMember(member);
                default -> Optional.empty();
            };
        }

        private Optional<String> ofType(String internalName) {
            if (!isOurs(internalName)) {
                return Optional.empty();
            }
            String name = internalName.replace('/', '.');
            if (!PublishedApi.offers(name)) {
                return Optional.of("uses " + name + ", which is no part of the API for plugins");
            }
            return members.has(name)
                    ? Optional.empty()
                    : Optional.of("uses " + name + ", which this Evenkeel does not have");
        }

        private Optional<String> ofMember(MemberRefEntry member) {
            if (isArray(member.owner())) {
                return Optional.empty();
            }
            String owner = member.owner().asInternalName().replace('/', '.');
            String name = member.name().stringValue();
            String type = member.type().stringValue();
            if (!members.has(owner)) {
                return Optional.empty();
            }
            String use = "uses " + owner + "." + name + " of type " + type;
            if (!members.has(owner, name, type)) {
                return Optional.of(use + ", which this Evenkeel does not have");
            }
            return speaksOfOthers(type)
                    ? Optional.of(use + ", which is no part of the API for plugins")
                    : Optional.empty();
        }

        /** Whether a descriptor names a type of ours that is not published. */
        private static boolean speaksOfOthers(String descriptor) {
            return CLASS.matcher(descriptor)
                    .results()
                    .map(name -> name.group(1))
                    .anyMatch(name -> isOurs(name) && !PublishedApi.offers(name.replace('/', '.')));
        }

        /** All but the bridge to client-java, which a plugin brings along with that. */
        private static boolean isOurs(String internalName) {
            return internalName.startsWith(OURS) && !internalName.startsWith(BRIDGE);
        }

        private static boolean isArray(ClassEntry type) {
            return type.asInternalName().startsWith("[");
        }

        /** An array's name is a descriptor: {@code [[Lio/evenkeel/model/Pod;}. */
        private static String elementOf(ClassEntry type) {
            String name = type.asInternalName();
            return isArray(type) ? name.replaceFirst("^\\[+L?", "").replaceFirst(";$", "") : name;
        }

        /** The published classes and what others may use of each, inherited members included; by names and descriptors. */
        static final class ApiMembers {
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
                return MethodType.methodType(returned, executable.getParameterTypes())
                        .descriptorString();
            }
        }
    }
}
