package io.evenkeel.cluster;

import io.evenkeel.cluster.ClusterState.ClusterLimits;
import io.evenkeel.cluster.counting.CarriedTerm;
import io.evenkeel.cluster.counting.CountingRoom;
import io.evenkeel.cluster.shape.FacetKind;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.model.Namespace;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.Service;
import io.evenkeel.model.WorkloadOwner;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.value.Labels;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Runs events against a cluster and, after each, compares it with an audit and with what is expected. */
final class ClusterDriver {
    private static final FacetKind<Integer> LABELS =
            new FacetKind<>("number of labels", (pod, _) -> pod.labels().size());

    private final ClusterWriters writers = new ClusterWriters(FeatureGates.DEFAULTS, ClusterLimits.USUAL);
    private final ClusterState cluster = new ClusterState(writers);
    private final ExpectedCluster expected = new ExpectedCluster();
    private final HeldThings held = new HeldThings(cluster);
    private int unobserved;

    private ClusterDriver() {
        cluster.view().shapes().register(LABELS);
        cluster.view().index(AppIndex.class, AppIndex::new);
    }

    /** What is wrong after the first event after which something is, or nothing. */
    static List<String> failureOf(List<ClusterEvent> events) {
        ClusterDriver driver = new ClusterDriver();
        try {
            events.forEach(driver::apply);
            driver.tearDown();
        } catch (Discrepancy found) {
            return found.differences;
        } catch (RuntimeException crash) {
            return List.of("crash: " + crash + " at " + List.of(crash.getStackTrace()));
        }
        return List.of();
    }

    /** Ends a run at the first difference. */
    private static final class Discrepancy extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final transient List<String> differences;

