package io.evenkeel.app.live;

import io.evenkeel.cluster.ClusterDump;
import io.evenkeel.config.file.GoDuration;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.Scheduler.OnItsWay;
import io.evenkeel.engine.decision.Question;
import io.evenkeel.kube.api.JsonText;
import io.evenkeel.queue.SchedulingQueue.QueueEntryView;
import io.evenkeel.queue.SchedulingQueue.QueueState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Dumps of a live scheduler's cache and queue, as text for people and JSON for programs. */
record LiveDumps(LiveScheduler live, ServerComparison comparison) {
    String queueText() {
        return ask(scheduler -> {
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
        return ask(scheduler -> JsonText.object(json -> {
            json.writeArrayFieldStart("pods");
            for (QueueEntryView entry : inQueues(scheduler)) {
                json.writeStartObject();
                json.writeStringField("pod", entry.key());
                json.writeStringField("queue", entry.state().metricName());
                json.writeNumberField("priority", entry.priority());
                json.writeNumberField("attempts", entry.attempts());
                json.writeNumberField("seconds", age(entry.sinceNanos()).toMillis() / 1e3);
                json.writeArrayFieldStart("rejectedBy");
                for (String plugin : entry.rejectedBy()) {
                    json.writeString(plugin);
                }
                json.writeEndArray();
                if (!entry.nominatedNode().isEmpty()) {
                    json.writeStringField("nominatedNode", entry.nominatedNode());
                }
                if (entry.waitsForExtenders()) {
                    json.writeStringField("waitsFor", "EXTENDERS");
                }
                json.writeEndObject();
            }
            json.writeEndArray();
            Optional<Question> asked = scheduler.atExtenders();
            if (asked.isPresent()) {
                json.writeObjectFieldStart("extenders");
                json.writeStringField("pod", asked.get().pod().key());
                json.writeNumberField("nodes", asked.get().nodeCount());
                json.writeStringField("about", asked.get().about().name());
                json.writeNumberField(
                        "seconds", age(asked.get().progress().startedAt()).toMillis() / 1e3);
                json.writeEndObject();
            }
            json.writeArrayFieldStart("binding");
            for (OnItsWay pod : scheduler.onTheirWay()) {
                json.writeStartObject();
                json.writeStringField("pod", pod.pod().key());
                json.writeStringField("node", pod.node());
                json.writeStringField("waitsFor", pod.waitingFor());
                json.writeNumberField("seconds", age(pod.since()).toMillis() / 1e3);
                json.writeEndObject();
            }
            json.writeEndArray();
        }));
    }

    /** Leaves out pods in flight, which are in no queue: they are at the extenders, or being bound. */
    private static List<QueueEntryView> inQueues(Scheduler scheduler) {
        return scheduler.queue().view().stream()
                .filter(entry -> entry.state() != QueueState.IN_FLIGHT)
                .toList();
    }

    String cacheText() {
        return comparison.text() + "\n" + ask(scheduler -> ClusterDump.of(scheduler.cluster()));
    }

    String cacheJson() {
        return comparison.json();
    }

    private Duration age(long since) {
        return Duration.ofNanos(live.now() - since);
    }

    private <T> T ask(Function<Scheduler, T> question) {
        return live.answer(question);
    }
}
