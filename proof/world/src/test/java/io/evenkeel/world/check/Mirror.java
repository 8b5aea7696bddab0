package io.evenkeel.world.check;

import io.evenkeel.config.Profile;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.CommandResult.BindFailure;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.Scheduler.OnItsWay;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.OfPlace;
import io.evenkeel.engine.decision.Question.Answer;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.queue.SchedulingQueue.QueueEntryView;
import io.evenkeel.world.plugin.Reserved;
import io.evenkeel.world.plugin.Reserved.GivenUp;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.ObjIntConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * What one replica's engine has been told, and whether what it knows and decides is right by that, which is looked at
 * after each turn.
 */
public final class Mirror {
    /** Every choice among them is tried. */
    private static final int MOST_GIVEN_UP = 8;

    /** What a pod waits for before anybody is asked to bind it: a plugin, or its volumes. */
    private static final Set<String> BEFORE_BINDING = Set.of("PERMIT", "WRITE", "AWAIT");

    private static final Set<BindFailure> UNCLEAR = Set.of(BindFailure.ALREADY_BOUND, BindFailure.UNKNOWN);

    private final String replica;
    private final String shard;
    private final SchedulerConfiguration configuration;
    private final Consumer<Supplier<String>> story;
    private final Placements placements;
    private final Told told;
    private final Knowledge knowledge;
    private final Sleepers sleepers;
    private final MissedChanges missed;
    private final Reservations reservations;
    private final Nominations nominations;
    private final Work work;
    private final Advice advice;
    private final Reserved reserved;
    private final Optional<Moves.OfProcess> moves;
    private final Set<String> mayLeave = new HashSet<>();
    private Map<String, OnItsWay> before = Map.of();
    private boolean whole;
    private boolean mayOversleep;
    private Optional<Violation> violation = Optional.empty();

    /**
     * Of a replica that knows nothing yet.
     *
     * @param configuration of the replica
     * @param objections how often one of its plugins has turned nodes away of which nobody tells
     * @param tried hears, by their UIDs, how often pods have been tried
     * @param mostBindings that may be underway beside those that plugins hold up
     * @param reserved what a plugin of its holds, now and later
     * @param isThere whether the servers have just this object now
     * @param shard of the engine, which is told of a part of the cluster only; empty where there are none
     * @param advice what its extender says
     * @param moves what it moves, if it does
     */
    public Mirror(
            String replica,
            SchedulerConfiguration configuration,
            LongSupplier objections,
            ObjIntConsumer<String> tried,
            Consumer<Supplier<String>> story,
            Placements placements,
            int mostBindings,
            Reserved reserved,
            Predicate<KubernetesObject> isThere,
            String shard,
            Advice advice,
            Optional<Moves.OfProcess> moves) {
        this.replica = replica;
        this.configuration = configuration;
        this.story = story;
        this.placements = placements;
        told = shard.isEmpty() ? new Told(isThere) : Told.behindGate();
        this.shard = shard;
        knowledge = new Knowledge(replica, namesOf(configuration));
        sleepers = new Sleepers(replica);
        missed = new MissedChanges(replica);
        this.reserved = reserved;
        reservations = new Reservations(replica, reserved.nodes());
        nominations = new Nominations(replica, objections, tried, advice);
        this.advice = advice;
        this.moves = moves;
        work = new Work(replica, mostBindings);
    }

    private static Set<String> namesOf(SchedulerConfiguration configuration) {
        return configuration.profiles().stream().map(Profile::schedulerName).collect(Collectors.toSet());
    }

    /** The engine takes this in next. */
    public void take(SchedulerEvent event) {
        story.accept(() -> "takes " + Told.described(event));
        try {
            missed.take(event, told);
            told.take(event, this::isOnItsWay);
            moves.ifPresent(all -> all.take(event));
            if (event instanceof CommandResult result) {
                placements.hears(result);
                noteWhetherItIsOver(result);
            }
            if (event instanceof SchedulerEvent.ExtendersAnswered(Pod pod, Answer answer)) {
                advice.take(pod, answer);
            }
        } catch (Violation wrong) {
            violation = violation.or(() -> Optional.of(wrong));
        }
    }

