package io.evenkeel.plugins.volumes;

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
import io.evenkeel.api.Preparation;
import io.evenkeel.api.ReservePlugin;
import io.evenkeel.api.StateKey;
import io.evenkeel.api.Status;
import io.evenkeel.api.WakeUp;
import io.evenkeel.api.WakeUpPlugin;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.LiveNode;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.index.Work;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.config.FeatureGates.Feature;
import io.evenkeel.config.PluginArgs.UtilizationShape;
import io.evenkeel.config.PluginArgs.VolumeBindingArgs;
import io.evenkeel.framework.BatchFilterPlugin;
import io.evenkeel.framework.BatchScorePlugin;
import io.evenkeel.framework.DryRunPlugin;
import io.evenkeel.framework.ForeseeingPlugin;
import io.evenkeel.framework.SelectivePlugin;
import io.evenkeel.framework.TreeContext;
import io.evenkeel.framework.cycle.FilterDryRun;
import io.evenkeel.framework.cycle.NodeScores;
import io.evenkeel.framework.cycle.Rejections;
import io.evenkeel.framework.why.Account;
import io.evenkeel.framework.why.Change;
import io.evenkeel.framework.why.ExplainingPlugin;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.storage.CsiDriver;
import io.evenkeel.model.storage.CsiNode;
import io.evenkeel.model.storage.CsiStorageCapacity;
import io.evenkeel.model.storage.PersistentVolume;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.model.storage.StorageClass;
import io.evenkeel.model.value.Labels;
import io.evenkeel.model.value.Quantity;
import io.evenkeel.plugins.volumes.ClaimReader.PodClaims;
import io.evenkeel.plugins.volumes.NodeSearch.NodeReasons;
import io.evenkeel.plugins.volumes.NodeSearch.VolumePlan;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps pods to the nodes that can reach their volumes; and gives claims that are bound only once there is a pod for them a
 * volume near the node that was chosen: the smallest of those that there are, or else one that is made.
 */
