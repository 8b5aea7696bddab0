package io.evenkeel.tools.why;

import io.evenkeel.app.companion.AskedCluster.Parted;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.config.Profile;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.PodBinding;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.group.GangQuestions;
import io.evenkeel.engine.group.GangQuestions.GangOutlook;
import io.evenkeel.engine.group.Seat;
import io.evenkeel.framework.GroupPlugin.GroupKey;
import io.evenkeel.framework.run.PluginFailure;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.framework.run.SchedulingProfile;
import io.evenkeel.framework.why.Change;
import io.evenkeel.framework.why.Change.PodGone;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodCondition;
import io.evenkeel.model.PodSpec;
import io.evenkeel.model.WorkloadOwner;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.model.storage.StorageClass;
import io.evenkeel.model.value.Labels;
import io.evenkeel.problem.NearestName;
import io.evenkeel.tools.why.PodReport.Remark;
import io.evenkeel.tools.why.PodReport.Seen;
import io.evenkeel.tools.why.PodReport.State;
import io.evenkeel.whatif.ClusterSnapshot;
import io.evenkeel.whatif.JudgingProfiles;
import io.evenkeel.whatif.why.PodQuestions;
import io.evenkeel.whatif.why.PodQuestions.Placement;
import io.evenkeel.whatif.why.PodQuestions.Trial;
import io.evenkeel.whatif.why.Remedy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Answers questions about the pods of a cluster, with any scheduler. Judges by a scheduler that is told of all objects
 * and writes nothing. One thread asks.
 */
public final class ClusterQuestions {
    /** The words for a pending pod that only this scheduler uses. */
    private static final Pattern OWN_WORDS = Pattern.compile("^[^\n:]+ [^\n:/ ]+/[^\n:/ ]+ waits: |PlacementPolicy");

    private static final int MOST_MEMBERS = 5;

    private final Scheduler scheduler;
    private final ClusterSnapshot snapshot;
    private final PodQuestions questions;
    private final JudgingProfiles judges;
    private final KnownPods pods = new KnownPods();
    private final SchedulerConfiguration configuration;
    private final Judgement judgement;
    private final Map<Class<?>, Object> kept = new HashMap<>();
    private Function<String, Attendance> attendance = _ -> Attendance.UNKNOWN;
    private Function<String, Optional<EngineShards>> shards = _ -> Optional.empty();
    private Supplier<Optional<Seen>> seen = Optional::empty;

    /**
     * Starts with an empty cluster.
     *
     * @param judgement tells the owner of the configuration
     * @param faults hears of plugins that fail, and on which pods, each time; answers go on without them
     */
    public ClusterQuestions(
            SchedulerConfiguration configuration,
            PluginRegistry registry,
            Judgement judgement,
            BiConsumer<Pod, RuntimeException> faults) {
        this.configuration = configuration;
        this.judgement = judgement;
        judges = JudgingProfiles.of(configuration);
        scheduler = ReadOnlyScheduler.of(configuration, registry, faults);
        snapshot = new ClusterSnapshot(scheduler.engine());
        questions = new PodQuestions(scheduler.engine());
    }

    /** Sets what is known of schedulers by their names; nothing is before. */
    public void tell(Function<String, Attendance> atWork) {
        attendance = atWork;
    }

    /** Sets what is known of engines that share the work of a scheduler, by its name; nothing is before. */
    public void tellOfShards(Function<String, Optional<EngineShards>> known) {
        shards = known;
    }

    /** The same of engines that share the work of its own scheduler, and by whom and when the cluster was seen. */
    ClusterQuestions of(Supplier<Optional<Parted>> known) {
        shards = _ -> known.get().map(EngineShards::of);
        seen = () -> known.get().map(Seen::of);
        return this;
    }

    /** When and by whom the cluster was seen; empty where that goes without saying. */
    public Optional<Seen> seen() {
        return seen.get();
    }

    public List<Kind<?>> kinds() {
        return scheduler.watchedKinds();
    }

