package io.evenkeel.schema;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** All message types by {@code GROUP/NAME}, or {@code GROUP.VERSION/NAME} where the version is not v1, read from the files beside this class, of which {@code meta.txt} tells the form. */
public record Schema(Map<String, MessageType> messages) {
    private static final String CORE = "core";
    private static final String META = "meta";
    public static final String TYPE_META = META + "/TypeMeta";

    private static final String VERSION = "v1";
    private static final String LIST = "List";

    private static final String COSCHEDULING = "scheduling.x-k8s.io.v1alpha1";
    private static final String POLICIES = "evenkeel.io.v1alpha1";

    /** The groups of custom resources. */
    private static final Set<String> CUSTOM = Set.of(COSCHEDULING, POLICIES);

    private static final List<String> PLACES = List.of(
            META,
            CORE,
            "apps",
            "authentication.k8s.io",
            "authorization.k8s.io",
            "autoscaling",
            "coordination.k8s.io",
            "events.k8s.io",
            "networking.k8s.io",
            "policy",
            "rbac.authorization.k8s.io",
            "resource.k8s.io",
            "scheduling.k8s.io",
            "scheduling.k8s.io.v1beta1",
            "storage.k8s.io",
            COSCHEDULING,
            POLICIES);

    public static final Schema KUBERNETES = load();

    private static Schema load() {
        Map<String, List<String>> lines = new HashMap<>();
        PLACES.forEach(group -> messagesOf(group).forEach(words -> lines.put(name(group, words.getFirst()), words)));
        Map<String, MessageType> messages = new HashMap<>();
        lines.forEach((name, words) -> {
            SchemaLine line = new SchemaLine(words, nested -> resolve(lines, name, nested));
            messages.put(name, line.message());
        });
        return new Schema(Map.copyOf(messages));
    }

    private static List<List<String>> messagesOf(String group) {
        return text(group)
                .replaceAll("#.*", "")
                .replaceAll("\\n +", " ")
                .lines()
                .filter(line -> !line.isBlank())
                .map(line -> List.of(line.split(" ", -1)))
                .toList();
    }

    private static String text(String group) {
        String file = group + ".txt";
        try (InputStream in = Schema.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException(file + " is missing beside " + Schema.class.getName());
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** A message that another one names: its own group's, or one that all may use. */
    private static String resolve(Map<String, List<String>> lines, String within, String message) {
        String group = within.substring(0, within.indexOf('/'));
        return Stream.of(group, CORE, META)
                .map(place -> name(place, message))
                .filter(lines::containsKey)
                .findFirst()
                .orElseThrow(() ->
                        new IllegalStateException("schema: " + within + " names " + message + ", which is nowhere"));
    }

    private static String name(String group, String message) {
        return group + "/" + message;
    }

    /** The name of the message that objects of a type, or the items of a list, are written as. */
    public Optional<String> nameOf(TypeMeta type) {
        String kind = type.kind().endsWith(LIST)
                ? type.kind().substring(0, type.kind().length() - LIST.length())
                : type.kind();
        String place = placeOf(type.apiVersion());
        return isStable(type.apiVersion()) || PLACES.contains(place)
                ? Stream.of(name(place, kind), name(META, kind))
                        .filter(messages::containsKey)
                        .findFirst()
                : Optional.empty();
    }

    private static boolean isStable(String apiVersion) {
        return apiVersion.substring(apiVersion.indexOf('/') + 1).equals(VERSION);
    }

    /** The file of the messages of an apiVersion. */
    private static String placeOf(String apiVersion) {
        int slash = apiVersion.indexOf('/');
        if (!isStable(apiVersion)) {
            return apiVersion.replace('/', '.');
        }
        return slash < 0 ? CORE : apiVersion.substring(0, slash);
    }

    /** Whether servers have a protobuf of objects of a type, or of lists of them. */
    public boolean hasProtobuf(TypeMeta type) {
        return nameOf(type).isPresent() && !CUSTOM.contains(placeOf(type.apiVersion()));
    }

    /** The message type of this name; that it exists is the table's own promise. */
    public MessageType message(String name) {
        MessageType type = messages.get(name);
        if (type == null) {
            throw new IllegalArgumentException("schema has no line for " + name);
        }
        return type;
    }
}
