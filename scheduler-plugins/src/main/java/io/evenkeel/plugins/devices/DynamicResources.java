package io.evenkeel.plugins.devices;

import io.evenkeel.api.ChangeKind;
import io.evenkeel.api.ClusterChange;
import io.evenkeel.api.CycleState;
import io.evenkeel.api.Hint;
import io.evenkeel.api.Interest;
import io.evenkeel.api.NodeInfo;
import io.evenkeel.api.NodeStatuses;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.PluginFactory;
import io.evenkeel.api.PostFilterPlugin;
import io.evenkeel.api.PreEnqueuePlugin;
import io.evenkeel.api.PreFilterPlugin;
import io.evenkeel.api.PreFilterResult;
import io.evenkeel.api.Preparation;
import io.evenkeel.api.PreparingPlugin;
import io.evenkeel.api.ReservePlugin;
import io.evenkeel.api.ScorePlugin;
import io.evenkeel.api.StateKey;
import io.evenkeel.api.Status;
import io.evenkeel.api.Trial;
import io.evenkeel.api.WakeUp;
import io.evenkeel.api.WakeUpPlugin;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.LiveNode;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.index.ObjectStore;
import io.evenkeel.cluster.index.Work;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.config.Difference;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.config.FeatureGates.Feature;
import io.evenkeel.config.PluginArgs.DynamicResourcesArgs;
import io.evenkeel.framework.BatchFilterPlugin;
import io.evenkeel.framework.BatchScorePlugin;
import io.evenkeel.framework.ClaimingPlugin;
import io.evenkeel.framework.DryRunPlugin;
import io.evenkeel.framework.SelectivePlugin;
import io.evenkeel.framework.TreeContext;
import io.evenkeel.framework.cycle.Diagnosis;
import io.evenkeel.framework.cycle.FilterDryRun;
import io.evenkeel.framework.cycle.NodeScores;
import io.evenkeel.framework.cycle.Rejections;
import io.evenkeel.framework.why.Account;
import io.evenkeel.framework.why.Change;
import io.evenkeel.framework.why.ExplainingPlugin;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodStatus.Mapping;
import io.evenkeel.model.device.DeviceAllocation;
import io.evenkeel.model.device.DeviceRequest;
import io.evenkeel.model.device.DeviceRequest.Wanted;
import io.evenkeel.model.device.ResourceClaim;
import io.evenkeel.model.device.ResourceClaim.Consumer;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.plugins.devices.ClaimsUnderway.Exchange;
import io.evenkeel.plugins.devices.DeviceBook.Answer;
import io.evenkeel.plugins.devices.DeviceBook.Verdicts;
import io.evenkeel.plugins.devices.ExtendedClaims.Asked;
import io.evenkeel.plugins.devices.ExtendedClaims.Made;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Keeps pods to the nodes where their claims have devices, or can have some; and gives them devices of the node that was
 * chosen.
 */