    public void tell(List<KubernetesObject> objects) {
        ReadOnlyScheduler.tell(scheduler, objects, this::follow);
    }

    public void follow(SchedulerEvent event) {
        scheduler.handle(judged(event));
        pods.follow(event);
    }

    /** Judges pods of unknown schedulers as ours would be, each gang as a whole. */
    private SchedulerEvent judged(SchedulerEvent event) {
        return switch (event) {
            case ClusterEvent.Put(Pod pod) when judgement != Judgement.OWN -> new ClusterEvent.Put(judged(pod));
            case ClusterEvent.Removed(Pod pod) when judgement != Judgement.OWN -> new ClusterEvent.Removed(judged(pod));
            default -> event;
        };
    }

    /**
     * Reports on the pod of this name. Pods of {@code onTheirWay} have nodes that the cluster does not show yet.
     *
     * @throws CancelledQuestionException if the asker does not wait for it
     */
    public Optional<PodReport> about(String key, Collection<Scheduler.OnItsWay> onTheirWay, Requester asker) {
        return pods.find(key).map(pod -> about(pod, onTheirWay, asker));
    }

    private PodReport about(Pod pod, Collection<Scheduler.OnItsWay> onTheirWay, Requester asker) {
        Optional<Scheduler.OnItsWay> own = onTheirWay.stream()
                .filter(each -> each.pod().key().equals(pod.key()))
                .findFirst();
        if (own.isPresent() && !pod.isPlaced()) {
            String node = own.get().node();
            State state = new State.OnItsWay(
                    node,
                    lackingVolume(pod, node)
                            .map(this::volumeOf)
                            .orElseGet(() ->
                                    awaited(PodBinding.Stage.valueOf(own.get().waitingFor()))));
            return new PodReport("", pod.key(), List.of(), remarks(pod, asker), state, Optional.empty(), seen());
        }
        return beside(onTheirWay, () -> report(pod, List.of(), asker));
    }

    /** A question as if pods that are on their way were in place, where the cluster does not show it yet. */
    <T> T beside(Collection<Scheduler.OnItsWay> onTheirWay, Supplier<T> question) {
        List<Seat> seats = onTheirWay.stream()
                .filter(each -> pods.find(each.pod().key())
                        .filter(known -> !known.isPlaced())
                        .isPresent())
                .filter(each -> scheduler.cluster().nodes().findPresent(each.node()) >= 0)
                .map(each -> new Seat(each.pod(), each.node()))
                .toList();
        return questions.beside(seats, question);
    }

    private static String awaited(PodBinding.Stage stage) {
        return switch (stage) {
            case PERMIT -> "the permit of a plugin";
            case WRITE, AWAIT -> "its volumes, or what else a plugin prepares there";
            case ANSWER, WATCH, LOOKUP, NEXT_LOOKUP -> "the server to bind it";
        };
    }

    /**
     * Reports on the pod of this name, if it exists and has not finished.
     *
     * @throws CancelledQuestionException if the asker does not wait for it
     */
    public Optional<PodReport> about(String key, Requester asker) {
        return pods.find(key).map(pod -> about(pod, asker));
    }

    /** The cluster that is asked about, which changes with the news. */
    public ClusterView cluster() {
        return scheduler.cluster();
    }

    /** What is worked out of this cluster for a question and kept for the next one. It goes with the cluster. */
    public <T> T keeping(Class<T> type, Supplier<T> first) {
        return type.cast(kept.computeIfAbsent(type, _ -> first.get()));
    }

    /** Asks what would be, in this cluster; what the question changes is taken back. */
    public <T> T whatIf(Function<ClusterSnapshot, T> question) {
        try {
            return question.apply(snapshot);
        } finally {
            snapshot.reset();
        }
    }

    /** All objects there are. */
    public List<KubernetesObject> known() {
        return scheduler.known();
    }

