package io.evenkeel.plugins;

import io.evenkeel.api.ChangeKind;
import io.evenkeel.api.ClusterChange;
import io.evenkeel.api.CycleState;
import io.evenkeel.api.Hint;
import io.evenkeel.api.NodeInfo;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.PluginFactory;
import io.evenkeel.api.PreFilterPlugin;
import io.evenkeel.api.PreFilterResult;
import io.evenkeel.api.PreScorePlugin;
import io.evenkeel.api.Status;
import io.evenkeel.api.WakeUp;
import io.evenkeel.api.WakeUpPlugin;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.LiveNode;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.counting.CountedDevices;
import io.evenkeel.cluster.counting.ExtendedResources;
import io.evenkeel.cluster.node.DerivedColumn;
import io.evenkeel.cluster.node.DerivedGroups;
import io.evenkeel.cluster.node.NodeRanking.ScoreBounds;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.cluster.shape.Facet;
import io.evenkeel.cluster.shape.FacetCache;
import io.evenkeel.cluster.shape.PodRequests;
import io.evenkeel.cluster.shape.PodResources;
import io.evenkeel.cluster.shape.ResourceNames;
import io.evenkeel.cluster.shape.ResourceVector;
import io.evenkeel.config.PluginArgs.NodeResourcesFitArgs;
import io.evenkeel.framework.BatchFilterPlugin;
import io.evenkeel.framework.BatchScorePlugin;
import io.evenkeel.framework.DryRunPlugin;
import io.evenkeel.framework.TreeContext;
import io.evenkeel.framework.cycle.FilterDryRun;
import io.evenkeel.framework.cycle.LesserPods;
import io.evenkeel.framework.cycle.NodeScores;
import io.evenkeel.framework.cycle.Rejections;
import io.evenkeel.framework.why.Account;
import io.evenkeel.framework.why.Change;
import io.evenkeel.framework.why.Change.PodGone;
import io.evenkeel.framework.why.ExplainingPlugin;
import io.evenkeel.framework.why.NodeChange.MoreOffered;
import io.evenkeel.framework.why.PodChange.LessAsked;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.device.DeviceClass;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.value.Quantity;
import io.evenkeel.problem.NearestName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the nodes that have room for the pod, and scores them by how much of them would be allocated.
 *
 * <p>All pods with the same requests share the groups of nodes that lack the same and one column of scores; a
 * placement makes each of them look at one node again.
 */
