package io.evenkeel.policies.status;

import io.evenkeel.app.companion.Times;
import io.evenkeel.app.companion.Times.Settling;
import io.evenkeel.kube.api.Clocks.ApiTime;
import io.evenkeel.model.decode.cursor.Excerpt;
import io.evenkeel.model.policy.PolicyObject;
import io.evenkeel.model.policy.PolicyRule;
import io.evenkeel.model.policy.PolicySpec;
import io.evenkeel.model.policy.PolicyStatus;
import io.evenkeel.model.policy.PolicyStatus.PolicyCondition;
import io.evenkeel.model.policy.PolicyStatus.RelaxedDomain;
import io.evenkeel.model.policy.PolicyStatus.RuleStatus;
import io.evenkeel.policies.PolicyBook;
import io.evenkeel.policies.PolicyReading;
import io.evenkeel.policies.PolicyReading.Breach;
import io.evenkeel.policies.PolicyReading.Contradiction;
import io.evenkeel.policies.ReadablePolicy;
import io.evenkeel.policies.status.Finding.ConditionType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/**
 * The row of one policy: by its last reading, and by what was said before, also by another replica. Changes that come and go
 * within the time to settle are not said.
 */
final class PolicyRow {
    private static final PolicyReading NOTHING = new PolicyReading(0, 0, List.of(), List.of());

    private final ReadablePolicy policy;
    private final Times times;
    private final Relaxations relaxations;
    private final SampledPods lookout = new SampledPods();
    private final DomainMemory memory;
    private final Settling violated;
    private final Settling unsatisfiable;
    private PolicyReading reading = NOTHING;
    private PolicyStatus said;
    private long readAt = -1;
    private long resting;

    /** @param said before, of this policy or of what it asked for then */
    PolicyRow(ReadablePolicy policy, PolicyStatus said, Times times) {
        this.policy = policy;
        this.said = said;
        this.times = times;
        this.relaxations = new Relaxations(policy, said.relaxed(), times);
        this.memory = new DomainMemory(policy.policy().spec(), said.remembered(), times);
        this.violated = times.settling(isFalse(ConditionType.SATISFIED));
        this.unsatisfiable = times.settling(isFalse(ConditionType.SATISFIABLE));
    }

    private boolean isFalse(ConditionType type) {
        return said.condition(type.apiName()).filter(PolicyCondition::isFalse).isPresent();
    }

    /** Tells the policy from all others of its time. */
    String key() {
        return keyOf(policy.policy());
    }

    static String keyOf(PolicyObject policy) {
        return policy.kindName() + " " + policy.meta().key();
    }

    /** Whether anything has changed since this was asked last. */
    boolean isToBeRead(long changes) {
        boolean isToBeRead = readAt != changes;
        readAt = changes;
        return isToBeRead;
    }

    /** It is not to be read for so many turns. */
    void rest(long turns) {
        resting = turns;
    }

    boolean takesTurnOff() {
        resting = Math.max(0, resting - 1);
        return resting > 0;
    }

    ReadablePolicy policy() {
        return policy;
    }

    PolicyReading reading() {
        return reading;
    }

    /** Returns the status to write now. */
    PolicyStatus said() {
        return said;
    }

    /** Why it cannot be kept or satisfied at the moment, as a condition has it; empty where it can. */
    Optional<String> reasonAgainst() {
        return policy.fault().isPresent()
                ? Optional.of(Findings.INVALID)
                : reading.contradictions().stream().findFirst().map(Contradiction::reason);
    }

    void read(PolicyReading now) {
        reading = now;
    }

    /** Whether one of its rules yields. */
    boolean mayBeRelaxed() {
        return policy.fault().isEmpty()
                && policy.policy().spec().rules().stream()
                        .anyMatch(rule -> rule.terms().relaxAfterSeconds().isPresent());
    }

    DomainMemory memory() {
        return memory;
    }

    /** The domains as its waiting pods see them. */
    SampledPods lookout() {
        return lookout;
    }

    /** The domains for which its pods need not wait. */
    Relaxations relaxations() {
        return relaxations;
    }

