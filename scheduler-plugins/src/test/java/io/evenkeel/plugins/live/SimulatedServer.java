package io.evenkeel.plugins.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.Status;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.CommandResult.BindFailure;
import io.evenkeel.engine.CommandResult.EvictionFailure;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * An API server as the scheduler sees it, in one thread: objects, two watches that lag, repeat themselves and break, and
 * commands that are carried out late, or whose answers get lost. It holds the scheduler to its promises as it goes.
 */
final class SimulatedServer {
    private final RandomGenerator random;
    private final Map<String, Pod> pods = new TreeMap<>();
    private final Map<String, Node> nodes = new TreeMap<>();
    private final Map<String, Deque<SchedulerEvent>> watches = new TreeMap<>();
    private final List<Command> waiting = new ArrayList<>();
    private final List<SchedulerEvent> answers = new ArrayList<>();
    private final Set<String> asked = new HashSet<>();
    private final Set<String> bound = new HashSet<>();
    /** The pods that are being deleted, and not gone yet. */
    private final List<Pod> leaving = new ArrayList<>();

    private long version;

    SimulatedServer(RandomGenerator random) {
        this.random = random;
        List.of("Pod", "Node").forEach(kind -> watches.put(kind, new ArrayDeque<>()));
        watches.keySet().forEach(this::relist);
    }

    Map<String, Pod> pods() {
        return pods;
    }

    Map<String, Node> nodes() {
        return nodes;
    }

    void put(Node node) {
        nodes.put(node.name(), node);
        tell(new ClusterEvent.Put(node));
    }

    void removeNode(String name) {
        Node gone = nodes.remove(name);
        if (gone != null) {
            tell(new ClusterEvent.Removed(gone));
        }
    }

    void put(Pod pod) {
        Pod stored = PodBuilder.from(pod).version(Long.toString(++version), 1).build();
        pods.put(pod.key(), stored);
        tell(new ClusterEvent.Put(stored));
    }

    void removePod(String key) {
        Pod gone = pods.remove(key);
        if (gone != null) {
            tell(new ClusterEvent.Removed(gone));
        }
    }

    /** Another scheduler's work. */
    void bindByOther(String key, String node) {
        Pod pod = pods.get(key);
        if (pod != null && !pod.isPlaced()) {
            put(PodBuilder.from(pod).nodeName(node).build());
        }
    }

    /** Loses what a watch had not delivered; its objects are listed anew. */
    void breakWatch(String kind) {
        relist(kind);
    }

    private void relist(String kind) {
        Deque<SchedulerEvent> events = watches.get(kind);
        events.clear();
        events.add(new Relist.Began(kind));
        List<? extends KubernetesObject> objects =
                kind.equals("Pod") ? List.copyOf(pods.values()) : List.copyOf(nodes.values());
        objects.forEach(object -> events.add(new ClusterEvent.Put(object)));
        events.add(new Relist.Ended(kind));
    }

    private void tell(ClusterEvent event) {
        KubernetesObject object = switch (event) {
            case ClusterEvent.Put put -> put.object();
            case ClusterEvent.Removed removed -> removed.object();
        };
        watches.get(object.kindName()).add(event);
        if (random.nextInt(20) == 0) {
            watches.get(object.kindName()).add(event);
        }
    }

    /** The next of the watches' events, of one watch or the other. */
    Optional<SchedulerEvent> nextEvent() {
        List<Deque<SchedulerEvent>> ready =
                watches.values().stream().filter(events -> !events.isEmpty()).toList();
        return ready.isEmpty()
                ? Optional.empty()
                : Optional.of(ready.get(random.nextInt(ready.size())).removeFirst());
    }

    Optional<SchedulerEvent> nextAnswer() {
        return answers.isEmpty() ? Optional.empty() : Optional.of(answers.remove(random.nextInt(answers.size())));
    }

    void submit(Command command) {
        if (command instanceof Command.Bind || command instanceof Command.Lookup || command instanceof Command.Evict) {
            assertThat(asked.add(command.pod().meta().uid()))
                    .as("only one question about %s at a time", command.pod().key())
                    .isTrue();
            waiting.add(command);
        }
    }

    boolean hasWork() {
        return !waiting.isEmpty() || !leaving.isEmpty();
    }

    /** Carries one of the waiting commands out, or lets a pod end that is being deleted. */
    void work(boolean faithfully) {
        if (!leaving.isEmpty() && (waiting.isEmpty() || random.nextBoolean())) {
            Pod ended = leaving.removeFirst();
            if (pods.containsKey(ended.key())
                    && pods.get(ended.key()).meta().uid().equals(ended.meta().uid())) {
                removePod(ended.key());
            }
            return;
        }
        if (waiting.isEmpty()) {
            return;
        }
        Command command = waiting.remove(random.nextInt(waiting.size()));
        asked.remove(command.pod().meta().uid());
        answers.add(
                switch (command) {
                    case Command.Bind bind -> bind(bind, faithfully ? 0 : random.nextInt(10));
                    case Command.Lookup look ->
                        !faithfully && random.nextInt(4) == 0
                                ? new CommandResult.LookupFailed(look.pod(), "timeout")
                                : new CommandResult.Found(
                                        look.pod(),
                                        Optional.ofNullable(pods.get(look.pod().key())));
                    case Command.Evict evict -> evict(evict, faithfully ? 0 : random.nextInt(6));
                    default -> throw new IllegalStateException("no answer to " + command);
                });
    }

    private CommandResult bind(Command.Bind bind, int fate) {
        if (fate == 1) {
            return refused(bind, BindFailure.UNKNOWN);
        }
        if (fate == 2) {
            return refused(bind, BindFailure.FAILED);
        }
        assertThat(bind.steps().before().code()).isEqualTo(Status.Code.SUCCESS);
        Pod pod = pods.get(bind.pod().key());
        if (pod == null) {
            return refused(bind, BindFailure.GONE);
        }
        if (!pod.meta().uid().equals(bind.pod().meta().uid())) {
            return refused(bind, BindFailure.OTHER_UID);
        }
        if (pod.isPlaced()) {
            return refused(bind, BindFailure.ALREADY_BOUND);
        }
        assertThat(bound.add(pod.meta().uid()))
                .as("%s is bound once", pod.key())
                .isTrue();
        put(PodBuilder.from(pod).nodeName(bind.node()).label("bound", "yes").build());
        return fate == 3 ? refused(bind, BindFailure.UNKNOWN) : new CommandResult.Bound(bind.pod(), bind.node());
    }

    private CommandResult evict(Command.Evict evict, int fate) {
        Pod pod = pods.get(evict.pod().key());
        if (fate == 1) {
            return stays(evict, EvictionFailure.FAILED);
        }
        if (pod == null || !pod.meta().uid().equals(evict.pod().meta().uid())) {
            return stays(evict, EvictionFailure.GONE);
        }
        if (!pod.meta().terminating()) {
            put(PodBuilder.from(pod).terminating(true).build());
            leaving.add(pod);
        }
        return fate == 2 ? stays(evict, EvictionFailure.FAILED) : new CommandResult.Evicted(evict.pod());
    }

    private static CommandResult stays(Command.Evict evict, EvictionFailure failure) {
        return new CommandResult.NotEvicted(evict.pod(), failure, failure.name());
    }

    private static CommandResult refused(Command.Bind bind, BindFailure failure) {
        return new CommandResult.NotBound(bind.pod(), bind.node(), failure, failure.name());
    }
}