public final class DynamicResources
        implements PreEnqueuePlugin,
                PreFilterPlugin,
                BatchFilterPlugin,
                DryRunPlugin,
                PostFilterPlugin,
                BatchScorePlugin,
                ReservePlugin,
                PreparingPlugin,
                ClaimingPlugin,
                SelectivePlugin,
                ExplainingPlugin,
                WakeUpPlugin {
    public static final String NAME = "DynamicResources";
    public static final PluginFactory FACTORY =
            TreeContext.factory(NAME, DynamicResources.class, DynamicResources::new);

    private static final Status NOT_THERE = Status.unresolvable("resourceclaim not available on the node");
    private static final Status NOT_ALL = Status.unresolvable(Answer.CANNOT);
    private static final Status INVALID_POOLS = Status.unresolvable(Answer.INVALID);
    private static final Status TIMED_OUT = Status.unresolvable(Answer.TIMED_OUT);
    private static final Status IN_USE = Status.unresolvable("resourceclaim in use");
    private static final Status NOT_SEEN = Status.unresolvable("not found");
    private static final Status FREED = Status.unschedulable("deallocation of ResourceClaim completed");
    private static final Status DELETED = Status.unschedulable("deletion of ResourceClaim completed");
    private static final Status CLAIM_IS_LEFT = Status.unresolvable("cannot schedule extended resource claim");
    private static final Status DOES_NOT_FIT = Status.unresolvable("cannot fit resource");

    private static final StateKey<Claims> CLAIMS = new StateKey<>("the pod's claims", Claims.class);
    private static final StateKey<DeviceBook.Budget> BUDGET =
            new StateKey<>("what the pod's decision may take", DeviceBook.Budget.class);
    private static final StateKey<DevicePlan> PLAN = new StateKey<>("how the pod gets its devices", DevicePlan.class);
    private static final StateKey<DevicePreparation> PREPARATION =
            new StateKey<>("what is written of that", DevicePreparation.class);

    private final ClusterView cluster;
    private final ObjectStore objects;
    private final NodeTable nodes;
    private final Work work;
    private final DeviceBook book;
    private final ClaimsUnderway underway;
    private final ClaimReader reader;
    private final ExtendedClaims extended;
    private final Duration timeLimit;
    private final boolean heedsConditions;
    private final boolean saysIdle;
    private final boolean takesAlternatives;
    private final boolean heedsTaintRules;
    private final NodeSet reached = new NodeSet();
    private final NodeSet rest = new NodeSet();
    private final NodeSet alike = new NodeSet();
    private final DeviceAnswers answers;
    private long[] alternatives = {};

    /**
     * A pod's claims, each with its devices or without.
     *
     * @param with those that have devices, or are to have them by the decision for another pod of the group
     * @param without those that need some
     * @param asked what the pod asks for by extended resources, for which a claim is made when the node is known
     */
    private record Claims(List<ResourceClaim> with, List<ResourceClaim> without, Optional<Asked> asked) {
        static final Claims NONE = new Claims(List.of(), List.of(), Optional.empty());

        boolean areNone() {
            return with.isEmpty() && without.isEmpty() && asked.isEmpty();
        }

        /** Whether the server would refuse the pod as one too many. */
        boolean areFullFor(Pod pod) {
            return with.stream().anyMatch(claim -> claim.isFullFor(pod.meta().uid()));
        }
    }

    /**
     * How a pod gets its devices.
     *
     * @param without claims that need some
     * @param given by the decision for this pod, for each of these
     * @param mappings which container uses which request of the claim that is made for extended resources
     */
    private record DevicePlan(
            List<ResourceClaim> with,
            List<ResourceClaim> without,
            List<DeviceAllocation> given,
            List<Mapping> mappings) {}

    /** The claims, or why there is no node for the pod. */
    private sealed interface Sorted {
        record Into(Claims claims) implements Sorted {}

        record Unusable(Status status) implements Sorted {}
    }

    public DynamicResources(TreeContext context) {
        cluster = context.cluster();
        objects = cluster.objects();
        nodes = cluster.nodes();
        work = cluster.work();
        book = DeviceBook.of(cluster);
        underway = ClaimsUnderway.of(cluster);
        answers = new DeviceAnswers(cluster, book);
        reader = new ClaimReader(objects);
        extended = ExtendedClaims.of(cluster);
        underway.tell(context.members());
        timeLimit = context.argsOr(DynamicResourcesArgs.class, DynamicResourcesArgs.defaults())
                .bindingTimeout();
        FeatureGates gates = context.featureGates();
        heedsConditions = gates.isOn(Feature.DRA_DEVICE_BINDING_CONDITIONS)
                && gates.isOn(Feature.DRA_RESOURCE_CLAIM_DEVICE_STATUS);
        saysIdle = !gates.has(Difference.NO_CLAIMS_NO_WORDS);
        takesAlternatives = gates.isOn(Feature.DRA_PRIORITIZED_LIST);
        heedsTaintRules = gates.isOn(Feature.DRA_DEVICE_TAINTS) && gates.isOn(Feature.DRA_DEVICE_TAINT_RULES);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Set<Kind<?>> reads() {
        Set<Kind<?>> kinds = new HashSet<>(Set.of(Kinds.RESOURCE_CLAIM, Kinds.RESOURCE_SLICE, Kinds.DEVICE_CLASS));
        if (heedsTaintRules) {
            kinds.add(Kinds.DEVICE_TAINT_RULE);
        }
        return kinds;
    }

    @Override
    public Status preEnqueue(Pod pod) {
        return !hasClaims(pod) || !(reader.read(pod) instanceof ClaimReader.Answer.Unusable(String why))
                ? Status.SUCCESS
                : Status.unresolvable(why);
    }

    private boolean hasClaims(Pod pod) {
        return cluster.needsDevices(pod);
    }

    private boolean hasClaims(PendingPod pod) {
        return cluster.needsDevices(PodInfo.of(pod));
    }

    @Override
    public PreFilterResult preFilter(CycleState state, PendingPod pod) {
        if (!hasClaims(pod)) {
            return PreFilterResult.SKIP;
        }
        return switch (sorted(pod.pod())) {
            case Sorted.Unusable(Status status) -> new PreFilterResult.Rejected(status);
            case Sorted.Into(Claims claims) -> {
                if (claims.areNone()) {
                    yield PreFilterResult.SKIP;
                }
                if (state.find(FOR_PEOPLE).isPresent() && claims.areFullFor(pod.pod())) {
                    yield new PreFilterResult.Rejected(IN_USE);
                }
                work.addRules(claims.with().size() + claims.without().size());
                state.put(CLAIMS, claims);
                yield PreFilterResult.PROCEED;
            }
        };
    }

    private Sorted sorted(Pod pod) {
        return switch (reader.read(pod)) {
            case ClaimReader.Answer.Unusable(String why) -> new Sorted.Unusable(Status.unresolvable(why));
            case ClaimReader.Answer.Claims(List<ResourceClaim> claims) -> sorted(pod, claims);
        };
    }

    private Sorted sorted(Pod pod, List<ResourceClaim> claims) {
        List<ResourceClaim> with = new ArrayList<>(claims.size());
        List<ResourceClaim> without = new ArrayList<>(claims.size());
        for (ResourceClaim claim : claims) {
            if (claim.allocation().isPresent()) {
                with.add(claim);
                continue;
            }
            Optional<DeviceAllocation> assumed = book.assumed(claim);
            if (assumed.isPresent()) {
                if (!underway.mayCountOn(claim, pod)) {
                    return unusable("resource claim " + claim.key() + " is in the process of being allocated");
                }
                with.add(claim.having(assumed.get()));
                continue;
            }
            Optional<Status> trouble = trouble(claim);
            if (trouble.isPresent()) {
                return new Sorted.Unusable(trouble.get());
            }
            without.add(claim);
        }
        return new Sorted.Into(new Claims(List.copyOf(with), List.copyOf(without), underway.asked(pod)));
    }

    private static Sorted unusable(String why) {
        return new Sorted.Unusable(Status.unresolvable(why));
    }

    /** Tells what is wrong with what the claim asks for, whatever devices there are. */
    private Optional<Status> trouble(ResourceClaim claim) {
        for (DeviceRequest request : claim.spec().requests()) {
            if (request.alternatives().isEmpty()) {
                return Optional.of(Status.unresolvable(about(claim, request) + "unknown request type"));
            }
            if (request.prioritized() && !takesAlternatives) {
                return Optional.of(Status.unresolvable(
                        about(claim, request) + "has subrequests, but the DRAPrioritizedList feature is disabled"));
            }
            for (Wanted wanted : request.alternatives()) {
                String name = request.prioritized() ? request.name() + '/' + wanted.name() : request.name();
                if (wanted.deviceClass().isEmpty()) {
                    return Optional.of(Status.error("request " + name + ": unsupported request type"));
                }
                if (objects.find(Kinds.DEVICE_CLASS, wanted.deviceClass()).isEmpty()) {
                    return Optional.of(Status.unresolvable(
                            "request " + name + ": device class " + wanted.deviceClass() + " does not exist"));
                }
            }
        }
        return Optional.empty();
    }

    private static String about(ResourceClaim claim, DeviceRequest request) {
        return "resource claim " + claim.key() + ", request " + request.name() + ": ";
    }

    @Override
    public Status filter(CycleState state, PendingPod pod, NodeInfo node) {
        return verdict(sorted(state, pod.pod()), LiveNode.idOf(node), book.budget());
    }

    /** A profile may have it filter without asking it before. */
    private Sorted sorted(CycleState state, Pod pod) {
        Optional<Claims> before = state.find(CLAIMS);
        if (before.isPresent()) {
            return new Sorted.Into(before.get());
        }
        return hasClaims(pod) ? sorted(pod) : new Sorted.Into(Claims.NONE);
    }

    private Status verdict(Sorted sorted, int node, DeviceBook.Budget budget) {
        return switch (sorted) {
            case Sorted.Unusable(Status status) -> status;
            case Sorted.Into(Claims claims) -> verdict(claims, node, budget);
        };
    }

    /** What is wrong with claims that need devices is said before where others have theirs. */
    private Status verdict(Claims claims, int node, DeviceBook.Budget budget) {
        if (claims.asked().isPresent() && claims.asked().get().left().isPresent()) {
            return CLAIM_IS_LEFT;
        }
        if (claims.asked().isPresent() && !extended.fitsOtherwise(claims.asked().get(), node)) {
            return DOES_NOT_FIT;
        }
        List<ResourceClaim> without = withoutOn(claims, node);
        if (!without.isEmpty()) {
            switch (budget.allocate(without, node)) {
                case Answer.Found _ -> {}
                case Answer.None(String reason) -> {
                    return Status.unresolvable(reason);
                }
                case Answer.Failed(String message) -> {
                    return Status.error(message);
                }
            }
        }
        return claims.with().stream().allMatch(claim -> isUsableOn(claim, node)) ? Status.SUCCESS : NOT_THERE;
    }

    /** The claims that need devices, with the one for what the node does not offer itself. */
    private List<ResourceClaim> withoutOn(Claims claims, int node) {
        Optional<Made> made = made(claims, node);
        if (made.isEmpty()) {
            return claims.without();
        }
        List<ResourceClaim> all = new ArrayList<>(claims.without());
        all.add(made.get().claim());
        return all;
    }

    private Optional<Made> made(Claims claims, int node) {
        return claims.asked().flatMap(asked -> extended.on(asked, node));
    }

    private boolean isUsableOn(ResourceClaim claim, int node) {
        return !isFailing(claim)
                && !isOverdue(claim)
                && claim.allocation().flatMap(DeviceAllocation::nodes).stream()
                        .allMatch(selector -> selector.matches(nodes.node(node).labels(), nodes.name(node)));
    }

    /** Whether a device of the claim says that it cannot be made ready. */
    private boolean isFailing(ResourceClaim claim) {
        return heedsConditions && !claim.devices().isEmpty() && DevicePreparation.isFailing(claim);
    }

    /** Whether its devices were waited for as long as may be, and are not ready yet. */
    private boolean isOverdue(ResourceClaim claim) {
        return book.isGivenUp(claim) && !DevicePreparation.isReady(claim);
    }

    @Override
    public void filterAll(CycleState state, PodInfo pod, NodeSet candidates, Rejections rejections) {
        switch (sorted(state, pod.pod())) {
            case Sorted.Unusable(Status status) -> rejections.keepOnly(candidates, NodeSetView.NONE, status);
            case Sorted.Into(Claims claims) -> {
                DeviceBook.Budget budget = book.budget();
                state.put(BUDGET, budget);
                if (claims.asked().isPresent()) {
                    filterAsked(pod.pod(), claims, claims.asked().get(), candidates, rejections, budget);
                } else if (!claims.without().isEmpty()) {
                    filterFree(pod.pod(), claims.without(), candidates, rejections, budget);
                }
                if (!claims.with().isEmpty()) {
                    filterGiven(claims.with(), candidates, rejections);
                }
            }
        }
    }

    /** Nodes that offer the same of what is asked for get the same claim. */
    private void filterAsked(
            Pod pod, Claims claims, Asked asked, NodeSet candidates, Rejections rejections, DeviceBook.Budget budget) {
        if (asked.left().isPresent()) {
            rejections.keepOnly(candidates, NodeSetView.NONE, CLAIM_IS_LEFT);
            return;
        }
        work.add((long) asked.resources().size() * candidates.size());
        rest.copyFrom(candidates);
        for (int node = candidates.first(); node >= 0; node = candidates.next(node + 1)) {
            if (!extended.fitsOtherwise(asked, node)) {
                rest.remove(node);
            }
        }
        rejections.keepOnly(candidates, rest, DOES_NOT_FIT);
        for (int first = rest.first(); first >= 0; first = rest.first()) {
            alike.clear();
            for (int node = first; node >= 0; node = rest.next(node + 1)) {
                if (extended.offerTheSame(asked, first, node)) {
                    alike.add(node);
                }
            }
            rest.removeAll(alike);
            List<ResourceClaim> without = withoutOn(claims, first);
            if (!without.isEmpty()) {
                candidates.removeAll(alike);
                filterFree(pod, without, alike, rejections, budget);
                candidates.addAll(alike);
            }
        }
    }

    private void filterFree(
            Pod pod, List<ResourceClaim> without, NodeSet candidates, Rejections rejections, DeviceBook.Budget budget) {
        Verdicts verdicts = book.verdicts(without, candidates, budget);
        if (verdicts.failure().isPresent()) {
            throw new Search.Failure(verdicts.failure().get().message());
        }
        rejections.reject(candidates, verdicts.invalid(), INVALID_POOLS);
        verdicts.unsure().forEach((why, nodes) -> rejections.reject(candidates, nodes, Status.unresolvable(why)));
        rejections.reject(candidates, verdicts.timedOut(), TIMED_OUT);
        boolean mayExchange = underway.mayExchange() && !candidates.intersects(verdicts.possible());
        rejections.keepOnly(
                candidates, mayExchange ? byExchange(pod, without, candidates, budget) : verdicts.possible(), NOT_ALL);
    }

    /** The nodes where others of the pod's group can take other devices, so that it gets some. */
    private NodeSet byExchange(Pod pod, List<ResourceClaim> without, NodeSet candidates, DeviceBook.Budget budget) {
        NodeSet there = underway.nodesOfOthers(pod);
        there.retainAll(candidates);
        for (int node = there.first(); node >= 0; node = there.next(node + 1)) {
            if (underway.exchange(pod, without, node, budget).isEmpty()) {
                there.remove(node);
            }
        }
        return there;
    }

    private void filterGiven(List<ResourceClaim> with, NodeSet candidates, Rejections rejections) {
        work.add((long) with.size() * candidates.size());
        reached.copyFrom(candidates);
        for (int node = candidates.first(); node >= 0; node = candidates.next(node + 1)) {
            for (int i = 0; i < with.size(); i++) {
                if (!isUsableOn(with.get(i), node)) {
                    reached.remove(node);
                }
            }
        }
        rejections.keepOnly(candidates, reached, NOT_THERE);
    }

    @Override
    public FilterDryRun dryRun(PodInfo pod) {
        if (!hasClaims(pod)) {
            return FilterDryRun.PASSES;
        }
        Sorted sorted = sorted(pod.pod());
        return sorted instanceof Sorted.Into(Claims claims) && claims.areNone()
                ? FilterDryRun.PASSES
                : new ClaimsDryRun(sorted);
    }

    /** Pods that go leave their devices to their claims; those that come may take some. */
    private final class ClaimsDryRun implements FilterDryRun {
        private final Sorted sorted;
        private final DeviceBook.Budget budget = book.budget();
        private Status verdict = Status.SUCCESS;

        ClaimsDryRun(Sorted sorted) {
            this.sorted = sorted;
        }

        @Override
        public boolean begin(int node) {
            verdict = DynamicResources.this.verdict(sorted, node, budget);
            return false;
        }

        @Override
        public void count(int row, int more) {}

        @Override
        public boolean addNominated(PodInfo other) {
            return !hasClaims(other);
        }

        @Override
        public Status verdict() {
            return verdict;
        }
    }

    /** Frees the devices of a claim that keeps the pod from nodes and is of use to no other pod. */
    @Override
    public Result postFilter(CycleState state, PendingPod pod, NodeStatuses statuses, Trial trial) {
        Diagnosis diagnosis = (Diagnosis) statuses;
        if (isTurnedAwayBefore(diagnosis)) {
            return Result.none(NOT_SEEN);
        }
        Optional<Claims> claims = state.find(CLAIMS);
        if (claims.isEmpty()) {
            return idle("no new claims to deallocate");
        }
        Optional<ResourceClaim> free = claims.get().with().stream()
                .filter(claim -> mayBeFreedFor(pod.pod(), claim) && isInTheWay(claim, diagnosis))
                .findFirst();
        if (free.isPresent()) {
            return Result.none(FREED).writing(List.of(DevicePreparation.deallocation(free.get())));
        }
        Optional<ResourceClaim> left = claims.get()
                .asked()
                .flatMap(Asked::left)
                .filter(claim -> objects.find(Kinds.RESOURCE_CLAIM, claim.key()).isPresent());
        return left.map(claim -> Result.none(DELETED).writing(DevicePreparation.deletion(claim)))
                .orElseGet(() -> idle("still not schedulable"));
    }

    private Result idle(String why) {
        return Result.none(saysIdle ? Status.unschedulable(why) : Status.unschedulable());
    }

    private boolean mayBeFreedFor(Pod pod, ResourceClaim claim) {
        List<Consumer> consumers = claim.reservedFor();
        return book.assumed(claim).isEmpty()
                && (consumers.isEmpty()
                        || (consumers.size() == 1
                                && claim.isReservedFor(pod.meta().uid())));
    }

    private boolean isInTheWay(ResourceClaim claim, Diagnosis diagnosis) {
        return diagnosis.rejections().stream()
                .filter(rejection ->
                        rejection.plugin().equals(NAME) && rejection.status().equals(NOT_THERE))
                .map(Diagnosis.Rejection::nodes)
                .anyMatch(turnedAway -> {
                    for (int node = turnedAway.first(); node >= 0; node = turnedAway.next(node + 1)) {
                        if (!isUsableOn(claim, node)) {
                            return true;
                        }
                    }
                    return false;
                });
    }

    /** After a rejection that others' leaving may heal, the rest of the plugins were asked all the same. */
    private static boolean isTurnedAwayBefore(Diagnosis diagnosis) {
        return diagnosis
                .preFilter()
                .filter(rejection -> rejection.status().code() != Status.Code.UNSCHEDULABLE
                        && !rejection.plugin().equals(NAME))
                .isPresent();
    }

    /** Frees a claim at most, and changes of that wake the pod whatever else is in its way. */
    @Override
    public boolean onlyPreempts() {
        return true;
    }

    /**
     * Prefers nodes where claims get what they would rather have: the first alternative of a request is worth 8, the second 7, and
     * so on.
     */
    @Override
    public void scoreAll(CycleState state, PodInfo pod, NodeSet feasible, NodeScores scores) {
        if (!hasClaims(pod)
                || !(sorted(state, pod.pod()) instanceof Sorted.Into(Claims claims))
                || claims.without().stream().noneMatch(DynamicResources::hasAlternatives)) {
            scores.uniform(0);
            return;
        }
        int end = nodes.end();
        alternatives = alternatives.length < end ? new long[end + (end >> 2)] : alternatives;
        long given = claims.with().stream()
                .mapToLong(claim -> worth(claim, claim.allocation().orElseThrow()))
                .sum();
        long most = 0;
        DeviceBook.Budget budget = state.find(BUDGET).orElseGet(book::budget);
        for (int node = feasible.first(); node >= 0; node = feasible.next(node + 1)) {
            alternatives[node] = given + worthOn(withoutOn(claims, node), node, budget);
            most = Math.max(most, alternatives[node]);
        }
        if (most == 0) {
            scores.uniform(0);
            return;
        }
        int[] column = scores.fill(end);
        for (int node = feasible.first(); node >= 0; node = feasible.next(node + 1)) {
            column[node] = (int) (ScorePlugin.MAX_SCORE * alternatives[node] / most);
        }
    }

    private static boolean hasAlternatives(ResourceClaim claim) {
        return claim.spec().requests().stream().anyMatch(DeviceRequest::prioritized);
    }

    private static long worthOn(List<ResourceClaim> without, int node, DeviceBook.Budget budget) {
        if (!(budget.allocate(without, node) instanceof Answer.Found(List<DeviceAllocation> allocations))) {
            return 0;
        }
        long worth = 0;
        for (int i = 0; i < without.size(); i++) {
            worth += worth(without.get(i), allocations.get(i));
        }
        return worth;
    }

    private static long worth(ResourceClaim claim, DeviceAllocation allocation) {
        Set<String> chosen = new HashSet<>();
        allocation.results().forEach(result -> chosen.add(result.request()));
        long worth = 0;
        for (DeviceRequest request : claim.spec().requests()) {
            for (int i = 0; request.prioritized() && i < request.alternatives().size(); i++) {
                if (chosen.contains(
                        request.name() + '/' + request.alternatives().get(i).name())) {
                    worth += DeviceRequest.MOST_ALTERNATIVES - i;
                }
            }
        }
        return worth;
    }

    @Override
    public boolean isFor(PodInfo pod) {
        return hasClaims(pod);
    }

    @Override
    public Status reserve(CycleState state, PendingPod waiting, NodeInfo node) {
        Pod pod = waiting.pod();
        return switch (sorted(pod)) {
            case Sorted.Unusable(Status status) -> status;
            case Sorted.Into(Claims claims) -> reserve(state, pod, claims, LiveNode.idOf(node));
        };
    }

    private Status reserve(CycleState state, Pod pod, Claims claims, int node) {
        if (claims.areFullFor(pod)) {
            return IN_USE;
        }
        List<DeviceAllocation> given = List.of();
        List<ResourceClaim> without = withoutOn(claims, node);
        if (!without.isEmpty()) {
            switch (book.allocate(without, node)) {
                case Answer.Found(List<DeviceAllocation> allocations) -> given = allocations;
                case Answer.None(String reason) -> {
                    Optional<Exchange> exchange = underway.mayExchange()
                            ? underway.exchange(pod, without, node, book.budget())
                            : Optional.empty();
                    if (exchange.isEmpty()) {
                        return Status.unresolvable(reason);
                    }
                    underway.make(exchange.get());
                    given = exchange.get().own();
                }
                case Answer.Failed(String message) -> {
                    return Status.error(message);
                }
            }
            underway.assume(pod, without, given);
        }
        List<Mapping> mappings = made(claims, node).map(Made::mappings).orElse(List.of());
        state.put(PLAN, new DevicePlan(claims.with(), without, given, mappings));
        return Status.SUCCESS;
    }

    /** Devices that are written stay the claim's: the server will show them, or that they have been taken away. */
    @Override
    public void unreserve(CycleState state, PendingPod pod, String nodeName) {
        state.find(PREPARATION)
                .map(DevicePreparation::unwritten)
                .or(() -> state.find(PLAN).map(DevicePlan::without))
                .ifPresent(claims -> underway.forget(pod.pod(), claims));
    }

    @Override
    public Optional<Preparation> prepare(CycleState state, PendingPod pod, String nodeName) {
        if (state.find(PLAN).isEmpty()) {
            return Optional.empty();
        }
        DevicePlan plan = state.get(PLAN);
        DevicePreparation preparation = new DevicePreparation(
                objects,
                book,
                pod.pod(),
                nodeName,
                plan.with(),
                plan.without(),
                () -> underway.settle(pod.pod(), plan.without(), plan.given()),
                plan.mappings(),
                timeLimit,
                heedsConditions);
        state.put(PREPARATION, preparation);
        return Optional.of(preparation);
    }

    @Override
    public List<ResourceClaim> claimsOf(Pod pod, String node) {
        int id = nodes.findPresent(node);
        if (id < 0 || !hasClaims(pod) || !(sorted(pod) instanceof Sorted.Into(Claims claims))) {
            return List.of();
        }
        List<ResourceClaim> all = new ArrayList<>(claims.with());
        List<ResourceClaim> without = new ArrayList<>(claims.without());
        made(claims, id)
                .map(Made::claim)
                .ifPresent(claim -> book.assumed(claim)
                        .ifPresentOrElse(assumed -> all.add(claim.having(assumed)), () -> without.add(claim)));
        if (book.allocate(without, id) instanceof Answer.Found(List<DeviceAllocation> allocations)) {
            for (int i = 0; i < without.size(); i++) {
                all.add(without.get(i).having(allocations.get(i)));
            }
        }
        return all;
    }

    @Override
    public List<Account> accounts(PodInfo pod) {
        return !hasClaims(pod)
                ? List.of()
                : switch (sorted(pod.pod())) {
                    case Sorted.Unusable(Status status) -> answers.ofUnusable(pod.pod(), status.message());
                    case Sorted.Into(Claims claims)
                    when claims.areFullFor(pod.pod()) -> answers.ofUnusable(pod.pod(), IN_USE.message());
                    case Sorted.Into(Claims claims) ->
                        answers.accounts(pod.pod(), claims.with(), withoutSomewhere(claims), this::isUsableOn);
                };
    }

    /** The claims that need devices, with the one for what some node does not offer itself. */
    private List<ResourceClaim> withoutSomewhere(Claims claims) {
        return IntStream.range(0, nodes.end())
                .filter(node -> claims.asked().isPresent() && nodes.isPresent(node))
                .mapToObj(node -> withoutOn(claims, node))
                .filter(without -> without.size() > claims.without().size())
                .findFirst()
                .orElse(claims.without());
    }

    @Override
    public double distance(PodInfo pod, NodeInfo node) {
        return hasClaims(pod) && sorted(pod.pod()) instanceof Sorted.Into(Claims claims)
                ? answers.distance(withoutOn(claims, LiveNode.idOf(node)), LiveNode.idOf(node))
                : 0;
    }

    @Override
    public List<List<Change>> remedies(PodInfo pod, NodeInfo node) {
        return !hasClaims(pod)
                ? List.of()
                : switch (sorted(pod.pod())) {
                    case Sorted.Unusable _ -> answers.otherClasses(pod.pod());
                    case Sorted.Into(Claims claims) when claims.areFullFor(pod.pod()) -> answers.oneUserLess(pod.pod());
                    case Sorted.Into(Claims claims) ->
                        answers.remedies(pod.pod(), withoutOn(claims, LiveNode.idOf(node)), LiveNode.idOf(node));
                };
    }

    @Override
    public List<WakeUp> wakeUps() {
        return List.of(
                WakeUp.on(
                                this::isWithinReach,
                                ChangeKind.NODE_ADDED,
                                ChangeKind.NODE_LABELS,
                                ChangeKind.NODE_ALLOCATABLE)
                        .ofGangs((waiting, change) -> change.is(ChangeKind.NODE_ADDED)
                                || (hasClaims(waiting) && isWithinReach(waiting, change))),
                WakeUp.on(
                                DynamicResources::isNews,
                                ChangeKind.added(Kinds.RESOURCE_CLAIM),
                                ChangeKind.updated(Kinds.RESOURCE_CLAIM))
                        .filedBy(DynamicResources::interestInClaims)
                        .allAlike()
                        .alsoOfGangs(),
                ofDevices(
                        DynamicResources::freesDevices,
                        ChangeKind.updated(Kinds.RESOURCE_CLAIM),
                        ChangeKind.deleted(Kinds.RESOURCE_CLAIM)),
                WakeUp.on(
                                this::wasLeft,
                                ChangeKind.updated(Kinds.RESOURCE_CLAIM),
                                ChangeKind.deleted(Kinds.RESOURCE_CLAIM))
                        .alike(waiting -> extended.asked(waiting.pod())
                                .map(_ -> List.of(
                                        waiting.pod().key(),
                                        waiting.pod().meta().uid())))
                        .alsoOfGangs(),
                ofDevices(this::gaveBack, ChangeKind.ASSIGNED_POD_DELETED),
                ofDevices(
                        Hint.ALWAYS,
                        ChangeKind.added(Kinds.DEVICE_CLASS),
                        ChangeKind.updated(Kinds.DEVICE_CLASS),
                        ChangeKind.added(Kinds.RESOURCE_SLICE),
                        ChangeKind.updated(Kinds.RESOURCE_SLICE),
                        ChangeKind.deleted(Kinds.RESOURCE_SLICE),
                        ChangeKind.updated(Kinds.DEVICE_TAINT_RULE),
                        ChangeKind.deleted(Kinds.DEVICE_TAINT_RULE)),
                WakeUp.on(Hint.ALWAYS, ChangeKind.OWN_CLAIMS, ChangeKind.OWN_OTHER));
    }

    /** A change with a hint that reads nothing of the pod, for pods with claims. */
    private WakeUp ofDevices(Hint hint, ChangeKind first, ChangeKind... more) {
        return WakeUp.on(hint, first, more)
                .alike(waiting -> hasClaims(waiting))
                .ofGangs((waiting, change) -> hasClaims(waiting) && hint.mayHelp(waiting, change));
    }

    /** In its claims, be they there or not. */
    private static Interest interestInClaims(PendingPod waiting) {
        return Interest.inObjects(
                waiting.pod().namespace(), ClaimReader.names(waiting.pod()).toList());
    }

    private boolean isWithinReach(PendingPod waiting, ClusterChange change) {
        int node = nodes.findPresent(change.after(Node.class).orElseThrow().name());
        return node >= 0
                && switch (sorted(waiting.pod())) {
                    case Sorted.Unusable(Status status) -> status.code() == Status.Code.ERROR;
                    case Sorted.Into(Claims claims) ->
                        claims.asked()
                                        .filter(asked ->
                                                asked.left().isPresent() || !extended.fitsOtherwise(asked, node))
                                        .isEmpty()
                                && claims.with().stream().allMatch(claim -> isUsableOn(claim, node))
                                && book.mayHave(withoutOn(claims, node), node);
                };
    }

    /** Drivers and controllers write much into claims that changes nothing for a pod that waits. */
    private static boolean isNews(PendingPod waiting, ClusterChange change) {
        ResourceClaim after = change.after(ResourceClaim.class).orElseThrow();
        Predicate<ResourceClaim> isSame =
                before -> before.meta().uid().equals(after.meta().uid())
                        && before.spec().equals(after.spec())
                        && before.allocation().equals(after.allocation())
                        && before.reservedFor().equals(after.reservedFor())
                        && before.devices().equals(after.devices());
        return change.before(ResourceClaim.class).filter(isSame).isEmpty();
    }

    private static boolean freesDevices(PendingPod waiting, ClusterChange change) {
        return change.before(ResourceClaim.class)
                        .flatMap(ResourceClaim::allocation)
                        .isPresent()
                && change.after(ResourceClaim.class)
                        .flatMap(ResourceClaim::allocation)
                        .isEmpty();
    }

    /** A claim that was left of the pod's extended resources is in its way no longer. */
    private boolean wasLeft(PendingPod waiting, ClusterChange change) {
        return extended.asked(waiting.pod()).isPresent()
                && change.before(ResourceClaim.class)
                        .filter(claim -> ExtendedClaims.isOf(waiting.pod(), claim))
                        .isPresent()
                && change.after(ResourceClaim.class).stream()
                        .noneMatch(claim -> ExtendedClaims.isOf(waiting.pod(), claim));
    }

    /**
     * A pod that is not bound after all gives back the devices that were kept for it. Those that the server shows stay the
     * claims', until these change.
     */
    private boolean gaveBack(PendingPod waiting, ClusterChange change) {
        Pod gone = change.before(Pod.class).orElseThrow();
        if (!hasClaims(gone)) {
            return false;
        }
        boolean allShown = reader.read(gone) instanceof ClaimReader.Answer.Claims(List<ResourceClaim> claims)
                && claims.stream().allMatch(claim -> claim.allocation().isPresent())
                && extended.asked(gone)
                        .filter(asked ->
                                asked.left().flatMap(ResourceClaim::allocation).isEmpty())
                        .isEmpty();
        return !allShown;
    }
}
