package io.evenkeel.app.live;

import io.evenkeel.cluster.ClusterDump;
import io.evenkeel.config.file.GoDuration;
import io.evenkeel.engine.Scheduler.OnItsWay;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.decision.Question;
import io.evenkeel.model.write.Tree;
import io.evenkeel.queue.SchedulingQueue.QueueEntryView;
import io.evenkeel.queue.SchedulingQueue.QueueState;
import java.time.Duration;
import java.util.List;

/** Dumps of a live scheduler's cache and queue, as text for people and JSON for programs. */
record LiveDumps(LiveScheduler live, ServerComparison comparison) {
    String queueText() {
        return live.answer(scheduler -> {
            StringBuilder text = new StringBuilder();
            for (QueueEntryView entry : inQueues(scheduler)) {
                text.append(entry.state().metricName())
                        .append(' ')
                        .append(entry.key())
                        .append(" priority=")
                        .append(entry.priority())
                        .append(" attempts=")
                        .append(entry.attempts())
                        .append(" for=")
                        .append(GoDuration.rounded(age(entry.sinceNanos())))
                        .append(" by=")
                        .append(entry.rejectedBy());
                if (!entry.nominatedNode().isEmpty()) {
                    text.append(" nominated=").append(entry.nominatedNode());
                }
                if (entry.waitsForExtenders()) {
                    text.append(" waits-for=EXTENDERS");
                }
                text.append('\n');
            }
            scheduler
                    .atExtenders()
                    .ifPresent(question -> text.append("extenders ")
                            .append(question.pod().key())
                            .append(" about=")
                            .append(question.about())
                            .append(" nodes=")
                            .append(question.nodeCount())
                            .append(" for=")
                            .append(GoDuration.rounded(age(question.progress().startedAt())))
                            .append('\n'));
            for (OnItsWay pod : scheduler.onTheirWay()) {
                text.append("binding ")
                        .append(pod.pod().key())
                        .append(" node=")
                        .append(pod.node())
                        .append(" waits-for=")
                        .append(pod.waitingFor())
                        .append(" for=")
                        .append(GoDuration.rounded(age(pod.since())))
                        .append('\n');
            }
            return text.toString();
        });
    }

    String queueJson() {
        return live.answer(scheduler -> new Tree()
                .put("pods", inQueues(scheduler), this::tree)
                .putPresent("extenders", scheduler.atExtenders().map(this::tree))
                .put("binding", scheduler.onTheirWay(), this::tree)
                .json());
    }

    private Tree tree(QueueEntryView entry) {
        return new Tree()
                .put("pod", entry.key())
                .put("queue", entry.state().metricName())
                .put("priority", entry.priority())
                .put("attempts", entry.attempts())
                .put("seconds", seconds(entry.sinceNanos()))
                .put("rejectedBy", entry.rejectedBy())
                .putNonEmpty("nominatedNode", entry.nominatedNode())
                .putNonEmpty("waitsFor", entry.waitsForExtenders() ? "EXTENDERS" : "");
    }

    private Tree tree(Question asked) {
        return new Tree()
                .put("pod", asked.pod().key())
                .put("nodes", asked.nodeCount())
                .put("about", asked.about().name())
                .put("seconds", seconds(asked.progress().startedAt()));
    }

    private Tree tree(OnItsWay pod) {
        return new Tree()
                .put("pod", pod.pod().key())
                .put("node", pod.node())
                .put("waitsFor", pod.waitingFor())
                .put("seconds", seconds(pod.since()));
    }

    private double seconds(long since) {
        return age(since).toMillis() / 1e3;
    }

    /** Leaves out pods in flight, which are in no queue: they are at the extenders, or being bound. */
    private static List<QueueEntryView> inQueues(Scheduler scheduler) {
        return scheduler.queue().view().stream()
                .filter(entry -> entry.state() != QueueState.IN_FLIGHT)
                .toList();
    }

    String cacheText() {
        return comparison.text() + "\n" + live.answer(scheduler -> ClusterDump.of(scheduler.cluster()));
    }

    String cacheJson() {
        return comparison.json();
    }

    private Duration age(long since) {
        return Duration.ofNanos(live.now() - since);
    }
}
