package io.evenkeel.kube.dispatch;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.evenkeel.engine.Command;
import io.evenkeel.kube.api.ApiAnswer;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.Clocks;
import io.evenkeel.kube.dispatch.Dispatcher.DispatcherSettings;
import io.evenkeel.kube.extender.Extenders;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.read.ObjectReader;
import java.time.Instant;
import java.util.random.RandomGenerator;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A dispatcher that is not at work yet, between those that hand it commands and those that look at it. */
@JCStressTest
@State
@Outcome(
        id = {"1, 2", "2, 2"},
        expect = ACCEPTABLE,
        desc = "each command is seen whole, and none is lost")
@Outcome(expect = FORBIDDEN, desc = "a command is lost, or the view is of no moment")
public class DispatcherStress {
    private static final Pod ONE = PodBuilder.pod("one").build();
    private static final Pod OTHER = PodBuilder.pod("other").build();

    private final ApiTransport noServer = new NoServer();
    private final Dispatcher dispatcher = new Dispatcher(
            new DispatcherSettings(1, 1, 1, 1, false),
            new Clocks(() -> 0, () -> Instant.EPOCH, RandomGenerator.getDefault()),
            Runnable::run,
            new CommandCarrier(
                    noServer, new ObjectReader(), () -> true, () -> Instant.EPOCH, "stress", Extenders.none(noServer), false),
            _ -> {},
            DispatcherObserver.NONE);

    @Actor
    void one() {
        dispatcher.submit(new Command.Lookup(ONE));
    }

    @Actor
    void other(II_Result result) {
        dispatcher.submit(new Command.Lookup(OTHER));
        result.r1 = waiting();
    }

    @Arbiter
    void afterwards(II_Result result) {
        result.r2 = waiting();
    }

    private int waiting() {
        return dispatcher.view().waiting().values().stream()
                .mapToInt(count -> count)
                .sum();
    }

    private static final class NoServer implements ApiTransport {
        @Override
        public ApiAnswer call(ApiCall call) {
            throw new IllegalStateException("nothing is sent");
        }

        @Override
        public ApiAnswer stream(ApiCall call) {
            throw new IllegalStateException("nothing is watched");
        }

        @Override
        public String host() {
            return "";
        }
    }
}
