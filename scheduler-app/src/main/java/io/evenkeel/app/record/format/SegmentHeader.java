package io.evenkeel.app.record.format;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.evenkeel.cluster.ClusterLimits;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.feature.FeatureGates;
import io.evenkeel.config.read.ConfigurationReader;
import io.evenkeel.config.write.ConfigurationWriter;
import io.evenkeel.engine.SchedulerSettings;
import io.evenkeel.queue.QueueSettings.HintLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a segment begins with.
 *
 * @param run the name of the run, which all its segments share
 * @param number of the segment, from 0 on
 * @param start what comes before it
 * @param time of day at which it begins
 * @param nanos what the engine's clock showed then
 * @param seed of the random numbers, at the beginning of the run
 * @param events how many were taken in before it
 * @param decisions how many commands were given before it
 * @param hash of these
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
    static final int VERSION = 1;

    /** What comes before a segment. */
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
        json.addProperty("allowUnsupported", settings.allowUnsupported());
        JsonArray plugins = new JsonArray();
        settings.plugins().forEach(plugins::add);
        json.add("plugins", plugins);
        json.add(
                "configuration", JsonParser.parseString(new ConfigurationWriter().writeJson(settings.configuration())));
        JsonObject gates = new JsonObject();
        settings.configuration().featureGates().set().forEach(gates::addProperty);
        json.add("featureGates", gates);
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

    /**
     * Reads one.
     *
     * @throws RuntimeException of many kinds where it is none
     */
    static SegmentHeader of(String text) {
        JsonObject json = JsonParser.parseString(text).getAsJsonObject();
        int version = json.get("record").getAsInt();
        if (version != VERSION) {
            throw new IllegalArgumentException(
                    "this is a record of version " + version + ", and this program reads version " + VERSION);
        }
        return new SegmentHeader(
                json.get("run").getAsString(),
                json.get("segment").getAsInt(),
                Start.valueOf(json.get("start").getAsString()),
                Instant.parse(json.get("time").getAsString()),
                json.get("nanos").getAsLong(),
                json.get("seed").getAsLong(),
                json.get("events").getAsLong(),
                json.get("decisions").getAsLong(),
                Long.parseUnsignedLong(json.get("hash").getAsString(), 16),
                new RunSettings(
                        json.get("version").getAsString(),
                        configuration(json),
                        settings(json.getAsJsonObject("settings")),
                        json.get("allowUnsupported").getAsBoolean(),
                        texts(json.getAsJsonArray("plugins"))));
    }

    private static SchedulerConfiguration configuration(JsonObject json) {
        Map<String, Boolean> gates = new TreeMap<>();
        json.getAsJsonObject("featureGates")
                .entrySet()
                .forEach(gate -> gates.put(gate.getKey(), gate.getValue().getAsBoolean()));
        return new ConfigurationReader()
                .read("configuration", json.get("configuration").toString()).toBuilder()
                        .featureGates(FeatureGates.with(gates))
                        .build();
    }

    private static SchedulerSettings settings(JsonObject json) {
        return new SchedulerSettings(
                new HashSet<>(texts(json.getAsJsonArray("awaitedKinds"))),
                json.get("mostBindings").getAsInt(),
                Duration.parse(json.get("longestUnschedulable").getAsString()),
                Duration.parse(json.get("confirmWithin").getAsString()),
                Duration.parse(json.get("lookAgainAfter").getAsString()),
                new ClusterLimits(
                        json.get("idleFacets").getAsInt(),
                        json.get("loggedChanges").getAsInt()),
                new HintLimits(
                        json.get("hintsATurn").getAsInt(),
                        json.get("hintsANamespace").getAsInt(),
                        json.get("hintedChanges").getAsInt()));
    }

    private static List<String> texts(JsonArray array) {
        List<String> texts = new ArrayList<>();
        for (JsonElement text : array) {
            texts.add(text.getAsString());
        }
        return texts;
    }
}