        Discrepancy(List<String> differences) {
            super(String.join("\n", differences));
            this.differences = differences;
        }
    }

    private void apply(ClusterEvent event) {
        switch (event) {
            case ClusterEvent.Put(var object) -> {
                cluster.put(object);
                expectPut(object);
            }
            case ClusterEvent.Remove(var object) -> {
                cluster.remove(object);
                expectRemove(object);
            }
            case ClusterEvent.Change change -> {
                Node node = expected.nodes.get(change.like().name());
                if (node != null) {
                    cluster.put(change.of(node));
                    expected.put(change.of(node));
                }
            }
            case ClusterEvent.Assume(Pod pod, String node) -> assume(pod, node);
            case ClusterEvent.Confirm confirm -> confirm(confirm);
            case ClusterEvent.DropIdle() -> writers.shapes.dropIdle();
            case ClusterEvent.Ask ask -> ask(ask);
            case ClusterEvent.Burst(var events) -> {
                unobserved++;
                events.forEach(this::apply);
                unobserved--;
            }
            case ClusterEvent.Suppose(var events) -> suppose(events);
            default -> held.apply(event);
        }
        check();
    }

    private void expectPut(Object object) {
        switch (object) {
            case Node node -> expected.put(node);
            case Pod pod -> expected.put(pod);
            case Namespace namespace ->
                expected.namespaces.put(
                        namespace.meta().name(), namespace.meta().labels());
            case Service service -> expected.services.put(service.meta().key(), service);
            case WorkloadOwner owner ->
                expected.owners.put(owner.kind() + owner.meta().key(), owner);
            default -> throw new IllegalArgumentException("unexpected " + object);
        }
    }

    private void expectRemove(Object object) {
        switch (object) {
            case Node node -> expected.removeNode(node.name());
            case Pod pod -> expected.pods.remove(pod.key());
            case Namespace namespace ->
                expected.namespaces.remove(namespace.meta().name());
            case Service service -> expected.services.remove(service.meta().key());
            case WorkloadOwner owner ->
                expected.owners.remove(owner.kind() + owner.meta().key());
            default -> throw new IllegalArgumentException("unexpected " + object);
        }
    }

    private void assume(Pod pod, String node) {
        if (expected.nodes.containsKey(node)) {
            cluster.assume(pod, cluster.view().nodes().find(node));
            expected.pods.put(pod.key(), new ExpectedCluster.Placed(pod, node, true));
        }
    }

    private void confirm(ClusterEvent.Confirm event) {
        ExpectedCluster.Placed placed = expected.pods.get(event.podKey());
        if (placed != null && placed.assumed()) {
            Pod confirmed = PodBuilder.from(placed.pod())
                    .nodeName(event.whereAssumed() ? placed.node() : event.elsewhere())
                    .build();
            cluster.put(confirmed);
            expected.put(confirmed);
        }
    }

    private void suppose(List<ClusterEvent> events) {
        ExpectedCluster before = expected.copy();
        String dump = ClusterDump.of(cluster.view());
        try (WhatIf whatIf = cluster.whatIf()) {
            events.forEach(event -> supposeOne(whatIf, event));
        }
        expected.restore(before);
        String after = ClusterDump.of(cluster.view());
        boolean heldOnToSomething = events.stream().anyMatch(ClusterDriver::changesWhatIsHeld);
        if (!heldOnToSomething && !dump.equals(after)) {
            throw new Discrepancy(changes(dump, after));
        }
    }

    /** The lines that only one of two dumps has. */
    private static List<String> changes(String before, String after) {
        List<String> changes = new ArrayList<>(List.of("supposing changed something"));
        Set<String> old = new LinkedHashSet<>(List.of(before.split("\n", -1)));
        Set<String> now = new LinkedHashSet<>(List.of(after.split("\n", -1)));
        old.stream().filter(line -> !now.contains(line)).forEach(line -> changes.add("- " + line));
        now.stream().filter(line -> !old.contains(line)).forEach(line -> changes.add("+ " + line));
        return changes;
    }

    private void supposeOne(WhatIf whatIf, ClusterEvent event) {
        switch (event) {
            case ClusterEvent.Put(Node node) -> {
                whatIf.put(node);
                expected.put(node);
            }
            case ClusterEvent.Change change -> {
                Node node = expected.nodes.get(change.like().name());
                if (node != null) {
                    whatIf.put(change.of(node));
                    expected.put(change.of(node));
                }
            }
            case ClusterEvent.Remove(Node node) -> {
                whatIf.removeNode(node.name());
                expected.removeNode(node.name());
            }
            case ClusterEvent.Remove(Pod pod) -> {
                whatIf.remove(pod);
                expected.pods.remove(pod.key());
            }
            case ClusterEvent.Assume(Pod pod, String node) -> {
                if (expected.nodes.containsKey(node)) {
                    whatIf.place(pod, cluster.view().nodes().find(node));
                    expected.pods.put(pod.key(), new ExpectedCluster.Placed(pod, node, true));
                }
            }
            case ClusterEvent.Put _, ClusterEvent.Remove _, ClusterEvent.Confirm _ -> {}
            case ClusterEvent.Burst(var events) -> {
                unobserved++;
                events.forEach(inner -> supposeOne(whatIf, inner));
                unobserved--;
            }
            default -> apply(event);
        }
        check();
    }

    private static boolean changesWhatIsHeld(ClusterEvent event) {
        return switch (event) {
            case ClusterEvent.Burst(var events) -> events.stream().anyMatch(ClusterDriver::changesWhatIsHeld);
            case ClusterEvent.Suppose(var events) -> events.stream().anyMatch(ClusterDriver::changesWhatIsHeld);
            case ClusterEvent.Put _,
                    ClusterEvent.Remove _,
                    ClusterEvent.Change _,
                    ClusterEvent.Assume _,
                    ClusterEvent.Confirm _,
                    ClusterEvent.DropIdle _,
                    ClusterEvent.Ask _ -> false;
            default -> true;
        };
    }

    private void ask(ClusterEvent.Ask ask) {
        Set<CarriedTerm> matching =
                new HashSet<>(cluster.view().carriedTerms().matching(ask.namespace(), ask.labels()));
        Set<CarriedTerm> naively = CountingRoom.matching(
                cluster.view().carriedTerms(),
                ask.namespace(),
                ask.labels(),
                expected.namespaces.getOrDefault(ask.namespace(), Labels.EMPTY));
        if (!matching.equals(naively)) {
            throw new Discrepancy(List.of("terms that match " + ask + ": " + matching + ", should be " + naively));
        }
        String peers = cluster.view().workloads().selectorOfPeers(ask.pod()).toString();
        String naive = NaivePeers.selectorOf(ask.pod(), expected).toString();
        if (!peers.equals(naive)) {
            throw new Discrepancy(List.of("peers of " + ask.pod() + ": kept " + peers + ", expected " + naive));
        }
    }

    private void check() {
        if (unobserved > 0) {
            return;
        }
        List<String> differences = new ArrayList<>(ClusterAudit.differences(cluster.view()));
        differences.addAll(expected.differences(cluster));
        differences.addAll(held.differences());
        if (!differences.isEmpty()) {
            throw new Discrepancy(differences);
        }
    }

    /** Gives everything back and takes everything away: nothing may be left. */
    private void tearDown() {
        held.releaseAll();
        check();
        List.copyOf(expected.nodes.keySet()).forEach(name -> {
            cluster.removeNode(name);
            expected.removeNode(name);
        });
        check();
        List.copyOf(expected.pods.keySet()).forEach(cluster::removePod);
        expected.pods.clear();
        writers.shapes.dropIdle();
        check();
        List<String> left = TableSizes.of(cluster).inUse();
        if (!left.isEmpty()) {
            throw new Discrepancy(List.of("left behind: " + left));
        }
    }
}
