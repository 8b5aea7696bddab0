package io.evenkeel.world.play;

import io.evenkeel.kube.api.Clocks;
import io.evenkeel.kube.api.Machine;
import io.evenkeel.kube.api.Machine.Loop;
import io.evenkeel.kube.api.Machine.Sleeper;
import io.evenkeel.kube.api.Machine.Slots;
import io.evenkeel.kube.api.Machine.TimeLimit;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.random.RandomGenerator;
import okhttp3.Interceptor;

/**
 * One process on a simulated machine: its threads are actors, its clock is its own. It can be paused at any step, as by
 * SIGSTOP, and killed at any step, as by SIGKILL.
 */
public final class SimulatedProcess implements Machine {
    private static final int LEAST_ROOM = 1;
    private static final long BETWEEN_LOOKS = 100_000_000;
    /** The loops with turns that wait for answers, so that they need a thread. */
    private static final Set<String> WAITING = Set.of("rebalance");

    private final Agenda agenda;
    private final Actors actors;
    private final LocalClock clock;
    private final SplittableRandom random;
    private final boolean cramped;
    private final List<Actors.Actor> threads = new ArrayList<>();
    private final List<Turns> loops = new ArrayList<>();
    private final ThreadLocal<Long> patience = ThreadLocal.withInitial(() -> Long.MAX_VALUE);
    private final List<Runnable> deferred = new ArrayList<>();
    private final Set<String> uuids = new HashSet<>();
    private Optional<Interceptor> outward = Optional.empty();
    private long pausedUntil;
    private long stopsAtThread;
    private boolean killed;

    /** @param cramped whether it has the least room that works, so that what is rare elsewhere is usual here */
    public SimulatedProcess(Agenda agenda, Actors actors, LocalClock clock, long seed, boolean cramped) {
        this.agenda = agenda;
        this.actors = actors;
        this.clock = clock;
        this.cramped = cramped;
        random = new SplittableRandom(seed);
    }

    public LocalClock clock() {
        return clock;
    }

    /** Nothing goes on here for a while. */
    public void stopFor(long nanos) {
        pausedUntil = Math.max(pausedUntil, agenda.now() + nanos);
        agenda.at(pausedUntil, this::goOn);
    }

    /** Nothing goes on here for so long as soon as another thread has been started, before that does anything. */
    public void stopAtThread(long nanos) {
        stopsAtThread = nanos;
    }

    public boolean isKilled() {
        return killed;
    }

    /** Ends all its threads where they are: nothing they ask for is answered any more. */
    public void kill() {
        killed = true;
        for (int pass = 0; pass < 1_000 && threads.stream().anyMatch(SimulatedProcess::isAlive); pass++) {
            List.copyOf(threads).stream().filter(SimulatedProcess::isAlive).forEach(Actors.Actor::resume);
        }
        if (threads.stream().anyMatch(SimulatedProcess::isAlive)) {
            throw new IllegalStateException("threads do not end");
        }
    }

    private static boolean isAlive(Actors.Actor actor) {
        return actor.isStarted() && !actor.hasEnded();
    }

    /** Lets it happen here, as soon as the process is not paused. */
    public void at(long time, Runnable what) {
        agenda.at(time, () -> whenRunning(what));
    }

    /** The same, next. */
    public void now(Runnable what) {
        at(agenda.now(), what);
    }

    private void whenRunning(Runnable what) {
        if (killed) {
            return;
        }
        if (agenda.now() < pausedUntil || !deferred.isEmpty()) {
            deferred.add(what);
            return;
        }
        what.run();
        loops.removeIf(Turns::haveEnded);
        List.copyOf(loops).forEach(Turns::plan);
    }

    /** What has come during a pause happens after it, in the same order. */
    private void goOn() {
        if (agenda.now() >= pausedUntil) {
            List<Runnable> due = List.copyOf(deferred);
            deferred.clear();
            due.forEach(this::whenRunning);
        }
    }

    /** Lets the thread that calls this wait until it is woken. */
    public void await() {
        if (!killed) {
            actors.pause();
        }
    }

    public Actors.Actor current() {
        return actors.current();
    }

    /** How long the call may take that this thread is about to make, by the world's clock. */
    public long patience() {
        return patience.get();
    }

    @Override
    public Clocks clocks() {
        return new Clocks(clock::nanos, clock::time, random);
    }

    @Override
    public RandomGenerator random() {
        return random;
    }

    @Override
    public UUID uuid() {
        UUID drawn = new UUID(random.nextLong(), random.nextLong());
        uuids.add(drawn.toString());
        return drawn;
    }

    /** Whether its replica holds Leases by this name, in which there is a UUID that it has drawn. */
    public boolean isCalled(String identity) {
        return uuids.contains(identity.substring(identity.lastIndexOf('_') + 1));
    }

    @Override
    public Sleeper sleeper() {
        return new Sleeper() {
            @Override
            public void sleep(long nanos) throws InterruptedException {
                Actors.Actor sleeping = actors.current();
                at(agenda.now() + clock.inWorld(nanos), sleeping::resume);
                await();
                if (killed) {
                    throw new InterruptedException("killed");
                }
            }
        };
    }

