package io.evenkeel.tools.simulate;

import io.evenkeel.api.ObjectPatch;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.engine.SchedulerSettings;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.engine.decision.Question.Answer;
import io.evenkeel.engine.decision.Question.Answer.ExtenderAdvice;
import io.evenkeel.framework.ClaimingPlugin;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.build.PodStatusBuilder;
import io.evenkeel.model.decode.cursor.Excerpt;
import io.evenkeel.model.device.ResourceClaim;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.tools.simulate.Arrival.Cause;
import io.evenkeel.tools.simulate.ChangedCluster.Owners;
import io.evenkeel.tools.simulate.Outcome.Decided;
import io.evenkeel.tools.simulate.Outcome.Evicted;
import io.evenkeel.tools.simulate.Outcome.Verdict;
import io.evenkeel.whatif.JudgingProfiles;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/**
 * A run of the live scheduler on a picture of a cluster. What it commands is done at once, and in memory: pods are bound and run,
 * others go for them and are made again by their owners, what volumes need is taken as given, and extenders agree to all. The clock stands still as long as
 * there is a turn to take, then goes on to the next backoff that ends, until nothing has been placed for a while.
 *
 * <p>Among equal nodes it is the first by name, so that the same question has the same answer.
 */
final class Simulation {
    private static final long PATIENCE = Duration.ofMinutes(10).toNanos();
    private static final String RUNNING = "Running";
    private static final Duration NEVER = Duration.ofDays(365);

    private final ChangedCluster cluster;
    private final ClusterPicture picture;
    private final Owners owners;
    private final Successors successors;
    private final Scheduler scheduler;
    private final List<Kind<?>> kinds;
    private final JudgingProfiles judges;
    private final Queue<Command> commands = new ArrayDeque<>();
    private final FaultRemarks faults = new FaultRemarks();
    private final DeviceClaims claims;
    private long now;
    private long lastDeed;

    private final Map<String, Arrival> coming = new LinkedHashMap<>();

    /** The last on each pod, in the order in which they came. */
    private final SequencedMap<String, Verdict> verdicts = new LinkedHashMap<>();

    private final Map<String, List<Arrival>> followers = new HashMap<>();
    private final List<Evicted> evicted = new ArrayList<>();
    private final Queue<Arrival> made = new ArrayDeque<>();
    private final Queue<Pod> news = new ArrayDeque<>();
    private final Set<String> leaving = new LinkedHashSet<>();

    private Simulation(ChangedCluster cluster, SchedulerConfiguration configuration, PluginRegistry registry) {
        this.cluster = cluster;
        picture = cluster.picture().copy();
        owners = new Owners(picture);
        successors = new Successors(picture);
        cluster.arrivals().forEach(arrival -> successors.taken(arrival.pod()));
        claims = new DeviceClaims(cluster.before(), picture, this::handle, faults.remarks::add);
        judges = JudgingProfiles.of(configuration);
        scheduler = new Scheduler(
                configuration,
                registry,
                new FirstByName(),
                SchedulerSettings.of(0).withLongestUnschedulable(NEVER),
                commands::add,
                faults,
                () -> now++);
        kinds = scheduler.watchedKinds();
    }

    /**
     * The kinds of objects that scheduling by a configuration reads.
     *
     * @throws io.evenkeel.problem.ConfigurationException if it names plugins that there are not
     */
    static List<Kind<?>> kinds(SchedulerConfiguration configuration, PluginRegistry registry) {
        return new Simulation(new ChangedCluster(new ClusterPicture(List.of())), configuration, registry).kinds;
    }

    static Outcome run(ChangedCluster cluster, SchedulerConfiguration configuration, PluginRegistry registry) {
        return run(cluster, configuration, registry, () -> true);
    }

    /** @throws CancellationException once the answer is wanted no more */
    static Outcome run(
            ChangedCluster cluster,
            SchedulerConfiguration configuration,
            PluginRegistry registry,
            BooleanSupplier stillWanted) {
        return new Simulation(cluster, configuration, registry).play(stillWanted);
    }

    private Outcome play(BooleanSupplier stillWanted) {
        List<Arrival> first = new ArrayList<>();
        for (Arrival arrival : cluster.arrivals()) {
            coming.put(arrival.pod().key(), arrival);
            arrival.after()
                    .ifPresentOrElse(
                            before -> followers
                                    .computeIfAbsent(before, _ -> new ArrayList<>())
                                    .add(arrival),
                            () -> first.add(arrival));
        }
        tell(first);
        carryOut();
        do {
            while (scheduler.scheduleNext()) {
                carryOut();
                if (!stillWanted.getAsBoolean()) {
                    throw new CancellationException("the simulation was given up");
                }
            }
        } while (released() || timePasses());
        return new Outcome(decided(), inOrder(), List.copyOf(evicted), picture, faults.remarks());
    }

