package io.evenkeel.whatif.why;

import io.evenkeel.api.ChangeKind;
import io.evenkeel.api.FilterPlugin;
import io.evenkeel.api.PreFilterPlugin;
import io.evenkeel.api.WakeUpPlugin;
import io.evenkeel.config.ExtensionPoint;
import io.evenkeel.engine.Engine;
import io.evenkeel.engine.group.GangQuestions;
import io.evenkeel.engine.group.GangQuestions.GangOutlook;
import io.evenkeel.engine.group.Seat;
import io.evenkeel.framework.cycle.Diagnosis;
import io.evenkeel.framework.cycle.Diagnosis.Rejection;
import io.evenkeel.framework.run.Objection;
import io.evenkeel.framework.run.PluginFailure;
import io.evenkeel.framework.run.SchedulingProfile;
import io.evenkeel.framework.why.Account;
import io.evenkeel.framework.why.Change;
import io.evenkeel.framework.why.Change.PodGone;
import io.evenkeel.framework.why.ExplainingPlugin;
import io.evenkeel.framework.why.PodChange;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.whatif.ClusterSnapshot;
import io.evenkeel.whatif.ClusterSnapshot.Transaction;
import io.evenkeel.whatif.why.Answer.Funnel;
import io.evenkeel.whatif.why.Answer.NearNode;
import io.evenkeel.whatif.why.Hypothesis.Gang;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Questions about pods, answered from the live cluster. What-ifs are taken back before the answer is given, and no later
 * decision is another for having been asked.
 */
public final class PodQuestions {
    private static final int MOST_NEAREST = 10;
    private static final int MOST_OTHERS = 3;

    private final ClusterSnapshot cluster;
    private final GangQuestions gangs;
    private final BiConsumer<Pod, RuntimeException> faults;

    /** @param engine has the cluster, and hears of plugins that fail as they explain themselves */
    public PodQuestions(Engine engine) {
        cluster = new ClusterSnapshot(engine);
        gangs = engine.gangs();
        faults = engine::faulted;
    }

    public GangQuestions gangs() {
        return gangs;
    }

    /**
     * Why a pod, which must ask for one of the profiles, fits nowhere, and what would help.
     *
     * @param trial of what may help
     * @param nameable which pods may be named as ones that could go
     */
    public Answer why(Pod pod, Trial trial, Predicate<Pod> nameable) {
        return why(pod, Gang.NONE, trial, nameable, true);
    }

    /**
     * Why a gang waits: what keeps one of its pods from all nodes where as many of the others as find room one after the other
     * have theirs, and what would help. That is this pod, unless it is the others that find none. A change that is told lets the
     * whole gang find its nodes.
     *
     * @param gang of this pod, which waits
     * @param watched makes of a trial one that its asker can give up
     * @return empty where that keeps none of them from all nodes, as when all have to be in one domain
     */
    public Optional<Answer> why(Pod pod, GangOutlook gang, UnaryOperator<Trial> watched, Predicate<Pod> nameable) {
        return why(
                pod,
                gang.pods(),
                gang.seats(),
                (asked, seats) -> watched.apply(changes -> gangNode(asked, gang.pods(), seats, changes)),
                nameable);
    }

    /**
     * Answers for any pods that are placed all or none.
     *
     * @param gang all of them, with this one
     * @param found as many of them as find room one after the other
     * @param trials of what may help the pod that is then asked about beside these
     */
    public Optional<Answer> why(
            Pod pod,
            List<Pod> gang,
            List<Seat> found,
            BiFunction<Pod, List<Seat>, Trial> trials,
            Predicate<Pod> nameable) {
        List<Seat> seats = new ArrayList<>(found);
        Set<String> seated = seats.stream().map(seat -> seat.pod().key()).collect(Collectors.toSet());
        Optional<Pod> without =
                gang.stream().filter(each -> !seated.contains(each.key())).findFirst();
        if (without.isEmpty()) {
            return Optional.empty();
        }
        Pod asked = seated.contains(pod.key()) ? without.get() : pod;
        if (!asked.equals(pod) && areOfOneTemplate(asked, pod)) {
            seats.replaceAll(seat -> seat.pod().key().equals(pod.key()) ? new Seat(without.get(), seat.node()) : seat);
            asked = pod;
        }
        return besideOthers(asked, new Gang(gang, seats), trials.apply(asked, seats), nameable);
    }

