package io.evenkeel.cluster.counting;

import static io.evenkeel.cluster.ClusterDrawing.ZONES;
import static io.evenkeel.cluster.ClusterDrawing.app;
import static io.evenkeel.cluster.ClusterDrawing.cluster;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.cluster.ClusterState;
import io.evenkeel.cluster.counting.LabelClasses.LabelClass;
import io.evenkeel.cluster.counting.SelectorGroup.PodMatch;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.model.Pod;
import io.evenkeel.model.constraint.PodAffinity;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever is broken in what is counted, the audit has a line for it. */
class CountingAuditTest {
    private static final LabelSelector WEB = LabelSelector.matchingLabels(Labels.of("app", "web"));
    private static final SelectorGroup.Key WEB_PODS =
            new SelectorGroup.Key(List.of(new PodMatch(NamespaceScope.only("default"), WEB)), true);
    private static final SelectorGroup.Key OTHER_PODS = new SelectorGroup.Key(
            List.of(new PodMatch(
                    NamespaceScope.only("default"), LabelSelector.matchingLabels(Labels.of("app", "other")))),
            true);

    private final ClusterState cluster = cluster("a: n1[web web]", "b: n2[]");
    private final DomainCounters counters = cluster.view().counters();
    private final SelectorIndex selectors = cluster.view().selectors();
    private final CarriedTerms terms = cluster.view().carriedTerms();
    private final SelectorGroup group = selectors.acquire(WEB_PODS);
    private final DomainCounter counter =
            counters.acquire(group.tally(), ZONES, NodeEligibility.Key.having(ZONES.label()), true);
    private final Topology topology = counter.topology();
    private final LabelClass webClass = group.classes.iterator().next();
    private final CarriedTerm term;

    CountingAuditTest() {
        PodAffinityTerm nearWeb = new PodAffinityTerm(WEB, ZONES.label(), List.of(), LabelSelector.NOTHING);
        cluster.put(app("db", "db")
                .podAffinity(new PodAffinity(List.of(), List.of(), List.of(nearWeb), List.of()))
                .nodeName("n2")
                .build());
        term = terms.all().iterator().next();
    }

    @Test
    void whereAllIsWellItSaysNothing() {
        assertThat(ClusterAudit.differences(cluster.view())).isEmpty();
    }

    /** What is broken, and a part of each line that tells so. */
    private record Mistake(Consumer<CountingAuditTest> make, List<String> told) {
        static Mistake of(Consumer<CountingAuditTest> make, String... told) {
            return new Mistake(make, List.of(told));
        }

        @Override
        public String toString() {
            return told.getFirst();
        }
    }

    @ParameterizedTest
    @MethodSource({"inTerms", "inGroups", "inClasses", "inDomains"})
    void aMistakeIsTold(Mistake mistake) {
        mistake.make.accept(this);

        assertThat(mistake.told)
                .allSatisfy(told ->
                        assertThat(ClusterAudit.differences(cluster.view())).anyMatch(line -> line.contains(told)));
    }

    static Stream<Mistake> inTerms() {
        return Stream.of(
                Mistake.of(
                        test -> test.terms.all().clear(),
                        "carried terms: kept [], recounted [Key",
                        "the index still has carried terms that are gone"),
                Mistake.of(
                        test -> CountingRoom.miscount(
                                test.term.counter().tally(),
                                test.cluster.view().nodes().find("n1")),
                        "on node n1: kept 1, recounted 0"),
                Mistake.of(
                        test -> test.term.counter().tally().detach(test.term.counter()),
                        "is not told of changes",
                        "is not told once of each change of its tally"),
                Mistake.of(test -> test.counters.all().remove(test.term.counter()), "was dropped"),
                Mistake.of(test -> test.term.references++, "users of carried term"),
                Mistake.of(
                        test -> test.terms
                                .termsByFilingLabel()
                                .remove(test.term, test.term.key().scope().single(), WEB),
                        "carried terms that match a newcomer like default/p"),
                Mistake.of(
                        test -> test.selectors.mentioned().selectorsByKey().merge("app", 1, Integer::sum),
                        "selectors that mention each label key: kept {app=3}, recounted {app=2}"),
                Mistake.of(
                        test -> test.selectors.mentioned().selectorsByKey().put("gone", 0),
                        "label keys that no selector mentions any more: kept 0, recounted 1"));
    }

