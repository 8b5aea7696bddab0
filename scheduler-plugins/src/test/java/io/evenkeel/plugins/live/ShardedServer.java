package io.evenkeel.plugins.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.ObjectPatch;
import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.cluster.ClusterState.ClusterLimits;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.CommandResult.BindFailure;
import io.evenkeel.engine.CommandResult.EvictionFailure;
import io.evenkeel.engine.CommandResult.WriteFailure;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.engine.SchedulerSettings;
import io.evenkeel.engine.decision.NodeChoice.AtRandom;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodCondition;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.build.PodStatusBuilder;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.queue.QueueSettings.HintLimits;
import io.evenkeel.shard.LocalGate;
import io.evenkeel.shard.OverseerGate;
import io.evenkeel.shard.ShardGate;
import io.evenkeel.shard.ShardMap;
import io.evenkeel.shard.ShardProgress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * An API server in one thread with the engines of all shards and the overseer's on it, each behind its gate and with a watch of its
 * own. Each binding is checked against what the server has.
 */
final class ShardedServer {
    static final int CPUS = 4;

    private final SplittableRandom random;
    private final ShardMap map;
    private final LongSupplier clock;
    private final Map<String, Pod> pods = new TreeMap<>();
    private final Map<String, Node> nodes = new TreeMap<>();
    private final List<Seat> seats = new ArrayList<>();
    private final List<Pod> leaving = new ArrayList<>();
    private final Set<String> bound = new HashSet<>();
    private final List<String> log = new ArrayList<>();
    private long version;

    ShardedServer(SplittableRandom random, ShardMap map, LongSupplier clock) {
        this.random = random;
        this.map = map;
        this.clock = clock;
        for (int shard = 0; shard <= map.count(); shard++) {
            seats.add(new Seat(shard));
        }
    }

    /** What one engine is for: a shard, or, by the number after the last, to oversee. */
    private final class Seat {
        final int number;
        Optional<Running> running = Optional.empty();
        ShardProgress published = ShardProgress.NONE;

        Seat(int number) {
            this.number = number;
        }

        boolean oversees() {
            return number == map.count();
        }
    }

    /** An engine with all that is on its way to it and from it. */
    private final class Running {
        final Seat seat;
        final Scheduler scheduler;
        final ShardGate gate;
        final Map<String, Deque<SchedulerEvent>> watches = new TreeMap<>();
        final List<Command> commands = new ArrayList<>();
        final List<SchedulerEvent> answers = new ArrayList<>();

        Running(Seat seat) {
            this.seat = seat;
            gate = seat.oversees()
                    ? new OverseerGate(map, SchedulerConfiguration.defaults(), this::scheduler, this::send)
                    : new LocalGate(seat.number, map, SchedulerConfiguration.defaults(), this::scheduler, this::send);
            scheduler = new Scheduler(
                    SchedulerConfiguration.defaults(),
                    InTreePlugins.registry(),
                    new AtRandom(random),
                    new SchedulerSettings(
                            Set.of("Pod", "Node"),
                            8,
                            Duration.ofMinutes(5),
                            Duration.ofSeconds(30),
                            Duration.ofSeconds(5),
                            ClusterLimits.LEAST,
                            HintLimits.LEAST),
                    command -> gate.give(command, this::send),
                    SchedulerObserver.NONE,
                    clock);
            List.of("Pod", "Node").forEach(kind -> {
                watches.put(kind, new ArrayDeque<>());
                relist(kind);
            });
        }

        Scheduler scheduler() {
            return scheduler;
        }

        private void send(Command command) {
            if (command instanceof Command.AtServer && !(command instanceof Command.RecordEvent)) {
                commands.add(command);
            }
            if (seat.oversees()) {
                assertThat(command).isNotInstanceOf(Command.Bind.class);
            }
        }

        void relist(String kind) {
            Deque<SchedulerEvent> events = watches.get(kind);
            events.clear();
            events.add(new Relist.Began(kind));
            List<? extends KubernetesObject> objects =
                    kind.equals("Pod") ? List.copyOf(pods.values()) : List.copyOf(nodes.values());
            objects.forEach(object -> events.add(new ClusterEvent.Put(object)));
            events.add(new Relist.Ended(kind));
        }

        boolean deliver() {
            List<Deque<SchedulerEvent>> ready = watches.values().stream()
                    .filter(events -> !events.isEmpty())
                    .toList();
            if (!answers.isEmpty() && (ready.isEmpty() || random.nextInt(3) == 0)) {
                take(answers.remove(random.nextInt(answers.size())));
                return true;
            }
            if (ready.isEmpty()) {
                return false;
            }
            Deque<SchedulerEvent> events = ready.get(random.nextInt(ready.size()));
            for (int n = random.nextInt(6); n >= 0 && !events.isEmpty(); n--) {
                take(events.removeFirst());
            }
            return true;
        }

