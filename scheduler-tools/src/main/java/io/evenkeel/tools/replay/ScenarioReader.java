package io.evenkeel.tools.replay;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import io.evenkeel.config.CompatibilityLevel;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.file.ConfigurationReader;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.decode.cursor.JsonCursor;
import io.evenkeel.model.decode.cursor.ObjectReadException;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.problem.NearestName;
import io.evenkeel.tools.why.UsualProfiles;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads a scenario from a line of JSON. */
final class ScenarioReader {
    private static final Set<String> FIELDS =
            Set.of("name", "version", "config", "featureGates", "objects", "pods", "preempt", "group", "expected");

    /** Names that are easily mistaken for fields, as {@code kubectl get} takes them. */
    private static final Set<String> KINDS =
            Set.of("node", "nodes", "namespaces", "services", "deployments", "replicasets", "statefulsets", "items");

    private final JsonFactory json = new JsonFactory();
    private final ObjectReader objects;
    private final SchedulerConfiguration usual;

    /** Reads objects of these kinds; of others, only the identity. */
    ScenarioReader(Kinds kinds) {
        this(kinds, UsualProfiles.CONFIGURATION);
    }

    /** @param usual the configuration of scenarios that say none */
    ScenarioReader(Kinds kinds, SchedulerConfiguration usual) {
        objects = new ObjectReader(kinds);
        this.usual = usual;
    }

    Scenario read(String line) throws IOException {
        String field = "";
        String name = "";
        SchedulerConfiguration configuration = usual;
        Optional<CompatibilityLevel> level = Optional.empty();
        Map<String, Boolean> gates = Map.of();
        List<KubernetesObject> cluster = List.of();
        List<KubernetesObject> pods = List.of();
        boolean preempts = false;
        Optional<GroupMode> group = Optional.empty();
        try (JsonParser parser = json.createParser(line)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new ScenarioException.NoScenario("expected a scenario, an object, but the line starts with "
                        + line.substring(0, Math.min(20, line.length())));
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                field = parser.currentName();
                parser.nextToken();
                switch (field) {
                    case "name" -> name = readName(parser);
                    case "version" -> level = readLevel(parser);
                    case "config" -> configuration = readConfiguration(parser);
                    case "featureGates" -> gates = readGates(parser, field);
                    case "objects" -> cluster = readObjects(parser, field, "");
                    case "pods" -> pods = readObjects(parser, field, "Pod");
                    case "group" -> group = readGroup(parser);
                    case "preempt" -> preempts = readPreempts(parser);
                    // another scheduler's answer
                    case "expected" -> parser.skipChildren();
                    default -> throw unknown(field);
                }
            }
            if (parser.nextToken() != null) {
                throw new ScenarioException("expected one scenario a line, but something follows the first");
            }
        } catch (StreamConstraintsException beyondMeasure) {
            throw new ScenarioException(field + ": " + JsonCursor.brief(beyondMeasure));
        } catch (JsonProcessingException malformed) {
            throw new ScenarioException.NoScenario(
                    "column " + malformed.getLocation().getColumnNr() + ": " + JsonCursor.brief(malformed));
        }
        Optional<ScenarioGroups> groups = group.isEmpty()
                ? Optional.empty()
                : Optional.of(ScenarioGroups.of(group.get(), podsOnly(pods), line, json));
        return new Scenario(name, configuration, level, gates, cluster, podsOnly(pods), preempts, groups);
    }

    private static ScenarioException unknown(String field) {
        boolean isKind = KINDS.contains(field.toLowerCase(Locale.ROOT));
        return new ScenarioException(field + ": unknown field"
                + (isKind ? "; objects of all kinds belong in \"objects\"" : NearestName.hint(field, FIELDS)));
    }

    private static String readName(JsonParser parser) throws IOException {
        if (parser.currentToken() == JsonToken.VALUE_NULL) {
            return "";
        }
        if (parser.currentToken() != JsonToken.VALUE_STRING) {
            throw new ScenarioException("name: expected a string, got " + JsonCursor.describe(parser));
        }
        return parser.getText();
    }

    private static Optional<CompatibilityLevel> readLevel(JsonParser parser) throws IOException {
        if (parser.currentToken() == JsonToken.VALUE_NULL) {
            return Optional.empty();
        }
        if (parser.currentToken() != JsonToken.VALUE_STRING) {
            throw new ScenarioException("version: expected a string, got " + JsonCursor.describe(parser));
        }
        Optional<CompatibilityLevel> level = CompatibilityLevel.of(parser.getText());
        if (level.isEmpty()) {
            throw new ScenarioException(
                    "version: expected " + CompatibilityLevel.CHOICE + ", got \"" + parser.getText() + "\"");
        }
        return level;
    }

    private static Optional<GroupMode> readGroup(JsonParser parser) throws IOException {
        if (parser.currentToken() == JsonToken.VALUE_NULL) {
            return Optional.empty();
        }
        if (parser.currentToken() != JsonToken.VALUE_STRING) {
            throw new ScenarioException("group: expected a string, got " + JsonCursor.describe(parser));
        }
        return Optional.of(GroupMode.of(parser.getText()));
    }

    private static boolean readPreempts(JsonParser parser) throws IOException {
        if (parser.currentToken() == JsonToken.VALUE_NULL) {
            return false;
        }
        if (!parser.currentToken().isBoolean()) {
            throw new ScenarioException("preempt: expected true or false, got " + JsonCursor.describe(parser));
        }
        return parser.getBooleanValue();
    }

    private SchedulerConfiguration readConfiguration(JsonParser parser) throws IOException {
        if (parser.currentToken() == JsonToken.VALUE_NULL) {
            return usual;
        }
        StringWriter text = new StringWriter();
        try (JsonGenerator copy = json.createGenerator(text)) {
            copy.copyCurrentStructure(parser);
        }
        return new ConfigurationReader().read("config", text.toString());
    }

    private static Map<String, Boolean> readGates(JsonParser parser, String field) throws IOException {
        if (parser.currentToken() == JsonToken.VALUE_NULL) {
            return Map.of();
        }
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            throw new ScenarioException(field + ": expected an object, got " + JsonCursor.describe(parser));
        }
        Map<String, Boolean> gates = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String gate = parser.currentName();
            if (!parser.nextToken().isBoolean()) {
                throw new ScenarioException(
                        field + "." + gate + ": expected true or false, got " + JsonCursor.describe(parser));
            }
            gates.put(gate, parser.getBooleanValue());
        }
        return gates;
    }

    /** Objects that do not name their kind are of the implied one, as in lists that the API serves. */
    private List<KubernetesObject> readObjects(JsonParser parser, String field, String impliedKind) throws IOException {
        if (parser.currentToken() == JsonToken.VALUE_NULL) {
            return List.of();
        }
        if (parser.currentToken() != JsonToken.START_ARRAY) {
            throw new ScenarioException(field + ": expected a list, got " + JsonCursor.describe(parser));
        }
        List<KubernetesObject> read = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            String place = field + "[" + read.size() + "]: ";
            try {
                read.add(objects.read(parser, impliedKind));
            } catch (ObjectReadException unreadable) {
                throw new ScenarioException(place + unreadable.getMessage());
            }
        }
        return read;
    }

    private static List<Pod> podsOnly(List<KubernetesObject> objects) {
        List<Pod> pods = new ArrayList<>();
        for (KubernetesObject object : objects) {
            if (!(object instanceof Pod pod)) {
                throw new ScenarioException("pods: " + object.meta().key() + " is no Pod");
            }
            pods.add(pod);
        }
        return pods;
    }
}
