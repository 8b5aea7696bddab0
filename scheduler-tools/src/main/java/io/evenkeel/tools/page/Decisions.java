package io.evenkeel.tools.page;

import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodCondition;
import io.evenkeel.model.write.Tree;
import io.evenkeel.tools.why.ClusterCopy;
import io.evenkeel.tools.why.ClusterQuestions;
import io.evenkeel.whatif.why.PodQuestions.Placement;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * What becomes of pods, as the cluster shows it: the last thousand decisions, which any number of clients read at their own pace. One
 * that is too slow is told how many it has missed; nothing is kept for it.
 *
 * <p>Decisions come on the thread of the copy, before the copy takes them in: so scores are those that the scheduler saw, but for what it
 * had assumed. Clients read on threads of their own.
 */
final class Decisions implements ClusterCopy.Follower {
    static final int MOST_WATCHERS = 200;
    private static final int KEPT = 1_000;
    private static final int MOST_AT_ONCE = 200;
    private static final int MOST_WAITING_KNOWN = 100_000;

    /** To score all nodes takes some milliseconds where there are thousands. */
    private static final int SCORED_A_SECOND = 20;

    /** A client that has lost its right meanwhile does not come back. */
    private static final Duration LONGEST = Duration.ofMinutes(30);

    private static final int BEST = 3;
    private static final long SECOND = Duration.ofSeconds(1).toMillis();
    private static final long BETWEEN_LOOKS = Duration.ofMillis(100).toMillis();

    private final InstantSource clock;
    private final Kept[] last = new Kept[KEPT];
    private final Deque<Long> waits = new ArrayDeque<>();
    private final Map<String, Instant> seenWaiting = new HashMap<>();
    private long lastId;
    private int watchers;
    private int placed;
    private int scored;
    private long clusterChanges;
    private long waitingChanges;
    private long nodeChanges;
    private byte[] tick = {};
    private long ticks;
    private Instant tickedAt;
    private boolean ended;

    /** @param sent as it is sent */
    @SuppressWarnings("ArrayRecordComponent") // nothing compares them
    private record Kept(Instant time, Tree decision, byte[] sent) {}

    Decisions(InstantSource clock) {
        this.clock = clock;
        tickedAt = clock.instant();
    }

    /** Grows with all that the page shows. */
    synchronized long clusterChanges() {
        return clusterChanges;
    }

    /** What was heard of another copy of the cluster may not be all that has happened since. */
    synchronized void anotherCopy() {
        nodesChanged();
    }

    /** Grows when nodes change in what scheduling reads. */
    synchronized long nodeChanges() {
        return nodeChanges;
    }

    @Override
    public void news(ClusterQuestions copy, ClusterEvent event) {
        switch (event) {
            case ClusterEvent.Put(Pod pod) -> news(copy, pod);
            case ClusterEvent.Removed(Pod pod) -> {
                seenWaiting.remove(pod.key());
                changed(true);
            }
            case ClusterEvent.Put(Node node) -> {
                int id = copy.cluster().nodes().findPresent(node.name());
                if (id < 0 || !copy.cluster().nodes().node(id).schedulesLike(node)) {
                    nodesChanged();
                }
            }
            case ClusterEvent.Removed(Node _) -> nodesChanged();
            default -> changed(true); // of what pods are judged by
        }
    }

    private synchronized void nodesChanged() {
        nodeChanges++;
        clusterChanges++;
        waitingChanges++;
    }

    private synchronized void changed(boolean isOfWaiting) {
        clusterChanges++;
        if (isOfWaiting) {
            waitingChanges++;
        }
    }

    private void news(ClusterQuestions copy, Pod pod) {
        Optional<Pod> before = copy.find(pod.key())
                .filter(known -> known.meta().uid().equals(pod.meta().uid()));
        boolean didWait = before.filter(known -> !known.isPlaced()).isPresent();
        changed(didWait || !pod.isPlaced());
        if (pod.isPlaced()) {
            if (didWait) {
                placed(copy, pod);
            }
        } else if (before.isEmpty() && seenWaiting.size() < MOST_WAITING_KNOWN) {
            seenWaiting.put(pod.key(), clock.instant());
        }
        boolean isNewlyDisrupted = pod.status().isDisrupted()
                && !before.map(known -> known.status().isDisrupted()).orElse(true);
        if (isNewlyDisrupted) {
            add(of(pod.status().isPreempted() ? "preempted" : "evicted", pod)
                    .putPresent("message", pod.status().disruptionTarget().map(PodCondition::message)));
        }
        Optional<String> refusal = refusal(pod);
        if (refusal.isPresent() && !refusal.equals(before.flatMap(Decisions::refusal))) {
            add(of("turnedAway", pod).put("message", refusal.get()));
        }
    }

    private static Optional<String> refusal(Pod pod) {
        return pod.isPlaced()
                ? Optional.empty()
                : pod.status()
                        .scheduled()
                        .filter(condition -> condition.status().equals("False"))
                        .map(PodCondition::message);
    }

    private void placed(ClusterQuestions copy, Pod pod) {
        Tree tree = of("placed", pod);
        Optional<Long> waited = Optional.ofNullable(seenWaiting.remove(pod.key()))
                .map(since ->
                        Math.max(0, Duration.between(since, clock.instant()).toMillis()));
        tree.putPresent("waitedMs", waited);
        boolean isToBeScored;
        synchronized (this) {
            placed++;
            waited.ifPresent(this::waited);
            isToBeScored = watchers > 0 && scored < SCORED_A_SECOND;
            if (isToBeScored) {
                scored++;
            }
        }
        if (isToBeScored) {
            tree.putNonEmpty("best", best(copy.placementOf(pod)), Decisions::scores);
        }
        add(tree);
    }