    /** The engine decides a pod next, having taken in what there was. */
    public void placing(Scheduler scheduler) {
        try {
            told.decided(scheduler.onTheirWay());
            told.given(scheduler.cluster());
            told.held(openPlaces(scheduler));
            nominations.decided(scheduler, told);
        } catch (Violation wrong) {
            violation = violation.or(() -> Optional.of(wrong));
        }
    }

    private List<OfPlace.Held> openPlaces(Scheduler scheduler) {
        return moves.map(all -> all.open(scheduler.queue().held())).orElse(List.of());
    }

    private void noteWhetherItIsOver(CommandResult result) {
        boolean over = switch (result) {
            case CommandResult.NotBound refused -> !UNCLEAR.contains(refused.failure());
            case CommandResult.Found _, CommandResult.NotWritten _ -> true;
            case CommandResult.Written _, CommandResult.OnlySaid _ -> false;
            case CommandResult.Bound _, CommandResult.LookupFailed _, CommandResult.OfEviction _ -> false;
        };
        if (over) {
            mayLeave.add(result.pod().meta().uid());
        }
    }

    /** Whether everything has been told once. */
    public boolean isWhole() {
        return whole;
    }

    /** Looks at what is known and has been decided in the turn that ended, which took so many events. */
    public void check(Scheduler scheduler, int events) {
        if (nominations.hasBegunTurn()) {
            placing(scheduler);
            nominations.endTurn();
        }
        Map<String, OnItsWay> now = new HashMap<>();
        scheduler.onTheirWay().forEach(each -> now.put(attempt(each), each));
        told.decided(now.values());
        told.given(scheduler.cluster());
        told.held(openPlaces(scheduler));
        try {
            whole = whole
                    || told.listedWhole()
                            .containsAll(scheduler.watchedKinds().stream()
                                    .map(Kind::name)
                                    .toList());
            List<OnItsWay> fresh = now.keySet().stream()
                    .filter(attempt -> !before.containsKey(attempt))
                    .map(now::get)
                    .toList();
            decided(fresh, now.values(), justCounted(reserved.takeGivenUp()));
            before.forEach((attempt, each) -> {
                if (!now.containsKey(attempt)) {
                    mayHaveLeft(each);
                }
            });
            knowledge.check(told, scheduler, now.values());
            work.check(events, fresh.size(), now.values());
            reservations.check(told, now.values());
            moves.ifPresent(all -> all.turned(scheduler));
            mayOversleep = mayOversleep || events > 0 || !now.keySet().equals(before.keySet());
            if (mayOversleep || !now.isEmpty()) {
                List<QueueEntryView> queue = scheduler.queue().view();
                missed.check(told, now.values(), queue);
                // of some it may not have been asked yet whether what has come helps them
                if (mayOversleep && !scheduler.queue().hasHintsToAsk()) {
                    sleepers.check(told, now.values(), queue);
                    mayOversleep = false;
                }
            }
        } catch (Violation wrong) {
            violation = violation.or(() -> Optional.of(wrong));
        }
        before = now;
        mayLeave.clear();
        told.endTurn();
    }

    private boolean isOnItsWay(String uid) {
        return before.values().stream().anyMatch(each -> each.pod().meta().uid().equals(uid));
    }

    static String attempt(OnItsWay each) {
        return each.pod().meta().uid() + " since " + each.since();
    }

    private void decided(List<OnItsWay> fresh, Collection<OnItsWay> onTheirWay, List<GivenUp> givenUp) {
        if (fresh.isEmpty()) {
            return;
        }
        if (!whole) {
            throw new Violation(replica + " decides before it knows the cluster");
        }
        List<OnItsWay> before = new ArrayList<>(onTheirWay);
        before.removeAll(fresh);
        Picture picture = Picture.of(told, before);
        fresh.forEach(each -> placements.decided(shard, each.pod(), each.node()));
        fresh.stream()
                .filter(each -> configuration.needsExtenders(each.pod()))
                .forEach(each -> advice.isHeeded(each.pod(), each.node()));
        Gangs.mustBeWhole(told, fresh, onTheirWay, givenUp);
        if (!isRightInSomeOrder(fresh, picture, givenUp)) {
            List<String> wrong = new ArrayList<>();
            fresh.forEach(each -> {
                picture.place(each.pod(), each.node());
                wrong.add(each.pod().key() + " on " + each.node() + ": " + picture.wrongAbout(each.pod(), each.node()));
            });
            throw new Violation(replica + " put " + wrong + ", and gave up " + givenUp);
        }
    }

