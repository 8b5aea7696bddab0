package io.evenkeel.app.metrics;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.evenkeel.app.metrics.Histogram.Bounds;
import java.util.Arrays;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;
import org.openjdk.jcstress.infra.results.J_Result;

/** Counts and histograms between the thread that records and those that answer a scrape. */
public class RecordingStress {
    private static final Bounds WHOLE = Bounds.exponentialCount(2);

    @JCStressTest
    @State
    @Outcome(
            id = {"0, 0", "0, -1", "-1, -1"},
            expect = ACCEPTABLE,
            desc = "whole, and never taken back")
    @Outcome(expect = FORBIDDEN, desc = "a half of a number, or a count that falls")
    public static class CountReadWhileWritten {
        private final Count count = new Count();

        @Actor
        void engine() {
            count.add(-1); // all of its bits
        }

        @Actor
        void scrape(JJ_Result result) {
            result.r1 = count.get();
            result.r2 = count.get();
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "2", expect = ACCEPTABLE, desc = "both")
    @Outcome(expect = FORBIDDEN, desc = "one of the two is lost")
    public static class CountOfTwoThreads {
        private final Count count = new Count();

        @Actor
        void one() {
            count.addShared(1);
        }

        @Actor
        void other() {
            count.addShared(1);
        }

        @Arbiter
        void scrape(J_Result result) {
            result.r1 = count.get();
        }
    }

    @JCStressTest
    @State
    @Outcome(
            id = {"0, 0", "1, 1"},
            expect = ACCEPTABLE,
            desc = "before or after")
    @Outcome(id = "1, 0", expect = ACCEPTABLE_INTERESTING, desc = "the sum lags behind")
    @Outcome(id = "0, 1", expect = ACCEPTABLE_INTERESTING, desc = "recorded between the two readings")
    @Outcome(expect = FORBIDDEN, desc = "a half of a number")
    public static class HistogramReadWhileWritten {
        private final Histogram histogram = new Histogram(WHOLE);

        @Actor
        void engine() {
            histogram.record(1);
        }

        @Actor
        void scrape(JJ_Result result) {
            result.r1 = Arrays.stream(histogram.counts()).sum();
            result.r2 = (long) histogram.sum();
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "2, 2", expect = ACCEPTABLE, desc = "both")
    @Outcome(expect = FORBIDDEN, desc = "one of the two is lost")
    public static class HistogramOfTwoThreads {
        private final Histogram histogram = new Histogram(WHOLE);

        @Actor
        void one() {
            histogram.recordShared(1);
        }

        @Actor
        void other() {
            histogram.recordShared(1);
        }

        @Arbiter
        void scrape(JJ_Result result) {
            result.r1 = Arrays.stream(histogram.counts()).sum();
            result.r2 = (long) histogram.sum();
        }
    }
}
