package io.evenkeel.hollow.registry;

import com.google.gson.JsonObject;
import io.evenkeel.model.json.Trees;
import java.util.Optional;

/** How to delete, and which object was meant: uid and resourceVersion are empty if any will do. */
public record DeleteOptions(Optional<Long> gracePeriodSeconds, String uid, String resourceVersion, boolean dryRun) {

    public static final DeleteOptions DEFAULT = new DeleteOptions(Optional.empty(), "", "", false);
    public static final DeleteOptions NOW = new DeleteOptions(Optional.of(0L), "", "", false);

    public static DeleteOptions read(JsonObject options) {
        return new DeleteOptions(
                Trees.number(options, "gracePeriodSeconds"),
                Trees.text(options, "preconditions", "uid"),
                Trees.text(options, "preconditions", "resourceVersion"),
                !Trees.texts(options, "dryRun").isEmpty());
    }

    public DeleteOptions withGracePeriod(long seconds) {
        return new DeleteOptions(Optional.of(seconds), uid, resourceVersion, dryRun);
    }
}
