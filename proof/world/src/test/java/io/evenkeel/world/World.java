package io.evenkeel.world;

import com.google.gson.JsonObject;
import io.evenkeel.app.live.LiveScheduler.Ending;
import io.evenkeel.config.CompatibilityLevel;
import io.evenkeel.config.Difference;
import io.evenkeel.config.Extender;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.ShardSettings;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerSettings.EngineLimits;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.store.Change;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.model.json.Trees;
import io.evenkeel.shard.ShardMap;
import io.evenkeel.whatif.rebalance.Move;
import io.evenkeel.world.check.Advice;
import io.evenkeel.world.check.Bonds;
import io.evenkeel.world.check.DegradedGangs;
import io.evenkeel.world.check.Disruptions;
import io.evenkeel.world.check.Grants;
import io.evenkeel.world.check.Leases;
import io.evenkeel.world.check.Moves;
import io.evenkeel.world.check.Outcome;
import io.evenkeel.world.check.Placements;
import io.evenkeel.world.check.Recount;
import io.evenkeel.world.check.Reports;
import io.evenkeel.world.check.Shards;
import io.evenkeel.world.check.Violation;
import io.evenkeel.world.life.Features;
import io.evenkeel.world.life.Life;
import io.evenkeel.world.net.Extension;
import io.evenkeel.world.net.Front;
import io.evenkeel.world.net.Servers;
import io.evenkeel.world.net.Transport;
import io.evenkeel.world.net.Trap;
import io.evenkeel.world.net.Weather;
import io.evenkeel.world.play.Actors;
import io.evenkeel.world.play.Agenda;
import io.evenkeel.world.play.Choices;
import io.evenkeel.world.play.LocalClock;
import io.evenkeel.world.play.SimulatedProcess;
import io.evenkeel.world.plugin.Whims;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Replicas of the whole scheduler, API servers, and all that lives in a cluster, in one simulated world: one thing happens
 * at a time, what happens next is chosen, and the same choices are the same run.
 *
 * <p>First everything goes wrong that can, for a while. Then the weather clears, and what has to be true in the end is
 * looked at ({@link Outcome}); what must hold at every step is watched all along.
 */
public final class World {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    /** Long enough, by the slowest clock, for a list to be tried again, a lease to run out and the longest backoff to pass. */
    private static final long TO_SETTLE = 300 * SECOND;

    /** After which most is as it was before it went wrong. */
    private static final long TO_CATCH_UP = 20 * SECOND;

    /** By then a zone is back that was away after all had settled. */
    private static final long TO_COME_BACK = 45 * SECOND;

    /** In which moves end that have begun when all is well, and those that these lead to. */
    private static final long LONGEST_MOVES = 1_800 * SECOND;

    /** Some sixty times as many as the longest of thousands of worlds has. */
    private static final long MOST_STEPS = 1_000_000;

    private final Choices choices;
    private final Agenda agenda = new Agenda();
    private final Actors actors = new Actors();
    private final Story story = new Story(agenda);
    private final LocalClock clock = new LocalClock(agenda, 8);
    private final Servers servers = new Servers(clock);
    private final Weather weather;
    private final Whims whims;
    private final Life life;
    private final List<Front> fronts;
    private final Perturbation perturbation;
    private final List<Replica> replicas;
    private final Leases leases;
    private final Bonds bonds = new Bonds(servers.objects());
    private final Grants grants = new Grants(servers.objects());
    private final Optional<Moves> moves;
    private final Shards shards;
    private final Recount recount;
    private final Disruptions disruptions = new Disruptions(servers.objects(), Life.HIGHEST_PRIORITY);
    private final List<Violation> violations = new ArrayList<>();
    private final Reports reports = new Reports();
    private final Placements placements;
    private final Configurations configurations;
    private final SchedulerConfiguration configuration;
    private final Parting parting;
    private final EngineLimits limits;
    private final boolean anyRate;
    private final boolean cramped;
    /** Whether things come together that chance seldom brings together. */
    private final boolean isIntricate;
    /** Whether pods are turned away for reasons that nobody knows. */
    private final boolean isDisturbed;

    /** The way of parting nodes that each replica has when it begins next. */
    private final Map<Replica, Integer> ways = new HashMap<>();

    private long lives;
    private long movedAt;

    public World(Choices choices) {
        this(choices, Set.of());
    }

