package io.evenkeel.kube.election;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;
import org.openjdk.jcstress.infra.results.Z_Result;

/** The fence between the elector's thread, which sets it, and the dispatcher's, which ask it before each write. */
public class LeaseFenceStress {
    private static final Duration DEADLINE = Duration.ofNanos(10);
    private static final long NOW = 15;

    private static LeaseFence fence() {
        return new LeaseFence(() -> NOW, DEADLINE);
    }

    @JCStressTest
    @State
    @Outcome(id = "true, true", expect = ACCEPTABLE, desc = "asked twice before")
    @Outcome(id = "true, false", expect = ACCEPTABLE, desc = "asked before and after")
    @Outcome(id = "false, false", expect = ACCEPTABLE, desc = "asked twice after")
    @Outcome(id = "false, true", expect = FORBIDDEN, desc = "what was known to be lost is held again")
    public static class Lost {
        private final LeaseFence fence = fence();

        Lost() {
            fence.renewed(NOW);
        }

        @Actor
        void elector() {
            fence.lost();
        }

        @Actor
        void dispatcher(ZZ_Result result) {
            result.r1 = fence.mayBind();
            result.r2 = fence.mayBind();
        }
    }

    /** Lost after a fresh renewal, then held by one that was sent too long ago: at no time may anything be written. */
    @JCStressTest
    @State
    @Outcome(id = "false", expect = ACCEPTABLE, desc = "lost, or held but too old")
    @Outcome(id = "true", expect = FORBIDDEN, desc = "held by the one and fresh by the other")
    public static class LateRenewal {
        private final LeaseFence fence = fence();

        LateRenewal() {
            fence.renewed(NOW);
            fence.lost();
        }

        @Actor
        void elector() {
            fence.renewed(0);
        }

        @Actor
        void dispatcher(Z_Result result) {
            result.r1 = fence.mayBind();
        }
    }
}