    private void tell(List<Arrival> first) {
        kinds.forEach(kind -> scheduler.handle(new Relist.Began(kind.name())));
        for (Kind<?> kind : kinds) {
            for (KubernetesObject object : picture.all(kind.name())) {
                handle(new ClusterEvent.Put(object instanceof Pod pod ? judges.judged(pod) : object));
            }
        }
        first.forEach(arrival -> handle(new ClusterEvent.Put(judges.judged(arrival.pod()))));
        kinds.forEach(kind -> scheduler.handle(new Relist.Ended(kind.name())));
        lastDeed = now;
    }

    private void handle(SchedulerEvent event) {
        scheduler.handle(event);
    }

    private void carryOut() {
        for (Command command = commands.poll(); command != null; command = commands.poll()) {
            switch (command) {
                case Command.Bind(var pod, var node, var _) -> bind(pod, node);
                case Command.Evict evict -> evict(evict);
                case Command.WriteObject(var pod, var _, boolean awaited)
                when awaited -> handle(new CommandResult.OnlySaid(pod));
                case Command.WriteObject(var _, var patch, boolean _)
                when patch.kind().equals(Kinds.RESOURCE_CLAIM) -> makeRoom(patch);
                case Command.Lookup(var pod) ->
                    handle(new CommandResult.Found(
                            pod, picture.find("Pod", pod.key()).map(found -> judges.judged((Pod) found))));
                case Command.AskOfNodes(var pod, var nodes) -> handle(answered(pod, agreed(nodes)));
                case Command.AskOfVictims(var pod, var candidates, var _) ->
                    handle(answered(pod, new Answer.VictimsChosen(candidates)));
                case Command.RecordEvent(var pod, var event)
                when event.reason().equals("FailedScheduling") ->
                    verdicts.putLast(pod.key(), new Verdict.Waits(event.note()));
                case Command.WriteObject _,
                        Command.RecordEvent _,
                        Command.PatchStatus _,
                        Command.PatchGroup _,
                        Command.RecordGroupEvent _ -> {}
            }
        }
    }

    private static SchedulerEvent answered(Pod pod, Answer answer) {
        return new SchedulerEvent.ExtendersAnswered(pod, answer);
    }

    private static Answer agreed(List<Node> nodes) {
        Set<String> all = new LinkedHashSet<>();
        nodes.forEach(node -> all.add(node.name()));
        return new Answer.Advised(new ExtenderAdvice(all, Map.of(), Map.of()));
    }

    /** Devices are taken from a claim that nobody uses, or the claim is deleted. */
    private void makeRoom(ObjectPatch patch) {
        Optional<ResourceClaim> claim =
                picture.find(DeviceClaims.KIND, patch.object().key()).map(ResourceClaim.class::cast);
        switch (patch.form()) {
            case STATUS -> claim.ifPresent(claims::free);
            case DELETE -> claim.ifPresent(claims::remove);
            default -> {}
        }
    }

    private void bind(Pod pod, String node) {
        List<ResourceClaim> used = scheduler.questions().profileOf(pod).plugins().stream()
                .filter(ClaimingPlugin.class::isInstance)
                .flatMap(plugin -> ((ClaimingPlugin) plugin).claimsOf(pod, node).stream())
                .toList();
        Arrival arrival = coming.get(pod.key());
        Pod there = claims.used(
                PodBuilder.from(arrival == null ? pod : arrival.pod())
                        .nodeName(node)
                        .build(),
                used);
        handle(new CommandResult.Bound(pod, node));
        picture.put(there);
        news.add(there);
        verdicts.putLast(pod.key(), new Verdict.Placed(node));
        lastDeed = now;
    }

    /** The pod is on its way out, which takes time, and its owner makes another meanwhile. */
    private void evict(Command.Evict evict) {
        Optional<KubernetesObject> there = picture.find("Pod", evict.pod().key());
        handle(new CommandResult.Evicted(evict.pod()));
        if (there.isEmpty() || !leaving.add(evict.pod().key())) {
            return;
        }
        Pod victim = (Pod) there.get();
        evicted.add(new Evicted(victim, evict.preemptor().key()));
        if (coming.containsKey(victim.key())) {
            verdicts.putLast(
                    victim.key(), new Verdict.Preempted(evict.preemptor().key()));
        }
        picture.put(PodBuilder.from(victim).terminating(true).build());
        handle(new ClusterEvent.Put(
                judges.judged(PodBuilder.from(victim).terminating(true).build())));
        if (Owners.isMadeAgain(victim)) {
            Pod next = successors.of(victim);
            Arrival again = Arrival.instead(victim, next, owners.workloadOf(victim), Cause.PREEMPTED);
            if (next.key().equals(victim.key())) {
                made.add(again); // a StatefulSet's, which waits until the name is free
            } else {
                comes(again);
            }
        }
        lastDeed = now;
    }