final class NodeResourcesFit
        implements PreFilterPlugin,
                BatchFilterPlugin,
                DryRunPlugin,
                PreScorePlugin,
                BatchScorePlugin,
                WakeUpPlugin,
                ExplainingPlugin {
    static final String NAME = "NodeResourcesFit";

    private static final int MOST_PODS_TRIED = 3;

    /** Of a resource that a node does not offer and that devices stand for. */
    private static final long PLENTY = Long.MAX_VALUE;

    private final ClusterView cluster;
    private final NodeResourcesFitArgs args;
    private final AllocationFormula formula;
    private final ExtendedResources extended;
    private final Optional<CountedDevices> devices;
    private final FacetCache<PodResources, Compiled> compiled;
    private int compiledFor;

    /**
     * The values worked out once for all pods with the same requests.
     *
     * @param ofDevices the score where it is asked of each pod, as devices count in it
     */
    private record Compiled(
            FitCheck check, DerivedGroups lacking, DerivedColumn scores, Optional<AllocationScore> ofDevices) {}

    /** @param counts of devices that stand for resources */
    NodeResourcesFit(TreeContext context, Function<ClusterView, CountedDevices> counts) {
        cluster = context.cluster();
        args = context.argsOr(NodeResourcesFitArgs.class, NodeResourcesFitArgs.defaults());
        formula = AllocationFormula.of(args.scoringStrategy());
        extended = cluster.extendedResources();
        devices = ScoredResources.mayBeDevices(args.scoringStrategy().resources(), extended)
                ? Optional.of(counts.apply(cluster))
                : Optional.empty();
        compiled =
                new FacetCache<>(cluster.shapes().resources(), cluster::setsWorthKeeping, this::compile, this::discard);
        cluster.derivations().keptUp(cluster.derivations().leastFree());
    }

    static PluginFactory factory(Function<ClusterView, CountedDevices> counts) {
        return TreeContext.factory(NAME, NodeResourcesFit.class, context -> new NodeResourcesFit(context, counts));
    }

    @Override
    public String name() {
        return NAME;
    }

    /** Nothing to prepare; configurations name the plugin at this point nevertheless. */
    @Override
    public PreFilterResult preFilter(CycleState state, PendingPod pod) {
        return PreFilterResult.PROCEED;
    }

    @Override
    public Set<Kind<?>> reads() {
        return devices.isPresent() ? devices.get().kinds() : extended.isOn() ? Set.of(Kinds.DEVICE_CLASS) : Set.of();
    }

    private Compiled compiled(PodInfo pod) {
        if (compiledFor != extended.version()) {
            compiled.clear();
            compiledFor = extended.version();
        }
        return compiled.get(pod.shape().resources());
    }

    @Override
    public void filterAll(CycleState state, PodInfo pod, NodeSet candidates, Rejections rejections) {
        Compiled facet = compiled(pod);
        List<NodeSetView> lacking = facet.lacking.current();
        for (int number = FitCheck.FITS + 1; number < lacking.size(); number++) {
            rejections.reject(candidates, lacking.get(number), facet.check.status(number));
        }
    }

    @Override
    public Status filter(CycleState state, PendingPod waiting, NodeInfo node) {
        return compiled(PodInfo.of(waiting)).check.verdict(LiveNode.idOf(node));
    }

    @Override
    public FilterDryRun dryRun(PodInfo pod) {
        return compiled(pod).check.new DryRun();
    }

    /** Nothing to prepare; configurations name the plugin at this point nevertheless. */
    @Override
    public Status preScore(CycleState state, PendingPod pod, Collection<NodeInfo> feasible) {
        return Status.SUCCESS;
    }

    @Override
    public void scoreAll(CycleState state, PodInfo pod, NodeSet feasible, NodeScores scores) {
        Compiled facet = compiled(pod);
        if (facet.ofDevices.isPresent()) {
            scores.fill(feasible, cluster.nodes().end(), facet.ofDevices.get()::of);
        } else {
            scores.kept(facet.scores);
        }
    }

    @Override
    public List<Account> accounts(PodInfo pod) {
        List<Account> accounts = new ArrayList<>();
        asked(pod).forEach((resource, amount) -> {
            IntToLongFunction freeOn = free(resource);
            long most = Long.MIN_VALUE;
            long inAll = 0;
            int fewerThanAsked = 0;
            String roomiest = "";
            for (int node = 0; node < cluster.nodes().end(); node++) {
                long free = cluster.nodes().isPresent(node) ? freeOn.applyAsLong(node) : PLENTY;
                if (free < PLENTY) {
                    inAll = Quantity.saturatedSum(inAll, Math.max(0, free));
                    fewerThanAsked += free < amount ? 1 : 0;
                    String name = cluster.nodes().name(node);
                    if (free > most || (free == most && name.compareTo(roomiest) < 0)) {
                        most = free;
                        roomiest = name;
                    }
                }
            }
            if (fewerThanAsked > 0) {
                accounts.add(new Account.Resource(
                        resource,
                        ResourceNames.text(resource, amount),
                        ResourceNames.text(resource, most),
                        roomiest,
                        ResourceNames.text(resource, inAll),
                        fewerThanAsked));
                if (most <= 0) {
                    mistyped(resource).ifPresent(accounts::add);
                }
            }
        });
        return accounts;
    }

    /** A resource that nobody offers, where there is one of nearly that name, be it of a node or of a device class. */
    private Optional<Account> mistyped(String resource) {
        SortedSet<String> names = new TreeSet<>();
        for (int node = 0; node < cluster.nodes().end(); node++) {
            if (cluster.nodes().isPresent(node)) {
                names.addAll(cluster.nodes().node(node).allocatable().keySet());
            }
        }
        cluster.objects().all(Kinds.DEVICE_CLASS).forEach(named -> names.add(named.extendedResourceName()));
        names.remove("");
        int slash = resource.indexOf('/') + 1;
        String domain = resource.substring(0, slash);
        List<String> own = names.stream()
                .filter(name -> name.startsWith(domain))
                .map(name -> name.substring(slash))
                .toList();
        String hint = names.contains(resource) ? "" : NearestName.hint(resource.substring(slash), own);
        return hint.isEmpty()
                ? Optional.empty()
                : Optional.of(new Account.Mistake("no node offers " + resource + hint, false));
    }

    /** How much is lacking, each resource in parts of what is asked for. */
    @Override
    public double distance(PodInfo pod, NodeInfo node) {
        double sum = 0;
        for (Map.Entry<String, Long> resource : asked(pod).entrySet()) {
            long lacking = resource.getValue() - free(resource.getKey(), node);
            sum += lacking > 0 ? lacking / (double) resource.getValue() : 0;
        }
        return sum;
    }

    /** More of what is lacking, less of it asked for, or a pod gone that has enough of it. */
    @Override
    public List<List<Change>> remedies(PodInfo pod, NodeInfo node) {
        Map<String, Long> lacking = lacking(pod, node);
        List<List<Change>> ways = new ArrayList<>();
        if (!node.node().allocatable().isEmpty()
                && lacking.entrySet().stream().allMatch(each -> canOffer(node, each))) {
            ways.add(lacking.entrySet().stream()
                    .<Change>map(resource -> new MoreOffered(
                            node.name(), resource.getKey(), node.allocatable(resource.getKey()), resource.getValue()))
                    .toList());
        }
        lessAsked(pod.pod(), lacking).ifPresent(ways::add);
        node.pods().stream()
                .filter(other -> givesBack(other, lacking))
                .sorted(Comparator.comparingInt((Pod other) -> other.spec().priority())
                        .thenComparing(Pod::key))
                .limit(MOST_PODS_TRIED)
                .forEach(other -> ways.add(List.of(new PodGone(other, node.name()))));
        return ways;
    }

    /** Empty where less than half would be left of something: a pod that asks for so much more means another kind of node. */
    private static Optional<List<Change>> lessAsked(Pod pod, Map<String, Long> lacking) {
        List<Change> changes = new ArrayList<>();
        lacking.forEach((resource, amount) -> LessAsked.of(pod, resource, amount)
                .filter(change -> change.less() <= change.asked() / 2)
                .ifPresent(changes::add));
        return changes.size() == lacking.size() ? Optional.of(List.copyOf(changes)) : Optional.empty();
    }

    /** Whether there is a number for it: pods may ask for any. */
    private static boolean canOffer(NodeInfo node, Map.Entry<String, Long> lacking) {
        long there = node.allocatable(lacking.getKey());
        return lacking.getValue() > 0 && there + lacking.getValue() > there;
    }

    private Map<String, Long> lacking(PodInfo pod, NodeInfo node) {
        Map<String, Long> lacking = new LinkedHashMap<>();
        asked(pod).forEach((resource, amount) -> {
            long free = free(resource, node);
            if (free < amount) {
                lacking.put(resource, amount - free);
            }
        });
        return lacking;
    }

    private boolean givesBack(Pod other, Map<String, Long> lacking) {
        ResourceVector requests = PodResources.of(other, cluster.resources(), PodRequests.at(cluster.featureGates()))
                .requests();
        return lacking.entrySet().stream()
                .allMatch(resource -> resource.getKey().equals(ResourceNames.PODS_NAME)
                        ? resource.getValue() <= 1
                        : requests.amountOf(cluster.resources().find(resource.getKey())) >= resource.getValue());
    }

    /** By resource, a place for the pod itself among them. */
    private Map<String, Long> asked(PodInfo pod) {
        Map<String, Long> asked = new TreeMap<>();
        ResourceVector amounts = pod.shape().resources().value().asked();
        for (int i = 0; i < amounts.size(); i++) {
            String name = cluster.resources().nameOf(amounts.resourceAt(i));
            if (!isIgnored(name)) {
                asked.put(name, amounts.amountAt(i));
            }
        }
        asked.put(ResourceNames.PODS_NAME, 1L);
        return asked;
    }

    private IntToLongFunction free(String resource) {
        NodeTable nodes = cluster.nodes();
        int known = cluster.resources().find(resource);
        if (resource.equals(ResourceNames.PODS_NAME)) {
            return node -> nodes.allowedPods(node) - nodes.podCount(node);
        }
        long ofNone = standsForDevices(resource) ? PLENTY : 0;
        if (known == ResourceNames.UNKNOWN) {
            return _ -> ofNone;
        }
        return node -> {
            long offered = nodes.allocatable(known, node);
            return offered <= 0 && ofNone == PLENTY ? PLENTY : offered - nodes.requested(known, node);
        };
    }

    private long free(String resource, NodeInfo node) {
        long offered = node.allocatable(resource);
        return offered <= 0 && standsForDevices(resource) ? PLENTY : offered - node.requested(resource);
    }

    @Override
    public List<WakeUp> wakeUps() {
        return new FitWakeUps().all();
    }

    private Compiled compile(Facet<PodResources> facet) {
        PodResources pod = facet.value();
        FitCheck check = FitCheck.of(cluster, pod.asked(), this::isIgnored, this::standsForDevices);
        ScoredResources scored =
                ScoredResources.of(args.scoringStrategy().resources(), pod.scored(), cluster.resources());
        AllocationScore score = new AllocationScore(cluster.nodes(), formula, scored, Optional.empty());
        return new Compiled(
                check,
                cluster.derivations().groupsOverUsage(check::lacking, check::lackingInAll),
                cluster.derivations()
                        .columnOverUsage(
                                score::of,
                                formula.isMonotone() && scored.areUsual()
                                        ? Optional.of(score::bounds)
                                        : Optional.empty()),
                devices.filter(_ -> scored.anyIs(this::standsForDevices))
                        .map(counted -> new AllocationScore(cluster.nodes(), formula, scored, Optional.of(counted))));
    }

    /** The filter passes over extended resources that are listed by name or by what stands before the slash, and no others. */
    private boolean isIgnored(String resource) {
        return ResourceNames.isExtended(resource)
                && (args.ignoredResources().contains(resource)
                        || args.ignoredResourceGroups().contains(resource.substring(0, resource.indexOf('/'))));
    }

    private boolean standsForDevices(String resource) {
        return !extended.isEmpty() && extended.classOf(resource).isPresent();
    }

    private void discard(Compiled facet) {
        cluster.derivations().drop(facet.lacking);
        cluster.derivations().drop(facet.scores);
    }

    /**
     * How much of a node would be allocated with a pod on it, as a score from 0 to 100: the weighted mean of what the
     * formula gives for each resource. Resources that the node has not are left out. CPU and memory are counted with the
     * defaults for containers that request none, on the pod's side as on the node's. Of a resource that the node has not, devices
     * count that stand for it.
     */
    private record AllocationScore(
            NodeTable nodes, AllocationFormula formula, ScoredResources resources, Optional<CountedDevices> devices) {
        int of(int node) {
            long sum = 0;
            long weights = 0;
            for (int i = 0; i < resources.size(); i++) {
                int resource = resources.resource(i);
                long capacity = nodes.allocatable(resource, node);
                boolean isOfDevices = capacity == 0 && devices.isPresent();
                if (isOfDevices) {
                    devices.get().count(resources.name(i), node);
                    capacity = devices.get().all();
                }
                if (capacity == 0) {
                    continue;
                }
                long used = isOfDevices ? devices.get().inUse() : used(resource, node);
                long score = formula.score(used + resources.amount(i), capacity);
                if (score > 0 || formula.countsZeros()) {
                    sum += score * resources.weight(i);
                    weights += resources.weight(i);
                }
            }
            return weights == 0 ? 0 : formula.mean(sum, weights);
        }

        /** The scores of all pods whose requests begin with the same bits. */
        ScoreBounds bounds(int bits) {
            return new AllocationBounds(
                    new AllocationScore(nodes, formula, resources.least(bits), devices),
                    new AllocationScore(nodes, formula, resources.most(bits), devices));
        }

        private boolean isUsual(int node) {
            boolean isUsual = true;
            for (int i = 0; i < resources.size(); i++) {
                int resource = resources.resource(i);
                isUsual &= ScoredResources.isUsual(used(resource, node), nodes.allocatable(resource, node));
            }
            return isUsual;
        }

        private long used(int resource, int node) {
            return switch (resource) {
                case ResourceNames.CPU -> nodes.nonZeroCpu(node);
                case ResourceNames.MEMORY -> nodes.nonZeroMemory(node);
                default -> nodes.requested(resource, node);
            };
        }
    }

    /** Between the scores of the least and of the most requests. */
    private record AllocationBounds(AllocationScore least, AllocationScore most) implements ScoreBounds {
        @Override
        public AllocationBounds upToDate() {
            return this;
        }

        @Override
        public int lowest(int node) {
            return least.isUsual(node) ? Math.min(least.of(node), most.of(node)) : NONE;
        }

        @Override
        public int highest(int node) {
            return least.isUsual(node) ? Math.max(least.of(node), most.of(node)) : NONE;
        }

        @Override
        public long reworked() {
            return 0;
        }
    }

    /**
     * Wakes pods for a node that has come to have room, or that would once those are gone that may have to go for the pod: a
     * new or larger one, or one where a pod has given back what the waiting pod lacked.
     */
    private final class FitWakeUps {
        private final LesserPods lesser = LesserPods.of(cluster);
        private @Nullable ClusterChange lastChange;
        private Exchange exchange = new Exchange(ResourceVector.NONE, ResourceVector.NONE, 0);

        /** @param places how many places for pods came free */
        private record Exchange(ResourceVector given, ResourceVector taken, int places) {}

        List<WakeUp> all() {
            return List.of(
                    WakeUp.on(this::fitsNode, ChangeKind.NODE_ADDED, ChangeKind.NODE_ALLOCATABLE)
                            .alike(FitWakeUps::requestsAndRank)
                            .aboutNodeAlone()
                            .alsoOfGangs(),
                    WakeUp.on(
                                    this::fitsForWhatWasFreed,
                                    ChangeKind.ASSIGNED_POD_DELETED,
                                    ChangeKind.ASSIGNED_POD_SCALED_DOWN)
                            .alike(FitWakeUps::requestsAndRank)
                            .aboutNodeAlone()
                            .ofGangs(this::fitsWhereSomeWasFreed),
                    WakeUp.on(
                                    this::asksForDevicesOf,
                                    ChangeKind.added(Kinds.DEVICE_CLASS),
                                    ChangeKind.updated(Kinds.DEVICE_CLASS))
                            .alike(waiting -> PodInfo.of(waiting).shape().resources())
                            .alsoOfGangs(),
                    WakeUp.on(Hint.ALWAYS, ChangeKind.OWN_SCALED_DOWN));
        }

        private static Object requestsAndRank(PendingPod waiting) {
            return List.of(PodInfo.of(waiting).shape().resources(), LesserPods.rankOf(waiting.pod()));
        }

        /** Whether it asks for a resource that stands for devices of the class by this change. */
        private boolean asksForDevicesOf(PendingPod waiting, ClusterChange change) {
            Set<String> already = change.before(DeviceClass.class)
                    .map(ExtendedResources::claimedBy)
                    .orElse(Set.of());
            return change.after(DeviceClass.class).map(ExtendedResources::claimedBy).orElse(Set.of()).stream()
                    .anyMatch(resource -> !already.contains(resource) && waiting.requested(resource) > 0);
        }

        private boolean fitsNode(PendingPod waiting, ClusterChange change) {
            return fitsOn(change.after(Node.class).orElseThrow().name(), waiting);
        }

        private boolean fitsOn(String name, PendingPod waiting) {
            int node = cluster.nodes().findPresent(name);
            return node >= 0 && (compiled(PodInfo.of(waiting)).check.fits(node) || fitsWithoutLesser(waiting, node));
        }

        private boolean fitsWithoutLesser(PendingPod waiting, int node) {
            return lesser.passesWithout(compiled(PodInfo.of(waiting)).check.new DryRun(), node, waiting.pod());
        }

        private boolean fitsForWhatWasFreed(PendingPod waiting, ClusterChange change) {
            String name = change.before(Pod.class).orElseThrow().spec().nodeName();
            int node = cluster.nodes().findPresent(name);
            if (node < 0) {
                return false;
            }
            Exchange pods = exchangeOn(name, change);
            FitCheck check = compiled(PodInfo.of(waiting)).check;
            return check.fits(node)
                    ? !check.fitted(node, pods.given, pods.taken, pods.places)
                    : fitsWithoutLesser(waiting, node);
        }

        /** It may have fitted there before, and another of its gang now does beside it. */
        private boolean fitsWhereSomeWasFreed(PendingPod waiting, ClusterChange change) {
            return fitsOn(change.before(Pod.class).orElseThrow().spec().nodeName(), waiting);
        }

        /** Returns the effect of the change on that node; the same for all pods that are asked about, so worked out once. */
        @SuppressWarnings("ReferenceEquality")
        private Exchange exchangeOn(String node, ClusterChange change) {
            if (lastChange != change) {
                lastChange = change;
                Optional<Pod> after =
                        change.is(ChangeKind.ASSIGNED_POD_DELETED) && !change.is(ChangeKind.ASSIGNED_POD_ADDED)
                                ? Optional.empty()
                                : change.after(Pod.class)
                                        .filter(pod -> pod.spec().nodeName().equals(node));
                Exchange before = exchange;
                exchange = new Exchange(
                        requestsOf(change.before(Pod.class).orElseThrow()),
                        after.map(this::requestsOf).orElse(ResourceVector.NONE),
                        after.isPresent() ? 0 : 1);
                cluster.resources().release(before.given);
                cluster.resources().release(before.taken);
            }
            return exchange;
        }

        /** Its names stay known while the exchange is kept, although no pod may have them any more. */
        private ResourceVector requestsOf(Pod pod) {
            return cluster.read(
                    pod,
                    info -> cluster.resources()
                            .acquire(info.shape().resources().value().requests()));
        }
    }
}