    /** The pods that have not finished, in place or not. */
    public Collection<Pod> pods() {
        return pods.all();
    }

    /** Those that wait for a node. */
    public List<Pod> waiting() {
        return pods.all().stream()
                .filter(pod -> !pod.isPlaced() && !pod.meta().terminating())
                .toList();
    }

    public Optional<Pod> find(String key) {
        return pods.find(key);
    }

    /** A pod's node beside the best of the others, whether it is in place there already or is about to be. */
    public Placement placementOf(Pod pod) {
        return questions.placement(judged(pod), pod.spec().nodeName());
    }

    /** The gang that the pod is one of. */
    public Optional<GangQuestions.Roll> rollOf(Pod pod) {
        return questions.gangs().rollOf(judged(pod));
    }

    /** What becomes of the gang of a pod that waits. */
    public Optional<GangOutlook> gangOf(Pod pod) {
        return questions.gangs().about(judged(pod));
    }

    /** Whether a pod of this name exists and has not finished. */
    public boolean isThere(String key) {
        return pods.find(key).isPresent();
    }

    /** Reports on a pod that the cluster does not have. */
    public PodReport about(Pod pod, Requester asker) {
        return report(pod, List.of(), asker);
    }

    /**
     * Reports on the pod as if it had yet to be placed and all of this were so.
     *
     * @throws io.evenkeel.tools.why.Supposition.SuppositionException if something that is named is not there
     */
    public Optional<PodReport> supposing(String key, List<Supposition> suppositions, Requester asker) {
        return pods.find(key).map(pod -> supposing(pod, suppositions, asker));
    }

    private PodReport supposing(Pod pod, List<Supposition> suppositions, Requester asker) {
        Pod asked = PodBuilder.from(judged(pod)).nodeName("").build();
        List<Change> changes = Supposition.together(suppositions, asked, scheduler.cluster());
        List<Remark> remarks = new ArrayList<>();
        changes.forEach(change -> remarks.add(Remark.of(Remark.Kind.SUPPOSED, "supposed: " + change.text())));
        remarks.addAll(remarks(pod, asker));
        if (pod.isPlaced()) {
            changes.add(new PodGone(pod, pod.spec().nodeName()));
        }
        State state = questions.supposing(asked, changes, supposed -> state(supposed, asker));
        return new PodReport("", pod.key(), List.of(), remarks, state, Optional.empty(), seen());
    }

    /** Reports on all pending pods of a namespace, or of all; alike pods together, most first. */
    public List<PodReport> allThatWait(Optional<String> namespace, Requester asker) {
        return waiting(pod -> namespace.map(pod.namespace()::equals).orElse(true), asker).stream()
                .map(alike -> about(alike, asker))
                .toList();
    }

    /** All pending pods that are meant, by what keeps them: those of most pods first. */
    public List<List<Pod>> waiting(Predicate<Pod> isMeant, Requester asker) {
        Map<Making, Cause> causes = new HashMap<>();
        Map<GroupKey, GangOutlook> gangs = new HashMap<>();
        Map<Cause, List<Pod>> byCause = new LinkedHashMap<>();
        for (Pod pod : waiting()) {
            if (isMeant.test(pod)) {
                Cause cause = causes.computeIfAbsent(Making.of(pod), _ -> {
                    asker.requireWanted();
                    return cause(pod, gangs);
                });
                byCause.computeIfAbsent(cause, _ -> new ArrayList<>()).add(pod);
            }
        }
        return byCause.values().stream()
                .sorted(Comparator.comparingInt((List<Pod> alike) -> -alike.size()))
                .toList();
    }

    /** Reports on pods that the same keeps. */
    public PodReport about(List<Pod> alike, Requester asker) {
        return report(alike.getFirst(), alike.stream().skip(1).map(Pod::key).toList(), asker);
    }

    /** The pods of a workload that are not on their way out, in place or not. */
    public List<Pod> podsOf(Workload workload) {
        return pods.all().stream()
                .filter(pod -> !pod.meta().terminating() && isOf(pod, workload))
                .toList();
    }

