package io.evenkeel.hollow.controller;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.registry.Conditions;
import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.store.Change;
import io.evenkeel.hollow.store.ObjectKey;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.json.Trees;
import io.evenkeel.model.workload.Templates;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/**
 * Sees to it that as many pods of a Job run as it asks for, until as many have succeeded, or too many failed. A pod carries a finalizer
 * until it is counted, so that it counts once, also when somebody deletes it.
 */
final class Jobs implements Controller {
    private static final String COMPONENT = "job-controller";
    private static final String TRACKED = "batch.kubernetes.io/job-tracking";
    private static final Duration LONGEST_REST = Duration.ofMinutes(6);

    private final Registry registry;
    private final Observed observed;
    private final ControlLoop schedule;
    private final PodFactory pods;
    private final EventRecorder events;
    private final Duration rest;
    /** The UIDs of Jobs that make no pod for a while, since one has failed. */
    private final Set<String> resting = new HashSet<>();

    /** @param rest how long a Job makes no pod after the first that fails; twice as long after the next */
    Jobs(
            Registry registry,
            Observed observed,
            ControlLoop schedule,
            PodFactory pods,
            EventRecorder events,
            Duration rest) {
        this.registry = registry;
        this.observed = observed;
        this.schedule = schedule;
        this.pods = pods;
        this.events = events;
        this.rest = rest;
    }

    @Override
    public void forEachConcerned(Change change, Consumer<ObjectKey> look) {
        StoredObject object = change.object();
        if (object.key().table().equals(ResourceTable.JOBS.storage())) {
            look.accept(object.key());
        } else if (object.key().table().equals(ResourceTable.PODS.storage())) {
            Optional<ObjectKey> job = Owner.controllerOf(object, ResourceTable.JOBS);
            job.ifPresent(look);
            if (job.isPresent() && isTracked(object) && hasEnded(object)) {
                look.accept(object.key());
            }
        }
    }

    @Override
    public void sync(ObjectKey key) {
        if (key.table().equals(ResourceTable.PODS.storage())) {
            registry.find(ResourceTable.PODS, key)
                    .filter(pod -> Owner.controllerOf(pod, ResourceTable.JOBS)
                            .flatMap(job -> registry.find(ResourceTable.JOBS, job))
                            .isEmpty())
                    .ifPresent(this::release);
            return;
        }
        registry.find(ResourceTable.JOBS, key).ifPresent(this::sync);
    }

    private void sync(StoredObject job) {
        List<StoredObject> owned = observed.controlledBy(job.uid(), ResourceTable.PODS);
        List<StoredObject> ended =
                owned.stream().filter(pod -> isTracked(pod) && hasEnded(pod)).toList();
        if (!job.isGoing() && !isFinished(job)) {
            Progress progress = Progress.of(job.tree());
            long failedBefore = progress.failed;
            ended.forEach(progress::count);
            List<StoredObject> active =
                    owned.stream().filter(PodState::isActive).toList();
            Optional<Outcome> outcome = outcome(job, progress, active.size());
            writeStatus(job, progress, outcome, active);
            ended.forEach(this::release);
            if (progress.failed > failedBefore) {
                rest(job, progress.failed);
            }
            if (outcome.isPresent()) {
                active.forEach(pod -> delete(job, pod));
            } else {
                adjust(job, progress, active);
            }
        } else {
            ended.forEach(this::release);
        }
    }

    /** Brings the number of pods to that which is wanted now. */
    private void adjust(StoredObject job, Progress progress, List<StoredObject> active) {
        long wanted = wanted(job.tree(), progress, active.size());
        active.stream().limit(Math.max(active.size() - wanted, 0)).forEach(pod -> delete(job, pod));
        if (resting.contains(job.uid())) {
            return;
        }
        if (isIndexed(job.tree())) {
            Set<Long> taken = new HashSet<>(progress.indexes);
            active.forEach(pod -> index(pod).ifPresent(taken::add));
            LongStream.range(0, completions(job.tree()).orElse(0L))
                    .filter(index -> !taken.contains(index))
                    .limit(Math.max(wanted - active.size(), 0))
                    .forEach(index -> create(job, Optional.of(index)));
        } else {
            for (long i = active.size(); i < wanted; i++) {
                create(job, Optional.empty());
            }
        }
    }

    private static long wanted(JsonObject job, Progress progress, long active) {
        if (Trees.isTrue(job, "spec", "suspend")) {
            return 0;
        }
        long parallelism = Trees.number(job, "spec", "parallelism").orElse(1L);
        return completions(job)
                .map(all -> Math.min(parallelism, all - progress.succeeded))
                .orElse(progress.succeeded > 0 ? Math.min(parallelism, active) : parallelism);
    }

    private void create(StoredObject job, Optional<Long> index) {
        JsonObject pod = PodFactory.fromTemplate(ResourceTable.JOBS, job);
        JsonObject metadata = pod.getAsJsonObject("metadata");
        Trees.ensureArray(metadata, "finalizers").add(TRACKED);
        String prefix = job.name() + "-" + index.map(number -> number + "-").orElse("");
        metadata.addProperty("generateName", prefix);
        index.ifPresent(number -> {
            Trees.ensureObject(metadata, "annotations").addProperty(Templates.JOB_INDEX, number.toString());
            Trees.ensureObject(metadata, "labels").addProperty(Templates.JOB_INDEX, number.toString());
            pod.getAsJsonObject("spec").addProperty("hostname", job.name() + "-" + number);
        });
        pods.create(ResourceTable.JOBS, job, pod);
    }