    /**
     * Of those given up in this turn the ones that counted while it decided: whoever was on its way before is gone before it
     * decides, but for one that waits for its permit and has to go for another just then.
     */
    private List<GivenUp> justCounted(List<GivenUp> givenUp) {
        List<GivenUp> left = new ArrayList<>(givenUp);
        before.values().stream()
                .filter(was -> !was.waitingFor().equals("PERMIT"))
                .forEach(was -> left.stream()
                        .filter(each -> isSame(each, was))
                        .findFirst()
                        .ifPresent(left::remove));
        return left;
    }

    private static boolean isSame(GivenUp one, OnItsWay other) {
        return one.node().equals(other.node())
                && one.pod().meta().uid().equals(other.pod().meta().uid());
    }

    /**
     * A turn decides several pods one after the other, each knowing of those before it alone; and of some that did not get
     * their nodes, or not any more, in this turn. A gang that may be placed at once is right where its end is.
     */
    private static boolean isRightInSomeOrder(List<OnItsWay> decided, Picture picture, List<GivenUp> givenUp) {
        if (decided.isEmpty()) {
            return true;
        }
        for (List<OnItsWay> next : next(decided)) {
            next.forEach(each -> picture.place(each.pod(), each.node()));
            boolean right = false;
            if (isRight(next, picture) || isRightBeside(givenUp, next, picture)) {
                List<OnItsWay> others = new ArrayList<>(decided);
                others.removeAll(next);
                right = isRightInSomeOrder(others, picture, givenUp);
            }
            next.forEach(_ -> picture.takeBack());
            if (right) {
                return true;
            }
        }
        return false;
    }

    /** Who may have been decided next: any of them, or all of a gang at once that asks for no more than a right end. */
    private static List<List<OnItsWay>> next(List<OnItsWay> decided) {
        List<List<OnItsWay>> next = new ArrayList<>(decided.stream()
                .filter(each -> Gangs.isEndState(each.pod()))
                .collect(Collectors.groupingBy(each -> Gangs.of(each.pod())))
                .values());
        decided.forEach(each -> next.add(List.of(each)));
        return next;
    }

    private static boolean isRight(List<OnItsWay> decided, Picture picture) {
        return decided.stream()
                .allMatch(each -> picture.wrongAbout(each.pod(), each.node()).isEmpty());
    }

    /** Some of them counted when these were decided, and others did not any more, or not yet. */
    private static boolean isRightBeside(List<GivenUp> givenUp, List<OnItsWay> decided, Picture picture) {
        Set<String> uids = decided.stream().map(each -> each.pod().meta().uid()).collect(Collectors.toSet());
        List<GivenUp> others = givenUp.stream()
                .filter(each -> !uids.contains(each.pod().meta().uid()))
                .limit(MOST_GIVEN_UP)
                .toList();
        return !others.isEmpty() && isRightBesideSome(others, decided, picture);
    }

    private static boolean isRightBesideSome(List<GivenUp> others, List<OnItsWay> decided, Picture picture) {
        if (others.isEmpty()) {
            return isRight(decided, picture);
        }
        GivenUp first = others.getFirst();
        List<GivenUp> rest = others.subList(1, others.size());
        picture.place(first.pod(), first.node());
        boolean right = isRightBesideSome(rest, decided, picture);
        picture.takeBack();
        return right || isRightBesideSome(rest, decided, picture);
    }

    /** As long as a pod may be on the node that was chosen for it, it has to count there. */
    private void mayHaveLeft(OnItsWay each) {
        String uid = each.pod().meta().uid();
        Optional<Pod> known = told.pod(uid);
        boolean isOver =
                mayLeave.contains(uid) || known.isEmpty() || known.get().isPlaced();
        if (!isOver && !BEFORE_BINDING.contains(each.waitingFor())) {
            throw new Violation(
                    replica + " gives up " + each.pod().key() + " on " + each.node() + ", where it may be bound");
        }
    }

    /** What was known or decided wrongly, if anything was. */
    public Optional<Violation> violation() {
        return violation;
    }
}
