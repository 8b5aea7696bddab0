package io.evenkeel.whatif;

import io.evenkeel.cluster.ClusterState;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.WhatIf;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Engine;
import io.evenkeel.engine.decision.Decision;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.engine.decision.NodeVerdicts;
import io.evenkeel.engine.decision.SchedulingCycle;
import io.evenkeel.engine.decision.Survey;
import io.evenkeel.engine.group.Groups.GroupParts;
import io.evenkeel.engine.group.Seat;
import io.evenkeel.framework.ForeseeingPlugin;
import io.evenkeel.framework.GroupPlugin;
import io.evenkeel.framework.GroupPlugin.GroupKey;
import io.evenkeel.framework.run.PluginFailure;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.framework.run.SchedulingProfile;
import io.evenkeel.framework.why.Change.PodGone;
import io.evenkeel.groups.Budget;
import io.evenkeel.groups.GroupDecisions;
import io.evenkeel.groups.JointPlacement;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.whatif.Verdict.Placed;
import io.evenkeel.whatif.Verdict.Refused;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * A cluster in memory, on which is tried what the scheduler would do. It answers as the live scheduler decides: of equally good
 * nodes the first by name, and extenders are taken to agree. Pods that it places get devices, and their claims volumes; while pods
 * of one call are placed, claims are as they are before volumes are made and bound, and after it they are bound. What is read of a
 * cluster is {@link #put} first. All changes after that are hypothetical: those of a {@link Transaction} are taken back unless it
 * is committed, and {@link #reset} takes back all.
 *
 * <pre>{@code
 * snapshot.put(node); snapshot.put(pod); …                     what there is
 * try (var drained = snapshot.begin()) {
 *     snapshot.removeNode("n1");                               what if it went,
 *     snapshot.schedulePods(itsPods, USUAL);                   and its pods came again?
 * }                                                            as before
 * }</pre>
 *
 * <p>One thread uses it at a time. It does no I/O, reads no clock and draws no lots.
 */
public final class ClusterSnapshot {
    private final Engine engine;
    private final GroupParts parts;
    private final ClusterState cluster;
    private final ClusterView view;
    private final JudgingProfiles judges;
    private final Map<SchedulingCycle, NodeVerdicts> verdicts = new HashMap<>();
    private final Map<SchedulingCycle, Survey> surveys = new HashMap<>();
    /** All changes that are not taken back; transactions are in it. */
    private Optional<WhatIf> changes = Optional.empty();

    /**
     * An empty cluster.
     *
     * @throws io.evenkeel.problem.ConfigurationException if a profile names plugins that there are not
     */
    public ClusterSnapshot(SchedulerConfiguration configuration, PluginRegistry registry) {
        this(new Engine(configuration, registry, new FirstByName(), SchedulingCycle.Scoring.WHEN_NEEDED));
    }

    /** The cluster of an engine that somebody else keeps up to date, and does so only while nothing is changed here. */
    public ClusterSnapshot(Engine engine) {
        this.engine = engine;
        parts = engine.forGroups();
        cluster = parts.cluster();
        view = cluster.view();
        judges = JudgingProfiles.of(engine.configuration());
    }

    /** An independent one of the cluster as it is here now, with all changes. */
    public ClusterSnapshot fork() {
        return fork(engine.configuration(), UnaryOperator.identity());
    }

    /** The same by another configuration, and with other pods in place of those that there are. */
    public ClusterSnapshot fork(SchedulerConfiguration other, UnaryOperator<Pod> pods) {
        ClusterSnapshot fork = new ClusterSnapshot(other, engine.registry());
        view.objects().all().forEach(fork::put); // also what no plugin reads, as budgets by which moves are planned
        nodes().forEach(fork::put);
        pods().forEach(pod -> fork.put(pods.apply(pod)));
        return fork;
    }

    /** The kinds of objects that scheduling reads: what is to be put. */
    public List<Kind<?>> kinds() {
        return engine.watchedKinds();
    }

    // what there is

    /** Takes in an object as the API server has it, new or changed; pods that are on no node are passed over. */
    public void put(KubernetesObject object) {
        requireNoChanges();
        engine.put(object instanceof Pod pod ? judges.judged(pod) : object);
    }

    /** Takes out an object that the API server has no more; only its kind and name are read. */
    public void delete(KubernetesObject object) {
        requireNoChanges();
        engine.remove(object);
    }

    /** Takes back all changes, so that the cluster is as it was put, and more can be put. */
    public void reset() {
        changes.ifPresent(WhatIf::close);
        changes = Optional.empty();
    }

    /** Whether something was changed since it was put, and not taken back. */
    public boolean isChanged() {
        return changes.isPresent();
    }

    private void requireNoChanges() {
        if (isChanged()) {
            throw new IllegalStateException("the cluster was changed in thought: reset it before more is put");
        }
    }

    public ClusterView view() {
        return view;
    }

    /** How many objects there are, nodes and pods in place among them. */
    public int size() {
        return view.nodes().count() + view.pods().count() + view.objects().count();
    }

    /** By which the pods are judged. */
    public SchedulerConfiguration configuration() {
        return engine.configuration();
    }

    public List<Node> nodes() {
        List<Node> nodes = new ArrayList<>();
        NodeSetView present = view.nodes().present();
        for (int node = present.first(); node >= 0; node = present.next(node + 1)) {
            nodes.add(view.nodes().node(node));
        }
        return nodes;
    }

    /** The pods in place, each with its node. */
    public List<Pod> pods() {
        List<Pod> pods = new ArrayList<>(view.pods().count());
        for (int row = 0; row < view.pods().end(); row++) {
            if (!view.pods().isFree(row)) {
                pods.add(there(row));
            }
        }
        return pods;
    }

    /** The pods on a node, each with its node. */
    public List<Pod> podsOn(String node) {
        List<Pod> pods = new ArrayList<>();
        int id = view.nodes().findPresent(node);
        if (id >= 0) {
            for (int row = view.pods().firstOnNode(id);
                    row != PodTable.NONE;
                    row = view.pods().nextOnNode(row)) {
                pods.add(there(row));
            }
        }
        return pods;
    }

    private Pod there(int row) {
        Pod pod = view.pods().pod(row);
        String node = view.nodes().name(view.pods().node(row));
        return pod.spec().nodeName().equals(node)
                ? pod
                : PodBuilder.from(pod).nodeName(node).build();
    }

    /** The pod in place of this key, {@code namespace/name}, with its node. */
    public Optional<Pod> pod(String key) {
        int row = view.pods().find(key);
        return row == PodTable.NONE ? Optional.empty() : Optional.of(there(row));
    }

    /** The node that the pod of this key, {@code namespace/name}, is on. */
    public Optional<String> nodeOf(String key) {
        int row = view.pods().find(key);
        return row == PodTable.NONE
                ? Optional.empty()
                : Optional.of(view.nodes().name(view.pods().node(row)));
    }

    // what if

    /** Begins a transaction: all changes until it is committed or closed. Transactions nest. */
    public Transaction begin() {
        boolean isFirst = changes.isEmpty();
        innermost();
        return new Transaction(cluster.whatIf(), isFirst ? changes : Optional.empty());
    }

    /** Changes that belong together; taken back when it is closed, unless it was committed. */
    public final class Transaction implements AutoCloseable {
        private final WhatIf begun;
        /** Where nothing was changed before it: all changes, of which none is left once it is taken back. */
        private Optional<WhatIf> all;

        private Transaction(WhatIf begun, Optional<WhatIf> all) {
            this.begun = begun;
            this.all = all;
        }

        /** Leaves its changes to the transaction around it, or to the snapshot until it is reset. */
        public void commit() {
            cluster.keep(begun);
            all = Optional.empty();
        }

        @Override
        public void close() {
            begun.close();
            if (all.isPresent() && all.equals(changes)) {
                reset();
            }
        }
    }

    private WhatIf innermost() {
        if (changes.isEmpty()) {
            changes = Optional.of(cluster.whatIf());
        }
        return changes.get().innermost();
    }

    /** Puts a pod on a node, or moves it there, whether it fits or not. */
    public void place(Pod pod, String node) {
        Pod judged = judges.judged(pod);
        int id = idOf(node);
        innermost().place(judged, id);
        write(judged, id);
        prepare(judged);
    }

    /** Makes the changes that the scheduler makes before it binds the pod. */
    private void write(Pod pod, int node) {
        for (ForeseeingPlugin plugin : foreseeing(pod)) {
            plugin.written(pod, node).forEach(innermost()::put);
        }
    }

    /** Makes the changes that others make then. */
    private void prepare(Pod pod) {
        for (ForeseeingPlugin plugin : foreseeing(pod)) {
            plugin.prepared(pod).forEach(innermost()::put);
        }
    }

    private List<ForeseeingPlugin> foreseeing(Pod pod) {
        return parts.cycles().apply(pod).profile().binding().foreseeing();
    }

    /** Takes a pod off its node, and nothing else: it still has its claims for devices. */
    public void takeOff(Pod pod) {
        innermost().remove(pod);
    }

    /** Takes pods off their nodes, as if they were preempted or deleted, and out of the claims for devices that they use. */
    public void preemptPods(Collection<Pod> pods) {
        WhatIf whatIf = innermost();
        pods.forEach(pod -> PodGone.make(pod, whatIf, view));
    }

    /** Adds a node, or changes one. */
    public void putNode(Node node) {
        innermost().put(node);
    }

    /** A name that no node has yet: this one, else with a number after it. */
    public String freeNodeName(String name) {
        return IntStream.iterate(1, i -> i + 1)
                .mapToObj(i -> i == 1 ? name : name + "-" + i)
                .filter(free -> view.nodes().findPresent(free) < 0)
                .findFirst()
                .orElseThrow();
    }

    /** Adds a node with the DaemonSets' pods and the drivers for volumes that another has. */
    public void putNodeLike(Node added, String model) {
        putNode(added);
        view.find(Kinds.CSI_NODE, model).ifPresent(drivers -> putObject(drivers.ofAnother(added.name())));
        for (Pod pod : podsOn(model)) {
            if (pod.meta()
                    .controller()
                    .filter(owner -> owner.kind().equals("DaemonSet"))
                    .isPresent()) {
                place(
                        PodBuilder.from(pod)
                                .name(pod.name() + "-" + added.name())
                                .nodeName(added.name())
                                .build(),
                        added.name());
            }
        }
    }

    /** Takes away a node with its pods. */
    public void removeNode(String node) {
        preemptPods(podsOn(node));
        innermost().removeNode(node);
    }

    /** Adds or changes an object that is neither node nor pod. */
    public void putObject(KubernetesObject object) {
        innermost().put(object);
    }

    public void removeObject(KubernetesObject object) {
        view.like(object).ifPresent(innermost()::remove);
    }

    /** The group that the pod is placed with, where its profile places groups. */
    public Optional<GroupKey> groupOf(Pod pod) {
        return parts.members().groupOf(judges.judged(pod));
    }

    // what would the scheduler do?

    /** The nodes that the pod fits on; the cluster stays as it is. */
    public List<String> canSchedulePod(Pod pod, SchedulingOptions options) {
        return read(pod, info -> {
            NodeVerdicts judge = judge(info.pod());
            judge.askAmong(among(options), info);
            List<String> names = new ArrayList<>();
            NodeSetView fitting = judge.fitting();
            for (int node = fitting.first(); node >= 0; node = fitting.next(node + 1)) {
                names.add(view.nodes().name(node));
            }
            return names;
        });
    }

    /** Whether the pod fits on this node; costs no look at others. Of a pod in place: beside all others, with new devices. */
    public boolean fitsOn(Pod pod, String node) {
        int id = idOf(node);
        if (view.pods().find(pod.key()) == PodTable.NONE) {
            return read(pod, info -> judge(info.pod()).fitsOn(info, id));
        }
        try (WhatIf without = cluster.whatIf()) {
            PodGone.make(pod, without, view);
            return read(pod, info -> judge(info.pod()).fitsOn(info, id));
        }
    }

    public Verdict schedulePod(Pod pod, SchedulingOptions options) {
        Verdict verdict = scheduled(pod, among(options), !options.isDryRun());
        if (!options.isDryRun()) {
            prepareAll(List.of(verdict));
        }
        return verdict;
    }

    private List<Verdict> prepareAll(List<Verdict> verdicts) {
        for (Verdict verdict : verdicts) {
            if (verdict instanceof Placed(Pod pod, String _)) {
                prepare(judges.judged(pod));
            }
        }
        return verdicts;
    }

    /** Schedules one pod after the other. */
    public List<Verdict> schedulePods(List<Pod> pods, SchedulingOptions options) {
        return tried(options, () -> {
            NodeSetView among = among(options);
            List<Verdict> all = new ArrayList<>(pods.size());
            for (Pod pod : pods) {
                Verdict verdict = scheduled(pod, among, true);
                all.add(verdict);
                if (options.stopsOnFailure() && verdict instanceof Refused) {
                    break;
                }
            }
            return prepareAll(all);
        });
    }

    /**
     * Schedules as many pods of a template as fit, and no more than so many; the last verdict is the first that waits, if one does.
     *
     * @param template a pod, whose name the names begin with; names of pods in place are passed over
     */
    public List<Verdict> schedulePodsByTemplate(Pod template, int most, SchedulingOptions options) {
        return tried(options, () -> {
            NodeSetView among = among(options);
            List<Verdict> all = new ArrayList<>();
            for (int number = 0; all.size() < most; number++) {
                ObjectMeta meta = template.meta().ofAnother(template.name() + "-" + number);
                if (view.pods().find(meta.key()) != PodTable.NONE) {
                    continue;
                }
                Verdict verdict = scheduled(new Pod(meta, template.spec(), template.status()), among, true);
                all.add(verdict);
                if (verdict instanceof Refused) {
                    break;
                }
            }
            return prepareAll(all);
        });
    }

    /** Schedules pods together: all of them, or none; of equally good nodes on the one that was put first. */
    public List<Verdict> scheduleWorkload(List<Pod> pods, SchedulingOptions options) {
        return tried(options, () -> {
            List<Pod> judged = pods.stream().map(this::waiting).toList();
            JointPlacement found = new GroupDecisions(parts)
                    .place(judged, Budget.live(judged.size(), view.nodes().count()));
            List<Seat> order = found instanceof JointPlacement.Placed(List<Seat> seats, long _) ? seats : List.of();
            Optional<String> why = order.isEmpty() ? Optional.of(found.shortfall(judged.size())) : notSeated(order);
            return why.isPresent()
                    ? judged.stream()
                            .<Verdict>map(pod -> new Refused(pod, why.get()))
                            .toList()
                    : prepareAll(order.stream()
                            .<Verdict>map(seat -> new Placed(seat.pod(), seat.node()))
                            .toList());
        });
    }

    /** Places them where they fit one after the other; else says what a claim lacks there beside theirs, and places none. */
    private Optional<String> notSeated(List<Seat> order) {
        try (Transaction together = begin()) {
            for (Seat seat : order) {
                Pod pod = seat.pod();
                int node = idOf(seat.node());
                Optional<String> why = pod.spec().volumes().isEmpty() ? Optional.empty() : whyNotOn(pod, node);
                if (why.isPresent()) {
                    return why.map(message -> "pod " + pod.key() + ": " + message);
                }
                innermost().place(pod, node);
                write(pod, node);
            }
            together.commit();
            return Optional.empty();
        }
    }

    private Optional<String> whyNotOn(Pod pod, int node) {
        return read(pod, info -> {
            NodeVerdicts judge = judge(info.pod());
            if (judge.fitsOn(info, node)) {
                return Optional.empty();
            }
            NodeSet alone = new NodeSet();
            alone.add(node);
            judge.askAmong(alone, info);
            return Optional.of(judge.message());
        });
    }

    /**
     * The pods that would go for this one.
     *
     * @param node that it would be nominated to then
     */
    public record Preemption(String node, List<Pod> victims) {}

    /** Who would go for the pod if it fits nowhere; the cluster stays as it is. */
    public Optional<Preemption> preemptionFor(Pod pod) {
        return engine.decide(waiting(pod)) instanceof Decision.Unschedulable refused
                        && refused.nominatedNode()
                                .filter(node -> !node.isEmpty())
                                .isPresent()
                ? Optional.of(new Preemption(refused.nominatedNode().get(), refused.victims()))
                : Optional.empty();
    }

    /** The scores of all nodes that the pod fits on, by plugin, weighted; the cluster stays as it is. */
    public NavigableMap<String, NavigableMap<String, Long>> scores(Pod pod) {
        try (Look look = look(pod)) {
            return look.survey().scores(look.pod());
        }
    }

    /** A pod as it would be decided now, for who wants to know why; to be closed before the cluster is changed. */
    public Look look(Pod pod) {
        return new Look(waiting(pod));
    }

    /** A look at the nodes for one pod. */
    public final class Look implements AutoCloseable {
        private final Survey survey;
        private final PodInfo pod;

        private Look(Pod asked) {
            survey = ClusterSnapshot.this.survey(asked);
            pod = cluster.admit(asked);
        }

        public Survey survey() {
            return survey;
        }

        public PodInfo pod() {
            return pod;
        }

        @Override
        public void close() {
            cluster.giveBack(pod);
        }
    }

    /** The profile that judges the pod. */
    public SchedulingProfile profileOf(Pod pod) {
        return parts.cycles().apply(judges.judged(pod)).profile();
    }

    private Survey survey(Pod pod) {
        return surveys.computeIfAbsent(parts.cycles().apply(pod), SchedulingCycle::survey);
    }

    private <T> T tried(SchedulingOptions options, Supplier<T> question) {
        if (!options.isDryRun()) {
            return question.get();
        }
        try (Transaction _ = begin()) {
            return question.get();
        }
    }

    private Verdict scheduled(Pod asked, NodeSetView among, boolean stays) {
        Pod pod = waiting(asked);
        SchedulingCycle cycle = parts.cycles().apply(pod);
        Optional<SchedulingProfile.Gate> gate = cycle.profile()
                .preEnqueue(pod)
                .filter(held -> cycle.profile().plugins().stream()
                        .noneMatch(plugin ->
                                plugin instanceof GroupPlugin && plugin.name().equals(held.plugin())));
        if (gate.isPresent()) {
            return new Refused(asked, gate.get().status().message());
        }
        try {
            return read(pod, info -> {
                NodeVerdicts judge = judge(pod);
                int node = nodeFor(info, judge, among);
                if (node < 0) {
                    return new Refused(asked, whyNot(info, judge, among));
                }
                if (stays) {
                    innermost().place(info, node);
                    write(pod, node);
                }
                return new Placed(asked, view.nodes().name(node));
            });
        } catch (PluginFailure failure) {
            return new Refused(asked, failure.getMessage());
        }
    }

    /** The node that it is nominated to, if it fits there; else the best, or a negative number. */
    private int nodeFor(PodInfo pod, NodeVerdicts judge, NodeSetView among) {
        int nominated = view.nodes().findPresent(pod.pod().status().nominatedNodeName());
        return nominated >= 0 && among.contains(nominated) && judge.fitsOn(pod, nominated)
                ? nominated
                : judge.choose(among, pod);
    }

    /** In the words of a decision, which name the first plugin that objects to each node in the order of the profile. */
    private String whyNot(PodInfo pod, NodeVerdicts judge, NodeSetView among) {
        if (among.size() == view.nodes().count()) {
            return survey(pod.pod()).diagnosis(pod).message();
        }
        judge.askAmong(among, pod);
        return judge.message();
    }

    /**
     * Asks the filters by which the pod is judged, as if it were on no node: for planners, who ask often, by ids of nodes. A pod in
     * place is to be taken away first, as it would be counted beside itself.
     */
    public <R> R ask(Pod pod, BiFunction<NodeVerdicts, PodInfo, R> question) {
        return read(pod, info -> question.apply(judge(info.pod()), info));
    }

    private <R> R read(Pod pod, Function<PodInfo, R> question) {
        PodInfo info = cluster.admit(waiting(pod));
        try {
            return question.apply(info);
        } finally {
            cluster.giveBack(info);
        }
    }

    /** The pod as if it were on no node, with the name of the profile that judges it. */
    private Pod waiting(Pod pod) {
        Pod judged = judges.judged(pod);
        return judged.isPlaced()
                ? PodBuilder.from(judged).nodeName("").nominatedNodeName("").build()
                : judged;
    }

    private NodeVerdicts judge(Pod pod) {
        return verdicts.computeIfAbsent(parts.cycles().apply(pod), SchedulingCycle::verdicts);
    }

    private NodeSetView among(SchedulingOptions options) {
        if (options.placement().isEmpty()) {
            return view.nodes().present();
        }
        NodeSet among = new NodeSet();
        options.placement().get().forEach(name -> among.add(idOf(name)));
        return among;
    }

    private int idOf(String node) {
        int id = view.nodes().findPresent(node);
        if (id < 0) {
            throw new IllegalArgumentException("there is no node " + node);
        }
        return id;
    }
}