    private Optional<Answer> besideOthers(Pod asked, Gang gang, Trial trial, Predicate<Pod> nameable) {
        return beside(gang.seats(), () -> {
            try (Hypothesis asItIs = new Hypothesis(cluster, asked, List.of())) {
                if (asItIs.fits()) {
                    return Optional.empty();
                }
            }
            return Optional.of(why(asked, gang, trial, nameable, false));
        });
    }

    /** Where a pod of a gang goes once these are made, and all of the gang has its turn: the seats were only thought of. */
    private Optional<String> gangNode(Pod asked, List<Pod> gang, List<Seat> seats, List<Change> changes) {
        List<Change> all = new ArrayList<>();
        seats.forEach(seat -> all.add(new PodGone(seat.pod(), seat.node())));
        all.addAll(changes);
        try (Hypothesis supposed = new Hypothesis(cluster, asked, all, new Gang(gang, List.of()))) {
            Pod changed = supposed.pod().pod();
            return gangs.about(changed, other -> areOfOneTemplate(other, asked) ? made(changes, other) : other)
                    .flatMap(outlook -> outlook.nodeOf(changed));
        }
    }

    private static Pod made(List<Change> changes, Pod pod) {
        Pod changed = pod;
        for (Change change : changes) {
            changed = change instanceof PodChange own ? own.applied(changed) : changed;
        }
        return changed;
    }

    /** Whether one owner has made both alike: a change of its template is a change of both. */
    public static boolean areOfOneTemplate(Pod one, Pod other) {
        Optional<String> owner = one.meta().controller().map(OwnerReference::uid);
        return owner.isPresent()
                ? owner.equals(other.meta().controller().map(OwnerReference::uid))
                        && one.spec().equals(other.spec())
                : one.key().equals(other.key());
    }

    /** A question as if these pods were on these nodes already. */
    public <T> T beside(List<Seat> seats, Supplier<T> question) {
        try (Transaction _ = cluster.begin()) {
            seats.forEach(seat -> cluster.place(seat.pod(), seat.node()));
            return question.get();
        }
    }

    /** @param mayPreempt whether others may go for this pod alone */
    private Answer why(Pod pod, Gang gang, Trial trial, Predicate<Pod> nameable, boolean mayPreempt) {
        Map<String, FallibleExplanations> plugins = explaining(pod);
        RemedyMenu remedies = new RemedyMenu(plugins, nameable);
        RemedySearch search = new RemedySearch(cluster, pod, gang, remedies, trial, mayPreempt);
        try (Hypothesis asItIs = new Hypothesis(cluster, pod, List.of())) {
            Diagnosis diagnosis = asItIs.diagnosis();
            Set<String> rejecting = rejecting(diagnosis);
            NearestNodes nodes = new NearestNodes(
                    asItIs,
                    remedies,
                    diagnosis.preFilter().map(outright -> new Objection(outright.plugin(), outright.status())));
            List<Answer.Rule> rules = rules(rejecting, plugins, asItIs, account -> completed(account, nodes));
            List<NearNode> nearest = nodes.first(MOST_NEAREST);
            RemedySearch.Found found = search.search(nodes);
            return new Answer(
                    pod,
                    Funnel.of(diagnosis),
                    withFailures(rules, plugins),
                    nearest,
                    found.remedies(),
                    found.untold(),
                    found.inVain(),
                    awaited(rejecting, profileOf(pod)));
        }
    }

    /** Compares a placed pod's node, as it is now, with the best of the others; a plugin that fails is in the way everywhere. */
    public Placement placement(Pod pod, String node) {
        try {
            return compared(pod, node);
        } catch (PluginFailure failure) {
            return new Placement(node, Optional.empty(), List.of(failure.asObjection()), List.of(), 0, List.of());
        }
    }

    private Placement compared(Pod pod, String node) {
        Pod asked = PodBuilder.from(pod).nodeName("").build();
        try (Hypothesis anew = new Hypothesis(cluster, asked, List.of(new PodGone(pod, node)))) {
            List<Placement.Scored> scored = anew.scores().entrySet().stream()
                    .map(each -> new Placement.Scored(each.getKey(), sum(each.getValue()), each.getValue()))
                    .sorted(Comparator.comparingLong(Placement.Scored::total)
                            .reversed()
                            .thenComparing(Placement.Scored::node))
                    .toList();
            Optional<Placement.Scored> there =
                    scored.stream().filter(each -> each.node().equals(node)).findFirst();
            int id = cluster.view().nodes().findPresent(node);
            return new Placement(
                    node,
                    there,
                    there.isPresent() || id < 0 ? List.of() : anew.objections().apply(id),
                    scored.stream()
                            .filter(each -> !each.node().equals(node))
                            .limit(MOST_OTHERS)
                            .toList(),
                    scored.size(),
                    inForce(explaining(pod), anew));
        }
    }

