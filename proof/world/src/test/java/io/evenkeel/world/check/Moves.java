package io.evenkeel.world.check;

import com.google.gson.JsonObject;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.OfPlace;
import io.evenkeel.hollow.HollowObjects;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.model.Pod;
import io.evenkeel.model.json.Trees;
import io.evenkeel.queue.HeldPlaces;
import io.evenkeel.tools.moves.Moving;
import io.evenkeel.whatif.moves.Step;
import io.evenkeel.whatif.rebalance.Move;
import io.evenkeel.whatif.rebalance.MovePlan;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * That pods are moved as it is promised, by what leaves a process and by the servers' log:
 *
 * <pre>
 * a move begins             none of its owner is underway; no more at once, and within a minute, than may be
 * a pod is asked to go      by its UID, while its move is underway and its place is held; at once no second time, and not once it was let go
 * the log has it going      no budget that protects it is broken by that; the last of its owner that went so has a successor
 * after each turn           no place is held whose move is over, or for longer than it may be
 * a Deployment grows        while a pod of it is to move, and its place is held
 * at rest                   none is held, and no move is underway; who came in the place of another stays there
 * </pre>
 */
public final class Moves {
    public static final int A_MINUTE = 4;
    private static final int AT_ONCE = 3;
    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);
    private static final long BEFORE_NEXT_TRY = TimeUnit.SECONDS.toNanos(5);
    /** In which a turn of the engine comes for sure that lets go of what is held too long. */
    private static final long TO_TICK = TimeUnit.SECONDS.toNanos(2);

    private final HollowObjects objects;
    private final Consumer<Violation> violations;
    private final BiConsumer<OfProcess, Move> begun;
    private final Map<Object, OfProcess> processes = new HashMap<>();
    /** The UIDs of those that were evicted. */
    private final Set<String> evicted = new HashSet<>();
    /** By the UIDs of owners, those of theirs that went last, for whom no other is ready yet. */
    private final Map<String, String> awaited = new HashMap<>();
    /** The UIDs of those that have been ready. */
    private final Set<String> haveBeenReady = new HashSet<>();
    /** The UIDs of those that came in others' places since all is quiet. */
    private final Set<String> successors = new HashSet<>();

    private boolean isQuiet;

    /** @param begun hears of moves that begin, and by whom */
    public Moves(HollowObjects objects, Consumer<Violation> violations, BiConsumer<OfProcess, Move> begun) {
        this.objects = objects;
        this.violations = violations;
        this.begun = begun;
    }

    /** A process begins, whose clock is this. */
    public OfProcess begins(Object process, String replica, LongSupplier nanos, Consumer<Supplier<String>> story) {
        OfProcess of = new OfProcess(replica, nanos, story);
        processes.put(process, of);
        return of;
    }

    /** The process is no more, and with it what it held. */
    public void ends(Object process) {
        processes.remove(process);
    }

    /** Nothing goes wrong any more, and nobody changes anything but who moves pods. */
    public void becomeQuiet() {
        isQuiet = true;
    }

    /** Whether nothing is underway. */
    public boolean areOver() {
        return processes.values().stream().allMatch(of -> of.underway.isEmpty());
    }

    /** A process sends this now. */
    public void sends(Object process, ApiCall call) {
        if (call.path().contains("~")) {
            throw new Violation("something is said of a pod that is to come: " + call.path());
        }
        if (call.path().endsWith("/eviction")) {
            of(process).asks(call);
        }
        if (call.path().contains("/deployments/") && call.method().equals("PATCH")) {
            String note = Trees.text(
                    Trees.parse(call.body().orElseThrow().content()), "metadata", "annotations", "evenkeel.io/surge");
            if (!note.isEmpty()) {
                of(process).holdsFor(note.substring(note.indexOf(' ') + 1), call);
            }
        }
    }

    private OfProcess of(Object process) {
        return Optional.ofNullable(processes.get(process))
                .orElseThrow(() -> new Violation("a process moves pods that is not there"));
    }

    /** A process is answered so. */
    public void hears(Object process, ApiCall call, int code) {
        if (call.path().endsWith("/eviction") && code / 100 == 2) {
            of(process).letGo.add(uidIn(call));
        }
    }

    private static String uidIn(ApiCall call) {
        return Trees.text(Trees.parse(call.body().orElseThrow().content()), "deleteOptions", "preconditions", "uid");
    }

    /** The servers' log has this of a pod. */
    public void logged(JsonObject pod) {
        String uid = Trees.text(pod, "metadata", "uid");
        ownerOf(pod).ifPresent(owner -> {
            if (isReady(pod) && haveBeenReady.add(uid)) {
                awaited.remove(owner);
            }
            if (isEvicted(pod) && evicted.add(uid)) {
                goes(pod, uid, owner);
            }
        });
    }

    private static Optional<String> ownerOf(JsonObject pod) {
        return Trees.objects(pod, "metadata", "ownerReferences").stream()
                .map(owner -> Trees.text(owner, "uid"))
                .findFirst();
    }

    private static boolean isEvicted(JsonObject pod) {
        return !Trees.text(pod, "metadata", "deletionTimestamp").isEmpty()
                && Trees.objects(pod, "status", "conditions").stream()
                        .anyMatch(condition -> Trees.text(condition, "reason").equals("EvictionByEvictionAPI"));
    }

    private void goes(JsonObject pod, String uid, String owner) {
        String name = Trees.text(pod, "metadata", "name");
        if (isQuiet && successors.contains(uid)) {
            violations.accept(new Violation(name + " is moved again, though nothing has changed"));
        }
        keepsBudgets(pod);
        long ready = pods().stream()
                .filter(other -> ownerOf(other).filter(owner::equals).isPresent())
                .filter(Moves::staysReady)
                .count();
        String before = awaited.put(owner, name);
        if (before != null && ready < wanted(owner) - 1) {
            violations.accept(new Violation(name + " goes, and " + before + " of its owner has no successor yet"));
        }
    }

    private long wanted(String owner) {
        return objects.list(ResourceTable.REPLICA_SETS, "default").stream()
                .map(Trees::parse)
                .filter(set -> Trees.text(set, "metadata", "uid").equals(owner))
                .flatMap(set -> Trees.number(set, "spec", "replicas").stream())
                .findFirst()
                .orElse(0L);
    }

    /** Of those that are counted, which are all of whose pods none has changed since. */
    private void keepsBudgets(JsonObject gone) {
        for (String text : objects.list(ResourceTable.DISRUPTION_BUDGETS, "default")) {
            JsonObject budget = Trees.parse(text);
            String app = Trees.text(budget, "spec", "selector", "matchLabels", "app");
            if (app.equals(Trees.text(gone, "metadata", "labels", "app"))) {
                long healthy = pods().stream()
                        .filter(pod ->
                                Trees.text(pod, "metadata", "labels", "app").equals(app))
                        .filter(Moves::staysReady)
                        .count();
                long desired = Trees.number(budget, "status", "desiredHealthy").orElse(0L);
                if (healthy < desired && isReady(gone)) {
                    violations.accept(new Violation(Trees.text(gone, "metadata", "name") + " is moved, so that of "
                            + app + " there are " + healthy + " where " + desired + " are to be"));
                }
            }
        }
    }

    private List<JsonObject> pods() {
        return objects.list(ResourceTable.PODS, "default").stream()
                .map(Trees::parse)
                .toList();
    }

    private static boolean staysReady(JsonObject pod) {
        return isReady(pod) && Trees.text(pod, "metadata", "deletionTimestamp").isEmpty();
    }

    private static boolean isReady(JsonObject pod) {
        return Trees.objects(pod, "status", "conditions").stream()
                .anyMatch(condition -> Trees.text(condition, "type").equals("Ready")
                        && Trees.text(condition, "status").equals("True"));
    }

    /** What one process moves. */
    public final class OfProcess implements Moving.Listener {
        private final String replica;
        private final LongSupplier nanos;
        private final Consumer<Supplier<String>> story;
        private final Map<String, Move> underway = new HashMap<>();
        private final Deque<Long> begins = new ArrayDeque<>();
        private final Map<String, Long> asked = new HashMap<>();
        private final Set<String> letGo = new HashSet<>();
        /** By the UIDs of the pods that are to go, as the engine was told, until when. */
        private final Map<String, Held> held = new HashMap<>();

        private Optional<Scheduler> known = Optional.empty();

        private record Held(OfPlace.Held place, long until) {}

        private OfProcess(String replica, LongSupplier nanos, Consumer<Supplier<String>> story) {
            this.replica = replica;
            this.nanos = nanos;
            this.story = story;
        }

        public String replica() {
            return replica;
        }

        @Override
        public void planned(MovePlan plan) {
            story.accept(() -> "plans " + plan.moves().size() + " moves");
        }

        @Override
        public void did(Step step) {
            try {
                switch (step) {
                    case Step.Hold(Move move, var _) -> begins(move);
                    case Step.Ended(Move move, var result, var why, var _) -> {
                        story.accept(() -> "has moved " + move.pod().key() + " from " + move.from() + " to " + move.to()
                                + ": " + result.label() + " " + why);
                        boolean wasUnderway = underway.remove(uid(move)) != null;
                        if (isQuiet && result == Step.Result.ELSEWHERE) {
                            throw new Violation(
                                    "the successor of " + move.pod().key() + " is not where its place was: " + why);
                        }
                        if (result == Step.Result.UNNEEDED && stays(move.pod())) {
                            throw new Violation(replica + " awaits no successor of "
                                    + move.pod().key() + ", which is not known to go");
                        }
                        if (wasUnderway != (result != Step.Result.LEFT_ALONE)) {
                            throw new Violation(
                                    replica + " ends the move of " + move.pod().key() + " as " + result
                                            + (wasUnderway ? ", which has begun" : ", which has not begun"));
                        }
                    }
                    case Step.Evict _, Step.Release _, Step.Stopped _ -> {}
                }
            } catch (Violation wrong) {
                violations.accept(wrong);
            }
        }

        /** Whether the engine knows the pod, and not that it goes. */
        private boolean stays(Pod pod) {
            return known.flatMap(scheduler -> scheduler.cluster().pod(pod.key()))
                    .filter(there -> there.meta().uid().equals(pod.meta().uid())
                            && !there.meta().terminating())
                    .isPresent();
        }

        private void begins(Move move) {
            String owner = move.pod().meta().controller().orElseThrow().uid();
            underway.values().stream()
                    .filter(other ->
                            other.pod().meta().controller().orElseThrow().uid().equals(owner))
                    .findFirst()
                    .ifPresent(other -> {
                        throw new Violation(replica + " moves " + move.pod().key() + " while it moves "
                                + other.pod().key() + " of the same owner");
                    });
            underway.put(uid(move), move);
            // a server may only have pretended to let it go
            letGo.remove(uid(move));
            long now = nanos.getAsLong();
            begins.removeIf(when -> now - when >= MINUTE);
            begins.add(now);
            if (begins.size() > A_MINUTE || underway.size() > AT_ONCE) {
                throw new Violation(replica + " has begun " + begins.size() + " moves within a minute, and "
                        + underway.size() + " are underway");
            }
            begun.accept(this, move);
        }

        private static String uid(Move move) {
            return move.pod().meta().uid();
        }

        private void asks(ApiCall call) {
            String uid = uidIn(call);
            Move move = holdsFor(uid, call);
            long now = nanos.getAsLong();
            if (letGo.contains(uid) || now - asked.getOrDefault(uid, now - BEFORE_NEXT_TRY) < BEFORE_NEXT_TRY) {
                throw new Violation(
                        replica + " asks " + move.pod().key() + " to go once more, at once or though it was let go");
            }
            asked.put(uid, now);
        }

        /** The move of the pod of this UID, which the call is about. */
        private Move holdsFor(String uid, ApiCall call) {
            Move move = underway.get(uid);
            if (move == null) {
                throw new Violation(
                        replica + " sends " + call.path() + " of UID \"" + uid + "\", which it does not move");
            }
            Held place = held.get(uid);
            if (place == null || !place.place.node().equals(move.to()) || nanos.getAsLong() - place.until >= 0) {
                throw new Violation(
                        replica + " asks " + move.pod().key() + " to go, and holds no place for it on " + move.to());
            }
            return move;
        }

        /** The engine takes this in next. */
        void take(SchedulerEvent event) {
            switch (event) {
                case OfPlace.Held place ->
                    held.put(
                            place.pod().meta().uid(),
                            new Held(place, nanos.getAsLong() + place.within().toNanos()));
                case OfPlace.Released(var pod) -> held.remove(pod.meta().uid());
                default -> {}
            }
        }

        /** The places that the engine holds and that nobody has taken, with the pods that are to have them. */
        List<OfPlace.Held> open(HeldPlaces places) {
            return held.values().stream()
                    .map(Held::place)
                    .filter(place -> places.isHeld(place.pod())
                            && places.takenBy(place.pod()).isEmpty())
                    .toList();
        }

        /** A turn of the engine is over. */
        void turned(Scheduler scheduler) {
            known = Optional.of(scheduler);
            HeldPlaces places = scheduler.queue().held();
            long now = nanos.getAsLong();
            held.values().removeIf(one -> now - one.until >= TO_TICK);
            held.values().stream()
                    .map(one -> one.place.pod())
                    .filter(pod -> !underway.containsKey(pod.meta().uid()))
                    .findFirst()
                    .ifPresent(pod -> {
                        throw new Violation(
                                replica + " holds a place for the successor of " + pod.key() + ", whose move is over");
                    });
            if (places.size() > held.size()) {
                throw new Violation(replica + " holds " + places.size() + " places, and was told to hold "
                        + held.values().stream()
                                .map(one -> one.place.pod().key())
                                .toList());
            }
            if (isQuiet) {
                held.values().forEach(one -> places.takenBy(one.place.pod()).ifPresent(successors::add));
            }
        }
    }
}
