package io.evenkeel.policies;

import io.evenkeel.model.decode.cursor.Excerpt;
import io.evenkeel.model.policy.ClusterPlacementPolicy;
import io.evenkeel.model.policy.PolicyObject;
import io.evenkeel.model.policy.PolicyRule;
import io.evenkeel.model.policy.PolicyRule.DomainWeight;
import io.evenkeel.model.policy.PolicySpec;
import io.evenkeel.model.value.LabelRequirement;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.NameForm;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Why a policy cannot be kept. The custom resource's definition refuses most of it; but one that is not refused must not be taken
 * for none: its pods wait.
 */
final class PolicyFaults {
    private static final int MOST_WEIGHT = 1_000_000;

    /** As many as the definition takes: each costs every pod of the policy a look at the nodes. */
    private static final int MOST_RULES = 16;

    private static final int MOST_KEYS = 16;

    /** In a list of a rule, as many as the definition takes. */
    static final int MOST_DOMAINS = 100;

    private PolicyFaults() {}

    /** The first fault, with the field that has it. */
    static Optional<String> in(PolicyObject policy) {
        PolicySpec spec = policy.spec();
        return absent(policy)
                .or(() -> LabelFaults.inSelector("spec.selector", spec.selector()))
                .or(() -> LabelFaults.inSelector("spec.namespaceSelector", spec.namespaceSelector()))
                .or(() -> in(spec.rules()));
    }

    private static Optional<String> absent(PolicyObject policy) {
        if (policy.spec().selector().matchesNothing()) {
            return Optional.of("spec.selector: is required");
        }
        return policy instanceof ClusterPlacementPolicy
                        && policy.spec().namespaceSelector().matchesNothing()
                ? Optional.of("spec.namespaceSelector: is required")
                : Optional.empty();
    }

    private static Optional<String> in(List<PolicyRule> rules) {
        if (rules.isEmpty()) {
            return Optional.of("spec.rules: must have at least one");
        }
        Optional<String> tooMany = tooMany("spec.rules", rules, MOST_RULES);
        if (tooMany.isPresent()) {
            return tooMany;
        }
        for (int i = 0; i < rules.size(); i++) {
            Optional<String> fault = in(rules.get(i));
            if (fault.isPresent()) {
                return Optional.of("spec.rules[" + i + "]" + fault.get());
            }
        }
        return Optional.empty();
    }

    private static Optional<String> in(PolicyRule rule) {
        if (rule.limitsNothing()) {
            return Optional.of(": limits nothing");
        }
        return inSizes(rule)
                .or(() -> inLabels(rule))
                .or(() -> outside("maxPods", rule.maxPods(), Integer.MAX_VALUE))
                .or(() -> outside("maxPercent", rule.maxPercent(), 100))
                .or(() -> outside("maxDomains", rule.maxDomains(), Integer.MAX_VALUE))
                .or(() -> outside("maxSkew", rule.maxSkew(), Integer.MAX_VALUE))
                .or(() -> outside("relaxAfterSeconds", rule.terms().relaxAfterSeconds(), Integer.MAX_VALUE))
                .or(() -> outside("rememberDomainsSeconds", rule.terms().rememberDomainsSeconds(), Integer.MAX_VALUE))
                .or(() -> twice("mustUse", rule.mustUse()))
                .or(() -> twice("knownDomains", rule.terms().knownDomains()))
                .or(() -> twice("matchLabelKeys", rule.terms().matchLabelKeys()))
                .or(() -> inWeights(rule.weights()))
                .or(() -> tooManyMust(rule))
                .or(() -> inTerms(rule));
    }

    private static Optional<String> inSizes(PolicyRule rule) {
        return tooMany(".matchLabelKeys", rule.terms().matchLabelKeys(), MOST_KEYS)
                .or(() -> tooMany(".knownDomains", rule.terms().knownDomains(), MOST_DOMAINS))
                .or(() -> tooMany(".mustUse", rule.mustUse(), MOST_DOMAINS))
                .or(() -> tooMany(".weights", rule.weights(), MOST_DOMAINS));
    }

    private static Optional<String> tooMany(String field, List<?> elements, int most) {
        return elements.size() <= most
                ? Optional.empty()
                : Optional.of(field + ": must have " + most + " at most, got " + elements.size());
    }

    private static Optional<String> inLabels(PolicyRule rule) {
        return LabelFaults.inKey(".topologyKey", rule.topologyKey())
                .or(() -> LabelFaults.inKeys(".matchLabelKeys", rule.terms().matchLabelKeys()))
                .or(() -> LabelFaults.inValues(".knownDomains", rule.terms().knownDomains()))
                .or(() -> LabelFaults.inValues(".mustUse", rule.mustUse()))
                .or(() -> LabelFaults.inValues(".weights", domains(rule.weights())));
    }

