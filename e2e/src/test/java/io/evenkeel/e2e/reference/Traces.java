package io.evenkeel.e2e.reference;

import com.google.gson.JsonObject;
import io.evenkeel.config.CompatibilityLevel;
import io.evenkeel.model.json.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What is left behind in a cluster: pods, events, the Lease. Comparable, because what differs from run to run (times,
 * UIDs, versions, random parts of names) is replaced by what it is.
 */
record Traces(List<JsonObject> pods, Set<JsonObject> events, JsonObject lease) {
    static Traces ofKubeScheduler() {
        try {
            JsonObject all = Trees.parse(Files.readString(
                    Path.of("../proof/reference", CompatibilityLevel.FIRST.toString(), "traces.json")));
            return new Traces(
                    Trees.objects(all, "pods"),
                    new HashSet<>(Trees.objects(all, "events")),
                    Trees.object(all, "lease").orElseThrow());
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
