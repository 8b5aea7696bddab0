package io.evenkeel.tools.page;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.model.Pod;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.policy.ClusterPlacementPolicy;
import io.evenkeel.model.policy.PlacementPolicy;
import io.evenkeel.model.policy.PolicyObject;
import io.evenkeel.model.policy.PolicyRule;
import io.evenkeel.model.policy.PolicyStatus;
import io.evenkeel.model.policy.PolicyStatus.PolicyCondition;
import io.evenkeel.model.policy.PolicyStatus.RuleStatus;
import io.evenkeel.model.value.Labels;
import io.evenkeel.model.write.Tree;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The policies of a cluster with what their status says, those that are not kept first. */
final class PolicyTable {
    private static final int MOST = 200;
    private static final int MOST_OF_A_WORKLOAD = 10;

    private final ClusterView cluster;
    private final List<Row> rows;

    PolicyTable(ClusterView cluster) {
        this.cluster = cluster;
        rows = Stream.of(Kinds.PLACEMENT_POLICY, Kinds.CLUSTER_PLACEMENT_POLICY)
                .flatMap(kind -> cluster.all(kind.name()).stream())
                .filter(PolicyObject.class::isInstance)
                .map(PolicyObject.class::cast)
                .map(Row::of)
                .sorted(Comparator.comparing(Row::state)
                        .thenComparing(row -> row.policy().meta().key()))
                .toList();
    }

    List<Tree> trees() {
        return rows.stream().limit(MOST).map(Row::tree).toList();
    }

    int more() {
        return Math.max(0, rows.size() - MOST);
    }

    /** Those that the pod is about, in short. */
    List<Tree> of(Pod pod) {
        return rows.stream()
                .filter(row -> isAbout(row.policy(), pod))
                .limit(MOST_OF_A_WORKLOAD)
                .map(Row::head)
                .toList();
    }

    private boolean isAbout(PolicyObject policy, Pod pod) {
        boolean isOfNamespace = switch (policy) {
            case PlacementPolicy own -> own.meta().namespace().equals(pod.namespace());
            case ClusterPlacementPolicy wide ->
                wide.spec()
                        .namespaceSelector()
                        .matches(cluster.namespaces().labelsOf(pod.namespace()).orElse(Labels.EMPTY));
        };
        return isOfNamespace && policy.spec().selector().matches(pod.meta().labels());
    }

    /** What is to be said of a policy, the worst first. */
    private enum State {
        INVALID,
        BROKEN,
        IMPOSSIBLE,
        UNKNOWN,
        KEPT
    }

    private record Row(PolicyObject policy, State state, String message) {
        private static final String SATISFIED = "Satisfied";

        static Row of(PolicyObject policy) {
            PolicyStatus status = policy.status();
            return fault(status, "Accepted", policy, State.INVALID)
                    .or(() -> fault(status, SATISFIED, policy, State.BROKEN))
                    .or(() -> fault(status, "Satisfiable", policy, State.IMPOSSIBLE))
                    .or(() -> status.condition(SATISFIED).map(kept -> new Row(policy, State.KEPT, kept.message())))
                    .orElseGet(() -> new Row(policy, State.UNKNOWN, "its status says nothing yet"));
        }

        private static Optional<Row> fault(PolicyStatus status, String condition, PolicyObject policy, State state) {
            return status.condition(condition)
                    .filter(PolicyCondition::isFalse)
                    .map(there -> new Row(policy, state, there.message()));
        }

        Tree head() {
            return new Tree()
                    .put("kind", policy.kindName())
                    .put("namespace", policy.meta().namespace())
                    .put("name", policy.meta().name())
                    .put("state", state.name().toLowerCase(Locale.ROOT))
                    .put("message", message);
        }

        Tree tree() {
            PolicyStatus status = policy.status();
            List<PolicyRule> rules = policy.spec().rules();
            return head().put("placed", status.pods())
                    .put("waiting", status.waiting())
                    .put(
                            "rules",
                            IntStream.range(0, rules.size()).boxed().toList(),
                            i -> rule(
                                    rules.get(i),
                                    i < status.rules().size() ? status.rules().get(i) : NONE));
        }

        private static final RuleStatus NONE = new RuleStatus("", List.of(), 0, 0, 0, 0);

        private static Tree rule(PolicyRule rule, RuleStatus there) {
            return new Tree()
                    .put("topologyKey", rule.topologyKey())
                    .put("limits", limits(rule))
                    .put("whenUnsatisfiable", rule.isHard() ? "DoNotSchedule" : "ScheduleAnyway")
                    .put("skew", there.skew())
                    .put(
                            "domains",
                            there.domains(),
                            each -> new Tree().put("value", each.domain()).put("pods", each.pods()))
                    .put("moreDomains", there.moreDomains());
        }

        /** As the policy has them: {@code maxPods 2}. */
        private static List<String> limits(PolicyRule rule) {
            List<String> limits = new ArrayList<>();
            put("maxPods", rule.maxPods(), limits);
            put("maxPercent", rule.maxPercent(), limits);
            put("maxDomains", rule.maxDomains(), limits);
            put("maxSkew", rule.maxSkew(), limits);
            if (!rule.mustUse().isEmpty()) {
                limits.add("mustUse " + String.join(", ", rule.mustUse()));
            }
            if (!rule.weights().isEmpty()) {
                limits.add("weights "
                        + String.join(
                                ", ",
                                rule.weights().stream()
                                        .map(each -> each.domain() + " " + each.weight())
                                        .toList()));
            }
            return limits;
        }

        private static void put(String name, OptionalInt limit, List<String> limits) {
            limit.ifPresent(most -> limits.add(name + " " + most));
        }
    }
}