public final class VolumeBinding
        implements PreFilterPlugin,
                BatchFilterPlugin,
                DryRunPlugin,
                PreScorePlugin,
                BatchScorePlugin,
                ReservePlugin,
                ForeseeingPlugin,
                SelectivePlugin,
                WakeUpPlugin,
                ExplainingPlugin {
    public static final String NAME = "VolumeBinding";
    public static final PluginFactory FACTORY = TreeContext.factory(NAME, VolumeBinding.class, VolumeBinding::new);

    private static final StateKey<PodClaims> CLAIMS = new StateKey<>("the pod's claims", PodClaims.class);
    private static final StateKey<VolumePlan> PLAN = new StateKey<>("how the pod gets its volumes", VolumePlan.class);

    private final KnownVolumes known;
    private final NodeTable nodes;
    private final Work work;
    private final ClaimReader claims;
    private final VolumeBook book;
    private final Reach reach;
    private final Duration timeLimit;
    private final NodeSearch search;
    private final NodesSearch batch;
    private final Optional<RoomScore> byRoom;
    private final BindingAnswers answers;
    private final ForeseenVolumes foreseen;

    public VolumeBinding(TreeContext context) {
        ClusterView cluster = context.cluster();
        known = new KnownVolumes(cluster);
        nodes = cluster.nodes();
        work = cluster.work();
        book = VolumeBook.of(cluster);
        claims = new ClaimReader(known, book);
        reach = new Reach(cluster);
        search = new NodeSearch(cluster, known, book, reach);
        batch = new NodesSearch(cluster, known, book, reach, search);
        answers = new BindingAnswers(cluster, claims, book, reach, search);
        foreseen = new ForeseenVolumes(nodes, known, book, claims, search);
        VolumeBindingArgs args = context.argsOr(VolumeBindingArgs.class, VolumeBindingArgs.defaults());
        timeLimit = Duration.ofSeconds(args.bindTimeoutSeconds());
        byRoom = context.featureGates().isOn(Feature.STORAGE_CAPACITY_SCORING)
                ? Optional.of(new RoomScore(batch, Capacities.of(cluster), args.scores()))
                : Optional.empty();
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Set<Kind<?>> reads() {
        return Set.of(
                Kinds.PERSISTENT_VOLUME_CLAIM,
                Kinds.PERSISTENT_VOLUME,
                Kinds.STORAGE_CLASS,
                Kinds.CSI_NODE,
                Kinds.CSI_DRIVER,
                Kinds.CSI_STORAGE_CAPACITY);
    }

    @Override
    public PreFilterResult preFilter(CycleState state, PendingPod pod) {
        if (pod.pod().spec().volumes().isEmpty()) {
            return PreFilterResult.SKIP;
        }
        return switch (claims.read(pod.pod())) {
            case ClaimReader.Answer.None _ -> PreFilterResult.SKIP;
            case ClaimReader.Answer.Unusable(Status status) -> new PreFilterResult.Rejected(status);
            case PodClaims some -> {
                work.addRules(some.bound().size() + some.unbound().size());
                state.put(CLAIMS, some);
                yield PreFilterResult.PROCEED;
            }
        };
    }

    @Override
    public Status filter(CycleState state, PendingPod waiting, NodeInfo node) {
        return verdict(claims(state, PodInfo.of(waiting)), LiveNode.idOf(node));
    }

    /** A profile may have it filter without asking it before. */
    private ClaimReader.Answer claims(CycleState state, PodInfo pod) {
        Optional<PodClaims> read = state.find(CLAIMS);
        return read.isPresent() ? read.get() : claims.read(pod.pod());
    }

    private Status verdict(ClaimReader.Answer answer, int node) {
        return switch (answer) {
            case ClaimReader.Answer.None _ -> Status.SUCCESS;
            case ClaimReader.Answer.Unusable(Status status) -> status;
            case PodClaims some -> NodeReasons.status(search.search(some, node).reasons());
        };
    }

    @Override
    public void filterAll(CycleState state, PodInfo pod, NodeSet candidates, Rejections rejections) {
        switch (claims(state, pod)) {
            case ClaimReader.Answer.None _ -> {}
            case ClaimReader.Answer.Unusable(Status status) ->
                rejections.keepOnly(candidates, NodeSetView.NONE, status);
            case PodClaims some -> filterAll(some, candidates, rejections);
        }
    }

    private void filterAll(PodClaims some, NodeSet candidates, Rejections rejections) {
        batch.search(some, candidates);
        for (int reasons = NodeReasons.END - 1; reasons > NodeReasons.NONE; reasons--) {
            NodeSetView exactly = batch.againstBy(reasons);
            if (!exactly.isEmpty()) {
                rejections.reject(candidates, exactly, NodeReasons.status(reasons));
            }
        }
    }

    @Override
    public FilterDryRun dryRun(PodInfo pod) {
        if (pod.pod().spec().volumes().isEmpty()) {
            return FilterDryRun.PASSES;
        }
        ClaimReader.Answer answer = claims.read(pod.pod());
        return answer instanceof ClaimReader.Answer.None
                ? FilterDryRun.PASSES
                : FilterDryRun.ofPodAlone(node -> verdict(answer, node));
    }

    @Override
    public Status preScore(CycleState state, PendingPod pod, Collection<NodeInfo> feasible) {
        return byRoom.isPresent() ? Status.SUCCESS : Status.SKIP;
    }

    @Override
    public void scoreAll(CycleState state, PodInfo pod, NodeSet feasible, NodeScores scores) {
        Optional<PodClaims> unbound = pod.pod().spec().volumes().isEmpty()
                ? Optional.empty()
                : state.find(CLAIMS).filter(some -> !some.unbound().isEmpty());
        if (byRoom.isPresent() && unbound.isPresent()) {
            byRoom.get().score(unbound.get(), feasible, nodes.end(), scores);
        } else {
            scores.uniform(0);
        }
    }

    @Override
    public boolean isFor(PodInfo pod) {
        return !pod.pod().spec().volumes().isEmpty();
    }

    @Override
    public Status reserve(CycleState state, PendingPod pod, NodeInfo node) {
        if (state.find(CLAIMS).isEmpty()) {
            return Status.SUCCESS;
        }
        NodeSearch.Found found = search.search(state.get(CLAIMS), LiveNode.idOf(node));
        Status status = NodeReasons.status(found.reasons());
        if (status.isSuccess() && !found.plan().isNothing()) {
            book.reserve(holder(pod.pod()), node.name(), found.plan());
            state.put(PLAN, found.plan());
        }
        return status;
    }

    @Override
    public void unreserve(CycleState state, PendingPod pod, String nodeName) {
        state.find(PLAN).ifPresent(plan -> book.release(holder(pod.pod()), plan));
    }

    @Override
    public Optional<Preparation> prepare(CycleState state, PendingPod pod, String nodeName) {
        return state.find(PLAN)
                .map(plan -> new BindingPreparation(known, nodes, reach, state.get(CLAIMS), plan, nodeName, timeLimit));
    }

    @Override
    public List<KubernetesObject> written(Pod pod, int node) {
        return pod.spec().volumes().isEmpty() ? List.of() : foreseen.written(pod, node);
    }

    @Override
    public List<KubernetesObject> prepared(Pod pod) {
        return pod.spec().volumes().isEmpty() ? List.of() : foreseen.prepared(pod);
    }

    private static String holder(Pod pod) {
        return pod.key() + " " + pod.meta().uid();
    }

    @Override
    public List<Account> accounts(PodInfo pod) {
        return answers.accounts(pod);
    }

    @Override
    public List<Labels> labelsOfNewNodes(PodInfo pod) {
        return answers.labelsOfNewNodes(pod);
    }

    @Override
    public List<List<Change>> remedies(PodInfo pod, NodeInfo node) {
        return answers.remedies(pod, node);
    }

    @Override
    public List<WakeUp> wakeUps() {
        return List.of(
                KnownVolumes.onNodes(this::isWithinReach),
                KnownVolumes.forVolumes(
                        Hint.ALWAYS,
                        ChangeKind.OWN_OTHER,
                        ChangeKind.added(Kinds.CSI_NODE),
                        ChangeKind.deleted(Kinds.CSI_NODE),
                        ChangeKind.deleted(Kinds.CSI_DRIVER)),
                KnownVolumes.onItsClaims(),
                WakeUp.on(
                                this::mayBeItsVolume,
                                ChangeKind.added(Kinds.PERSISTENT_VOLUME),
                                ChangeKind.updated(Kinds.PERSISTENT_VOLUME),
                                ChangeKind.deleted(Kinds.PERSISTENT_VOLUME))
                        .alsoOfGangs(),
                WakeUp.on(
                                this::isOtherwiseMade,
                                ChangeKind.added(Kinds.STORAGE_CLASS),
                                ChangeKind.updated(Kinds.STORAGE_CLASS))
                        .alsoOfGangs(),
                KnownVolumes.forVolumes(VolumeBinding::isOtherwiseMigrated, ChangeKind.updated(Kinds.CSI_NODE)),
                KnownVolumes.forVolumes(VolumeBinding::tellsNoCapacity, ChangeKind.updated(Kinds.CSI_DRIVER)),
                WakeUp.on(
                                this::hasMoreRoom,
                                ChangeKind.added(Kinds.CSI_STORAGE_CAPACITY),
                                ChangeKind.updated(Kinds.CSI_STORAGE_CAPACITY))
                        .alsoOfGangs(),
                KnownVolumes.forVolumes(VolumeBinding::gaveBack, ChangeKind.ASSIGNED_POD_DELETED));
    }

    private boolean isWithinReach(PendingPod waiting, ClusterChange change) {
        int node = nodes.findPresent(change.after(Node.class).orElseThrow().name());
        return node >= 0
                && claims.read(waiting.pod()) instanceof PodClaims some
                && search.search(some, node).reasons() == NodeReasons.NONE;
    }

    /** One that it has, or could have now, or could not have as it was and that stood before all others. */
    private boolean mayBeItsVolume(PendingPod waiting, ClusterChange change) {
        Optional<PersistentVolume> before = change.before(PersistentVolume.class);
        Optional<PersistentVolume> after = change.after(PersistentVolume.class);
        PersistentVolume some = after.or(() -> before).orElseThrow();
        return known.claimsOf(waiting.pod())
                .anyMatch(claim -> claim.volumeName().equals(some.name())
                        || before.filter(volume -> volume.isFor(claim)).isPresent()
                        || after.filter(volume -> volume.isFor(claim) || suits(volume, claim))
                                .isPresent());
    }

    private static boolean suits(PersistentVolume volume, PersistentVolumeClaim claim) {
        return claim.volumeName().isEmpty() && volume.claim().isEmpty() && NodeSearch.suits(volume, claim);
    }

    private boolean isOtherwiseMade(PendingPod waiting, ClusterChange change) {
        StorageClass after = change.after(StorageClass.class).orElseThrow();
        Optional<StorageClass> before = change.before(StorageClass.class);
        boolean isOther = before.isEmpty()
                || !before.get().allowedTopologies().equals(after.allowedTopologies())
                || !before.get().bindingMode().equals(after.bindingMode())
                || !before.get().provisioner().equals(after.provisioner());
        return isOther && hasUnbound(waiting, after.name());
    }

    private static boolean isOtherwiseMigrated(PendingPod waiting, ClusterChange change) {
        return !change.before(CsiNode.class)
                .map(CsiNode::migratedPlugins)
                .equals(change.after(CsiNode.class).map(CsiNode::migratedPlugins));
    }

    private static boolean tellsNoCapacity(PendingPod waiting, ClusterChange change) {
        return change.before(CsiDriver.class).orElseThrow().tellsCapacity()
                && !change.after(CsiDriver.class).orElseThrow().tellsCapacity();
    }

    private boolean hasMoreRoom(PendingPod waiting, ClusterChange change) {
        CsiStorageCapacity after = change.after(CsiStorageCapacity.class).orElseThrow();
        Optional<Quantity> limit = after.limit();
        boolean hasMore = limit.isPresent()
                && change.before(CsiStorageCapacity.class)
                        .filter(before -> before.nodes().equals(after.nodes())
                                && before.storageClass().equals(after.storageClass())
                                && before.limit()
                                        .filter(had -> had.compareTo(limit.get()) >= 0)
                                        .isPresent())
                        .isEmpty();
        return hasMore && hasUnbound(waiting, after.storageClass());
    }

    private boolean hasUnbound(PendingPod waiting, String storageClass) {
        return known.claimsOf(waiting.pod())
                .anyMatch(claim ->
                        !claim.isBound() && claim.terms().storageClass().equals(storageClass));
    }

    /** A pod that is not bound after all gives back the volumes that were kept for it. */
    private static boolean gaveBack(PendingPod waiting, ClusterChange change) {
        Pod gone = change.before(Pod.class).orElseThrow();
        return gone.spec().volumes().stream()
                .anyMatch(volume -> volume.claimOf(gone).isPresent());
    }

    /**
     * Scores nodes by how much of the storage there the pod's volumes would take, class by class: of the volumes that it gets there,
     * or else of the room near the node where they are to be made. With the shape that prefers the emptiest:
     *
     * <pre>
     *   a claim of 5 GiB        score
     *   n1: gets 5 of  5 GiB        0
     *   n2: gets 5 of 10 GiB       50
     *   n3: 5 of 100 GiB of room   95
     *   n4: room not told           0
     * </pre>
     */
    private static final class RoomScore implements NodesSearch.Findings {
        /** So many classes keep their columns from pod to pod. */
        private static final int KEPT = 16;

        private final NodesSearch search;
        private final Capacities capacities;
        private final UtilizationShape shape;

        private final Map<String, OfClass> found = new HashMap<>();
        private final Map<String, OfClass> made = new HashMap<>();
        private final NodeSet withFound = new NodeSet();
        private long[] room = {};
        private long[] sums = {};
        private int[] classes = {};
        private int end;

        RoomScore(NodesSearch search, Capacities capacities, UtilizationShape shape) {
            this.search = search;
            this.capacities = capacities;
            this.shape = shape;
        }

        /** The room that the pod's volumes of a class take and that there is, at the nodes where that is known. */
        private static final class OfClass {
            private final NodeSet nodes = new NodeSet();
            private long[] requested = {};
            private long[] capacity = {};

            void clear(int end) {
                nodes.clear();
                if (requested.length < end) {
                    requested = new long[end + (end >> 2)];
                    capacity = new long[requested.length];
                }
                Arrays.fill(requested, 0, end, 0);
                Arrays.fill(capacity, 0, end, 0);
            }
        }

        void score(PodClaims claims, NodeSet feasible, int end, NodeScores scores) {
            this.end = end;
            ensureLength();
            empty(found);
            empty(made);
            withFound.clear();
            search.search(claims, feasible, this);
            for (int node = feasible.first(); node >= 0; node = feasible.next(node + 1)) {
                sums[node] = 0;
                classes[node] = 0;
            }
            for (OfClass each : found.values()) {
                add(each);
            }
            for (OfClass each : made.values()) {
                each.nodes.removeAll(withFound);
                add(each);
            }
            int[] result = scores.fill(end);
            for (int node = feasible.first(); node >= 0; node = feasible.next(node + 1)) {
                result[node] = classes[node] == 0 ? 0 : (int) Math.round((double) sums[node] / classes[node]);
            }
        }

        @Override
        public void found(PersistentVolumeClaim claim, PersistentVolume volume, NodeSetView nodes) {
            OfClass all = at(found, claim);
            long requested = NodeSearch.sizeOf(claim).value();
            long capacity = volume.capacity().value();
            withFound.addAll(nodes);
            all.nodes.addAll(nodes);
            for (int node = nodes.first(); node >= 0; node = nodes.next(node + 1)) {
                all.requested[node] += requested;
                all.capacity[node] += capacity;
            }
        }

        /** The room is that of all the pod's volumes of the class, and is not there once for each. */
        @Override
        public void toBeMade(PersistentVolumeClaim claim, NodeSetView nodes) {
            OfClass all = at(made, claim);
            long requested = NodeSearch.sizeOf(claim).value();
            NodeSet told = capacities.roomAt(claim.terms().storageClass(), requested, nodes, room);
            all.nodes.addAll(told);
            for (int node = told.first(); node >= 0; node = told.next(node + 1)) {
                all.requested[node] += requested;
                all.capacity[node] = room[node];
            }
        }

        private static void empty(Map<String, OfClass> classes) {
            if (classes.size() > KEPT) {
                classes.clear();
            }
            classes.values().forEach(each -> each.nodes.clear());
        }

        private OfClass at(Map<String, OfClass> classes, PersistentVolumeClaim claim) {
            OfClass all = classes.computeIfAbsent(claim.terms().storageClass(), _ -> new OfClass());
            if (all.nodes.isEmpty()) {
                all.clear(end);
            }
            return all;
        }

        private void add(OfClass each) {
            for (int node = each.nodes.first(); node >= 0; node = each.nodes.next(node + 1)) {
                sums[node] += scoreAt(each.requested[node], each.capacity[node]);
                classes[node]++;
            }
        }

        private int scoreAt(long requested, long capacity) {
            return shape.scoreAt(
                    capacity == 0 || requested > capacity
                            ? UtilizationShape.FULL
                            : requested * UtilizationShape.FULL / capacity);
        }

        private void ensureLength() {
            if (room.length < end) {
                room = new long[end + (end >> 2)];
                sums = new long[room.length];
                classes = new int[room.length];
            }
        }
    }
}