    private void waited(long millis) {
        waits.addLast(millis);
        if (waits.size() > KEPT) {
            waits.removeFirst();
        }
    }

    private static List<Placement.Scored> best(Placement placement) {
        return Stream.concat(placement.there().stream(), placement.best().stream())
                .sorted((one, other) -> Long.compare(other.total(), one.total()))
                .limit(BEST)
                .toList();
    }

    private static Tree scores(Placement.Scored scored) {
        return new Tree()
                .put("node", scored.node())
                .put("total", scored.total())
                .put("plugins", scored.scores());
    }

    private Tree of(String kind, Pod pod) {
        return new Tree()
                .put("time", clock.instant().toString())
                .put("kind", kind)
                .put("pod", pod.key())
                .putNonEmpty("node", pod.spec().nodeName())
                .put("scheduler", pod.spec().schedulerName());
    }

    private synchronized void add(Tree decision) {
        lastId++;
        byte[] sent = bytes("id: " + lastId + "\n" + event("decision", decision));
        last[(int) (lastId % KEPT)] = new Kept(clock.instant(), decision, sent);
    }

    private Kept kept(long id) {
        return last[(int) (id % KEPT)];
    }

    private long firstId() {
        return Math.max(1, lastId - KEPT + 1);
    }

    /** How many of those that are kept came after a moment. */
    synchronized int after(Instant moment) {
        int after = 0;
        while (lastId - after >= firstId() && kept(lastId - after).time().isAfter(moment)) {
            after++;
        }
        return after;
    }

    /** Whether so many from before the moment are kept, or all there were. */
    synchronized boolean know(Instant moment, int before) {
        return firstId() == 1 || lastId - after(moment) - firstId() + 1 >= before;
    }

    /** The last before a moment and the next after it, in their order. */
    synchronized List<Tree> around(Instant moment, int before, int after) {
        long middle = lastId - after(moment);
        return LongStream.rangeClosed(Math.max(firstId(), middle - before + 1), Math.min(lastId, middle + after))
                .mapToObj(id -> kept(id).decision())
                .toList();
    }

    /** No more comes. */
    synchronized void end() {
        ended = true;
        notifyAll();
    }

    /** Whether there is room for one more client, which is to leave. */
    synchronized boolean enter() {
        if (watchers >= MOST_WATCHERS) {
            return false;
        }
        watchers++;
        return true;
    }

    synchronized void leave() {
        watchers--;
    }

    /**
     * Writes events as they come, until the client has gone, or is to come again.
     *
     * @param after the last that the client has; of more than are kept it is told how many it has missed
     * @param figures what is to be said once a second, beside what is known here
     */
    void write(long after, BooleanSupplier stillThere, Supplier<Tree> figures, OutputStream out) throws IOException {
        long told = after;
        long toldTicks = -1;
        Instant until = clock.instant().plus(LONGEST);
        while (stillThere.getAsBoolean() && clock.instant().isBefore(until)) {
            tickIfDue(figures);
            List<byte[]> events = new ArrayList<>();
            synchronized (this) {
                if (ended) {
                    return;
                }
                if (told > lastId) { // of another process, which counted by itself
                    told = 0;
                }
                long first = firstId();
                if (told > 0 && told + 1 < first) {
                    events.add(bytes(event("gap", new Tree().put("missed", first - told - 1))));
                }
                long end = Math.min(lastId, Math.max(told + 1, first) + MOST_AT_ONCE - 1);
                for (long id = Math.max(told + 1, first); id <= end; id++) {
                    events.add(kept(id).sent());
                }
                told = end;
                if (ticks != toldTicks) {
                    toldTicks = ticks;
                    events.add(tick);
                }
            }
            for (byte[] event : events) {
                out.write(event);
            }
            out.flush();
            await();
        }
    }

    private static String event(String name, Tree data) {
        return "event: " + name + "\ndata: " + data.json() + "\n\n";
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private synchronized void await() {
        try {
            if (!ended) {
                wait(BETWEEN_LOOKS);
            }
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
            ended = true;
        }
    }

    /** Once a second one of the clients' threads asks for all of them. */
    private void tickIfDue(Supplier<Tree> figures) {
        Instant now = clock.instant();
        double seconds;
        synchronized (this) {
            Duration past = Duration.between(tickedAt, now);
            if (ticks > 0 && past.toMillis() < SECOND) {
                return;
            }
            tickedAt = now;
            seconds = Math.max(1, past.toMillis() / 1e3);
        }
        Tree tree = figures.get();
        synchronized (this) {
            tree.put("perSecond", Math.round(placed / seconds));
            if (!waits.isEmpty()) {
                long[] sorted =
                        waits.stream().mapToLong(Long::longValue).sorted().toArray();
                tree.put("waitedMs", new Tree().put("p50", at(sorted, 0.5)).put("p99", at(sorted, 0.99)));
            }
            placed = 0;
            scored = 0;
            Tree changes = new Tree().put("cluster", clusterChanges).put("waiting", waitingChanges);
            tick = bytes(event("tick", tree) + event("changed", changes));
            ticks++;
        }
    }

    private static long at(long[] sorted, double share) {
        return sorted[(int) Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
    }
}