    private void rest(StoredObject job, long failures) {
        if (!rest.isZero() && resting.add(job.uid())) {
            schedule.in(ControlLoop.backOff(rest, failures, LONGEST_REST), () -> {
                resting.remove(job.uid());
                schedule.look(this, job.key());
            });
        }
    }

    /** A pod that the Job wants no more has not failed, so it is not counted. */
    private void delete(StoredObject job, StoredObject pod) {
        release(pod);
        if (registry.deleteFound(ResourceTable.PODS, pod.key())) {
            events.normal(ResourceTable.JOBS, job, COMPONENT, "SuccessfulDelete", "Deleted pod: " + pod.name());
        }
    }

    /** Lets a pod go that has been counted, or that no Job counts any more. */
    private void release(StoredObject pod) {
        if (registry.find(ResourceTable.PODS, pod.key()).filter(Jobs::isTracked).isPresent()) {
            registry.edit(ResourceTable.PODS, pod.key(), tree -> {
                JsonObject metadata = tree.getAsJsonObject("metadata");
                Trees.array(metadata, "finalizers").ifPresent(all -> {
                    all.asList().removeIf(each -> each.getAsString().equals(TRACKED));
                    if (all.isEmpty()) {
                        metadata.remove("finalizers");
                    }
                });
            });
        }
    }

    /** How a Job ends. */
    private record Outcome(String condition, String reason, String message) {}

    private static Optional<Outcome> outcome(StoredObject job, Progress progress, int active) {
        long limit = Trees.number(job.tree(), "spec", "backoffLimit").orElse(6L);
        if (progress.failed > limit) {
            return Optional.of(
                    new Outcome("Failed", "BackoffLimitExceeded", "Job has reached the specified backoff limit"));
        }
        boolean complete = completions(job.tree())
                .map(all -> progress.succeeded >= all)
                .orElse(progress.succeeded > 0 && active == 0);
        return complete
                ? Optional.of(
                        new Outcome("Complete", "CompletionsReached", "Reached expected number of succeeded pods"))
                : Optional.empty();
    }

    private void writeStatus(
            StoredObject job, Progress progress, Optional<Outcome> outcome, List<StoredObject> active) {
        String now = registry.times().now();
        String started = Trees.text(job.tree(), "status", "startTime");
        StatusWriter status = new StatusWriter(job)
                .count("active", outcome.isPresent() ? 0 : active.size())
                .count("succeeded", progress.succeeded)
                .count("failed", progress.failed)
                .always("ready", active.stream().filter(PodState::isReady).count())
                .text("startTime", started.isEmpty() ? now : started);
        if (isIndexed(job.tree())) {
            status.text("completedIndexes", progress.completedIndexes());
        }
        outcome.ifPresent(end -> {
            boolean isComplete = end.condition.equals("Complete");
            status.condition(isComplete ? "SuccessCriteriaMet" : "FailureTarget", true, end.reason, end.message)
                    .condition(end.condition, true, end.reason, end.message);
            if (isComplete) {
                status.text("completionTime", now);
                events.normal(ResourceTable.JOBS, job, COMPONENT, "Completed", "Job completed");
            } else {
                events.warning(ResourceTable.JOBS, job, COMPONENT, end.reason, end.message);
            }
        });
        status.write(registry, ResourceTable.JOBS);
    }

    private static boolean isFinished(StoredObject job) {
        return Conditions.holds(job.tree(), "Complete") || Conditions.holds(job.tree(), "Failed");
    }

    private static boolean isIndexed(JsonObject job) {
        return Trees.text(job, "spec", "completionMode").equals("Indexed");
    }

    private static Optional<Long> completions(JsonObject job) {
        return Trees.number(job, "spec", "completions");
    }

    private static boolean isTracked(StoredObject pod) {
        return Trees.texts(pod.tree(), "metadata", "finalizers").contains(TRACKED);
    }

    /** Whether it is over, or will not be finished by anyone. */
    private static boolean hasEnded(StoredObject pod) {
        return PodState.isOver(pod) || pod.isGoing();
    }

    private static Optional<Long> index(StoredObject pod) {
        String text = Trees.text(pod.tree(), "metadata", "annotations", Templates.JOB_INDEX);
        return text.matches("[0-9]{1,9}") ? Optional.of(Long.parseLong(text)) : Optional.empty();
    }

    /** The pods of a Job that have been counted. */
    private static final class Progress {
        private long succeeded;
        private long failed;
        private final NavigableSet<Long> indexes = new TreeSet<>();

        static Progress of(JsonObject job) {
            Progress progress = new Progress();
            progress.succeeded = Trees.number(job, "status", "succeeded").orElse(0L);
            progress.failed = Trees.number(job, "status", "failed").orElse(0L);
            for (String range : Trees.text(job, "status", "completedIndexes").split(",", -1)) {
                if (range.matches("[0-9]{1,9}(-[0-9]{1,9})?")) {
                    String[] ends = range.split("-", -1);
                    LongStream.rangeClosed(Long.parseLong(ends[0]), Long.parseLong(ends[ends.length - 1]))
                            .forEach(progress.indexes::add);
                }
            }
            return progress;
        }

        void count(StoredObject pod) {
            if (!PodState.phase(pod).equals("Succeeded")) {
                failed++;
            } else if (index(pod).isEmpty() || indexes.add(index(pod).get())) {
                succeeded++;
            }
        }

        /** As a Job shows them: {@code 0-2,5}. */
        String completedIndexes() {
            List<String> ranges = new ArrayList<>();
            for (long index : indexes) {
                if (!indexes.contains(index - 1)) {
                    long last = index;
                    while (indexes.contains(last + 1)) {
                        last++;
                    }
                    ranges.add(last == index ? Long.toString(index) : index + "-" + last);
                }
            }
            return String.join(",", ranges);
        }
    }
}
