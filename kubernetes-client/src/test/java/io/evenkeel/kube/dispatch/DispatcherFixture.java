package io.evenkeel.kube.dispatch;

import io.evenkeel.engine.Announcement;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.framework.run.PlannedSteps;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodCondition;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.read.ObjectReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** A dispatcher in simulated time. */
final class DispatcherFixture {
    static final DispatcherSettings UNLIMITED = new DispatcherSettings(16, -1, 1, 1_000);

    final List<CommandResult> results = new ArrayList<>();
    final List<String> drops = new ArrayList<>();
    final SimulatedThreads threads;
    final Dispatcher dispatcher;
    boolean leading = true;

    DispatcherFixture(DispatcherSettings settings, ApiTransport transport, Duration each) {
        this(settings, transport, new SimulatedThreads(each::toNanos));
    }

    DispatcherFixture(DispatcherSettings settings, ApiTransport transport, SimulatedThreads threads) {
        this.threads = threads;
        Dispatcher.Surroundings surroundings = threads.surroundings(new Random(1));
        CommandCarrier carrier =
                new CommandCarrier(transport, new ObjectReader(), () -> leading, surroundings.clock(), "host");
        DispatcherObserver observer = new DispatcherObserver() {
            @Override
            public void dropped(CommandKind kind, Drop why) {
                drops.add(kind + " " + why);
            }
        };
        dispatcher = new Dispatcher(settings, surroundings, carrier, results::add, observer);
    }

    void pass(Duration time) {
        threads.pass(dispatcher, time);
    }

    static Pod pod(String name) {
        return PodBuilder.pod("ns", name).uid("uid-" + name).version("7", 3).build();
    }

    static Command.Bind bind(Pod pod, String node) {
        return new Command.Bind(pod, node, PlannedSteps.none(pod, node));
    }

    static Command.PatchStatus patch(Pod pod, String message) {
        return patch(pod, message, Optional.empty());
    }

    static Command.PatchStatus patch(Pod pod, String message, Optional<String> nominated) {
        return new Command.PatchStatus(
                pod,
                Optional.of(new PodCondition("PodScheduled", "False", "Unschedulable", message, "", 3)),
                nominated);
    }

    static Command.PatchStatus nominate(Pod pod, String node) {
        return new Command.PatchStatus(pod, Optional.empty(), Optional.of(node));
    }

    static Command.Announce announce(Pod pod, String note) {
        return new Command.Announce(pod, Announcement.failedScheduling(note, "evenkeel"));
    }
}