    /** @param also what there is in it in any case */
    World(Choices choices, Set<Features> also) {
        this.choices = choices;
        Set<Features> features = Features.of(choices, also);
        boolean isParted = features.contains(Features.SHARDS);
        weather = new Weather(choices);
        anyRate = choices.oneIn(4);
        cramped = choices.oneIn(3);
        boolean isNarrow = choices.oneIn(3);
        boolean streamsLists = !choices.oneIn(isParted ? 2 : 3);
        whims = new Whims(choices, !isParted);
        boolean twoProfiles = choices.oneIn(2);
        isIntricate = choices.oneInAside(2);
        limits = isNarrow || (isIntricate && choices.oneInAside(2)) ? EngineLimits.LEAST : EngineLimits.USUAL;
        List<Extender> extenders =
                features.contains(Features.EXTENDERS) ? List.of(Extension.configured(choices)) : List.of();
        isDisturbed = whims.arePresent() || !extenders.isEmpty();
        CompatibilityLevel level = choices.fromAside(List.of(CompatibilityLevel.values()), "level");
        configurations = new Configurations(level, anyRate, twoProfiles, features, extenders);
        configuration = configurations.usual();
        placements =
                new Placements(violations::add, configuration.featureGates().has(Difference.BINDINGS_ARE_RETRIED));
        leases = new Leases(servers.objects(), configuration.leaderElection().renewDeadline());
        shards = new Shards(
                agenda::now,
                configuration.leaderElection().resourceName(),
                configuration.leaderElection().renewDeadline());
        recount = new Recount(agenda::now, shards, 120 * SECOND);
        SchedulerConfiguration extended = whims.arePresent() ? configurations.whimsical() : configuration;
        parting = isParted ? Parting.of(choices) : Parting.NONE;
        life = new Life(servers.objects(), servers.store(), choices, story, features, parting.pools());
        life.begin();
        boolean surges = choices.fromAside(List.of(false, true), "surge");
        moves = life.hasMoves()
                ? Optional.of(new Moves(servers.objects(), violations::add, this::begins))
                : Optional.empty();
        fronts = List.of(
                new Front(agenda, weather, servers, streamsLists), new Front(agenda, weather, servers, streamsLists));
        replicas = IntStream.range(0, isParted ? 2 + choices.below(4) : 1 + choices.below(3))
                .mapToObj(number -> new Replica(
                        "replica-" + number,
                        isParted ? configurations.parted(parting.ways().getFirst()) : extended,
                        configuration,
                        story,
                        whims,
                        placements,
                        reports,
                        limits,
                        servers::has,
                        moves,
                        surges))
                .toList();
        replicas.forEach(replica -> ways.put(replica, 0));
        perturbation = new Perturbation(
                choices,
                isIntricate,
                agenda,
                story,
                servers.store(),
                fronts,
                replicas,
                life,
                this::start,
                this::byOthers);
        servers.store().observe(this::watch);
        placements.tell(recount::decided);
        servers.objects().list(ResourceTable.NODES, "").forEach(node -> recount.node(Trees.parse(node), false));
        servers.objects()
                .list(ResourceTable.STORAGE_CLASSES, "")
                .forEach(each -> recount.other("storageclasses", Trees.parse(each), false));
    }

    /** What has been chosen, by which the run can be repeated. */
    List<Integer> choices() {
        return choices.made();
    }

    /** How many things have happened, one at a time. */
    long steps() {
        return agenda.happened();
    }

    Story story() {
        return story;
    }

    /** Plays it all, and tells what went wrong. */
    public Optional<Throwable> wrong() {
        try {
            run();
            return Optional.empty();
        } catch (RuntimeException | Error wrong) {
            return Optional.of(wrong);
        }
    }

    private void run() {
        try {
            replicas.forEach(this::start);
            weather.stormy(true);
            control();
            int steps = 10 + choices.below(50);
            for (int step = 0; step < steps; step++) {
                happen();
                letPass(pause());
                if (life.hasMoves() && choices.oneIn(4)) {
                    // in which pods are in place, and planned to move
                    letPass(SECOND * (5 + choices.below(25)));
                }
            }
            story.tell("world", "the weather clears");
            weather.stormy(false);
            whims.end();
            perturbation.end();
            life.mend();
            replicas.forEach(replica -> becomes(replica, parting.ways().size() - 1));
            fronts.forEach(Front::thaw);
            replicas.forEach(replica -> {
                replica.set(Trap.NONE);
                replica.hangAtDecision(0);
            });
            if (isDisturbed) {
                life.calmDown();
            }
            long settled = agenda.now() + TO_CATCH_UP;
            long end = agenda.now() + (parting.isAny() ? 110 * SECOND : isIntricate ? 70 * SECOND : 0) + TO_SETTLE;
            if (parting.isAny()) {
                goOnInCalm();
            }
            long last = end + LONGEST_MOVES;
            while (agenda.now() < end || isMoving(last)) {
                letPass(SECOND);
                if (agenda.now() == end - TO_SETTLE + TO_COME_BACK) {
                    moves.ifPresent(Moves::becomeQuiet);
                }
                if (agenda.now() == settled) {
                    byOthers(life::settle);
                }
                byOthers(life::endAwaited);
            }
            checkOutcome();
        } finally {
            replicas.forEach(replica -> replica.kill("the end"));
        }
    }

