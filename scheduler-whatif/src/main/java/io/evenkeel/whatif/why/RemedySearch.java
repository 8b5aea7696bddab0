package io.evenkeel.whatif.why;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.LiveNode;
import io.evenkeel.framework.run.Objection;
import io.evenkeel.framework.run.PluginFailure;
import io.evenkeel.framework.why.Change;
import io.evenkeel.framework.why.Change.NodeAdded;
import io.evenkeel.framework.why.Change.PodGone;
import io.evenkeel.framework.why.Change.Sized;
import io.evenkeel.framework.why.ClaimChange;
import io.evenkeel.framework.why.ClaimChange.FewerDevices;
import io.evenkeel.framework.why.CopiedDevices;
import io.evenkeel.framework.why.PodChange.Priority;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.Taint;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.storage.CsiNode;
import io.evenkeel.model.value.Labels;
import io.evenkeel.model.value.Quantity;
import io.evenkeel.whatif.ClusterSnapshot;
import io.evenkeel.whatif.ClusterSnapshot.Preemption;
import io.evenkeel.whatif.why.Answer.IneffectiveChange;
import io.evenkeel.whatif.why.Answer.NearNode;
import io.evenkeel.whatif.why.Hypothesis.Gang;
import io.evenkeel.whatif.why.PodQuestions.Trial;
import io.evenkeel.whatif.why.Remedy.Edit;
import io.evenkeel.whatif.why.Remedy.PodTemplate;
import io.evenkeel.whatif.why.RemedySearch.RemedyShrinker.Least;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Goes through the menu of changes: mending a near node, one more node, a higher priority. */
final class RemedySearch {
    private static final int MOST_SORTS = 8;
    private static final int MOST_SORTS_PAST = 3;
    private static final int MOST_TRIED = 300;
    private static final int MOST_TOLD = 12;
    private static final int MOST_PRIORITIES = 16;

    private final ClusterSnapshot snapshot;
    private final Pod pod;
    private final Gang gang;
    private final RemedyMenu remedies;
    private final RemedyShrinker smallest;
    private final boolean mayPreempt;
    private final ClusterView cluster;

    /**
     * Of what may help a pod.
     *
     * @param gang the others that wait with it, with the pod or without
     * @param mayPreempt whether others may go for it alone
     */
    RemedySearch(ClusterSnapshot snapshot, Pod pod, Gang gang, RemedyMenu remedies, Trial trial, boolean mayPreempt) {
        this.snapshot = snapshot;
        this.pod = pod;
        this.gang = gang;
        this.remedies = remedies;
        this.smallest = new RemedyShrinker(trial);
        this.mayPreempt = mayPreempt;
        this.cluster = snapshot.view();
    }

    private Hypothesis suppose(List<Change> changes) {
        return new Hypothesis(snapshot, pod, changes, gang);
    }

    /** @param untold how many remedies more there are */
    record Found(List<Remedy> remedies, int untold, List<IneffectiveChange> inVain) {}

    Found search(NearestNodes nodes) {
        Set<Least> helping = new LinkedHashSet<>();
        NodeRepair repair = new NodeRepair(this::suppose, remedies, MOST_TRIED);
        nodes.oneOfEachSort(MOST_SORTS).forEach(node -> repair.repair(node.name(), List.of()));
        nodes.outright().ifPresent(outright -> pastOutright(outright, nodes, repair));
        for (List<Change> changes : repair.found()) {
            smallest.of(changes).ifPresent(helping::add);
        }
        List<IneffectiveChange> inVain = new ArrayList<>();
        newNode(inVain).ifPresent(helping::add);
        List<Remedy> mildestFirst = Stream.concat(
                        helping.stream(), priority().map(changes -> new Least(changes, false)).stream())
                .map(this::remedy)
                .sorted(Remedy.MILDEST_FIRST)
                .toList();
        List<Remedy> worthTelling = mildestFirst.stream()
                .filter(remedy -> mildestFirst.stream().noneMatch(remedy::isMoreThan))
                .toList();
        List<Remedy> told = worthTelling.stream().limit(MOST_TOLD).toList();
        return new Found(told, worthTelling.size() - told.size(), List.copyOf(inVain));
    }

    /** Gets past an objection to the pod as a whole: only then do the objections of each node show. */
    private void pastOutright(Objection outright, NearestNodes nodes, NodeRepair repair) {
        for (List<Change> way : nodes.past(outright)) {
            List<String> names;
            try (Hypothesis passed = suppose(way)) {
                names = passed.fits()
                        ? List.of()
                        : new NearestNodes(passed, remedies, Optional.empty())
                                .oneOfEachSort(MOST_SORTS_PAST).stream()
                                        .map(NearNode::name)
                                        .toList();
            }
            names.forEach(name -> repair.repair(name, way));
        }
    }

