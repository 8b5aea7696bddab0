package io.evenkeel.app.live;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.kube.api.Machine.Slots;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.Z_Result;

/** The mailbox between the threads of watches and commands, which fill it, and the engine's, which empties it. */
public class MailboxStress {
    private static final SchedulerEvent FIRST = new SchedulerEvent.Inquiry(_ -> {});
    private static final SchedulerEvent SECOND = new SchedulerEvent.Inquiry(_ -> {});

    private static List<SchedulerEvent> take(Mailbox mailbox, int most) {
        List<SchedulerEvent> taken = new ArrayList<>();
        try {
            mailbox.take(taken, most, 0);
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts", e);
        }
        return taken;
    }

    @JCStressTest
    @State
    @Outcome(id = "2", expect = ACCEPTABLE, desc = "both have come")
    @Outcome(expect = FORBIDDEN, desc = "an event is lost or there twice")
    public static class NewsAndAnswer {
        private final Mailbox mailbox = new Mailbox(Slots.of(1));

        @Actor
        void watch() {
            mailbox.news(FIRST);
        }

        @Actor
        void dispatcher() {
            mailbox.post(FIRST);
        }

        @Arbiter
        void engine(I_Result result) {
            result.r1 = take(mailbox, 10).size();
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "0", expect = ACCEPTABLE, desc = "taken before the first")
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "taken between the two")
    @Outcome(id = "12", expect = ACCEPTABLE, desc = "taken after both")
    @Outcome(expect = FORBIDDEN, desc = "out of order")
    public static class NewsOfOneWatch {
        private final Mailbox mailbox = new Mailbox(Slots.of(10));

        @Actor
        void watch() {
            mailbox.news(FIRST);
            mailbox.news(SECOND);
        }

        @Actor
        void engine(I_Result result) {
            for (SchedulerEvent event : take(mailbox, 10)) {
                result.r1 = result.r1 * 10 + (event.equals(FIRST) ? 1 : 2);
            }
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "the second waited until the first was taken out")
    @Outcome(expect = FORBIDDEN, desc = "more news than there is room for")
    public static class NoMoreNewsThanThereIsRoomFor {
        private final Mailbox mailbox = new Mailbox(Slots.of(1));
        private final List<SchedulerEvent> taken = new ArrayList<>();

        NoMoreNewsThanThereIsRoomFor() {
            mailbox.news(FIRST);
        }

        @Actor
        void watch() {
            mailbox.news(FIRST);
        }

        @Actor
        void engine(I_Result result) {
            result.r1 = mailbox.size();
            taken.addAll(take(mailbox, 1));
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "true", expect = ACCEPTABLE, desc = "what waited for room is let go and forgotten")
    @Outcome(expect = FORBIDDEN, desc = "it is kept, and nobody will take it")
    public static class ClosedWhileFull {
        private final Mailbox mailbox = new Mailbox(Slots.of(0));

        @Actor
        void watch() {
            mailbox.news(FIRST);
        }

        @Actor
        void engine() {
            mailbox.close();
        }

        @Arbiter
        void afterwards(Z_Result result) {
            result.r1 = mailbox.isEmpty();
        }
    }
}
