package io.evenkeel.plugins.volumes.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.ObjectPatch;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.CommandResult.BindFailure;
import io.evenkeel.engine.CommandResult.WriteFailure;
import io.evenkeel.engine.Engine;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.engine.decision.Decision;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.engine.decision.SchedulingCycle;
import io.evenkeel.model.Annotations;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.storage.PersistentVolume;
import io.evenkeel.model.storage.PersistentVolume.ClaimReference;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.plugins.InTreePlugins;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/**
 * An API server as the scheduler sees it, in one thread: objects of any kind, a watch of each kind that lags and breaks, and
 * commands that are carried out late, refused, or whose answers get lost.
 */
public class StorageServer {
    private final RandomGenerator random;
    private final Map<String, Map<String, KubernetesObject>> objects = new LinkedHashMap<>();
    private final Map<String, Deque<SchedulerEvent>> watches = new TreeMap<>();
    private final List<Command> waiting = new ArrayList<>();
    private final List<SchedulerEvent> answers = new ArrayList<>();
    private long version;

    public StorageServer(RandomGenerator random, List<String> kinds) {
        this.random = random;
        for (String kind : kinds) {
            objects.put(kind, new TreeMap<>());
            watches.put(kind, new ArrayDeque<>(List.of(new Relist.Began(kind), new Relist.Ended(kind))));
        }
    }

    /** As for a scheduler that has just started: it is told all there is, and the commands of the one before are lost. */
    public void restartWatches() {
        waiting.clear();
        answers.clear();
        watches.keySet().forEach(this::breakWatch);
    }

    public void breakWatch(String kind) {
        Deque<SchedulerEvent> events = watches.get(kind);
        events.clear();
        events.add(new Relist.Began(kind));
        objects.get(kind).values().forEach(object -> events.add(new ClusterEvent.Put(object)));
        events.add(new Relist.Ended(kind));
    }

    public void put(KubernetesObject object) {
        KubernetesObject stored = withVersion(object, Long.toString(++version));
        objects.get(object.kindName()).put(object.meta().key(), stored);
        watches.get(object.kindName()).add(new ClusterEvent.Put(stored));
    }

    protected KubernetesObject withVersion(KubernetesObject object, String version) {
        return switch (object) {
            case Pod pod -> PodBuilder.from(pod).version(version, 1).build();
            case PersistentVolume volume -> with(volume, volume.meta().withVersion(version, 0), volume.claim());
            case PersistentVolumeClaim claim -> with(claim, claim.meta().withVersion(version, 0), claim.volumeName());
            default -> object;
        };
    }

    static PersistentVolume with(PersistentVolume volume, ObjectMeta meta, Optional<ClaimReference> claim) {
        return new PersistentVolume(
                meta,
                volume.source(),
                volume.terms(),
                volume.capacity(),
                claim,
                volume.nodes(),
                claim.isEmpty() && volume.isAvailable());
    }

    static PersistentVolumeClaim with(PersistentVolumeClaim claim, ObjectMeta meta, String volume) {
        return new PersistentVolumeClaim(meta, claim.terms(), claim.size(), claim.selector(), volume, claim.isLost());
    }

    public void remove(String kind, String key) {
        KubernetesObject gone = objects.get(kind).remove(key);
        if (gone != null) {
            watches.get(kind).add(new ClusterEvent.Removed(gone));
        }
    }

    public <T extends KubernetesObject> Map<String, T> all(String kind, Class<T> type) {
        Map<String, T> all = new TreeMap<>();
        objects.get(kind).forEach((key, object) -> all.put(key, type.cast(object)));
        return all;
    }

    public List<KubernetesObject> everything() {
        return objects.values().stream().flatMap(each -> each.values().stream()).toList();
    }

    public Map<String, Pod> pods() {
        return all("Pod", Pod.class);
    }

    Map<String, PersistentVolume> volumes() {
        return all("PersistentVolume", PersistentVolume.class);
    }

    Map<String, PersistentVolumeClaim> claims() {
        return all("PersistentVolumeClaim", PersistentVolumeClaim.class);
    }

    public Optional<SchedulerEvent> nextEvent() {
        List<Deque<SchedulerEvent>> ready =
                watches.values().stream().filter(events -> !events.isEmpty()).toList();
        return ready.isEmpty()
                ? Optional.empty()
                : Optional.of(ready.get(random.nextInt(ready.size())).removeFirst());
    }

    public Optional<SchedulerEvent> nextAnswer() {
        return answers.isEmpty() ? Optional.empty() : Optional.of(answers.remove(random.nextInt(answers.size())));
    }

    public void submit(Command command) {
        if (command instanceof Command.Bind
                || command instanceof Command.Lookup
                || command instanceof Command.WriteObject) {
            waiting.add(command);
        }
    }

    /** Whether all news of the kind have been told. */
    public boolean isHeardOf(String kind) {
        return watches.get(kind).isEmpty();
    }

    private boolean hasWork() {
        return !waiting.isEmpty();
    }

