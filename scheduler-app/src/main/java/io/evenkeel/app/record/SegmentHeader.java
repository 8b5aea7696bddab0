package io.evenkeel.app.record;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import io.evenkeel.cluster.ClusterState.ClusterLimits;
import io.evenkeel.config.CompatibilityLevel;
import io.evenkeel.config.Extender;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.file.ConfigurationReader;
import io.evenkeel.config.file.ConfigurationWriter;
import io.evenkeel.engine.SchedulerSettings;
import io.evenkeel.queue.QueueSettings.HintLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The beginning of a segment; events, decisions and their hash are of all that came before it in the run.
 *
 * @param nanos what the engine's clock showed at that time of day
 * @param seed of the random numbers, at the beginning of the run
 */
public record SegmentHeader(
        String run,
        int number,
        Start start,
        Instant time,
        long nanos,
        long seed,
        long events,
        long decisions,
        long hash,
        RunSettings settings) {
    /**
     * Since 2, of an object that goes there is only what differs from the last that was told of it; since 3, the level is told, which
     * was 1.36 before.
     */
    static final int VERSION = 4;

    private static final int FIRST_WITH_LEVEL = 3;

    /** The state before a segment. */
    public enum Start {
        /** Nothing: the run begins. */
        RUN,
        /** The segment before it, which ends just where this one begins. */
        FOLLOWS,
        /** Something that was not recorded. */
        GAP
    }

    String json() {
        JsonObject json = new JsonObject();
        json.addProperty("record", VERSION);
        json.addProperty("version", settings.version());
        json.addProperty("run", run);
        json.addProperty("segment", number);
        json.addProperty("start", start.name());
        json.addProperty("time", time.toString());
        json.addProperty("nanos", nanos);
        json.addProperty("seed", seed);
        json.addProperty("events", events);
        json.addProperty("decisions", decisions);
        json.addProperty("hash", Long.toHexString(hash));
        JsonArray plugins = new JsonArray();
        settings.plugins().forEach(plugins::add);
        json.add("plugins", plugins);
        json.add(
                "configuration", JsonParser.parseString(new ConfigurationWriter().writeJson(settings.configuration())));
        JsonObject gates = new JsonObject();
        settings.configuration().featureGates().set().forEach(gates::addProperty);
        json.add("featureGates", gates);
        json.addProperty(
                "level", settings.configuration().featureGates().level().toString());
        json.add("settings", json(settings.settings()));
        return json.toString();
    }

    private static JsonObject json(SchedulerSettings settings) {
        JsonObject json = new JsonObject();
        JsonArray awaited = new JsonArray();
        settings.awaitedKinds().stream().sorted().forEach(awaited::add);
        json.add("awaitedKinds", awaited);
        json.addProperty("mostBindings", settings.mostBindings());
        json.addProperty("longestUnschedulable", settings.longestUnschedulable().toString());
        json.addProperty("confirmWithin", settings.confirmWithin().toString());
        json.addProperty("lookAgainAfter", settings.lookAgainAfter().toString());
        json.addProperty("idleFacets", settings.clusterLimits().idleFacets());
        json.addProperty("loggedChanges", settings.clusterLimits().loggedChanges());
        json.addProperty("hintsATurn", settings.hintLimits().aTurn());
        json.addProperty("hintsANamespace", settings.hintLimits().aNamespace());
        json.addProperty("hintedChanges", settings.hintLimits().changes());
        return json;
    }

    /** @throws IllegalArgumentException where it is none, with the field and the reason */
    static SegmentHeader of(String text) {
        HeaderFields fields = HeaderFields.of(text);
        int version = fields.small("record");
        if (version < 1 || version > VERSION) {
            throw new IllegalArgumentException(
                    "this is a record of version " + version + ", and this program reads versions 1 to " + VERSION);
        }
        return new SegmentHeader(
                fields.text("run"),
                fields.small("segment"),
                fields.read("start", "RUN, FOLLOWS or GAP", Start::valueOf),
                fields.read("time", "a time", Instant::parse),
                fields.number("nanos"),
                fields.number("seed"),
                fields.number("events"),
                fields.number("decisions"),
                fields.read("hash", "a hexadecimal number", hash -> Long.parseUnsignedLong(hash, 16)),
                new RunSettings(
                        fields.text("version"),
                        configuration(fields, version),
                        settings(fields.object("settings")),
                        fields.texts("plugins")));
    }

    private static SchedulerConfiguration configuration(HeaderFields fields, int version) {
        CompatibilityLevel level = version < FIRST_WITH_LEVEL
                ? CompatibilityLevel.FIRST
                : fields.read(
                        "level",
                        CompatibilityLevel.CHOICE,
                        text -> CompatibilityLevel.of(text).orElseThrow());
        return new ConfigurationReader()
                .read("configuration", fields.json("configuration")).toBuilder()
                        .featureGates(FeatureGates.with(level, fields.flags("featureGates")))
                        .build();
    }

    private static SchedulerSettings settings(HeaderFields fields) {
        return new SchedulerSettings(
                new HashSet<>(fields.texts("awaitedKinds")),
                fields.small("mostBindings"),
                fields.read("longestUnschedulable", "a duration", Duration::parse),
                fields.read("confirmWithin", "a duration", Duration::parse),
                fields.read("lookAgainAfter", "a duration", Duration::parse),
                new ClusterLimits(fields.small("idleFacets"), fields.small("loggedChanges")),
                new HintLimits(
                        fields.small("hintsATurn"), fields.small("hintsANamespace"), fields.small("hintedChanges")));
    }

    /** The fields of a header that is read; what is not there, or is something else, is an {@link IllegalArgumentException} that names it. */
    static final class HeaderFields {
        private final JsonObject json;
        private final String path;

        private HeaderFields(JsonObject json, String path) {
            this.json = json;
            this.path = path;
        }

        static HeaderFields of(String text) {
            try {
                if (JsonParser.parseString(text) instanceof JsonObject json) {
                    return new HeaderFields(json, "");
                }
            } catch (JsonParseException malformed) {
                throw new IllegalArgumentException("it is no valid JSON", malformed);
            }
            throw new IllegalArgumentException("it is no JSON object");
        }

        HeaderFields object(String name) {
            if (json.get(name) instanceof JsonObject object) {
                return new HeaderFields(object, path + name + ".");
            }
            throw wrong(name, "an object");
        }

        String json(String name) {
            return object(name).json.toString();
        }

        String text(String name) {
            return primitive(name, "a text").getAsString();
        }

        long number(String name) {
            return read(name, "a whole number", Long::parseLong);
        }

        int small(String name) {
            return read(name, "a whole number", Integer::parseInt);
        }

        boolean flag(String name) {
            JsonPrimitive value = primitive(name, "true or false");
            if (!value.isBoolean()) {
                throw wrong(name, "true or false");
            }
            return value.getAsBoolean();
        }

        /** A text that says something. */
        <T> T read(String name, String expected, Function<String, T> reader) {
            try {
                return reader.apply(primitive(name, expected).getAsString());
            } catch (RuntimeException unreadable) {
                throw wrong(name, expected);
            }
        }

        List<String> texts(String name) {
            if (!(json.get(name) instanceof JsonArray array)) {
                throw wrong(name, "a list of texts");
            }
            List<String> texts = new ArrayList<>();
            for (JsonElement text : array) {
                if (!(text instanceof JsonPrimitive primitive)) {
                    throw wrong(name, "a list of texts");
                }
                texts.add(primitive.getAsString());
            }
            return texts;
        }

        Map<String, Boolean> flags(String name) {
            HeaderFields all = object(name);
            Map<String, Boolean> flags = new TreeMap<>();
            all.json.keySet().forEach(flag -> flags.put(flag, all.flag(flag)));
            return flags;
        }

        private JsonPrimitive primitive(String name, String expected) {
            if (json.get(name) instanceof JsonPrimitive primitive) {
                return primitive;
            }
            throw wrong(name, expected);
        }

        private IllegalArgumentException wrong(String name, String expected) {
            return new IllegalArgumentException(path + name + ": expected " + expected
                    + (json.has(name) ? ", got " + json.get(name) : ", and it is not there"));
        }
    }

    /** The settings that a run's decisions depend on, beside its events. */
    public record RunSettings(
            String version, SchedulerConfiguration configuration, SchedulerSettings settings, List<String> plugins) {

        public RunSettings {
            plugins = plugins.stream().sorted().toList();
            configuration = withoutKeys(configuration);
        }

        /** Keys stay secret, and a replay asks no extender. */
        private static SchedulerConfiguration withoutKeys(SchedulerConfiguration configuration) {
            return configuration.toBuilder()
                    .extenders(configuration.extenders().stream()
                            .map(RunSettings::withoutKeys)
                            .toList())
                    .build();
        }

        private static Extender withoutKeys(Extender extender) {
            return new Extender(
                    extender.urlPrefix(),
                    extender.filterVerb(),
                    extender.preemptVerb(),
                    extender.prioritizeVerb(),
                    extender.weight(),
                    extender.bindVerb(),
                    extender.enableHTTPS(),
                    Optional.empty(),
                    extender.httpTimeout(),
                    extender.nodeCacheCapable(),
                    extender.managedResources(),
                    extender.ignorable());
        }
    }
}