    private void comes(Arrival arrival) {
        Pod pod = claims.supplied(arrival.pod());
        coming.put(pod.key(), arrival.with(pod));
        verdicts.remove(pod.key());
        handle(new ClusterEvent.Put(judges.judged(pod)));
    }

    /**
     * A little time passes: the watch tells of bindings and of pods that run; else those on their way out are gone; else those
     * are made that have waited for either.
     */
    private boolean released() {
        boolean any = !news.isEmpty() || !leaving.isEmpty() || !made.isEmpty();
        if (!news.isEmpty()) {
            List<Pod> told = List.copyOf(news);
            news.clear();
            told.forEach(this::tell);
        } else if (!leaving.isEmpty()) {
            List<String> gone = List.copyOf(leaving);
            leaving.clear();
            Set<String> uids = new HashSet<>();
            gone.forEach(key -> picture.find("Pod", key).ifPresent(pod -> {
                picture.remove(pod);
                handle(new ClusterEvent.Removed(judges.judged((Pod) pod)));
                uids.add(pod.meta().uid());
            }));
            claims.forget(uids::contains);
        } else {
            List<Arrival> next = List.copyOf(made);
            made.clear();
            next.forEach(this::comes);
        }
        carryOut();
        return any;
    }

    private void tell(Pod pod) {
        if (picture.find("Pod", pod.key()).filter(pod::equals).isEmpty()) {
            return; // it has changed since
        }
        handle(new ClusterEvent.Put(judges.judged(pod)));
        if (pod.status().phase().equals(RUNNING)) {
            made.addAll(followers.getOrDefault(pod.key(), List.of()));
            followers.remove(pod.key());
        } else {
            Pod running = PodBuilder.from(pod)
                    .status(PodStatusBuilder.from(pod.status()).phase(RUNNING).build())
                    .build();
            picture.put(running);
            news.add(running);
        }
    }

    private boolean timePasses() {
        OptionalLong next = scheduler.nextDeadline();
        if (next.isEmpty() || next.getAsLong() - lastDeed > PATIENCE) {
            return false;
        }
        now = Math.max(now + 1, next.getAsLong());
        scheduler.tick();
        carryOut();
        return true;
    }

    /** The decided pods, as the profiles judged them, in the order of the decisions that hold. */
    private List<Pod> inOrder() {
        List<Pod> inOrder = new ArrayList<>();
        for (String key : verdicts.keySet()) {
            Arrival arrival = coming.get(key);
            if (arrival != null) {
                inOrder.add(judges.judged(arrival.pod()));
            }
        }
        return inOrder;
    }

    private List<Decided> decided() {
        return coming.values().stream()
                .map(arrival -> new Decided(
                        arrival,
                        Optional.ofNullable(verdicts.get(arrival.pod().key())).orElseGet(() -> unsaid(arrival))))
                .toList();
    }

    /** Of a pod that was never tried. */
    private Verdict unsaid(Arrival arrival) {
        if (arrival.after().isPresent() && !isKnown(arrival.pod())) {
            return new Verdict.NotMade(arrival.after().get());
        }
        Pod pod = judges.judged(arrival.pod());
        return scheduler
                .questions()
                .profileOf(pod)
                .preEnqueue(pod)
                .map(gate ->
                        new Verdict.Waits(gate.plugin() + ": " + gate.status().message()))
                .orElseGet(() -> new Verdict.Waits("waits for others that are placed together with it"));
    }

    private boolean isKnown(Pod pod) {
        return scheduler.queue().find(pod.key()).isPresent();
    }

    /** Remarks on faults of a plugin in a run, not of a pod, each said once. */
    private static final class FaultRemarks implements SchedulerObserver {
        private static final int LONGEST = 300;

        private final Set<String> remarks = new LinkedHashSet<>();

        @Override
        public void faulted(Pod pod, RuntimeException fault) {
            remarks.add("a plugin failed: " + Excerpt.of(String.valueOf(fault.getMessage()), LONGEST));
        }

        List<String> remarks() {
            return List.copyOf(remarks);
        }
    }
}