    private Remedy remedy(Least least) {
        return new Remedy(
                least.changes(),
                Edit.of(least.changes(), pod, cluster),
                least.isSmallest(),
                smallest.nodeWith(least.changes()).orElseThrow(),
                PodTemplate.of(pod, cluster),
                claiming(least.changes()));
    }

    /** The pods for which other claims are made then. */
    private List<Pod> claiming(List<Change> changes) {
        return (gang.pods().isEmpty() ? List.of(pod) : gang.pods())
                .stream()
                        .filter(each -> changes.stream()
                                .anyMatch(change -> change instanceof ClaimChange own
                                        && !own.source().keysOf(each).isEmpty()))
                        .toList();
    }

    /**
     * The first that helps; where none does by itself, several alike, as other pods may want them too. Where one like those
     * there are does not, it is said why.
     */
    private Optional<Least> newNode(List<IneffectiveChange> inVain) {
        NewNodes nodes = new NewNodes(cluster);
        List<NodeAdded> alike = nodes.alike();
        Optional<Least> found = firstThatHelps(alike.stream().map(List::<Change>of));
        if (found.isPresent() || alike.isEmpty()) {
            return found;
        }
        inVain.add(vain(alike.getFirst()));
        return firstThatHelps(Stream.of(
                        nodes.labelled(labelsOfNewNodes()).stream().map(List::<Change>of),
                        nodes.elsewhere(pod).stream().map(List::<Change>of),
                        alike.stream().filter(this::isForThePod).map(nodes::several))
                .flatMap(Function.identity()));
    }

    private List<Labels> labelsOfNewNodes() {
        try (Hypothesis asItIs = suppose(List.of())) {
            return remedies.labelsOfNewNodes(asItIs.pod());
        }
    }

    /** Whether nothing is in the pod's way on the node but that others may come first. */
    private boolean isForThePod(NodeAdded added) {
        return objections(added).isEmpty();
    }

    private Optional<Least> firstThatHelps(Stream<List<Change>> some) {
        return some.map(smallest::of).flatMap(Optional::stream).findFirst();
    }

    private IneffectiveChange vain(NodeAdded added) {
        List<Objection> objections = objections(added);
        String because = objections.isEmpty()
                ? "pods that come before take the room"
                : objections.stream()
                        .map(objection ->
                                objection.plugin() + ": " + objection.status().message())
                        .collect(Collectors.joining("; "));
        return new IneffectiveChange(added, because);
    }

    private List<Objection> objections(NodeAdded added) {
        try (Hypothesis hypothesis = suppose(List.of(added))) {
            return hypothesis
                    .objections()
                    .apply(LiveNode.idOf(hypothesis.nodeInfo(added.node().name())));
        }
    }

    /** The lowest with which others would go, and who: it is not tried whether all of them must. */
    private Optional<List<Change>> priority() {
        int now = pod.spec().priority();
        if (!mayPreempt || !pod.spec().preempts() || !remedies.mayNameAll(cluster.placedPods())) {
            return Optional.empty();
        }
        NavigableSet<Integer> above = new TreeSet<>();
        cluster.placedPods().stream()
                .map(placed -> placed.spec().priority())
                .filter(priority -> priority >= now && priority < Integer.MAX_VALUE)
                .forEach(above::add);
        for (int lower : above.stream().limit(MOST_PRIORITIES).toList()) {
            Priority priority = new Priority(now, lower + 1);
            Optional<Preemption> preemption = preemption(priority.applied(pod));
            if (preemption.isPresent()) {
                List<Change> changes = new ArrayList<>(List.of(priority));
                preemption
                        .get()
                        .victims()
                        .forEach(victim ->
                                changes.add(new PodGone(victim, preemption.get().node())));
                return Optional.of(List.copyOf(changes))
                        .filter(all -> remedies.mayBeTold(all)
                                && smallest.nodeWith(all).isPresent());
            }
        }
        return Optional.empty();
    }

    /** Nothing of a pod on which a plugin fails. */
    private Optional<Preemption> preemption(Pod preemptor) {
        try {
            return snapshot.preemptionFor(preemptor)
                    .filter(found -> !found.victims().isEmpty());
        } catch (PluginFailure failed) {
            return Optional.empty();
        }
    }