    private static List<Answer.Rule> inForce(Map<String, FallibleExplanations> plugins, Hypothesis anew) {
        List<Answer.Rule> rules = plugins.values().stream()
                .flatMap(plugin -> plugin.rulesInForce(anew.pod()).stream()
                        .map(account -> new Answer.Rule(plugin.name(), account)))
                .toList();
        return withFailures(rules, plugins);
    }

    private static long sum(Map<String, Long> scores) {
        return scores.values().stream().mapToLong(Long::longValue).sum();
    }

    /**
     * The count of what keeps a pod from the nodes, without what would help. Pods for which it is equal get the same answer.
     *
     * @param message the reference's, or that of a plugin's failure; empty where the pod finds a node
     * @param node that it finds
     * @param rules what the plugins count that turn it away; none where it finds a node
     */
    public record Counted(String message, Optional<String> node, List<Answer.Rule> rules) {
        public static Counted said(String message) {
            return new Counted(message, Optional.empty(), List.of());
        }
    }

    public Counted counted(Pod pod) {
        try (Hypothesis asItIs = new Hypothesis(cluster, pod, List.of())) {
            Optional<String> node = asItIs.node();
            if (node.isPresent()) {
                return new Counted("", node, List.of());
            }
            Diagnosis diagnosis = asItIs.diagnosis();
            Map<String, FallibleExplanations> plugins = explaining(pod);
            List<Answer.Rule> rules = rules(rejecting(diagnosis), plugins, asItIs, account -> account);
            return new Counted(diagnosis.message(), node, withFailures(rules, plugins));
        } catch (PluginFailure failure) {
            return Counted.said(failure.getMessage());
        }
    }

    public SchedulingProfile profileOf(Pod pod) {
        return cluster.profileOf(pod);
    }

    /** Tries changes on the cluster as it is. */
    public Trial trial(Pod pod) {
        return changes -> {
            try (Hypothesis hypothesis = new Hypothesis(cluster, pod, changes)) {
                return hypothesis.node();
            }
        };
    }

    /** Asks a question about a pod as if these changes were made; it is asked of the pod as it is then. */
    public <T> T supposing(Pod pod, List<Change> changes, Function<Pod, T> question) {
        try (Hypothesis supposed = new Hypothesis(cluster, pod, changes)) {
            return question.apply(supposed.pod().pod());
        }
    }

    /**
     * Counts those of the pods that find nodes, one after the other, once changes are made. A change of a pod is one of all that are
     * made of its template.
     *
     * @param asked the one for which the changes were found
     * @param pods with it; alike ones come one after the other
     */
    public int freed(Pod asked, List<Change> changes, List<Pod> pods) {
        List<Change> ofOthers = changes.stream()
                .filter(change -> !(change instanceof PodChange))
                .toList();
        int freed = 0;
        Optional<Pod> refused = Optional.empty();
        Gang alike = new Gang(
                pods.stream().filter(pod -> areOfOneTemplate(pod, asked)).toList(), List.of());
        try (Hypothesis _ = new Hypothesis(cluster, asked, ofOthers, alike)) {
            for (Pod pod : pods) {
                Pod changed = areOfOneTemplate(pod, asked) ? made(changes, pod) : pod;
                if (refused.filter(before -> areOfOneTemplate(before, changed)).isPresent()) {
                    continue;
                }
                Optional<String> node = trial(changed).nodeWith(List.of());
                if (node.isPresent()) {
                    cluster.place(changed, node.get());
                    freed++;
                } else {
                    refused = Optional.of(changed);
                }
            }
        }
        return freed;
    }

    /** A plugin does not know what others say of the nodes that it speaks of. */
    private static Account completed(Account account, NearestNodes nodes) {
        return account instanceof Account.Places places ? places.with(nodes.inTheWay(places.nodes())) : account;
    }

