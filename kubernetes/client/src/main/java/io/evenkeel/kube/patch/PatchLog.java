package io.evenkeel.kube.patch;

import io.evenkeel.kube.api.Occurrences;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lines about patches: one at once when a kind's objects cannot be written, and another every few minutes. */
final class PatchLog {
    private static final Logger log = LoggerFactory.getLogger(PatchLog.class);
    private static final Duration A_LINE = Duration.ofMinutes(5);

    private final LongSupplier nanos;
    private final Map<String, Occurrences> failures = new HashMap<>();

    PatchLog(LongSupplier nanos) {
        this.nanos = nanos;
    }

    void written(MergePatch patch) {
        log.atDebug()
                .setMessage("Patched an object")
                .addKeyValue("kind", patch.kind().name())
                .addKeyValue("object", patch.object().key())
                .addKeyValue("subresource", patch.subresource())
                .log();
    }

    void failed(MergePatch patch, String why, boolean isTriedAgain) {
        failures.computeIfAbsent(patch.kind().name(), _ -> new Occurrences(A_LINE, nanos))
                .count(times -> log.atWarn()
                        .setMessage("Cannot patch an object")
                        .addKeyValue("kind", patch.kind().name())
                        .addKeyValue("object", patch.object().key())
                        .addKeyValue("subresource", patch.subresource())
                        .addKeyValue("why", why)
                        .addKeyValue("triedAgain", isTriedAgain)
                        .addKeyValue("times", times)
                        .log());
    }
}