    /**
     * Finds changes that take everything out of a pod's way on one node: those that the first plugin in the way names, then on
     * the node as it is after them those of the next, and so on.
     *
     * <pre>
     * n1: tainted, full    toleration ──▶ n1: full   1 more cpu ──▶ fits
     *                                                pod p gone ──▶ fits
     *                      taint gone ──▶ n1: full   1 more cpu ──▶ fits   …
     * </pre>
     */
    private static final class NodeRepair {
        private static final int MOST_PLUGINS = 4;

        private final Function<List<Change>, Hypothesis> suppose;
        private final RemedyMenu remedies;
        private final Set<List<Change>> found = new LinkedHashSet<>();
        private int left;

        /** @param mostTried how many hypotheses may be looked at, for all nodes together */
        NodeRepair(Function<List<Change>, Hypothesis> suppose, RemedyMenu remedies, int mostTried) {
            this.suppose = suppose;
            this.remedies = remedies;
            this.left = mostTried;
        }

        /** Looks for changes that, together with these, let the pod onto this node, or anywhere. */
        void repair(String node, List<Change> made) {
            repair(node, made, 0);
        }

        /** Returns the changes found for all nodes so far. */
        Set<List<Change>> found() {
            return found;
        }

        private void repair(String node, List<Change> made, int plugin) {
            if (left-- <= 0) {
                return;
            }
            List<List<Change>> next;
            try (Hypothesis hypothesis = suppose.apply(made)) {
                if (!made.isEmpty() && hypothesis.fits()) {
                    found.add(made);
                    return;
                }
                if (plugin == MOST_PLUGINS || made.size() > RemedyShrinker.MOST_CHANGES) {
                    return;
                }
                next = next(hypothesis, node);
            }
            for (List<Change> way : next) {
                List<Change> more = new ArrayList<>(made);
                way.forEach(change -> add(more, change));
                repair(node, List.copyOf(more), plugin + 1);
            }
        }

        /** Fewer devices for a request once more take the place of what was less before. */
        private static void add(List<Change> changes, Change next) {
            for (int at = 0; at < changes.size(); at++) {
                if (next instanceof FewerDevices still
                        && changes.get(at) instanceof FewerDevices before
                        && before.place().equals(still.place())) {
                    changes.set(at, still.after(before));
                    return;
                }
            }
            changes.add(next);
        }

        private List<List<Change>> next(Hypothesis hypothesis, String node) {
            List<Objection> objections = hypothesis.objections().apply(LiveNode.idOf(hypothesis.nodeInfo(node)));
            return objections.isEmpty()
                    ? List.of()
                    : remedies.past(objections.getFirst(), hypothesis.pod(), hypothesis.nodeInfo(node));
        }
    }

    /**
     * Finds the least of changes that seem to help: leaves out what can be left out, and makes each as small as it may be. What is
     * told as the smallest has been tried, and so has the next smaller one.
     */
    static final class RemedyShrinker {
        private static final int MOST_TRIED = 400;
        /** Nobody makes more at once, and each trial costs what all of them cost. */
        static final int MOST_CHANGES = 32;

        private static final int MOST_DOUBLED = 4;
        /** One smaller may let another be smaller too, where pods that come before go elsewhere then. */
        private static final int MOST_PASSES = 4;

        private final Trial trial;
        private final Map<List<Change>, Optional<String>> tried = new HashMap<>();

        RemedyShrinker(Trial trial) {
            this.trial = trial;
        }

        /** @param isSmallest whether it is known that none can be left out or be smaller */
        record Least(List<Change> changes, boolean isSmallest) {}

        /** Empty where the changes do not help after all. */
        Optional<Least> of(List<Change> changes) {
            return changes.size() > MOST_CHANGES ? Optional.empty() : least(changes);
        }

        private Optional<Least> least(List<Change> changes) {
            return grown(changes).map(helping -> {
                List<Change> before = List.of();
                List<Change> least = helping;
                for (int pass = 0; pass < MOST_PASSES && !least.equals(before); pass++) {
                    before = least;
                    least = fewest(least);
                    for (int at = 0; at < least.size(); at++) {
                        least = shrunk(least, at);
                    }
                }
                return new Least(List.copyOf(least), least.equals(before) && mayTryMore());
            });
        }

        private boolean help(List<Change> changes) {
            return nodeWith(changes).isPresent();
        }

        /** Where the pod goes with these; each is tried once, and no more than so many for a pod. */
        Optional<String> nodeWith(List<Change> changes) {
            if (!tried.containsKey(changes) && mayTryMore()) {
                tried.put(List.copyOf(changes), attempt(changes));
            }
            return tried.getOrDefault(changes, Optional.empty());
        }

