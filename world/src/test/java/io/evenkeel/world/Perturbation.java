package io.evenkeel.world;

import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.hollow.store.Store;
import io.evenkeel.world.life.Life;
import io.evenkeel.world.net.Front;
import io.evenkeel.world.net.Trap;
import io.evenkeel.world.play.Agenda;
import io.evenkeel.world.play.Choices;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The three ways in which Sieve (OSDI 2022) misleads whoever acts on what he has been told of a cluster:
 *
 * <pre>
 * intermediate   ends between two of its own writes, and finds half of what it wanted done
 * stale          begins anew with a server whose caches have stood still: of all kinds, or of one while others are new
 * unobserved     hears nothing while something comes and goes, or changes and changes back
 * </pre>
 */
final class Perturbation {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final List<List<ResourceType>> KINDS = List.of(
            List.of(ResourceTable.PODS),
            List.of(ResourceTable.NODES),
            List.of(ResourceTable.NODES, ResourceTable.NAMESPACES),
            List.of(ResourceTable.PODS, ResourceTable.NODES, ResourceTable.NAMESPACES));

    private final Choices choices;
    private final Agenda agenda;
    private final Story story;
    private final Store store;
    private final List<Front> fronts;
    private final List<Replica> replicas;
    private final Life life;
    private final Consumer<Replica> start;

    Perturbation(
            Choices choices,
            Agenda agenda,
            Story story,
            Store store,
            List<Front> fronts,
            List<Replica> replicas,
            Life life,
            Consumer<Replica> start) {
        this.choices = choices;
        this.agenda = agenda;
        this.story = story;
        this.store = store;
        this.fronts = fronts;
        this.replicas = replicas;
        this.life = life;
        this.start = start;
    }

    /** One of the three. */
    void happen() {
        switch (choices.below(3)) {
            case 1 -> stale();
            case 2 -> unobserved();
            default -> intermediate();
        }
    }

    private void intermediate() {
        Replica replica = choices.from(replicas);
        Trap.Moment moment = choices.from(List.of(Trap.Moment.values()));
        int writes = 1 + choices.below(5);
        long pause = SECOND * choices.below(40);
        boolean kills = !choices.oneIn(3);
        story.tell("world", replica.name() + " is to stop at its write number " + writes + ", when " + moment);
        replica.set(new Trap(
                moment,
                writes,
                () -> agenda.after(0, () -> {
                    if (kills) {
                        restart(replica, "at a write");
                    } else {
                        replica.pause(pause);
                    }
                })));
    }

    private void restart(Replica replica, String why) {
        if (replica.isRunning()) {
            replica.kill(why);
            agenda.after(SECOND * choices.below(5), () -> start.accept(replica));
        }
    }

    private void stale() {
        Front front = choices.from(fronts);
        List<ResourceType> kinds = choices.from(KINDS);
        story.tell(
                "world",
                "caches of a server stand still: "
                        + kinds.stream().map(ResourceType::storage).toList());
        kinds.forEach(front::freeze);
        agenda.after(SECOND * (1 + choices.below(60)), front::thaw);
        if (choices.oneIn(2)) {
            Replica replica = choices.from(replicas);
            agenda.after(SECOND * choices.below(20), () -> restart(replica, "to begin with what is old"));
        }
    }

    private void unobserved() {
        story.tell("world", "nobody hears anything");
        long silence = SECOND * (1 + choices.below(15));
        fronts.forEach(front -> front.beSilent(silence));
        int steps = 1 + choices.below(3);
        for (int step = 0; step < steps; step++) {
            life.flicker();
        }
        if (choices.oneIn(3)) {
            story.tell("world", "history is compacted");
            store.compact();
        }
    }
}
