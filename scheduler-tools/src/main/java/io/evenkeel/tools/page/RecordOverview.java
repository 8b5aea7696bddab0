package io.evenkeel.tools.page;

import io.evenkeel.app.record.RecordException;
import io.evenkeel.app.record.Said;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.write.Tree;
import io.evenkeel.tools.rerun.RecordPlayer;
import io.evenkeel.tools.rerun.RecordPlayer.Playing;
import io.evenkeel.tools.rerun.RecordPlayer.Taker;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * How many pods waited at most in each of some hundred spans of a record, from one end to the other: read once, on a thread of its own,
 * while the page is served.
 */
final class RecordOverview implements Taker {
    private static final int SPANS = 240;

    private final RecordPlayer player;
    private final Instant first;
    private final long spanMillis;
    private final List<Integer> most = new ArrayList<>();
    private final Set<String> waiting = new HashSet<>();
    private Optional<Set<String>> listed = Optional.empty();
    private int counted;
    private long events;
    private volatile boolean isOver;

    RecordOverview(RecordPlayer player) {
        this.player = player;
        first = player.first();
        spanMillis = Duration.between(first, player.last()).toMillis() / SPANS + 1;
    }

    void start() {
        Thread.ofPlatform().daemon().name("overview").start(this::read);
    }

    /** No more is read. */
    void end() {
        isOver = true;
    }

    private void read() {
        try {
            for (int part = 0; part < player.parts() && !isOver; part++) {
                try (Playing playing = player.play(part, this)) {
                    playing.playTo(Instant.MAX, () -> !isOver);
                    ended(playing);
                }
            }
        } catch (RecordException damaged) {
            // whoever looks at a moment there is told
        }
        isOver = true;
    }

    private synchronized void ended(Playing playing) {
        events = playing.events();
        count(playing.reached());
    }

    synchronized Tree tree() {
        return new Tree()
                .put("spanMs", spanMillis)
                .put("waiting", List.copyOf(most))
                .put("events", events)
                .put("done", isOver);
    }

    @Override
    public synchronized void began(Instant time, List<KubernetesObject> known) {
        waiting.clear();
        known.forEach(this::put);
        count(time);
    }

    @Override
    public synchronized void took(Instant time, SchedulerEvent event) {
        switch (event) {
            case ClusterEvent.Put(KubernetesObject object) -> put(object);
            case ClusterEvent.Removed(Pod pod) -> waiting.remove(pod.key());
            case Relist.Began(String kind) when kind.equals(Kinds.POD.name()) -> listed = Optional.of(new HashSet<>());
            case Relist.Ended(String kind, var _)
            when kind.equals(Kinds.POD.name()) -> {
                listed.ifPresent(waiting::retainAll);
                listed = Optional.empty();
            }
            default -> {}
        }
        count(time);
    }

    private void put(KubernetesObject object) {
        if (object instanceof Pod pod) {
            if (pod.isPlaced() || pod.meta().terminating() || pod.status().isFinished()) {
                waiting.remove(pod.key());
            } else {
                waiting.add(pod.key());
            }
            listed.ifPresent(keys -> keys.add(pod.key()));
        }
    }

    /** A span in which nothing happens has as many as there were. */
    private void count(Instant time) {
        int span = (int) (Duration.between(first, time).toMillis() / spanMillis);
        while (most.size() <= Math.min(span, SPANS)) {
            most.add(counted);
        }
        counted = waiting.size();
        int at = Math.clamp(span, 0, most.size() - 1);
        most.set(at, Math.max(most.get(at), counted));
    }

    @Override
    public void decided(Said command) {}
}
