package io.evenkeel.groups.turn;

import io.evenkeel.framework.GroupPlugin.GroupKey;
import io.evenkeel.model.Pod;
import io.evenkeel.queue.Attempt;
import io.evenkeel.queue.SchedulingQueue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** The pods of a group that were taken out of the queue together; each is in flight until it is handled. */
final class TakenPods {
    /**
     * Important pods first, then by name, lower numbers first. Nothing in it depends on when pods became known: turns, questions
     * and a scheduler after its restart take and name the same pods.
     */
    static final Comparator<Pod> ORDER = Comparator.comparingInt(
                    (Pod pod) -> pod.spec().priority())
            .reversed()
            .thenComparingInt(pod -> pod.key().length())
            .thenComparing(Pod::key);

    private final Map<String, Attempt> attempts = new LinkedHashMap<>();
    private final Map<String, Attempt> left = new LinkedHashMap<>();

    private TakenPods(List<Attempt> taken) {
        taken.forEach(attempt -> attempts.put(attempt.pod().key(), attempt));
        left.putAll(attempts);
    }

    /** The pod at its turn, and all of its group that wait, in {@linkplain #ORDER order}. */
    static TakenPods with(Attempt first, GroupKey group, SchedulingQueue queue, long now) {
        List<Attempt> taken = new ArrayList<>();
        taken.add(first);
        for (Pod pod : queue.groups().waiting(group)) {
            queue.groups().take(pod, now).ifPresent(taken::add);
        }
        taken.sort(Comparator.comparing(Attempt::pod, ORDER));
        return new TakenPods(taken);
    }

    List<Pod> pods() {
        return attempts.values().stream().map(Attempt::pod).toList();
    }

    Pod first() {
        return attempts.values().iterator().next().pod();
    }

    Attempt of(Pod pod) {
        Attempt attempt = attempts.get(pod.key());
        if (attempt == null) {
            throw new IllegalArgumentException(pod.key() + " is none of the pods that were taken");
        }
        return attempt;
    }

    /** Something is made of the attempt. */
    void handled(Attempt attempt) {
        left.remove(attempt.pod().key());
    }

    /** Returns the attempts that have no outcome yet. */
    List<Attempt> left() {
        return List.copyOf(left.values());
    }

    /** Why these cannot be placed together, whatever the cluster is like. */
    Optional<String> unfit() {
        return unfit(pods(), pod -> of(pod).needsExtenders());
    }

    /** Tells why pods of a group, at least one, cannot be placed together. */
    static Optional<String> unfit(List<Pod> pods, Predicate<Pod> needsExtenders) {
        String scheduler = pods.getFirst().spec().schedulerName();
        for (Pod other : pods) {
            String others = other.spec().schedulerName();
            if (!others.equals(scheduler)) {
                return Optional.of(
                        "all pods in a single pod group should have the same .spec.schedulerName set, got: \"%s\" and \"%s\""
                                .formatted(scheduler, others));
            }
            if (needsExtenders.test(other)) {
                return Optional.of("extenders have a say in pod " + other.key()
                        + ", and pods in which they have cannot be placed together");
            }
        }
        return Optional.empty();
    }
}