    @Override
    public TimeLimit timeLimit() {
        return (nanos, exchange) -> {
            patience.set(clock.inWorld(nanos));
            try {
                return exchange.run();
            } finally {
                patience.remove();
            }
        };
    }

    /** What it calls beside its API servers goes through this. */
    public void callsThrough(Interceptor interceptor) {
        outward = Optional.of(interceptor);
    }

    @Override
    public List<Interceptor> interceptors() {
        return outward.stream().toList();
    }

    @Override
    public Slots room(int places) {
        return new Waiting(cramped ? LEAST_ROOM : places);
    }

    @Override
    public Thread thread(String name, Runnable work) {
        Actors.Actor actor = actors.create(name, work);
        threads.removeIf(Actors.Actor::hasEnded);
        threads.add(actor);
        begin(actor);
        if (stopsAtThread > 0) {
            stopFor(stopsAtThread);
            stopsAtThread = 0;
        }
        return actor.thread();
    }

    @Override
    public void join(Thread thread) throws InterruptedException {
        join(thread, Duration.ofDays(1));
    }

    @Override
    public void join(Thread thread, Duration most) throws InterruptedException {
        Optional<Actors.Actor> actor =
                threads.stream().filter(each -> each.thread().equals(thread)).findFirst();
        long end = clock.nanos() + most.toNanos();
        while (actor.filter(SimulatedProcess::isAlive).isPresent() && clock.nanos() < end) {
            sleeper().sleep(BETWEEN_LOOKS);
        }
    }

    /** Threads are made to be started at once, but not before they have been made. */
    private void begin(Actors.Actor actor) {
        at(agenda.now(), () -> {
            if (actor.isStarted()) {
                actor.resume();
            } else {
                begin(actor);
            }
        });
    }

    /** Its turns may wait for answers, so that they need a thread, which takes them whenever there is something to do. */
    @Override
    public Thread thread(String name, Loop loop) {
        return turns(name, new Turns(new InTurns(name, loop)));
    }

    @Override
    public Thread dedicated(String name, Runnable work) {
        return thread(name, work);
    }

    /** Most loops need no thread here: their turns are taken whenever there is something to do. */
    @Override
    public Thread dedicated(String name, Loop loop) {
        return WAITING.contains(name) ? thread(name, loop) : turns(name, new Turns(loop));
    }

    private Thread turns(String name, Turns turns) {
        loops.add(turns);
        at(agenda.now(), turns::plan);
        return Thread.ofVirtual().name(name).unstarted(() -> {});
    }

    /** A loop the turns of which are taken by a thread: none begins before the last has ended. */
    private final class InTurns implements Loop {
        private final Loop loop;
        private final Actors.Actor actor;
        private boolean inTurn;
        private boolean more = true;

        private InTurns(String name, Loop loop) {
            this.loop = loop;
            actor = actors.create(name, this::takeTurns);
        }

        private void takeTurns() {
            while (more && !killed) {
                more = loop.turn(0);
                inTurn = false;
                await();
            }
        }

        @Override
        public boolean turn(long longestWait) {
            if (!actor.isStarted()) {
                threads.add(actor);
                actor.thread().start();
            }
            inTurn = true;
            actor.resume();
            return more;
        }

        @Override
        public long nanosUntilNext() {
            return inTurn ? Long.MAX_VALUE : loop.nanosUntilNext();
        }
    }

    /** A loop, and when it has its next turn. */
    private final class Turns {
        private final Loop loop;
        private long planned = Long.MAX_VALUE;
        private boolean ended;

        private Turns(Loop loop) {
            this.loop = loop;
        }

        private boolean haveEnded() {
            return ended;
        }

        /** Whatever has happened here may have brought the next turn forward. */
        private void plan() {
            long next = agenda.now() + clock.inWorld(loop.nanosUntilNext());
            if (next < planned) {
                planned = next;
                at(next, () -> take(next));
            }
        }

        private void take(long time) {
            if (planned == time && !ended) {
                planned = Long.MAX_VALUE;
                ended = !loop.turn(0);
            }
        }
    }

    /** Places that actors wait for. */
    private final class Waiting implements Slots {
        private final List<Actors.Actor> waiting = new ArrayList<>();
        private int free;

        private Waiting(int places) {
            free = places;
        }

        @Override
        public void enter() {
            while (free == 0 && !killed) {
                waiting.add(actors.current());
                await();
            }
            free--;
        }

        @Override
        public void leave() {
            free++;
            if (!waiting.isEmpty()) {
                Actors.Actor first = waiting.removeFirst();
                now(first::resume);
            }
        }

        @Override
        public void open() {
            free = Integer.MAX_VALUE / 2;
            waiting.forEach(each -> now(each::resume));
            waiting.clear();
        }
    }

    /** What a killed process is told whatever it asks. */
    public static IOException gone() {
        return new IOException("killed");
    }
}
