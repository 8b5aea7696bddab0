package io.evenkeel.e2e.reference;

import com.google.gson.JsonObject;
import io.evenkeel.model.json.Trees;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * What is left behind in a cluster: pods, events, the Lease. Comparable, because what differs from run to run (times,
 * UIDs, versions, random parts of names) is replaced by what it is.
 */
record Traces(List<JsonObject> pods, Set<JsonObject> events, JsonObject lease) {
    private static final String KUBE_SCHEDULER = "/reference/kube-scheduler-1.36.json";

    static Traces ofKubeScheduler() {
        try (InputStream in = Objects.requireNonNull(Traces.class.getResourceAsStream(KUBE_SCHEDULER))) {
            JsonObject all = Trees.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            return new Traces(
                    Trees.objects(all, "pods"),
                    new HashSet<>(Trees.objects(all, "events")),
                    Trees.object(all, "lease").orElseThrow());
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
