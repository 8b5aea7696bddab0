package io.evenkeel.app.policy;

import io.evenkeel.model.decode.cursor.Excerpt;
import io.evenkeel.model.policy.PolicyRule;
import io.evenkeel.model.policy.PolicySpec;
import io.evenkeel.model.policy.RelaxedDomain;
import io.evenkeel.plugins.placementpolicy.bound.PolicyBook;
import java.util.List;
import java.util.stream.Collectors;

/** The findings about policies, in their fixed words. */
final class Findings {
    private static final int MOST_MESSAGE = 1_024;

    static final String INVALID = "InvalidSpec";

    static final Finding ACCEPTED = Finding.isTrue(ConditionType.ACCEPTED, "Valid", "its pods are placed by it");
    static final Finding SATISFIED =
            Finding.isTrue(ConditionType.SATISFIED, "LimitsKept", "no pods on nodes break a limit");
    static final Finding SATISFIABLE =
            Finding.isTrue(ConditionType.SATISFIABLE, "NoContradiction", "nothing is known that rules it out");
    static final Finding UNSEEN = Finding.isFalse(
            ConditionType.SEEN_BY_AUTOSCALER,
            "HardRules",
            "cluster autoscalers simulate without this policy: for pods that wait for it they may add no node, or one"
                    + " that does not help");

    static final Finding SEEN =
            Finding.isTrue(ConditionType.SEEN_BY_AUTOSCALER, "NoHardRules", "no pod waits for this policy");

    private Findings() {}

    /** So many policies hold for a pod that this one does not. */
    static Finding leftOut(String pod) {
        return Finding.isFalse(
                ConditionType.ACCEPTED,
                "TooManyPolicies",
                PolicyBook.MOST + " policies hold for a pod at most, and for " + pod
                        + " others come first: those of the cluster, then by name");
    }

    /** Whether a policy that may be relaxed is, and for which domains. */
    static Finding strict(List<RelaxedDomain> relaxed) {
        return relaxed.isEmpty()
                ? Finding.isTrue(ConditionType.STRICT, "NotRelaxed", "its pods wait for all domains that count")
                : Finding.isFalse(
                        ConditionType.STRICT,
                        "Relaxed",
                        bounded("its pods need not wait for "
                                + relaxed.stream()
                                        .map(domain -> domain.domain() + " of " + domain.topologyKey() + " ("
                                                + domain.reason() + ")")
                                        .collect(Collectors.joining(", "))));
    }

    static String bounded(String message) {
        return Excerpt.of(message, MOST_MESSAGE - 1);
    }

    /** Says what cluster autoscalers know of a policy: a preference keeps no pod waiting that they would have to care for. */
    static Finding seen(PolicySpec spec) {
        return spec.rules().stream().anyMatch(PolicyRule::isHard) ? UNSEEN : SEEN;
    }

    /** Of a policy that cannot be kept, nothing else is known. */
    static List<Finding> ofFault(String fault) {
        String message = fault + "; its pods wait";
        return List.of(
                Finding.isFalse(ConditionType.ACCEPTED, INVALID, message),
                Finding.unknown(ConditionType.SATISFIED, INVALID, fault),
                Finding.unknown(ConditionType.SATISFIABLE, INVALID, fault),
                UNSEEN);
    }
}