    private static List<String> domains(List<DomainWeight> weights) {
        return weights.stream().map(DomainWeight::domain).toList();
    }

    private static Optional<String> outside(String field, OptionalInt number, int most) {
        if (number.isEmpty() || (number.getAsInt() >= 1 && number.getAsInt() <= most)) {
            return Optional.empty();
        }
        return Optional.of("." + field + ": must be from 1 to " + most + ", got " + number.getAsInt());
    }

    private static Optional<String> twice(String field, List<String> domains) {
        Set<String> known = new HashSet<>();
        return domains.stream()
                .filter(domain -> !known.add(domain))
                .findFirst()
                .map(domain -> "." + field + ": has " + domain + " twice");
    }

    private static Optional<String> inWeights(List<DomainWeight> weights) {
        if (weights.isEmpty()) {
            return Optional.empty();
        }
        return twice("weights", domains(weights))
                .or(() -> weights.stream()
                        .filter(part -> part.weight() < 0 || part.weight() > MOST_WEIGHT)
                        .findFirst()
                        .map(part -> ".weights: must be from 0 to " + MOST_WEIGHT + ", got " + part.weight() + " of "
                                + part.domain()))
                .or(() -> weights.stream().allMatch(part -> part.weight() == 0)
                        ? Optional.of(".weights: are all 0")
                        : Optional.empty());
    }

    private static Optional<String> inTerms(PolicyRule rule) {
        PolicyRule skewOnly = PolicyRule.over(rule.topologyKey())
                .on(rule.terms())
                .withMaxSkew(rule.maxSkew().orElse(1));
        if (!rule.isHard() && !rule.equals(skewOnly)) {
            return Optional.of(".whenUnsatisfiable: may be ScheduleAnyway of maxSkew alone");
        }
        if (!rule.isHard() && rule.terms().relaxAfterSeconds().isPresent()) {
            return Optional.of(".relaxAfterSeconds: is for what is not ScheduleAnyway");
        }
        if (rule.maxSkew().isEmpty() && rule.terms().relaxAfterSeconds().isPresent()) {
            return Optional.of(".relaxAfterSeconds: is for maxSkew");
        }
        if (rule.maxSkew().isEmpty() && rule.terms().rememberDomainsSeconds().isPresent()) {
            return Optional.of(".rememberDomainsSeconds: is for maxSkew");
        }
        return rule.maxSkew().isEmpty() && !rule.terms().knownDomains().isEmpty()
                ? Optional.of(".knownDomains: is for maxSkew")
                : Optional.empty();
    }

    private static Optional<String> tooManyMust(PolicyRule rule) {
        return rule.maxDomains().isPresent()
                        && rule.mustUse().size() > rule.maxDomains().getAsInt()
                ? Optional.of(".mustUse: has " + rule.mustUse().size() + " domains, maxDomains is "
                        + rule.maxDomains().getAsInt())
                : Optional.empty();
    }

    /** Finds labels that nothing can ever match; each check gives the first fault, behind the field. */
    private static final class LabelFaults {
        private LabelFaults() {}

        static Optional<String> inKey(String field, String key) {
            return NameForm.isLabelKey(key)
                    ? Optional.empty()
                    : Optional.of(field + ": must be the key of a label, such as \"name\" or \"example.com/name\" with "
                            + NameForm.LONGEST_NAME + " characters at most behind the slash, got "
                            + Excerpt.quoted(key));
        }

        static Optional<String> inKeys(String field, List<String> keys) {
            return keys.stream().flatMap(key -> inKey(field, key).stream()).findFirst();
        }

        static Optional<String> inValues(String field, List<String> values) {
            return values.stream()
                    .filter(value -> !NameForm.isLabelValue(value))
                    .findFirst()
                    .map(value -> field + ": must be values of a label, such as \"my-value_1.0\" with "
                            + NameForm.LONGEST_NAME + " characters at most, got " + Excerpt.quoted(value));
        }

        static Optional<String> inSelector(String field, LabelSelector selector) {
            return selector.requirements().stream()
                    .flatMap(requirement -> inRequirement(field, requirement).stream())
                    .findFirst();
        }

        private static Optional<String> inRequirement(String field, LabelRequirement requirement) {
            return inKey(field, requirement.key())
                    .or(() -> inNumberOfValues(field, requirement))
                    .or(() -> inValues(field, requirement.values()));
        }

        private static Optional<String> inNumberOfValues(String field, LabelRequirement requirement) {
            boolean hasNone = requirement.values().isEmpty();
            String what = field + ": " + requirement.operator().apiName() + " of " + requirement.key();
            return switch (requirement.operator()) {
                case IN, NOT_IN -> hasNone ? Optional.of(what + " needs values") : Optional.empty();
                case EXISTS, DOES_NOT_EXIST -> hasNone ? Optional.empty() : Optional.of(what + " takes no values");
            };
        }
    }
}