    /** Whether it is the workload's, whatever stands between them: a Deployment's by its ReplicaSet, a CronJob's by its Job. */
    public boolean isOf(Pod pod, Workload workload) {
        if (!pod.namespace().equals(workload.namespace())) {
            return false;
        }
        if (workload.kind().equals(Workload.POD_GROUP)) {
            return questions
                    .gangs()
                    .rollOf(judged(pod))
                    .filter(roll -> roll.membership().group().name().equals(workload.name()))
                    .isPresent();
        }
        return pod.meta()
                        .controller()
                        .map(owner -> new Workload(owner.kind(), pod.namespace(), owner.name()))
                        .filter(owner -> owner.equals(workload) || owner.isJobOf(workload))
                        .isPresent()
                || Workload.of(pod, scheduler.cluster()).equals(workload);
    }

    /** The ReplicaSets, StatefulSets and ReplicationControllers. */
    public Stream<WorkloadOwner> owners() {
        return Arrays.stream(WorkloadOwner.Kind.values())
                .flatMap(kind -> scheduler.cluster().all(kind.kindName()).stream())
                .map(WorkloadOwner.class::cast);
    }

    /** How many pods that are not on their way out each controller has, by its UID. */
    public Map<String, Integer> podsByOwner() {
        Map<String, Integer> counts = new HashMap<>();
        pods.all().stream()
                .filter(pod -> !pod.meta().terminating())
                .flatMap(pod -> pod.meta().controller().stream())
                .forEach(owner -> counts.merge(owner.uid(), 1, Integer::sum));
        return counts;
    }

    /**
     * Counts the pods that a change would free by itself, of as many as are tried. Empty where a gang waits: all of it
     * finds its nodes then, or none.
     *
     * @param alike the pods that the report is about
     */
    public OptionalInt freed(List<Pod> alike, PodReport report, Remedy remedy, int mostTried) {
        if (!(report.state() instanceof State.Waits(var _, var answer))) {
            return OptionalInt.empty();
        }
        List<Pod> judged = alike.stream().limit(mostTried).map(this::judged).toList();
        return OptionalInt.of(questions.freed(answer.pod(), remedy.changes(), judged));
    }

    /** Whether one of the profiles is its scheduler's. */
    boolean isOwn(Pod pod) {
        return judges.know(pod.spec().schedulerName());
    }

    /**
     * Says for each ReplicaSet or ReplicationController of a workload, or that it is, how many of its pods are not made. A
     * StatefulSet may make one after another; only its events tell whether something stops it.
     */
    List<String> notMade(Workload workload) {
        Map<String, Integer> made = podsByOwner();
        return owners().filter(owner -> owner.kind() != WorkloadOwner.Kind.STATEFUL_SET
                        && !owner.meta().terminating()
                        && isOf(owner, workload)
                        && owner.replicas() > made.getOrDefault(owner.meta().uid(), 0))
                .map(owner -> (owner.replicas() - made.getOrDefault(owner.meta().uid(), 0)) + " of the "
                        + owner.replicas() + " pods of " + owner.kindName() + " "
                        + owner.meta().key() + " are not made: its events may say why")
                .toList();
    }

    /** Whether it is the workload, or the workload's. */
    public static boolean isOf(WorkloadOwner owner, Workload workload) {
        boolean isItself =
                owner.kindName().equals(workload.kind()) && owner.meta().name().equals(workload.name());
        return owner.meta().namespace().equals(workload.namespace())
                && (isItself
                        || owner.meta()
                                .controller()
                                .filter(above -> above.kind().equals(workload.kind())
                                        && above.name().equals(workload.name()))
                                .isPresent());
    }

    /** When the first of the pods was turned away; empty where no condition says so. */
    public static Optional<Instant> since(Collection<Pod> pods) {
        return pods.stream()
                .flatMap(pod -> pod.status().scheduled().stream())
                .map(PodCondition::lastTransitionTime)
                .filter(time -> !time.isEmpty())
                .map(Instant::parse)
                .min(Comparator.naturalOrder());
    }