    /** What a plugin counts that does not let the pod into the queue. */
    public List<Account> gate(Pod pod, String plugin) {
        try (Hypothesis asItIs = new Hypothesis(cluster, pod, List.of())) {
            return explaining(pod).values().stream()
                    .filter(each -> each.name().equals(plugin))
                    .flatMap(each -> each.accounts(asItIs.pod()).stream())
                    .toList();
        }
    }

    private Map<String, FallibleExplanations> explaining(Pod pod) {
        SchedulingProfile profile = profileOf(pod);
        Map<String, FallibleExplanations> plugins = new LinkedHashMap<>();
        Stream.concat(
                        profile.at(ExtensionPoint.PRE_FILTER, PreFilterPlugin.class).stream(),
                        profile.at(ExtensionPoint.FILTER, FilterPlugin.class).stream())
                .filter(ExplainingPlugin.class::isInstance)
                .map(ExplainingPlugin.class::cast)
                .forEach(plugin -> plugins.put(
                        plugin.name(), new FallibleExplanations(plugin, failure -> faults.accept(pod, failure))));
        return plugins;
    }

    private static Set<String> rejecting(Diagnosis diagnosis) {
        Set<String> rejecting = new LinkedHashSet<>();
        diagnosis.preFilter().ifPresent(outright -> rejecting.add(outright.plugin()));
        rejecting.addAll(diagnosis.narrowedBy());
        diagnosis.rejections().stream().map(Rejection::plugin).forEach(rejecting::add);
        return rejecting;
    }

    private static List<Answer.Awaited> awaited(Set<String> rejecting, SchedulingProfile profile) {
        Map<String, List<ChangeKind>> changes = new HashMap<>();
        profile.plugins().stream()
                .filter(WakeUpPlugin.class::isInstance)
                .map(WakeUpPlugin.class::cast)
                .forEach(plugin -> changes.put(
                        plugin.name(),
                        plugin.wakeUps().stream()
                                .flatMap(wakeUp -> wakeUp.kinds().stream())
                                .distinct()
                                .sorted(Comparator.comparing(change ->
                                        change.label().substring(change.label().indexOf('/') + 1)))
                                .toList()));
        return rejecting.stream()
                .map(plugin -> new Answer.Awaited(plugin, changes.getOrDefault(plugin, List.of())))
                .toList();
    }

    private static List<Answer.Rule> rules(
            Set<String> rejecting,
            Map<String, FallibleExplanations> plugins,
            Hypothesis asItIs,
            UnaryOperator<Account> completion) {
        List<Answer.Rule> rules = new ArrayList<>();
        for (String name : rejecting) {
            ExplainingPlugin plugin = plugins.get(name);
            if (plugin != null) {
                plugin.accounts(asItIs.pod())
                        .forEach(account -> rules.add(new Answer.Rule(name, completion.apply(account))));
            }
        }
        return rules;
    }

    /** And which plugins have failed to tell theirs, or what would help. */
    private static List<Answer.Rule> withFailures(List<Answer.Rule> rules, Map<String, FallibleExplanations> plugins) {
        return Stream.concat(rules.stream(), plugins.values().stream().flatMap(plugin -> plugin.failure().stream()))
                .toList();
    }

    /** Tries changes. Changes nothing itself. */
    @FunctionalInterface
    public interface Trial {

        /** Where the pod goes once these are made, in this order; empty where it still fits nowhere, or they cannot be made. */
        Optional<String> nodeWith(List<Change> changes);
    }

    /**
     * The worth of a pod's node to it, as things are now: if it were decided once more, with everybody else in place.
     *
     * @param there the node with its scores; empty where something is in the way
     * @param inTheWay what would keep the pod from its node today
     * @param best the best of the other nodes, best first
     * @param feasible how many nodes would do
     * @param rules that it is placed by, with what they count but for itself
     */
    public record Placement(
            String node,
            Optional<Scored> there,
            List<Objection> inTheWay,
            List<Scored> best,
            int feasible,
            List<Answer.Rule> rules) {

        /** How many nodes more would do that are not among the best. */
        public int untold() {
            return feasible - best.size() - (there.isPresent() ? 1 : 0);
        }

        /**
         * The scores of a node.
         *
         * @param scores by plugin, weighted; plugins that said nothing are left out
         */
        public record Scored(String node, long total, NavigableMap<String, Long> scores) {}
    }
}