    static Stream<Mistake> inGroups() {
        return Stream.of(
                Mistake.of(test -> test.group.references = 0, "kept without a user: group"),
                Mistake.of(
                        test -> test.selectors
                                .groupsByFilingLabel()
                                .remove(test.group, test.group.key().namespace(), WEB),
                        "0 times for default/p"),
                Mistake.of(
                        test -> test.selectors.groupsByFilingLabel().add(new SelectorGroup(OTHER_PODS), WEB),
                        "the index still has group"),
                Mistake.of(
                        test -> test.group.classes.remove(test.webClass),
                        "label classes listed by group",
                        "lists other label classes than those that list it"));
    }

    static Stream<Mistake> inClasses() {
        return Stream.of(
                Mistake.of(test -> test.webClass.pods++, "pods of label class"),
                Mistake.of(
                        test -> test.webClass.firstPod =
                                test.selectors.classes().next(test.webClass.firstPod),
                        "pod rows of label class"),
                Mistake.of(test -> test.webClass.groups.remove(test.group), "whether label class"),
                Mistake.of(test -> test.webClass.groups.add(test.group), "different groups of label class"),
                Mistake.of(
                        test -> test.webClass.groups.add(new SelectorGroup(OTHER_PODS)),
                        "is in groups that are gone: 1"),
                Mistake.of(test -> test.selectors.classes().byLabel().clear(), "label classes by label: kept {}"),
                Mistake.of(test -> test.selectors.classes().all().clear(), "label classes: kept [], recounted ["),
                Mistake.of(
                        test -> test.selectors
                                .classes()
                                .join(
                                        0,
                                        new LabelClass(
                                                new LabelClass.Key("default", Labels.EMPTY, Pod.Departure.STAYS))),
                        "label class of pod default/p0"));
    }

    static Stream<Mistake> inDomains() {
        return Stream.of(
                Mistake.of(
                        test -> test.topology.removeNode(
                                test.cluster.view().nodes().find("n1")),
                        "domain of node n1: kept Optional.empty, recounted Optional[a]",
                        "number of domains: kept 1, recounted 2",
                        "values of domains: kept [b]"),
                Mistake.of(test -> ((NodeSet) test.topology.nodesOf(0)).clear(), "node set of domain 0 a"),
                Mistake.of(test -> test.topology.references = 0, "kept without a user: topology"),
                Mistake.of(test -> test.topology.freeDomains().add(0), "nodes in domain 0 a: kept 1, recounted 0"),
                Mistake.of(test -> test.topology.freeDomains().add(2), "free domain ids: kept 1, recounted 0"),
                Mistake.of(
                        test -> test.counter
                                .eligibility()
                                .removeNode(test.cluster.view().nodes().find("n1")),
                        "eligible nodes of"),
                Mistake.of(
                        test -> test.counter.eligibility().references = 0,
                        "kept without a user: eligibility",
                        "counters that use eligibility"),
                Mistake.of(test -> test.counter.domains().references = 0, "counters that use the domains of"),
                Mistake.of(
                        test -> test.counter.removeNode(
                                test.cluster.view().nodes().find("n1")),
                        "sum of domain a: kept 0, recounted 2"),
                Mistake.of(test -> test.counter.references = 0, "kept without a user: counter by"),
                Mistake.of(
                        test -> test.counter
                                .domains()
                                .removeNode(test.cluster.view().nodes().find("n1")),
                        "eligible nodes of domain a: kept 0, recounted 1",
                        "whether domain a counts: kept false, recounted true",
                        "domains that count: kept 1, recounted 2"),
                Mistake.of(
                        test -> {
                            while (test.topology.references > 0) {
                                test.counters.release(test.topology);
                            }
                        },
                        "sums up by a topology or an eligibility that was dropped"));
    }
}
