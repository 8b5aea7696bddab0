package io.evenkeel.app.http;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import io.evenkeel.app.http.Routes.Endpoint;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.Yaml;

/**
 * A page that is text for people, and an object of {@code config.k8s.io} for those who name its kind and version in their
 * Accept header. What is negotiated how is equal to the reference's.
 *
 * @param name which in the kind of the page's object begins with a capital
 */
public record Zpage(String name, Content content) implements Endpoint {
    private static final String COMPONENT = "kube-scheduler";
    private static final String GROUP = "config.k8s.io";
    private static final String CURRENT = "v1beta1";
    private static final String DEPRECATED = "v1alpha1";
    private static final String TEXT = "text/plain";
    private static final List<String> STRUCTURED = List.of("application/json", "application/yaml");
    private static final Gson JSON =
            new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();

    public interface Content {
        /** Below the page's title and warning. */
        String text();

        /** Beside kind, version and name. */
        Map<String, Object> fields();
    }

    @Override
    public Reply answer(Request request) {
        String accept = request.header("Accept");
        if (accept.isBlank()) {
            return text();
        }
        for (MediaType wanted : MediaType.accepted(accept)) {
            Optional<Reply> reply = inTheFormOf(wanted);
            if (reply.isPresent()) {
                return reply.get();
            }
        }
        return notAcceptable();
    }

    private Optional<Reply> inTheFormOf(MediaType wanted) {
        String version = wanted.parameter("v");
        if (wanted.parameter("as").isEmpty()) {
            return wanted.includes(TEXT) ? Optional.of(text()) : Optional.empty();
        }
        if (!wanted.parameter("as").equals(kind())
                || !wanted.parameter("g").equals(GROUP)
                || !(version.equals(CURRENT) || version.equals(DEPRECATED))) {
            return Optional.empty();
        }
        return STRUCTURED.stream().filter(wanted::includes).findFirst().map(type -> structured(type, version));
    }

    private Reply text() {
        return Reply.text(200, """

                %s %s
                Warning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees\
                 and is for debugging purposes only.
                %s""".formatted(COMPONENT, name, content.text()));
    }

    private Reply structured(String type, String version) {
        JsonObject object = new JsonObject();
        object.addProperty("kind", kind());
        object.addProperty("apiVersion", GROUP + "/" + version);
        JsonObject metadata = new JsonObject();
        metadata.addProperty("name", COMPONENT);
        object.add("metadata", metadata);
        content.fields().forEach((field, value) -> object.add(field, JSON.toJsonTree(value)));
        Reply reply = Reply.of(
                200,
                type + ";g=" + GROUP + ";v=" + version + ";as=" + kind(),
                type.endsWith("yaml") ? yaml(object) : JSON.toJson(object));
        return version.equals(DEPRECATED)
                ? reply.with(
                        "Warning",
                        "299 - \"This version of the " + name
                                + " endpoint is deprecated. Please use a newer version.\"")
                : reply;
    }

    private static String yaml(JsonObject object) {
        DumperOptions options = new DumperOptions();
        options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
        Yaml yaml = new Yaml(options);
        return yaml.dump(yaml.load(JSON.toJson(object)));
    }

    private static Reply notAcceptable() {
        JsonObject status = new JsonObject();
        status.addProperty("kind", "Status");
        status.addProperty("apiVersion", "v1");
        status.add("metadata", new JsonObject());
        status.addProperty("status", "Failure");
        status.addProperty(
                "message",
                "only the following media types are accepted: " + String.join(", ", STRUCTURED) + ", " + TEXT);
        status.addProperty("reason", "NotAcceptable");
        status.addProperty("code", 406);
        return Reply.json(406, JSON.toJson(status));
    }

    private String kind() {
        return name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
    }

    /** The flags that a component was started with, defaults included, by name. */
    public record FlagsPage(SortedMap<String, String> values) implements Zpage.Content {
        public FlagsPage(Map<String, String> values) {
            this(new TreeMap<>(values));
        }

        @Override
        public String text() {
            StringBuilder text = new StringBuilder();
            values.forEach((flag, value) ->
                    text.append(flag).append(": ").append(value).append('\n'));
            return text.toString();
        }

        @Override
        public Map<String, Object> fields() {
            return Map.of("flags", values);
        }
    }

    /** The status of a component that behaves as {@code emulationVersion} of Kubernetes. */
    public record StatusPage(
            Instant started, String version, String emulationVersion, List<String> paths, InstantSource clock)
            implements Zpage.Content {
        private static final DateTimeFormatter UNIX_DATE = DateTimeFormatter.ofPattern(
                        "EEE MMM ppd HH:mm:ss 'UTC' yyyy", Locale.ENGLISH)
                .withZone(ZoneOffset.UTC);

        public StatusPage {
            paths = List.copyOf(paths);
        }

        @Override
        public String text() {
            Duration up = up();
            return """

                    Started: %s
                    Up: %d hr %02d min %02d sec
                    Java version: %s
                    Binary version: %s
                    Emulation version: %s
                    Paths: %s
                    """.formatted(
                            UNIX_DATE.format(started),
                            up.toHours(),
                            up.toMinutesPart(),
                            up.toSecondsPart(),
                            java(),
                            version,
                            emulationVersion,
                            String.join(" ", paths));
        }

        /** {@code goVersion} is of the API; of a program in Java it tells Java's. */
        @Override
        public Map<String, Object> fields() {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("startTime", started.truncatedTo(ChronoUnit.SECONDS).toString());
            fields.put("uptimeSeconds", up().toSeconds());
            fields.put("goVersion", "java" + java());
            fields.put("binaryVersion", version);
            fields.put("emulationVersion", emulationVersion);
            fields.put("paths", paths);
            return fields;
        }

        private Duration up() {
            Duration up = Duration.between(started, clock.instant());
            return up.isNegative() ? Duration.ZERO : up;
        }

        private static String java() {
            Runtime.Version java = Runtime.version();
            return java.feature() + "." + java.interim() + "." + java.update();
        }
    }

    /** One clause of an Accept header, such as {@code application/json;g=config.k8s.io;v=v1beta1;as=Statusz;q=0.9}. */
    record MediaType(String name, Map<String, String> parameters, double quality) {

        /** Most wanted first. */
        static List<MediaType> accepted(String header) {
            List<MediaType> types = new ArrayList<>();
            for (String clause : header.split(",", -1)) {
                if (!clause.isBlank()) {
                    types.add(parse(clause));
                }
            }
            types.sort(Comparator.comparingDouble(MediaType::quality).reversed());
            return types;
        }

        private static MediaType parse(String clause) {
            String[] parts = clause.split(";", -1);
            Map<String, String> parameters = new TreeMap<>();
            for (int i = 1; i < parts.length; i++) {
                String[] pair = parts[i].split("=", 2);
                parameters.put(pair[0].strip(), pair.length == 2 ? pair[1].strip() : "");
            }
            return new MediaType(
                    parts[0].strip().toLowerCase(Locale.ROOT), parameters, qualityOf(parameters.remove("q")));
        }

        private static double qualityOf(@Nullable String text) {
            try {
                return text == null ? 1 : Double.parseDouble(text);
            } catch (NumberFormatException nonsense) {
                return 1;
            }
        }

        boolean includes(String type) {
            return name.equals("*/*")
                    || name.equals(type)
                    || (name.endsWith("/*") && type.startsWith(name.substring(0, name.length() - 1)));
        }

        String parameter(String key) {
            return parameters.getOrDefault(key, "");
        }
    }
}