        /** Tries the changes; a way to a plugin that fails does not help. */
        private Optional<String> attempt(List<Change> changes) {
            try {
                return trial.nodeWith(changes);
            } catch (PluginFailure failed) {
                return Optional.empty();
            }
        }

        /** An untried change does not count as known to help, but neither as known not to. */
        private boolean mayTryMore() {
            return tried.size() < MOST_TRIED;
        }

        /** Where others come to a node too that offers more, more still is needed than one pod lacks. */
        private Optional<List<Change>> grown(List<Change> changes) {
            List<Change> some = changes;
            for (int doubled = 0; doubled <= MOST_DOUBLED; doubled++) {
                if (help(some)) {
                    return Optional.of(some);
                }
                List<Change> more = some.stream()
                        .map(change -> change instanceof Sized sized ? sized.ofSize(2 * sized.size()) : change)
                        .toList();
                if (more.equals(some)) {
                    return Optional.empty();
                }
                some = more;
            }
            return Optional.empty();
        }

        private List<Change> fewest(List<Change> changes) {
            for (int at = 0; changes.size() > 1 && at < changes.size(); at++) {
                List<Change> without = new ArrayList<>(changes);
                without.remove(at);
                if (help(without)) {
                    return fewest(without);
                }
            }
            return changes;
        }

        /** Between a size that does not help, and one that does: 0 is what there is without the change. */
        private List<Change> shrunk(List<Change> changes, int at) {
            if (!(changes.get(at) instanceof Sized sized) || sized.size() <= 1) {
                return changes;
            }
            long helping = sized.size();
            long tooSmall = 0;
            long next = helping - 1;
            while (helping - tooSmall > 1) {
                if (help(with(changes, at, sized.ofSize(next)))) {
                    helping = next;
                } else {
                    tooSmall = next;
                }
                next = tooSmall + (helping - tooSmall) / 2;
            }
            return with(changes, at, sized.ofSize(helping));
        }

        private static List<Change> with(List<Change> changes, int at, Change change) {
            List<Change> all = new ArrayList<>(changes);
            all.set(at, change);
            return List.copyOf(all);
        }
    }

    /**
     * Nodes that somebody may think of adding: one more like each sort of node that there is, and like the smallest of them in
     * each domain that the pod's rules speak of, or in a new one. A new node comes without pods, cordon and the taints of a node
     * that is not well.
     */
    static final class NewNodes {
        private static final int MOST_SORTS = 12;
        private static final int MOST_SORTS_MOVED = 3;
        private static final int MOST_DOMAINS = 16;
        private static final int MOST_ALIKE = 8;

        /** A sort of nodes, by all that tells sorts apart: hardly a label but the host name is a node's own. */
        private record Sort(
                Labels labels,
                List<Taint> taints,
                Map<String, Quantity> allocatable,
                Set<String> drivers,
                Map<String, Integer> volumeLimits,
                Map<String, Integer> devices) {}

        private final ClusterView cluster;
        private final List<Node> sorts;

        NewNodes(ClusterView cluster) {
            this.cluster = cluster;
            Map<Sort, Node> first = new LinkedHashMap<>();
            Map<String, Map<String, Integer>> devices = CopiedDevices.byNodeAndDriver(cluster);
            for (int node = 0; node < cluster.nodes().end(); node++) {
                if (cluster.nodes().isPresent(node)) {
                    Node there = cluster.nodes().node(node);
                    first.merge(
                            new Sort(
                                    there.labels().retain(key -> !key.equals(Node.HOSTNAME)),
                                    lasting(there),
                                    there.allocatable(),
                                    drivers(there).map(CsiNode::drivers).orElse(Set.of()),
                                    drivers(there).map(CsiNode::limits).orElse(Map.of()),
                                    devices.getOrDefault(there.name(), Map.of())),
                            there,
                            (one, other) -> one.name().compareTo(other.name()) <= 0 ? one : other);
                }
            }
            sorts = first.values().stream()
                    .sorted(Comparator.comparing((Node node) -> amount(node, "cpu"))
                            .thenComparing(node -> amount(node, "memory"))
                            .thenComparing(Node::name))
                    .toList();
        }

        private Optional<CsiNode> drivers(Node node) {
            return cluster.objects().find(Kinds.CSI_NODE, node.name());
        }

        private static Quantity amount(Node node, String resource) {
            return node.allocatable().getOrDefault(resource, Quantity.ZERO);
        }