    /** All of a pod that judges it: pods of a ReplicaSet differ in nothing but their names. */
    private record Making(
            String namespace,
            Labels labels,
            Labels annotations,
            Optional<OwnerReference> controller,
            PodSpec spec,
            String nominatedNode,
            Optional<String> shown) {
        static Making of(Pod pod) {
            ObjectMeta meta = pod.meta();
            return new Making(
                    meta.namespace(),
                    meta.labels(),
                    meta.annotations(),
                    meta.controller(),
                    pod.spec(),
                    pod.status().nominatedNodeName(),
                    pod.status().scheduled().map(PodCondition::message));
        }
    }

    /**
     * The common cause of pods that get the same answer.
     *
     * @param heldBy the plugin, or what keeps it beyond what is counted
     * @param shown what the condition says, where that is not what is counted
     */
    private record Cause(String schedulerName, String heldBy, PodQuestions.Counted counted, String shown) {}

    private Cause cause(Pod pod, Map<GroupKey, GangOutlook> gangs) {
        Pod judged = judged(pod);
        Optional<SchedulingProfile.Gate> gate = profileOf(judged).preEnqueue(judged);
        if (gate.isPresent()) {
            return cause(
                    pod,
                    gate.get().plugin(),
                    PodQuestions.Counted.said(gate.get().status().message()));
        }
        try {
            Optional<GangOutlook> gang = questions
                    .gangs()
                    .rollOf(judged)
                    .map(roll -> gangs.computeIfAbsent(
                            roll.membership().group(),
                            _ -> questions.gangs().about(judged).orElseThrow()));
            Optional<String> waits = gang.flatMap(GangOutlook::waits);
            if (waits.isPresent()) {
                return cause(pod, gang.get().membership().plugin(), PodQuestions.Counted.said(waits.get()));
            }
            PodQuestions.Counted counted = questions.counted(judged);
            Optional<PersistentVolumeClaim> lacking =
                    lackingVolume(pod, pod.status().nominatedNodeName());
            return cause(
                    pod,
                    lacking.map(this::provisionerOf).orElse(""),
                    counted.node().isPresent() && lacking.isPresent() ? PodQuestions.Counted.said("") : counted);
        } catch (PluginFailure failure) {
            return cause(pod, "", PodQuestions.Counted.said(failure.getMessage()));
        }
    }

    private Cause cause(Pod pod, String heldBy, PodQuestions.Counted counted) {
        ShownCondition shown = shown(pod);
        return new Cause(
                pod.spec().schedulerName(),
                heldBy,
                counted,
                shown.agreesWith(counted.message()) ? "" : shown.refusal().orElse(""));
    }

    private ShownCondition shown(Pod pod) {
        return new ShownCondition(
                pod,
                scheduler.cluster().nodes().count(),
                judgement,
                configuration.needsExtenders(pod),
                shardsOf(pod).flatMap(engines -> engines.refuse(pod)));
    }

    /** The engines among which its scheduler's work is shared. */
    private Optional<EngineShards> shardsOf(Pod pod) {
        boolean isEngines = pod.status().shard().isPresent()
                || (judgement == Judgement.GUESSED ? isNamedEvenkeel(pod) : isOwn(pod));
        return isEngines ? shards.apply(pod.spec().schedulerName()) : Optional.empty();
    }

    private PodReport report(Pod pod, List<String> alike, Requester asker) {
        asker.requireWanted();
        List<Remark> remarks = remarks(pod, asker);
        State state = whereItIs(pod, remarks, asker);
        return new PodReport("", pod.key(), alike, List.copyOf(remarks), state, Optional.empty(), seen());
    }