    /**
     * Where nodes are parted, all of it happens once more when nothing is late or lost: what replicas know is not old then, so that
     * what they decide can be counted again exactly.
     */
    private void goOnInCalm() {
        long calm = 100 * SECOND;
        if (!isIntricate) {
            agenda.after(10 * SECOND, perturbation::happenInCalm);
        }
        agenda.after(calm, () -> recount.window(5 * SECOND));
        int steps = 10 + choices.below(20);
        for (int step = 0; step < steps; step++) {
            agenda.after(calm + SECOND / 4 * choices.below(200), () -> byOthers(life::stepInCalm));
        }
        agenda.after(calm + SECOND * choices.below(50), () -> {
            Replica replica = choices.from(replicas);
            if (replica.isRunning()) {
                replica.kill("when all is well");
                agenda.after(SECOND * choices.below(30), () -> start(replica));
            }
        });
        agenda.after(calm + 230 * SECOND, () -> byOthers(life::probe));
    }

    /** Replicas of the next way of parting nodes take the places of those there are, one after the other. */
    private void rollOut() {
        int latest = Collections.max(ways.values());
        if (latest + 1 < parting.ways().size()) {
            story.tell("world", "nodes are to be parted by " + parting.ways().get(latest + 1));
            long later = 0;
            for (Replica replica : replicas) {
                agenda.after(later, () -> becomes(replica, latest + 1));
                later += SECOND * choices.below(20);
            }
        }
    }

    private void becomes(Replica replica, int way) {
        if (ways.get(replica) < way) {
            ways.put(replica, way);
            replica.configure(configurations.parted(parting.ways().get(way)));
            replica.kill("another takes its place");
            start(replica);
        }
    }

    /** What controllers and kubelets do by themselves, where pods are moved. */
    private void control() {
        if (life.hasMoves()) {
            byOthers(life::control);
            agenda.after(weather.isStormy() ? SECOND / 2 * (1 + choices.below(6)) : SECOND, this::control);
        }
    }

    /** Whether pods are still being moved, or were some seconds ago. */
    private boolean isMoving(long last) {
        if (moves.isEmpty()) {
            return false;
        }
        if (!moves.get().areOver()) {
            movedAt = agenda.now();
        }
        if (agenda.now() > last) {
            throw new Violation("moves do not end");
        }
        return agenda.now() - movedAt < TO_CATCH_UP;
    }

    private void begins(Moves.OfProcess mover, Move move) {
        replicas.stream()
                .filter(replica -> replica.name().equals(mover.replica()))
                .findFirst()
                .ifPresent(replica -> perturbation.begins(replica, move));
    }

    private void checkOutcome() {
        if (isParted()) {
            checkOutcomeTogether();
            return;
        }
        Replica leader = replicas.stream()
                .filter(Replica::isLeading)
                .findFirst()
                .orElseThrow(() -> new Violation("no replica leads"));
        Outcome outcome = new Outcome(
                servers.objects(),
                configuration,
                limits.cluster(),
                reports,
                servers::hasRefusedStatusOf,
                (namespace, pod) -> servers.hasNominatedLate(namespace, pod)
                        || reports.isNominatedByAnother(leader.name(), namespace, pod));
        List<RuntimeException> wrong = new ArrayList<>();
        leader.ask(scheduler -> {
            try {
                outcome.check(scheduler, leader.degradedGangs(""));
                outcome.checkReserved(leader.reserved());
                outcome.checkHeld(scheduler);
            } catch (RuntimeException violation) {
                wrong.add(violation);
            }
        });
        letPass(SECOND);
        if (!wrong.isEmpty()) {
            throw wrong.getFirst();
        }
        if (!life.deploymentsAstray().isEmpty()) {
            throw new Violation("Deployments have not as many replicas as is wanted: " + life.deploymentsAstray());
        }
    }