    /** Carries one of the waiting commands out; those of one pod in their order. */
    public void work(boolean faithfully) {
        if (waiting.isEmpty()) {
            return;
        }
        Pod pod = waiting.get(random.nextInt(waiting.size())).pod();
        Command command = waiting.stream()
                .filter(each -> each.pod().meta().uid().equals(pod.meta().uid()))
                .findFirst()
                .orElseThrow();
        waiting.remove(command);
        int fate = faithfully ? 0 : random.nextInt(8);
        SchedulerEvent answer = switch (command) {
            case Command.Bind bind -> bind(bind, fate);
            case Command.Lookup look ->
                new CommandResult.Found(
                        look.pod(), Optional.ofNullable(pods().get(look.pod().key())));
            case Command.WriteObject write -> write(write, fate);
            default -> throw new IllegalStateException("no answer to " + command);
        };
        if (!(command instanceof Command.WriteObject write) || write.awaited()) {
            answers.add(answer);
        }
    }

    /** From now on all behaves; goes on with the scheduler, and with whoever else works, until there is nothing to do. */
    public void settle(Scheduler scheduler, BooleanSupplier others) {
        boolean moved = true;
        while (moved) {
            moved = scheduler.scheduleNext();
            moved = others.getAsBoolean() || moved || hasWork();
            work(true);
            Optional<SchedulerEvent> event = nextEvent().or(this::nextAnswer);
            event.ifPresent(scheduler::handle);
            moved |= event.isPresent();
        }
    }

    /** Whoever waits fits nowhere. */
    public void assertNothingThatFitsStillWaits() {
        Engine judge = new Engine(
                SchedulerConfiguration.defaults(),
                InTreePlugins.registry(),
                new FirstByName(),
                SchedulingCycle.Scoring.WHEN_NEEDED);
        everything().forEach(judge::put);
        assertThat(pods().values())
                .filteredOn(pod -> !pod.isPlaced())
                .allSatisfy(pod -> assertThat(judge.decide(pod)).isInstanceOf(Decision.Unschedulable.class));
    }

    private CommandResult write(Command.WriteObject write, int fate) {
        if (fate == 1) {
            return new CommandResult.NotWritten(write.pod(), WriteFailure.FAILED, "refused");
        }
        ObjectPatch patch = write.patch();
        KubernetesObject now =
                objects.get(patch.kind().name()).get(patch.object().key());
        if (now == null || !isMeant(now.meta(), patch.object())) {
            return new CommandResult.NotWritten(write.pod(), WriteFailure.FAILED, "conflict");
        }
        Optional<KubernetesObject> patched = patched(now, patch.changes());
        if (patched.isEmpty()) {
            return new CommandResult.NotWritten(write.pod(), WriteFailure.FAILED, "invalid");
        }
        put(patched.get());
        if (fate == 2) {
            return new CommandResult.NotWritten(write.pod(), WriteFailure.UNKNOWN, "no answer");
        }
        return new CommandResult.Written(write.pod(), now.meta().uid(), Long.toString(version), 0);
    }

    private static boolean isMeant(ObjectMeta now, ObjectMeta patched) {
        return patched.resourceVersion().isEmpty()
                ? now.uid().equals(patched.uid())
                : now.resourceVersion().equals(patched.resourceVersion());
    }

    /** The object with the changes; empty where it is not valid then. */
    protected Optional<KubernetesObject> patched(KubernetesObject now, Map<String, Object> changes) {
        if (now instanceof PersistentVolume volume) {
            Map<?, ?> reference = (Map<?, ?>) ((Map<?, ?>) changes.get("spec")).get("claimRef");
            return Optional.of(with(
                    volume,
                    volume.meta(),
                    Optional.of(new ClaimReference(
                            (String) reference.get("namespace"), (String) reference.get("name"), (String)
                                    reference.get("uid")))));
        }
        Map<?, ?> annotations = (Map<?, ?>) ((Map<?, ?>) changes.get("metadata")).get("annotations");
        return Optional.of(
                ((PersistentVolumeClaim) now).selecting((String) annotations.get(Annotations.SELECTED_NODE)));
    }

    /** No pod is bound before its claims are. */
    private CommandResult bind(Command.Bind bind, int fate) {
        Pod pod = pods().get(bind.pod().key());
        if (fate == 1
                || pod == null
                || !pod.meta().uid().equals(bind.pod().meta().uid())) {
            return new CommandResult.NotBound(
                    bind.pod(), bind.node(), fate == 1 ? BindFailure.FAILED : BindFailure.GONE, "refused");
        }
        assertThat(pod.isPlaced()).as("%s is bound already", pod.key()).isFalse();
        put(PodBuilder.from(pod).nodeName(bind.node()).build());
        return fate == 2
                ? new CommandResult.NotBound(bind.pod(), bind.node(), BindFailure.UNKNOWN, "no answer")
                : new CommandResult.Bound(bind.pod(), bind.node());
    }
}
