package io.evenkeel.app.policy;

import io.evenkeel.app.companion.Times;
import io.evenkeel.kube.api.Occurrences;
import io.evenkeel.kube.patch.MergePatch;
import io.evenkeel.kube.patch.PatchSink;
import io.evenkeel.model.policy.PolicyObject;
import io.evenkeel.model.policy.PolicyStatus;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the statuses written that the API server has otherwise. Whether one was written is known by the policy that comes back; one that
 * does not is sent again after a while, as the server may have refused it, or somebody may have written something else.
 */
final class StatusWrites {
    private static final long PATIENCE = Duration.ofMinutes(1).toNanos();

    private static final Logger log = LoggerFactory.getLogger(StatusWrites.class);
    private static final Duration A_LINE = Duration.ofHours(1);

    private record Sent(PolicyStatus status, long at) {}

    private final PatchSink patches;
    private final Times times;
    private final Map<String, PolicyRow> unwritten = new LinkedHashMap<>();
    private final Map<String, Sent> sent = new HashMap<>();
    private final Occurrences missing;

    StatusWrites(PatchSink patches, Times times) {
        this.patches = patches;
        this.times = times;
        this.missing = new Occurrences(A_LINE, times::now);
    }

    /** There may be something else to be said. */
    void look(String key, PolicyRow row) {
        if (!row.said().equals(row.policy().policy().status())) {
            unwritten.put(key, row);
        }
    }

    void forget(String key) {
        unwritten.remove(key);
        sent.remove(key);
    }

    /** Sends what the server does not have yet. */
    void send() {
        Iterator<Map.Entry<String, PolicyRow>> each = unwritten.entrySet().iterator();
        while (each.hasNext()) {
            Map.Entry<String, PolicyRow> entry = each.next();
            PolicyRow row = entry.getValue();
            PolicyObject policy = row.policy().policy();
            if (row.said().equals(policy.status())) {
                sent.remove(entry.getKey());
                each.remove();
            } else {
                send(entry.getKey(), policy, row.said());
            }
        }
    }

    private void send(String key, PolicyObject policy, PolicyStatus status) {
        Sent before = sent.get(key);
        if (before == null || !before.status().equals(status) || times.now() - before.at() >= PATIENCE) {
            if (before != null && before.status().equals(status)) {
                tellThatItDoesNotComeBack(policy);
            }
            sent.put(key, new Sent(status, times.now()));
            patches.put(MergePatch.status(
                    PolicyNews.kindOf(policy), policy.meta(), json -> StatusBody.write(json, status)));
        }
    }

    /** As where the definitions are of a release that knew of no statuses: the server drops what they do not name. */
    private void tellThatItDoesNotComeBack(PolicyObject policy) {
        missing.count(times -> log.atWarn()
                .setMessage("Policy status is not as it was written, writing it again")
                .addKeyValue("kind", policy.kindName())
                .addKeyValue("policy", policy.meta().key())
                .addKeyValue("times", times)
                .log());
    }
}