    private State whereItIs(Pod pod, List<Remark> remarks, Requester asker) {
        if (pod.isPlaced()) {
            if (pod.meta().terminating()) {
                remarks.add(other("it is being deleted"));
            }
            return new State.InPlace(questions.placement(judged(pod), pod.spec().nodeName()));
        }
        if (pod.meta().terminating()) {
            return new State.Leaving();
        }
        Pod judged = judged(pod);
        State state = shown(pod).beside(state(judged, asker));
        shown(pod)
                .remark(state)
                .map(shown -> Remark.of(Remark.Kind.CONDITION, shown))
                .ifPresent(remarks::addFirst);
        if (!(state instanceof State.Held)) {
            shardsOf(pod)
                    .flatMap(engines -> engines.haveMade(pod, shared()))
                    .map(ClusterQuestions::other)
                    .ifPresent(remarks::add);
        }
        missing(judged, state, asker).map(ClusterQuestions::other).ifPresent(remarks::add);
        if (state instanceof State.Held held) {
            questions.gate(judged, held.plugin()).stream()
                    .map(AccountText::of)
                    .filter(text -> !text.equals(held.reason().orElse("")))
                    .map(ClusterQuestions::other)
                    .forEach(remarks::add);
        }
        if (state instanceof State.Fits
                && judges.know(pod.spec().schedulerName())
                && attendance.apply(pod.spec().schedulerName()) instanceof Attendance.Unknown(String remark)
                && !remark.isEmpty()) {
            remarks.add(other(remark));
        }
        String nominated = pod.status().nominatedNodeName();
        Optional<String> unattended = unattended(pod, asker);
        Optional<PersistentVolumeClaim> lacking =
                unattended.isEmpty() && state instanceof State.Fits ? lackingVolume(pod, nominated) : Optional.empty();
        boolean isToldByEngines =
                shardsOf(pod).filter(engines -> engines.haveInView(pod)).isPresent();
        if (lacking.isEmpty() && !nominated.isEmpty() && !isToldByEngines) {
            remarks.add(other("its status nominates it to node " + nominated
                    + ": it is on its way there, or will be once others have gone from there"));
        }
        return lacking.<State>map(claim -> new State.OnItsWay(nominated, volumeOf(claim)))
                .or(() -> unattended.map(why -> new State.Unattended(why, state)))
                .orElse(state);
    }

    private EngineShards.Shared shared() {
        return new EngineShards.Shared(
                scheduler.cluster(), configuration.effectiveProfiles(), pods.all(), this::mayBeInGang);
    }

    private boolean mayBeInGang(Pod pod) {
        Pod judged = judged(pod);
        return profileOf(judged).groups().mayBeInGang(judged);
    }

    /** A claim of the pod for which a volume is to be made near the node that was chosen for it. */
    private Optional<PersistentVolumeClaim> lackingVolume(Pod pod, String node) {
        return pod.spec().volumes().stream()
                .flatMap(volume -> volume.claimOf(pod).stream())
                .flatMap(name -> object(Kinds.PERSISTENT_VOLUME_CLAIM, pod.namespace() + "/" + name).stream())
                .filter(claim -> !claim.isBound()
                        && claim.selectedNode().filter(node::equals).isPresent())
                .findFirst();
    }

    private String volumeOf(PersistentVolumeClaim claim) {
        return "the volume of claim " + claim.meta().name() + ", which " + provisionerOf(claim) + " is to make";
    }

    private String provisionerOf(PersistentVolumeClaim claim) {
        return object(Kinds.STORAGE_CLASS, claim.terms().storageClass())
                .map(StorageClass::provisioner)
                .orElse("a provisioner");
    }

    private <T extends KubernetesObject> Optional<T> object(Kind<T> kind, String key) {
        return scheduler.cluster().objects().find(kind, key);
    }