        private void take(SchedulerEvent event) {
            gate.take(event, scheduler::handle);
            listIfWanted();
        }

        private void listIfWanted() {
            if (gate.wantsPodsAnew()) {
                relist("Pod");
            }
        }

        void others() {
            ShardProgress least = seats.stream()
                    .filter(other -> other != seat)
                    .map(other -> other.published)
                    .reduce(ShardProgress.NOBODY, ShardProgress::and);
            gate.othersAt(least, scheduler::handle);
            listIfWanted();
        }

        boolean work(boolean faithfully) {
            if (commands.isEmpty()) {
                return false;
            }
            Set<String> earlier = new HashSet<>();
            List<Command> ready = commands.stream()
                    .filter(command -> earlier.add(command.pod().key()))
                    .toList();
            Command command = ready.get(random.nextInt(ready.size()));
            commands.removeIf(each -> each == command);
            carryOut(command, faithfully ? 9 : random.nextInt(10)).ifPresent(answers::add);
            return true;
        }

        private Optional<CommandResult> carryOut(Command command, int fate) {
            note(command, fate);
            return switch (command) {
                case Command.Bind bind -> Optional.of(bind(bind, fate));
                case Command.Lookup look -> Optional.of(lookUp(look, fate));
                case Command.Evict evict -> Optional.of(evict(evict, fate));
                case Command.WriteObject write -> Optional.of(ask(write, fate)).filter(_ -> write.awaited());
                case Command.PatchStatus patch -> {
                    if (fate > 0) {
                        patch(patch);
                    }
                    yield Optional.empty();
                }
                default -> Optional.empty();
            };
        }

        private void note(Command command, int fate) {
            String about = switch (command) {
                case Command.Bind bind -> "binds to " + bind.node();
                case Command.WriteObject write -> "writes " + write.patch().changes();
                case Command.PatchStatus patch -> "patches " + patch.conditions() + " " + patch.nominatedNodeName();
                default -> command.getClass().getSimpleName();
            };
            log.add(version + " engine " + seat.number + " " + about + " of "
                    + command.pod().key() + " fate " + fate);
        }

        private CommandResult bind(Command.Bind bind, int fate) {
            if (fate == 0) {
                return refused(bind, BindFailure.UNKNOWN);
            }
            if (fate == 1) {
                return refused(bind, BindFailure.FAILED);
            }
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
            Pod placed = PodBuilder.from(pod).nodeName(bind.node()).build();
            check(placed);
            put(placed);
            return fate == 2 ? refused(bind, BindFailure.UNKNOWN) : new CommandResult.Bound(bind.pod(), bind.node());
        }

        private void check(Pod placed) {
            String what = placed.key() + " on " + placed.spec().nodeName() + " by engine " + seat.number;
            assertThat(bound.add(placed.meta().uid()))
                    .as("bound once: %s", what)
                    .isTrue();
            Node node = nodes.get(placed.spec().nodeName());
            if (!map.moves()) {
                assertThat(map.ofNode(node)).as("bound by the owner: %s", what).isEqualTo(seat.number);
            }
            long used =
                    on(placed.spec().nodeName()).mapToLong(ShardedServer::milli).sum();
            assertThat(used + milli(placed))
                    .as(
                            "overfilled by %s\n%s",
                            what,
                            on(placed.spec().nodeName())
                                            .map(pod -> told(pod.key()))
                                            .toList() + "\n" + told(placed.key()))
                    .isLessThanOrEqualTo(CPUS * 1000L);
            pods.values().stream().filter(Pod::isPlaced).forEach(other -> {
                assertThat(shuns(placed, other))
                        .as("%s shuns %s\n%s\n%s", what, other.key(), told(placed.key()), told(other.key()))
                        .isFalse();
                assertThat(shuns(other, placed))
                        .as("%s shuns %s\n%s\n%s", other.key(), what, told(other.key()), told(placed.key()))
                        .isFalse();
            });
        }
    }