    /**
     * Works out what is to be said.
     *
     * @param turned is told of each condition that has become another, with what was said before
     * @return whether nothing more comes of it without another reading
     */
    boolean judge(BiConsumer<Finding, Optional<PolicyCondition>> turned) {
        long now = times.now();
        violated.note(!reading.breaches().isEmpty(), now);
        unsatisfiable.note(!reading.contradictions().isEmpty(), now);
        List<PolicyCondition> conditions = new ArrayList<>();
        for (Finding finding : findings()) {
            Optional<PolicyCondition> before = said.condition(finding.type().apiName());
            boolean isAnother =
                    before.filter(one -> one.status().equals(finding.status())).isEmpty();
            String since = before.filter(_ -> !isAnother)
                    .map(PolicyCondition::lastTransitionTime)
                    .filter(time -> !time.isEmpty())
                    .orElseGet(() -> ApiTime.seconds(times.at(since(finding))));
            conditions.add(new PolicyCondition(
                    finding.type().apiName(),
                    finding.status(),
                    generation(),
                    since,
                    finding.reason(),
                    finding.message()));
            if (isAnother) {
                turned.accept(finding, before);
            }
        }
        said = new PolicyStatus(
                generation(), reading.pods(), reading.waiting(), rules(), relaxations.now(), memory.now(), conditions);
        return !violated.isTurning() && !unsatisfiable.isTurning() && memory.isAtRest();
    }

    private long generation() {
        return policy.policy().meta().generation();
    }

    private long since(Finding finding) {
        return switch (finding.type()) {
            case SATISFIED -> violated.hasTurned() ? violated.turnedAt() : times.now();
            case SATISFIABLE -> unsatisfiable.hasTurned() ? unsatisfiable.turnedAt() : times.now();
            case ACCEPTED, STRICT, SEEN_BY_AUTOSCALER -> times.now();
        };
    }

    private List<Finding> findings() {
        return policy.fault().map(Findings::ofFault).orElseGet(this::ofWhatCanBeKept);
    }

    private List<Finding> ofWhatCanBeKept() {
        List<Finding> findings = new ArrayList<>(
                List.of(policy.leftOut().map(Findings::leftOut).orElse(Findings.ACCEPTED), satisfied(), satisfiable()));
        if (mayBeRelaxed()) {
            findings.add(Findings.strict(relaxations.now()));
        }
        findings.add(Findings.seen(policy.policy().spec()));
        return findings;
    }

    private Finding satisfied() {
        List<Breach> breaches = reading.breaches();
        if (!violated.isInEffect()) {
            return Findings.SATISFIED;
        }
        return breaches.isEmpty()
                ? asBefore(ConditionType.SATISFIED)
                : Finding.isFalse(
                        ConditionType.SATISFIED,
                        breaches.getFirst().limit().reason(),
                        Findings.bounded(breaches.stream().map(Breach::message).collect(Collectors.joining("; "))));
    }

    private Finding satisfiable() {
        List<Contradiction> contradictions = reading.contradictions();
        if (!unsatisfiable.isInEffect()) {
            return Findings.SATISFIABLE;
        }
        return contradictions.isEmpty()
                ? asBefore(ConditionType.SATISFIABLE)
                : Finding.isFalse(
                        ConditionType.SATISFIABLE,
                        contradictions.getFirst().reason(),
                        Findings.bounded(contradictions.stream()
                                .map(Contradiction::message)
                                .collect(Collectors.joining("; "))));
    }

    /** It is over, and whether that lasts is not known yet. */
    private Finding asBefore(ConditionType type) {
        return said.condition(type.apiName())
                .map(before -> Finding.isFalse(type, before.reason(), before.message()))
                .orElseThrow();
    }

    private List<RuleStatus> rules() {
        return reading.rules().stream()
                .map(rule -> new RuleStatus(
                        rule.topologyKey(),
                        rule.domains(),
                        rule.moreDomains(),
                        rule.fewest(),
                        rule.most(),
                        rule.skew()))
                .toList();
    }

    /** The findings about policies, in their fixed words. */
    private static final class Findings {
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
}
