package io.evenkeel.kube.dispatch;

import io.evenkeel.engine.Command;
import io.evenkeel.engine.ObjectEvent;
import io.evenkeel.kube.api.EventSink.Regarding;
import io.evenkeel.kube.dispatch.Dispatcher.DispatcherSettings;
import io.evenkeel.kube.dispatch.Job.EventTask;
import io.evenkeel.kube.dispatch.Job.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.ToLongFunction;

/** A plan whose calls take simulated time and all succeed, and the order in which they start. */
final class SimulatedCalls {
    record Started(Job job, long at) {
        CommandKind kind() {
            return job.kind();
        }

        String pod() {
            return job.work().key();
        }

        double seconds() {
            return at / 1e9;
        }
    }

    private record Ending(long at, int order, Job job) {}

    private final PriorityQueue<Ending> endings =
            new PriorityQueue<>(Comparator.comparingLong(Ending::at).thenComparingInt(Ending::order));
    private final DispatchPlan plan;
    private final ToLongFunction<CommandKind> nanosPerCall;
    private final List<Started> started = new ArrayList<>();
    private long now;

    SimulatedCalls(DispatcherSettings settings, ToLongFunction<CommandKind> nanosPerCall) {
        this.nanosPerCall = nanosPerCall;
        plan = new DispatchPlan(settings, new Random(1), DispatcherObserver.NONE, now);
    }

    void add(Command.AtServer command) {
        plan.add(command, now);
    }

    void recordEvent(String pod) {
        plan.add(
                new EventTask.Occurrence(
                        Regarding.pod(Commands.pod(pod)),
                        ObjectEvent.failedScheduling("note", "evenkeel"),
                        Instant.EPOCH.plusNanos(now)),
                now);
    }

    List<Started> started() {
        return started;
    }

    List<Started> started(CommandKind kind) {
        return started.stream().filter(call -> call.kind() == kind).toList();
    }

    int waiting(CommandKind kind) {
        return plan.view().waiting().getOrDefault(kind, 0);
    }

    int underway(CommandKind kind) {
        return plan.view().calling().getOrDefault(kind, 0);
    }

    void pass(Duration time) {
        long end = now + time.toNanos();
        while (true) {
            startAll();
            long idle = plan.nanosUntilNext(now);
            long wake = idle == Long.MAX_VALUE ? Long.MAX_VALUE : now + idle;
            long next = endings.isEmpty() ? wake : Math.min(wake, endings.peek().at());
            if (next > end) {
                now = end;
                return;
            }
            now = next;
            while (!endings.isEmpty() && endings.peek().at() <= now) {
                end(endings.remove().job());
            }
        }
    }

    private void startAll() {
        plan.take(now).ifPresent(job -> {
            if (job.step() == Job.Step.PREPARE) {
                plan.ended(job);
                plan.settle(job, new Outcome.Prepared(), now);
            } else {
                started.add(new Started(job, now));
                endings.add(new Ending(now + nanosPerCall.applyAsLong(job.kind()), started.size(), job));
            }
            startAll();
        });
    }

    private void end(Job job) {
        plan.ended(job);
        plan.settle(job, new Outcome.Silent(), now);
    }
}
