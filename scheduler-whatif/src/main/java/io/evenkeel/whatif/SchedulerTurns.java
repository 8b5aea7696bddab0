package io.evenkeel.whatif;

import io.evenkeel.api.ObjectPatch;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerEvent.ExtendersAnswered;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.engine.SchedulerSettings;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.engine.decision.Question.Answer;
import io.evenkeel.engine.decision.Question.Answer.ExtenderAdvice;
import io.evenkeel.framework.ClaimingPlugin;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.framework.run.SchedulingProfile;
import io.evenkeel.framework.run.SchedulingProfile.Gate;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.device.ResourceClaim;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;

/**
 * A cluster in memory where the live scheduler takes its own turns, with its queue, preemption and groups; {@link ClusterSnapshot} asks
 * one question at a time. What it decides is so at once: what volumes need is taken as given, extenders agree to all, and of equally good
 * nodes it is the first by name. The clock stands still as long as there is a turn to take; then it goes on to the next backoff that ends,
 * until nothing has been placed for a while.
 *
 * <pre>{@code
 * turns.begin(objects);                                        what there is, pods that wait too
 * do {
 *     while (turns.next()) {}                                  all have their turns
 *     …                                                        pods run, others are gone, owners make more
 * } while (turns.timePasses());
 * }</pre>
 *
 * <p>One thread uses it. It does no I/O, and reads no clock.
 */
public final class SchedulerTurns {
    private static final long PATIENCE = Duration.ofMinutes(10).toNanos();
    private static final Duration NEVER = Duration.ofDays(365);

    private final Surroundings surroundings;
    private final Scheduler scheduler;
    private final JudgingProfiles judges;
    private final Queue<Command> commands = new ArrayDeque<>();
    private long now;
    private long lastDeed;

    /** Who does what the scheduler decides, and tells of what comes of it by {@link #put} and {@link #delete}. */
    public interface Surroundings {

        /** The pod is bound; the scheduler hears of it after this. */
        void bound(Pod pod, String node, List<ResourceClaim> claims);

        /** The pod is to go; returns whether that is news. */
        boolean evicted(Pod pod, Pod preemptor);

        /** The pod waits, in the words of its event. */
        void waits(Pod pod, String why);

        /** Nobody uses the claim for devices of this key: they are to be free. */
        void freed(String claim);

        /** The claim for devices of this key is to be deleted. */
        void deleted(String claim);

        /** The pod of this key as it is now. */
        Optional<Pod> find(String key);

        /** A plugin failed, and not for a pod. */
        void faulted(RuntimeException fault);
    }

    /**
     * An empty cluster.
     *
     * @throws io.evenkeel.problem.ConfigurationException if a profile names plugins that there are not
     */
    public SchedulerTurns(SchedulerConfiguration configuration, PluginRegistry registry, Surroundings surroundings) {
        this.surroundings = surroundings;
        judges = JudgingProfiles.of(configuration);
        scheduler = new Scheduler(
                configuration,
                registry,
                new FirstByName(),
                SchedulerSettings.of(0).withLongestUnschedulable(NEVER),
                commands::add,
                new SchedulerObserver() {
                    @Override
                    public void faulted(Pod pod, RuntimeException fault) {
                        surroundings.faulted(fault);
                    }
                },
                () -> now++);
    }

    /** The kinds of objects that scheduling reads: what is to be put. */
    public List<Kind<?>> kinds() {
        return scheduler.watchedKinds();
    }

    /** Tells of all that there is; pods that wait have their turns in this order. */
    public void begin(Collection<? extends KubernetesObject> objects) {
        kinds().forEach(kind -> scheduler.handle(new Relist.Began(kind.name())));
        objects.forEach(this::put);
        kinds().forEach(kind -> scheduler.handle(new Relist.Ended(kind.name())));
        lastDeed = now;
    }

    /** An object is there, or has changed. */
    public void put(KubernetesObject object) {
        scheduler.handle(new ClusterEvent.Put(judged(object)));
    }

