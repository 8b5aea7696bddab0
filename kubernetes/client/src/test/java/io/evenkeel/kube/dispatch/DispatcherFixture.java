package io.evenkeel.kube.dispatch;

import io.evenkeel.engine.CommandResult;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.Clocks;
import io.evenkeel.kube.dispatch.Dispatcher.DispatcherSettings;
import io.evenkeel.kube.extender.Extenders;
import io.evenkeel.model.read.ObjectReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A dispatcher in simulated time. */
final class DispatcherFixture {
    static final DispatcherSettings UNLIMITED = new DispatcherSettings(16, -1, 1, 1_000, false);

    final List<CommandResult> results = new ArrayList<>();
    final List<String> drops = new ArrayList<>();
    final SimulatedThreads threads;
    final Dispatcher dispatcher;
    boolean leading = true;

    DispatcherFixture(DispatcherSettings settings, ApiTransport transport, Duration each) {
        this(settings, transport, new SimulatedThreads(each::toNanos));
    }

    DispatcherFixture(DispatcherSettings settings, ApiTransport transport, SimulatedThreads threads) {
        this(settings, transport, Extenders.none(transport), threads);
    }

    DispatcherFixture(
            DispatcherSettings settings, ApiTransport transport, Extenders extenders, SimulatedThreads threads) {
        this.threads = threads;
        Clocks clocks = threads.clocks(new Random(1));
        CommandCarrier carrier = new CommandCarrier(
                transport, new ObjectReader(), () -> leading, clocks.time(), "host", extenders, settings.rebinds());
        DispatcherObserver observer = new DispatcherObserver() {
            @Override
            public void dropped(CommandKind kind, Drop why) {
                drops.add(kind + " " + why);
            }
        };
        dispatcher = new Dispatcher(settings, clocks, threads, carrier, results::add, observer);
    }

    void pass(Duration time) {
        threads.pass(dispatcher, time);
    }
}