    /** The last that happened to the pod, for whoever looks into a failure. */
    String told(String key) {
        List<String> lines = log.stream()
                .filter(line -> line.contains(" of " + key + " ") || line.contains(" seat "))
                .toList();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 14), lines.size()));
    }

    private Stream<Pod> on(String node) {
        return pods.values().stream().filter(pod -> pod.spec().nodeName().equals(node));
    }

    private static long milli(Pod pod) {
        return pod.spec().containers().getFirst().requests().get("cpu").milliValue();
    }

    private boolean shuns(Pod one, Pod other) {
        for (PodAffinityTerm term : one.spec().podAffinity().requiredAntiAffinity()) {
            if (term.labelSelector().matches(other.labels())
                    && domain(one, term.topologyKey()).equals(domain(other, term.topologyKey()))) {
                return true;
            }
        }
        return false;
    }

    private String domain(Pod placed, String key) {
        Node node = nodes.get(placed.spec().nodeName());
        return key.equals(Node.HOSTNAME) ? node.name() : "z" + node.name().charAt(1) % 3;
    }

    private CommandResult lookUp(Command.Lookup look, int fate) {
        return fate < 2
                ? new CommandResult.LookupFailed(look.pod(), "timeout")
                : new CommandResult.Found(
                        look.pod(), Optional.ofNullable(pods.get(look.pod().key())));
    }

    private CommandResult evict(Command.Evict evict, int fate) {
        Pod pod = pods.get(evict.pod().key());
        if (fate == 0) {
            return new CommandResult.NotEvicted(evict.pod(), EvictionFailure.FAILED, "no such luck");
        }
        if (pod == null || !pod.meta().uid().equals(evict.pod().meta().uid())) {
            return new CommandResult.NotEvicted(evict.pod(), EvictionFailure.GONE, "gone");
        }
        if (!pod.meta().terminating()) {
            put(PodBuilder.from(pod).terminating(true).build());
            leaving.add(pod);
        }
        return new CommandResult.Evicted(evict.pod());
    }

    private CommandResult ask(Command.WriteObject write, int fate) {
        if (fate == 0) {
            return new CommandResult.NotWritten(write.pod(), WriteFailure.UNKNOWN, "timeout");
        }
        Pod pod = pods.get(write.pod().key());
        ObjectPatch patch = write.patch();
        if (pod == null || !pod.meta().resourceVersion().equals(patch.object().resourceVersion())) {
            return new CommandResult.NotWritten(write.pod(), WriteFailure.FAILED, "conflict");
        }
        Map<?, ?> status = (Map<?, ?>) Objects.requireNonNull(patch.changes().get("status"));
        List<PodCondition> conditions = new ArrayList<>();
        for (Object each : (List<?>) status.get("conditions")) {
            Map<?, ?> condition = (Map<?, ?>) each;
            conditions.add(new PodCondition(
                    (String) condition.get("type"),
                    (String) condition.get("status"),
                    (String) condition.get("reason"),
                    (String) condition.get("message"),
                    "",
                    0));
        }
        PodStatusBuilder changed =
                changed(pod, conditions, Optional.ofNullable((String) status.get("nominatedNodeName")));
        put(PodBuilder.from(pod).status(changed.build()).build());
        return fate == 1
                ? new CommandResult.NotWritten(write.pod(), WriteFailure.UNKNOWN, "timeout")
                : new CommandResult.Written(write.pod(), pod.meta().uid(), Long.toString(version), 0);
    }

    private void patch(Command.PatchStatus patch) {
        Pod pod = pods.get(patch.pod().key());
        if (pod == null || !pod.meta().uid().equals(patch.pod().meta().uid())) {
            return;
        }
        PodStatusBuilder changed = changed(pod, patch.conditions(), patch.nominatedNodeName());
        if (!changed.build().equals(pod.status())) {
            put(PodBuilder.from(pod).status(changed.build()).build());
        }
    }

    private PodStatusBuilder changed(Pod pod, List<PodCondition> conditions, Optional<String> nominated) {
        PodStatusBuilder changed = PodStatusBuilder.from(pod.status());
        conditions.forEach(condition -> write(condition, pod, changed));
        nominated.ifPresent(changed::nominatedNodeName);
        return changed;
    }

    private void write(PodCondition condition, Pod pod, PodStatusBuilder changed) {
        assertThat(pod.spec().preempts() && condition.message().contains("preemptionPolicy=Never"))
                .as("%s is said not to preempt: %s\n%s", pod.key(), condition.message(), told(pod.key()))
                .isFalse();
        switch (condition.type()) {
            case PodCondition.POD_SCHEDULED -> changed.scheduled(condition);
            case PodCondition.SHARD -> changed.shard(condition);
            default -> {}
        }
    }

    private static CommandResult refused(Command.Bind bind, BindFailure failure) {
        return new CommandResult.NotBound(bind.pod(), bind.node(), failure, failure.name());
    }

    Map<String, Pod> pods() {
        return pods;
    }

    Map<String, Node> nodes() {
        return nodes;
    }

    int bindings() {
        return bound.size();
    }

    void put(Node node) {
        Node stored =
                NodeBuilder.from(node).version(Long.toString(++version), 1).build();
        nodes.put(node.name(), stored);
        tell(new ClusterEvent.Put(stored), "Node");
    }

    void put(Pod pod) {
        Pod stored = PodBuilder.from(pod).version(Long.toString(++version), 1).build();
        pods.put(pod.key(), stored);
        log.add(version + " came of " + pod.key() + " " + pod.meta().uid() + " node "
                + pod.spec().nodeName() + " shuns "
                + pod.spec().podAffinity().requiredAntiAffinity().size() + " " + pod.labels());
        tell(new ClusterEvent.Put(stored), "Pod");
    }

    void removePod(String key) {
        Pod gone = pods.remove(key);
        if (gone != null) {
            tell(
                    new ClusterEvent.Removed(PodBuilder.from(gone)
                            .version(Long.toString(++version), 1)
                            .build()),
                    "Pod");
        }
    }

    private void tell(ClusterEvent event, String kind) {
        running().forEach(engine -> {
            engine.watches.get(kind).add(event);
            if (random.nextInt(20) == 0) {
                engine.watches.get(kind).add(event);
            }
        });
    }

    private Stream<Running> running() {
        return seats.stream().flatMap(seat -> seat.running.stream());
    }

    private Optional<Running> any() {
        List<Running> all = running().toList();
        return all.isEmpty() ? Optional.empty() : Optional.of(all.get(random.nextInt(all.size())));
    }

    void begin() {
        seats.forEach(this::begin);
    }

    private void begin(Seat seat) {
        seat.published = ShardProgress.NONE;
        log.add(version + " seat " + seat.number + " begins");
        seat.running = Optional.of(new Running(seat));
    }

    /** Nothing that was on its way is carried out any more. What it has told stands until another begins. */
    void endOne() {
        Seat seat = seats.get(random.nextInt(seats.size()));
        if (seat.running.isPresent()) {
            seat.running = Optional.empty();
            log.add(version + " seat " + seat.number + " ends");
        }
    }

    void beginOne() {
        Seat seat = seats.get(random.nextInt(seats.size()));
        if (seat.running.isEmpty()) {
            begin(seat);
        }
    }

    void beginAll() {
        seats.stream().filter(seat -> seat.running.isEmpty()).forEach(this::begin);
    }

    void breakWatch() {
        any().ifPresent(engine -> engine.relist(random.nextInt(4) == 0 ? "Node" : "Pod"));
    }

    /** An engine tells how far it is, or hears how far the others are. */
    void exchange() {
        any().ifPresent(engine -> {
            if (random.nextBoolean()) {
                engine.seat.published = engine.gate.progress();
            } else {
                engine.others();
            }
        });
    }

    void deliver() {
        any().ifPresent(Running::deliver);
    }

    void decideSome() {
        any().ifPresent(engine -> {
            engine.scheduler.scheduleNext();
            engine.scheduler.tick();
        });
    }

    void work(boolean faithfully) {
        if (!leaving.isEmpty() && random.nextInt(3) == 0) {
            endLeaving();
        }
        any().ifPresent(engine -> engine.work(faithfully));
    }

    private void endLeaving() {
        Pod ended = leaving.removeFirst();
        if (pods.containsKey(ended.key())
                && pods.get(ended.key()).meta().uid().equals(ended.meta().uid())) {
            removePod(ended.key());
        }
    }

    /** All goes on, and nothing fails; false where there is nothing left to go on. */
    boolean calm() {
        boolean moved = false;
        if (!leaving.isEmpty()) {
            endLeaving();
            moved = true;
        }
        for (Running engine : running().toList()) {
            engine.scheduler.tick();
            moved |= engine.scheduler.scheduleNext();
            moved |= engine.work(true);
            moved |= engine.deliver();
        }
        if (!moved) {
            for (Running engine : running().toList()) {
                engine.gate.progress();
                engine.seat.published = engine.gate.progress();
            }
            for (Running engine : running().toList()) {
                engine.others();
                moved |= engine.deliver();
            }
        }
        return moved;
    }

    List<String> whoIsOnItsWay() {
        return running()
                .flatMap(engine -> engine.scheduler.onTheirWay().stream()
                        .map(pod -> engine.seat.number + ": " + pod.pod().key() + " to " + pod.node() + " "
                                + pod.waitingFor() + "\n" + told(pod.pod().key())))
                .toList();
    }

    void audit() {
        running()
                .forEach(engine -> assertThat(ClusterAudit.differences(engine.scheduler.cluster()))
                        .isEmpty());
    }
}