        private static List<Taint> lasting(Node node) {
            return node.taints().stream()
                    .filter(taint -> !taint.isOfCondition())
                    .toList();
        }

        /** Like those there are; where there are many sorts, the smallest and the greatest and some between. */
        List<NodeAdded> alike() {
            int most = Math.min(MOST_SORTS, sorts.size());
            List<NodeAdded> nodes = new ArrayList<>();
            for (int i = 0; i < most; i++) {
                Node like = sorts.get(most == 1 ? 0 : i * (sorts.size() - 1) / (most - 1));
                nodes.add(NodeAdded.like(like.name(), copy(like).build(), "", cluster));
            }
            return nodes;
        }

        /** Returns new nodes in each of the domains that the pod's rules speak of. */
        List<NodeAdded> elsewhere(Pod pod) {
            List<NodeAdded> nodes = new ArrayList<>();
            for (String key : keysOf(pod)) {
                for (String domain : domains(key)) {
                    for (Node like : sorts.subList(0, Math.min(MOST_SORTS_MOVED, sorts.size()))) {
                        if (!like.labels().has(key, domain)) {
                            nodes.add(labelled(like, Labels.of(key, domain)));
                        }
                    }
                }
            }
            return nodes;
        }

        /** Returns new nodes with other labels; they are labels of existing nodes. */
        List<NodeAdded> labelled(List<Labels> some) {
            List<NodeAdded> nodes = new ArrayList<>();
            for (Labels labels : some) {
                for (Node like : sorts.subList(0, Math.min(MOST_SORTS_MOVED, sorts.size()))) {
                    nodes.add(labelled(like, labels));
                }
            }
            return nodes;
        }

        private NodeAdded labelled(Node like, Labels labels) {
            NodeBuilder node = copy(like);
            List<String> where = new ArrayList<>();
            labels.asMap().forEach((key, value) -> {
                if (!like.labels().has(key, value)) {
                    node.label(key, value);
                    where.add(key + "=" + value);
                }
            });
            return NodeAdded.like(
                    like.name(), node.build(), where.isEmpty() ? "" : "with " + String.join(" and ", where), cluster);
        }

        /** Returns so many of one sort; some may turn out to be too many. */
        List<Change> several(NodeAdded one) {
            List<Change> nodes = new ArrayList<>(List.of(one));
            for (int number = 2; nodes.size() < MOST_ALIKE; number++) {
                String name = one.node().name() + "-" + number;
                if (isKnown(name)) {
                    continue;
                }
                NodeBuilder next = NodeBuilder.from(one.node()).name(name);
                nodes.add(NodeAdded.like(
                        one.like(),
                        one.node().labels().has(Node.HOSTNAME)
                                ? next.hostname(name).build()
                                : next.build(),
                        one.where(),
                        cluster));
            }
            return nodes;
        }

        private NodeBuilder copy(Node like) {
            return NodeBuilder.copy(like, this::isKnown);
        }

        /** Whether there is such a node, or pods that wait for it to come back: those would be on the new one. */
        private boolean isKnown(String name) {
            return cluster.nodes().find(name) >= 0;
        }

        private static Set<String> keysOf(Pod pod) {
            Set<String> keys = new LinkedHashSet<>();
            pod.spec().topologySpread().stream()
                    .filter(TopologySpreadConstraint::isHard)
                    .map(TopologySpreadConstraint::topologyKey)
                    .forEach(keys::add);
            Stream.concat(
                            pod.spec().podAffinity().requiredAffinity().stream(),
                            pod.spec().podAffinity().requiredAntiAffinity().stream())
                    .map(PodAffinityTerm::topologyKey)
                    .forEach(keys::add);
            keys.remove(Node.HOSTNAME);
            return keys;
        }

        /** Returns the domains that there are, and a new one, unless there are too many to try. */
        private List<String> domains(String key) {
            Set<String> domains = new TreeSet<>();
            for (int node = 0; node < cluster.nodes().end(); node++) {
                if (cluster.nodes().isPresent(node)) {
                    Labels labels = cluster.nodes().node(node).labels();
                    if (labels.has(key)) {
                        domains.add(labels.getOrDefault(key, ""));
                    }
                }
            }
            List<String> some =
                    new ArrayList<>(domains.stream().limit(MOST_DOMAINS).toList());
            some.add(unused(key.substring(key.lastIndexOf('/') + 1), domains));
            return some;
        }

        private static String unused(String name, Set<String> used) {
            String free = "new-" + name;
            while (used.contains(free)) {
                free = "new-" + free;
            }
            return free;
        }
    }
}
