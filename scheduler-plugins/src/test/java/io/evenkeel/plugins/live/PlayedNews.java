package io.evenkeel.plugins.live;

import io.evenkeel.engine.Command;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.build.PodStatusBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/** What a scheduler is still to hear of each matter, in its order, while matters come in any order; and its turns in between. */
final class PlayedNews {
    private final List<Command> commands = new ArrayList<>();
    private final List<List<SchedulerEvent>> matters = new ArrayList<>();
    private final RandomGenerator random;
    private final Consumer<Command> obey;
    private final Scheduler scheduler;

    /** @param made makes the scheduler that gives its commands there */
    PlayedNews(RandomGenerator random, Consumer<Command> obey, Function<Consumer<Command>, Scheduler> made) {
        this.random = random;
        this.obey = obey;
        scheduler = made.apply(commands::add);
        PlayedCluster.listNothing(scheduler);
    }

    Scheduler scheduler() {
        return scheduler;
    }

    void add(SchedulerEvent... ofOneMatter) {
        matters.add(new ArrayList<>(List.of(ofOneMatter)));
    }

    /** The pod is marked, on its way out and gone, and somewhere in between the eviction is answered. */
    void addGoing(Command.Evict evict) {
        Pod told = PodBuilder.from(evict.pod())
                .status(PodStatusBuilder.from(evict.pod().status())
                        .disruptionTarget(evict.disrupted())
                        .build())
                .build();
        Pod leaving = PodBuilder.from(told).terminating(true).build();
        List<SchedulerEvent> events = new ArrayList<>(
                List.of(new ClusterEvent.Put(told), new ClusterEvent.Put(leaving), new ClusterEvent.Removed(leaving)));
        events.add(random.nextInt(4), new CommandResult.Evicted(evict.pod()));
        matters.add(events);
    }

    /** The next of any matter, if there is one. */
    boolean hear() {
        return !matters.isEmpty() && hear(matters.get(random.nextInt(matters.size())));
    }

    /** All that there is and that comes of it. */
    void hearAll() {
        while (!matters.isEmpty()) {
            hear(matters.getFirst());
            takeTurns();
        }
    }

    private boolean hear(List<SchedulerEvent> next) {
        SchedulerEvent event = next.removeFirst();
        matters.removeIf(List::isEmpty);
        scheduler.handle(event);
        return true;
    }

    /** As many as there are, and what is commanded meanwhile is obeyed. */
    void takeTurns() {
        boolean more = true;
        while (more) {
            more = scheduler.scheduleNext();
            obeyAll();
        }
    }

    private void obeyAll() {
        List<Command> given = List.copyOf(commands);
        commands.clear();
        given.forEach(obey);
    }
}