    /** Where a gang waits for more pods, which there are, and since when. */
    private Optional<String> missing(Pod judged, State state, Requester asker) {
        return state instanceof State.Held held
                ? questions
                        .gangs()
                        .rollOf(judged)
                        .filter(roll -> roll.membership().plugin().equals(held.plugin()))
                        .map(roll -> roll.known() + " of the "
                                + roll.membership().terms().minimum() + " pods that "
                                + roll.membership().group() + " needs are there"
                                + known(roll.membership().group(), asker))
                : Optional.empty();
    }

    private String known(GroupKey group, Requester asker) {
        List<Pod> there = pods.all().stream()
                .filter(asker.nameable())
                .filter(pod -> pod.namespace().equals(group.namespace()))
                .filter(pod -> questions
                        .gangs()
                        .rollOf(judged(pod))
                        .filter(roll -> roll.membership().group().equals(group))
                        .isPresent())
                .toList();
        return there.isEmpty()
                ? ""
                : ": " + there.stream().limit(MOST_MEMBERS).map(Pod::name).collect(Collectors.joining(", "))
                        + (there.size() > MOST_MEMBERS ? " and " + (there.size() - MOST_MEMBERS) + " more" : "")
                        + since(there).map(first -> ", since " + first).orElse("");
    }

    /**
     * The reason why no scheduler is known that would place the pod; empty where one may. A scheduler is known by a configuration
     * with the name, by a lease of the name, by a condition of the pod, or by placed pods of the name. A profile that is a guess
     * proves none.
     */
    private Optional<String> unattended(Pod pod, Requester asker) {
        String name = pod.spec().schedulerName();
        Attendance there = attendance.apply(name);
        boolean isJudges = judges.know(name);
        if (isJudges && there instanceof Attendance.NoneAtWork(String why)) {
            return Optional.of(why);
        }
        boolean isKnown = there instanceof Attendance.AtWork
                || (isJudges && (judgement != Judgement.GUESSED || !(there instanceof Attendance.Others)))
                || shown(pod).refusal().isPresent();
        if (isKnown) {
            return Optional.empty();
        }
        Set<String> names = placing(asker);
        if (names.contains(name)) {
            return Optional.empty();
        }
        names.addAll(judges.names());
        names.remove(name);
        return Optional.of("none is known that answers to \"" + name + '"' + NearestName.hint(name, names));
    }

    private Set<String> placing(Requester asker) {
        Set<String> names = new TreeSet<>();
        pods.all().stream()
                .filter(Pod::isPlaced)
                .filter(asker.nameable())
                .forEach(placed -> names.add(placed.spec().schedulerName()));
        return names;
    }

    private static Remark other(String text) {
        return Remark.of(Remark.Kind.OTHER, text);
    }

    private List<Remark> remarks(Pod pod, Requester asker) {
        List<Remark> remarks = new ArrayList<>();
        String name = pod.spec().schedulerName();
        if (!judges.know(name)) {
            remarks.add(Remark.of(
                    Remark.Kind.SCHEDULER,
                    "its schedulerName is \"" + name + "\", which is no profile of the configuration"
                            + (placing(asker).contains(name) ? "; it has placed pods" : "; no pod in place names it")));
            remarks.add(Remark.of(Remark.Kind.RULES, "judged as \"" + judges.usual() + "\" would judge it"));
        } else if (judgement == Judgement.GUESSED && isEvenkeels(pod)) {
            remarks.add(new Remark(
                    Remark.Kind.RULES,
                    "judged by Evenkeel's default plugins and those for groups and policies: what the one at work is"
                            + " configured with cannot be seen, and --config names another",
                    "judged by Evenkeel's defaults"));
        } else if (judgement == Judgement.GUESSED) {
            remarks.add(new Remark(
                    Remark.Kind.RULES,
                    "judged by kube-scheduler's default profile: what the cluster's own is configured with cannot be"
                            + " seen, and --config names another",
                    "judged by kube-scheduler's defaults"));
            if (arePolicies()) {
                remarks.add(
                        other("the PlacementPolicies of the cluster are not looked at, as kube-scheduler keeps none"));
            }
        }
        return remarks;
    }

