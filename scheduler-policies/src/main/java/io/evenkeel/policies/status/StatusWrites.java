package io.evenkeel.policies.status;

import io.evenkeel.app.companion.Times;
import io.evenkeel.kube.api.LogThrottle;
import io.evenkeel.kube.patch.MergePatch;
import io.evenkeel.kube.patch.PatchSink;
import io.evenkeel.model.policy.PolicyObject;
import io.evenkeel.model.policy.PolicyStatus;
import io.evenkeel.model.policy.PolicyStatus.RememberedDomain;
import io.evenkeel.model.policy.PolicyStatus.RuleStatus;
import io.evenkeel.model.write.Tree;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the statuses written that the API server has otherwise. Whether one was written is known by the policy that comes back; one that
 * does not is sent again after a while, as the server may have refused it, or somebody may have written something else.
 */
final class StatusWrites {
    private static final int MOST_AT_A_TIME = 10;
    private static final long PATIENCE = Duration.ofMinutes(1).toNanos();

    private static final Logger log = LoggerFactory.getLogger(StatusWrites.class);
    private static final Duration A_LINE = Duration.ofHours(1);

    private record Sent(PolicyStatus status, long at) {
        static final Sent NOTHING = new Sent(PolicyStatus.NONE, 0);
    }

    private final PatchSink patches;
    private final Times times;
    /** The unwritten rows, each with what was sent last, if anything was. */
    private final Map<PolicyRow, Sent> unwritten = new LinkedHashMap<>();

    private final LogThrottle missing;

    StatusWrites(PatchSink patches, Times times) {
        this.patches = patches;
        this.times = times;
        this.missing = new LogThrottle(A_LINE, times::now);
    }

    /** There may be something else to be said. */
    void look(PolicyRow row) {
        if (!isWritten(row)) {
            unwritten.putIfAbsent(row, Sent.NOTHING);
        }
    }

    private static boolean isWritten(PolicyRow row) {
        return row.said().equals(row.policy().policy().status());
    }

    /** Of others nothing is to be written any more. */
    void retain(Collection<PolicyRow> rows) {
        unwritten.keySet().retainAll(Set.copyOf(rows));
    }

    /**
     * Sends what the server does not have yet: no more at a time than are written until the next, and first those by which pods are
     * placed otherwise, so that these wait for no others.
     */
    void send() {
        unwritten.keySet().removeIf(StatusWrites::isWritten);
        int left = send(MOST_AT_A_TIME, row -> !isPlacedAsWritten(row));
        send(left, StatusWrites::isPlacedAsWritten);
    }

    private static boolean isPlacedAsWritten(PolicyRow row) {
        return row.said().placesPodsAs(row.policy().policy().status());
    }

    /** Sends rows; these go to the end, behind rows that have waited. */
    private int send(int most, Predicate<PolicyRow> which) {
        int left = most;
        for (PolicyRow row : List.copyOf(unwritten.keySet())) {
            if (left > 0 && which.test(row)) {
                Sent before = unwritten.getOrDefault(row, Sent.NOTHING);
                Sent after = sent(row, before);
                if (!after.equals(before)) {
                    unwritten.remove(row);
                    unwritten.put(row, after);
                    left--;
                }
            }
        }
        return left;
    }

    private Sent sent(PolicyRow row, Sent before) {
        PolicyStatus status = row.said();
        boolean isSent = before.status().equals(status);
        if (isSent && times.now() - before.at() < PATIENCE) {
            return before;
        }
        PolicyObject policy = row.policy().policy();
        if (isSent) {
            tellThatItDoesNotComeBack(policy);
        }
        patches.put(MergePatch.status(row.policy().kind(), policy.meta(), StatusBody.of(status)));
        return new Sent(status, times.now());
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

    private static final class StatusBody {
        private StatusBody() {}

        static Tree of(PolicyStatus status) {
            return new Tree()
                    .put("observedGeneration", status.observedGeneration())
                    .put("pods", status.pods())
                    .put("waiting", status.waiting())
                    .put("rules", status.rules(), StatusBody::rule)
                    .put(
                            "relaxed",
                            status.relaxed(),
                            relaxed -> new Tree()
                                    .put("topologyKey", relaxed.topologyKey())
                                    .put("domain", relaxed.domain())
                                    .put("reason", relaxed.reason())
                                    .put("since", relaxed.since()))
                    .put("remembered", status.remembered(), StatusBody::remembered)
                    .put(
                            "conditions",
                            status.conditions(),
                            condition -> new Tree()
                                    .put("type", condition.type())
                                    .put("status", condition.status())
                                    .put("observedGeneration", condition.observedGeneration())
                                    .put("lastTransitionTime", condition.lastTransitionTime())
                                    .put("reason", condition.reason())
                                    .put("message", condition.message()));
        }

        private static Tree rule(RuleStatus rule) {
            Tree tree = new Tree()
                    .put("topologyKey", rule.topologyKey())
                    .put(
                            "domains",
                            rule.domains(),
                            domain -> new Tree().put("domain", domain.domain()).put("pods", domain.pods()));
            if (rule.moreDomains() > 0) {
                tree.put("moreDomains", rule.moreDomains());
            }
            return tree.put("fewest", rule.fewest()).put("most", rule.most()).put("skew", rule.skew());
        }

        private static Tree remembered(RememberedDomain remembered) {
            Tree tree = new Tree().put("topologyKey", remembered.topologyKey()).put("domain", remembered.domain());
            return remembered.isGone() ? tree.put("goneSince", remembered.goneSince()) : tree;
        }
    }
}
