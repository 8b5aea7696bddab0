package io.evenkeel.engine;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.evenkeel.api.CycleState;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.PermitWaits.PermitWait;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.engine.decision.SchedulingCycle.Scoring;
import io.evenkeel.framework.run.BindingSteps.Permission.Delay;
import io.evenkeel.framework.run.SchedulingProfile;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.queue.Attempt;
import io.evenkeel.queue.FairTurns;
import io.evenkeel.queue.NominatedPods;
import io.evenkeel.queue.QueueObserver;
import io.evenkeel.queue.QueueSettings;
import io.evenkeel.queue.QueuedGroups.WaitingMembers;
import io.evenkeel.queue.SchedulingQueue;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LI_Result;
import org.openjdk.jcstress.infra.results.L_Result;
import org.openjdk.jcstress.infra.results.ZZL_Result;

/** A wait for permits between the threads of plugins, which decide it, and the engine's, which ends it. */
public class PermitWaitStress {
    private static final PodBinding BINDING = binding();

    private static PermitWait waitFor(AtomicInteger changes, String... plugins) {
        List<Delay> missing = List.of(plugins).stream()
                .map(plugin -> new Delay(plugin, Duration.ofSeconds(1)))
                .toList();
        return new PermitWait(BINDING, missing, 0, 0, _ -> changes.incrementAndGet());
    }

    private static PodBinding binding() {
        SchedulerConfiguration configuration = SchedulerConfiguration.defaults();
        Engine engine = new Engine(configuration, InTreePlugins.registry(), new FirstByName(), Scoring.WHEN_NEEDED);
        Pod pod = PodBuilder.pod("p").build();
        SchedulingProfile profile = engine.profileOf(pod).orElseThrow();
        SchedulingQueue queue = new SchedulingQueue(
                engine.admission(),
                engine.profiles(),
                new NominatedPods(configuration.featureGates()),
                new WaitingMembers(),
                FairTurns.inOrder(),
                new QueueSettings(Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ofMinutes(5)),
                QueueObserver.NONE,
                () -> 0);
        queue.add(pod, 0);
        Attempt attempt = queue.pop(0).orElseThrow();
        return new PodBinding(attempt, "n1", profile.binding().steps(new CycleState(), attempt.admitted(), "n1"), 0);
    }

    /** What has become of the pod. */
    private static String fate(PermitWait wait) {
        return switch (wait.state()) {
            case PermitWait.State.Missing _ -> "waits for " + wait.pendingPlugins();
            case PermitWait.State.Over(var objection) ->
                objection.map(found -> "turned away by " + found.plugin()).orElse("goes on");
        };
    }

    @JCStressTest
    @State
    @Outcome(id = "goes on, 2", expect = ACCEPTABLE, desc = "each permit counts, and the engine is told of each")
    @Outcome(expect = FORBIDDEN, desc = "a permit is lost, and the pod waits until its time is up")
    public static class LastTwoPermits {
        private final AtomicInteger changes = new AtomicInteger();
        private final PermitWait wait = waitFor(changes, "A", "B");

        @Actor
        void a() {
            wait.allow("A");
        }

        @Actor
        void b() {
            wait.allow("B");
        }

        @Arbiter
        void engine(LI_Result result) {
            result.r1 = fate(wait);
            result.r2 = changes.get();
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "true, false, turned away by A", expect = ACCEPTABLE, desc = "A was first")
    @Outcome(id = "false, true, turned away by B", expect = ACCEPTABLE, desc = "B was first")
    @Outcome(expect = FORBIDDEN, desc = "both or neither have turned the pod away, or another than is blamed")
    public static class TwoRejections {
        private final PermitWait wait = waitFor(new AtomicInteger(), "A", "B");

        @Actor
        void a(ZZL_Result result) {
            result.r1 = wait.reject("A", "no");
        }

        @Actor
        void b(ZZL_Result result) {
            result.r2 = wait.reject("B", "no");
        }

        @Arbiter
        void engine(ZZL_Result result) {
            result.r3 = fate(wait);
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "goes on", expect = ACCEPTABLE, desc = "the permit came first")
    @Outcome(id = "turned away by A", expect = ACCEPTABLE, desc = "its time was up first")
    @Outcome(expect = FORBIDDEN, desc = "neither, or the one after the other")
    public static class PermitAsTimeIsUp {
        private final AtomicInteger changes = new AtomicInteger();
        private final PermitWait wait = waitFor(changes, "A");

        @Actor
        void a() {
            wait.allow("A");
        }

        @Actor
        void engine() {
            wait.timeOut(Long.MAX_VALUE);
        }

        @Arbiter
        void afterwards(L_Result result) {
            result.r1 = changes.get() == 1 ? fate(wait) : "decided " + changes + " times";
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "goes on", expect = ACCEPTABLE, desc = "the pod is gone, whatever was said of it")
    @Outcome(expect = FORBIDDEN, desc = "somebody has turned away a pod that waits no longer")
    public static class RejectionAsThePodLeaves {
        private final PermitWait wait = waitFor(new AtomicInteger(), "A");

        @Actor
        void a() {
            wait.reject("A", "no");
        }

        @Actor
        void engine() {
            wait.leave();
        }

        @Arbiter
        void afterwards(L_Result result) {
            result.r1 = fate(wait);
        }
    }
}