    /** Whether it is Evenkeel's pod, by its schedulerName or by the words in which it was turned away. */
    private boolean isEvenkeels(Pod pod) {
        return isNamedEvenkeel(pod)
                || (pod.spec().schedulerName().equals(Profile.DEFAULT_SCHEDULER_NAME)
                        && shown(pod).refusal().filter(OWN_WORDS.asPredicate()).isPresent());
    }

    private static boolean isNamedEvenkeel(Pod pod) {
        return pod.spec().schedulerName().equals(Profile.OWN_NAME);
    }

    private boolean arePolicies() {
        return Stream.of(Kinds.PLACEMENT_POLICY, Kinds.CLUSTER_PLACEMENT_POLICY)
                .anyMatch(kind -> !scheduler.cluster().all(kind.name()).isEmpty());
    }

    private Pod judged(Pod pod) {
        return judgement == Judgement.GUESSED && isEvenkeels(pod)
                ? PodBuilder.from(pod).schedulerName(Profile.OWN_NAME).build()
                : judges.judged(pod);
    }

    /** Where a plugin fails on the pod, what its condition says of that, too: a failure is no verdict. */
    private State state(Pod judged, Requester asker) {
        Optional<SchedulingProfile.Gate> gate = profileOf(judged).preEnqueue(judged);
        if (gate.isPresent()) {
            return new State.Held(gate.get().plugin(), gate.get().status().message());
        }
        try {
            return questions
                    .gangs()
                    .about(judged)
                    .map(gang -> stateIn(gang, judged, asker))
                    .orElseGet(() -> stateAlone(judged, asker));
        } catch (PluginFailure failure) {
            return new State.Failed(failure.getMessage());
        }
    }

    private State stateIn(GangOutlook gang, Pod judged, Requester asker) {
        if (gang.waits().isPresent()) {
            return new State.GangWaits(
                    gang.waits().get(),
                    PodReport.Gang.of(gang),
                    questions.why(judged, gang, trial -> watched(trial, asker), asker.nameable()));
        }
        Optional<String> node = gang.nodeOf(judged);
        if (node.isPresent()) {
            return new State.Fits(node.get());
        }
        return gang.waitsBesideOthers()
                .<State>map(why -> new State.GangWaits(why, PodReport.Gang.of(gang), Optional.empty()))
                .orElseGet(() -> questions.beside(gang.seats(), () -> stateAlone(judged, asker)));
    }

    private State stateAlone(Pod judged, Requester asker) {
        Trial there = questions.trial(judged);
        return there.nodeWith(List.of()).<State>map(State.Fits::new).orElseGet(() -> {
            var answer = questions.why(judged, watched(there, asker), asker.nameable());
            return new State.Waits(answer.funnel().message(), answer);
        });
    }

    private static Trial watched(Trial trial, Requester asker) {
        return changes -> {
            asker.requireWanted();
            return trial.nodeWith(changes);
        };
    }

    private SchedulingProfile profileOf(Pod judged) {
        return questions.profileOf(judged);
    }

    /** Knowledge of the schedulers at work in a cluster, asked for by a name. */
    public sealed interface Attendance {
        /** One that answers to the name is at work. */
        record AtWork() implements Attendance {}

        /** Schedulers of other names are at work; whether one of them answers to this name too is open. */
        record Others() implements Attendance {}

        record NoneAtWork(String why) implements Attendance {}

        /**
         * It is not known.
         *
         * @param remark what is to be said of that beside an answer; empty for nothing
         */
        record Unknown(String remark) implements Attendance {}

        /** No lease was looked at. */
        Attendance UNKNOWN = new Unknown("");
    }

    /** The configuration that judges pods. */
    public enum Judgement {
        /** The configuration of the scheduler itself; all of it is known. */
        OWN,
        /** One that a user has given. */
        GIVEN,
        /** A guess, as nothing is known of how the cluster's schedulers are configured. */
        GUESSED
    }
}