    /** No shard were clearly better elsewhere: what stands on Leases may be a tenth off, and is in two digits. */
    private static void areAlike(List<Map<String, Integer>> weights) {
        int least = weights.stream().mapToInt(World::load).min().orElseThrow();
        for (Map<String, Integer> its : weights) {
            for (int weight : its.values()) {
                if (least + weight <= 0.7 * load(its) - 2) {
                    throw new Violation("replicas hold " + weights);
                }
            }
        }
    }

    private static int load(Map<String, Integer> weights) {
        return weights.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Whether nodes are parted among engines in the end. */
    private boolean isParted() {
        return parting.ways().getLast().shards() > 1;
    }

    /** Each shard has one engine, replicas have alike loads, and together they know all and leave nobody waiting who fits. */
    private void checkOutcomeTogether() {
        ShardSettings last = parting.ways().getLast();
        ShardMap map = new ShardMap(last);
        Map<String, Scheduler> engines = new TreeMap<>();
        Map<String, DegradedGangs> degraded = new TreeMap<>();
        List<Map<String, Integer>> weights = new ArrayList<>();
        List<String> twice = new ArrayList<>();
        for (Replica replica : replicas) {
            Map<String, Integer> its = new TreeMap<>();
            replica.ask((shard, scheduler) -> {
                if (engines.put(shard, scheduler) != null) {
                    twice.add(shard);
                }
                degraded.put(shard, replica.degradedGangs(shard));
                its.put(
                        shard,
                        1
                                + scheduler.cluster().nodes().count()
                                + scheduler.cluster().pods().count());
            });
            letPass(SECOND);
            weights.add(its);
        }
        int overseers = last.refusesAcross() ? 0 : 1;
        if (engines.size() != map.count() + overseers || !twice.isEmpty()) {
            throw new Violation("of " + map.count() + " shards and " + overseers + " overseer there are "
                    + engines.keySet() + ", and twice " + twice);
        }
        areAlike(weights);
        Outcome outcome = new Outcome(
                servers.objects(),
                replicas.getFirst().configuration(),
                limits.cluster(),
                reports,
                servers::hasOnceRefusedStatusOf,
                servers::hasNominatedLate);
        engines.forEach((shard, scheduler) -> outcome.checkShare(
                scheduler, node -> shard.equals(Shards.OVERSEER) || shard.equals(Integer.toString(map.ofNode(node)))));
        outcome.checkTogether(engines, degraded, last);
    }

    private long pause() {
        return switch (choices.below(6)) {
            case 4 -> SECOND * (1 + choices.below(10));
            case 5 -> SECOND * choices.below(60);
            default -> TimeUnit.MILLISECONDS.toNanos(1 + choices.below(400));
        };
    }

    private void letPass(long nanos) {
        long until = agenda.now() + nanos;
        boolean more = true;
        while (more) {
            more = agenda.next(until);
            replicas.forEach(this::lookAfter);
            if (agenda.happened() > MOST_STEPS) {
                throw new Violation("the world does not end");
            }
        }
    }

    /** A process that has ended is started again, as a Deployment's is. */
    private void lookAfter(Replica replica) {
        replica.violation().ifPresent(violations::add);
        if (!violations.isEmpty()) {
            throw violations.getFirst();
        }
        Optional<Ending> ending = replica.ending();
        if (ending.isPresent()) {
            if (ending.get() == Ending.FAULT) {
                throw new Violation(replica.name() + "'s engine has failed");
            }
            replica.kill("it ended: " + ending.get());
            agenda.after(SECOND, () -> start(replica));
        }
    }

    private void start(Replica replica) {
        if (replica.isRunning()) {
            return;
        }
        int front = choices.below(fronts.size());
        int eighths = anyRate ? 4 + choices.below(13) : 8;
        SimulatedProcess process =
                new SimulatedProcess(agenda, actors, new LocalClock(agenda, eighths), ++lives, cramped);
        Advice advice = new Advice(configuration.extenders().stream().findFirst());
        process.callsThrough(
                new Extension(process, weather, servers, advice, what -> story.tell(replica.name(), what)));
        replica.start(
                process,
                of -> new Transport(
                        agenda,
                        of,
                        weather,
                        servers,
                        fronts,
                        front,
                        watcher(replica, of),
                        what -> story.tell(replica.name(), what)),
                perturbation::heldUp,
                advice,
                choices.oneIn(8));
    }

    private Transport.Watcher watcher(Replica replica, SimulatedProcess process) {
        ShardSettings its = replica.configuration().shards();
        shards.begins(process, its.shards() > 1 ? Optional.of(new ShardMap(its)) : Optional.empty());
        return new Transport.Watcher() {
            /** Seen on a thread of the product's, where an exception would be taken for one of its own. */
            @Override
            public void sends(ApiCall call) {
                try {
                    // where nodes are parted: who takes a Lease reads everything from then on, and others look at it
                    if (!parting.isAny()) {
                        leases.sends(
                                process,
                                call,
                                replica.knowsTheCluster(),
                                process.clock().nanos());
                    }
                    shards.sends(process, call);
                    placements.sends(process, call);
                    moves.ifPresent(all -> all.sends(process, call));
                    disruptions.sends(call);
                    if (parting.isAny()) {
                        reports.sendsOneOfSeveral(replica.name(), call);
                    } else {
                        reports.sends(replica.name(), process, call);
                    }
                } catch (Violation violation) {
                    violations.add(violation);
                }
            }

            @Override
            public void carriesOut(ApiCall call, boolean isLate) {
                recount.carriesOut(call, isLate);
                shards.carriesOut(process, call);
            }

            @Override
            public void carriedOut() {
                recount.carriedOut();
            }

            @Override
            public void hears(ApiCall call, int code) {
                placements.hears(process, call, code);
                leases.hears(process, call, code);
                shards.hears(process, call, code);
                moves.ifPresent(all -> all.hears(process, call, code));
            }
        };
    }

    private void watch(Change change) {
        JsonObject object = change.object().tree();
        String table = change.object().key().table();
        try {
            recount.other(table, object, change instanceof Change.Deleted);
            switch (table) {
                case "pods" -> {
                    moves.ifPresent(all -> {
                        all.logged(object);
                        agenda.after(0, () -> byOthers(life::countBudgets));
                    });
                    boolean isByReplica = placements.logged(object);
                    recount.pod(object, change instanceof Change.Deleted, isByReplica);
                    if (isByReplica) {
                        bonds.placed(object);
                        if (!placements.isUnclear(object)) {
                            grants.placed(object);
                        }
                    }
                }
                case "nodes" -> recount.node(object, change instanceof Change.Deleted);
                case "placementpolicies" -> recount.policy(object, change instanceof Change.Deleted);
                case "leases" -> shards.lease(object, change instanceof Change.Deleted);
                case "persistentvolumes" -> bonds.volume(object);
                case "persistentvolumeclaims" -> bonds.claim(object);
                case "resourceclaims" -> {
                    if (change instanceof Change.Deleted) {
                        grants.claimGone(object);
                    } else {
                        grants.claim(object);
                    }
                }
                default -> {}
            }
        } catch (Violation violation) {
            violations.add(violation);
        }
    }

    private void happen() {
        if (parting.ways().size() > 1 && choices.oneIn(10)) {
            rollOut();
            return;
        }
        switch (choices.below(16)) {
            case 10, 11, 15 -> perturbation.happen();
            case 12 -> choices.from(replicas).pause(SECOND * choices.below(60));
            case 13 -> {
                Replica replica = choices.from(replicas);
                if (replica.isRunning()) {
                    replica.kill("out of memory");
                    agenda.after(SECOND * choices.below(parting.isAny() ? 30 : 5), () -> start(replica));
                }
            }
            case 14 -> trouble();
            default -> byOthers(life::step);
        }
    }

    private void byOthers(Runnable deed) {
        placements.byAnother(true);
        deed.run();
        placements.byAnother(false);
    }

    private void trouble() {
        switch (choices.below(7)) {
            case 1 -> choices.from(replicas).failOver();
            case 2 -> {
                story.tell("world", "an API server closes its watches");
                choices.from(fronts).closeWatches();
            }
            case 3 -> {
                story.tell("world", "history is compacted");
                servers.store().compact();
            }
            case 4 ->
                choices.from(replicas).process().ifPresent(process -> {
                    long seconds = choices.below(7_200) - 3_600L;
                    story.tell("world", "a clock is set by " + seconds + " s");
                    process.clock().set(SECOND * seconds);
                });
            case 5, 6 -> choices.from(replicas).cutOff(SECOND * (1 + choices.below(12)));
            default -> {}
        }
    }
}