    /** It is not there any more. */
    public void delete(KubernetesObject object) {
        scheduler.handle(new ClusterEvent.Removed(judged(object)));
    }

    private KubernetesObject judged(KubernetesObject object) {
        return object instanceof Pod pod ? judges.judged(pod) : object;
    }

    /** The next pod, or group, has its turn; returns whether there was one. */
    public boolean next() {
        carryOut();
        boolean any = scheduler.scheduleNext();
        carryOut();
        return any;
    }

    /** Time passes until a pod may be tried again; returns whether one may, and something was done not long ago. */
    public boolean timePasses() {
        OptionalLong next = scheduler.nextDeadline();
        if (next.isEmpty() || next.getAsLong() - lastDeed > PATIENCE) {
            return false;
        }
        now = Math.max(now + 1, next.getAsLong());
        scheduler.tick();
        return true;
    }

    /** What keeps the pod out of the queue. */
    public Optional<Gate> gateOf(Pod pod) {
        Pod judged = judges.judged(pod);
        return profileOf(judged).preEnqueue(judged);
    }

    /** Whether the pod of this key waits. */
    public boolean waits(String key) {
        return scheduler.queue().find(key).isPresent();
    }

    private SchedulingProfile profileOf(Pod judged) {
        return scheduler.engine().profileOf(judged).orElseThrow();
    }

    private void carryOut() {
        for (Command command = commands.poll(); command != null; command = commands.poll()) {
            switch (command) {
                case Command.Bind(var pod, var node, var _) -> bind(pod, node);
                case Command.Evict(var pod, var preemptor, var _) -> evict(pod, preemptor);
                case Command.WriteObject(var pod, var _, boolean awaited)
                when awaited -> scheduler.handle(new CommandResult.OnlySaid(pod));
                case Command.WriteObject(var _, var patch, boolean _)
                when patch.kind().equals(Kinds.RESOURCE_CLAIM) -> makeRoom(patch);
                case Command.Lookup(var pod) ->
                    scheduler.handle(new CommandResult.Found(
                            pod, surroundings.find(pod.key()).map(judges::judged)));
                case Command.AskOfNodes(var pod, var nodes) -> answered(pod, agreed(nodes));
                case Command.AskOfVictims(var pod, var candidates, var _) ->
                    answered(pod, new Answer.VictimsChosen(candidates));
                case Command.RecordEvent(var pod, var event)
                when event.reason().equals("FailedScheduling") -> surroundings.waits(pod, event.note());
                case Command.WriteObject _,
                        Command.RecordEvent _,
                        Command.PatchStatus _,
                        Command.PatchGroup _,
                        Command.RecordGroupEvent _ -> {}
            }
        }
    }

    private void bind(Pod pod, String node) {
        surroundings.bound(
                pod,
                node,
                profileOf(pod).plugins().stream()
                        .filter(ClaimingPlugin.class::isInstance)
                        .flatMap(plugin -> ((ClaimingPlugin) plugin).claimsOf(pod, node).stream())
                        .toList());
        scheduler.handle(new CommandResult.Bound(pod, node));
        lastDeed = now;
    }

    private void evict(Pod pod, Pod preemptor) {
        scheduler.handle(new CommandResult.Evicted(pod));
        if (surroundings.evicted(pod, preemptor)) {
            lastDeed = now;
        }
    }

    private void makeRoom(ObjectPatch patch) {
        switch (patch.form()) {
            case STATUS -> surroundings.freed(patch.object().key());
            case DELETE -> surroundings.deleted(patch.object().key());
            default -> {}
        }
    }

    private void answered(Pod pod, Answer answer) {
        scheduler.handle(new ExtendersAnswered(pod, answer));
    }

    private static Answer agreed(List<Node> nodes) {
        Set<String> all = new LinkedHashSet<>();
        nodes.forEach(node -> all.add(node.name()));
        return new Answer.Advised(new ExtenderAdvice(all, Map.of(), Map.of()));
    }
}
