package io.evenkeel.shard;

import io.evenkeel.api.ObjectPatch;
import io.evenkeel.config.ShardSettings;
import io.evenkeel.engine.Command;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodCondition;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.value.NameForm;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What engines tell each other about a pod that waits, in its condition {@link PodCondition#SHARD}: they share nothing else about it.
 *
 * <pre>
 *   reason     status   message
 *   Announced  True     node-7
 *   Asked      True     node-7
 *   Refused    False    node-7: Insufficient cpu
 *   Tried      False    count=4
 *                       shard 1, round 1: 0/25000 nodes are available: 25000 Insufficient cpu.
 *                       shard 2, round 2: 0/24981 nodes are available: 24981 Insufficient cpu.
 * </pre>
 *
 * What cannot be read, or is of another map, is as if it were not there: whoever wrote it, the pod starts anew.
 */
public sealed interface ShardTrace {
    /** Nobody has tried the pod. */
    Tried NONE = new Tried(List.of());

    /** In which each shard tries without preemption. */
    int FIRST_ROUND = 1;

    /** In which each shard may preempt, as none has had a place. */
    int SECOND_ROUND = 2;

    /** A longer message is not read. Each shard says what fits in a line of this by its number. */
    int LONGEST = 2 * ShardSettings.MOST_SHARDS * JointMessage.LONGEST_LINE;

    /** The overseer asks the owner of the node for a place there. */
    record Asked(String node) implements ShardTrace {
        private static final String REASON = "Asked";

        @Override
        public PodCondition condition(Pod pod, ShardMap map) {
            return made(pod, "True", REASON, node);
        }
    }

    /** The overseer has a place there in view; whom the pod shuns counts for all from now on, and it asks once all know. */
    record Announced(String node) implements ShardTrace {
        private static final String REASON = "Announced";

        @Override
        public PodCondition condition(Pod pod, ShardMap map) {
            return made(pod, "True", REASON, node);
        }
    }

    /** What was announced counts no more, as the pod fits nowhere: it is as if nothing were there. */
    record TakenBack(String node) implements ShardTrace {
        @Override
        public PodCondition condition(Pod pod, ShardMap map) {
            return made(pod, "False", Announced.REASON, node);
        }
    }

    /** The owner of the node has none. */
    record Refused(String node, String why) implements ShardTrace {
        private static final String REASON = "Refused";
        private static final Pattern MESSAGE = Pattern.compile("([^: ]+): (.*)", Pattern.DOTALL);

        @Override
        public PodCondition condition(Pod pod, ShardMap map) {
            return made(pod, "False", REASON, node + ": " + JointMessage.line(why));
        }
    }

    /**
     * A shard's last attempt.
     *
     * @param round {@link #FIRST_ROUND} or {@link #SECOND_ROUND}, which comes after it
     * @param message why the pod fits nowhere there
     */
    record Attempt(int shard, int round, String message) {
        private static final Pattern LINE = Pattern.compile("shard (\\d{1,2}), round ([12]): (.*)", Pattern.DOTALL);

        private static Optional<Attempt> parse(String line, int shards) {
            Matcher parts = LINE.matcher(line);
            return parts.matches() && Integer.parseInt(parts.group(1)) < shards
                    ? Optional.of(new Attempt(
                            Integer.parseInt(parts.group(1)),
                            Integer.parseInt(parts.group(2)),
                            JointMessage.line(parts.group(3))))
                    : Optional.empty();
        }

        private String text() {
            return "shard " + shard + ", round " + round + ": " + JointMessage.line(message);
        }
    }

    /**
     * Shards have tried the pod, and it fits in none of them.
     *
     * @param attempts the last of each, in the order of shards
     */
    record Tried(List<Attempt> attempts) implements ShardTrace {
        private static final String REASON = "Tried";

        public Tried {
            attempts = List.copyOf(attempts);
        }

        /** The same, with this instead of what the shard has said before. */
        public Tried with(Attempt attempt) {
            Map<Integer, Attempt> byShard = new TreeMap<>();
            attempts.forEach(each -> byShard.put(each.shard(), each));
            byShard.put(attempt.shard(), attempt);
            return new Tried(List.copyOf(byShard.values()));
        }

        /** What others have said. */
        Tried without(int shard) {
            return new Tried(
                    attempts.stream().filter(each -> each.shard() != shard).toList());
        }

        private boolean has(int shard, int round) {
            return attempts.stream().anyMatch(each -> each.shard() == shard && each.round() >= round);
        }

        /**
         * Who tries the pod next. One shard alone needs no round without preemption.
         *
         * @param order of the shards that its words leave; one at least
         * @param preempts whether others may go for it
         * @param nominated the shard of the node that its status names: it may have made room there, and is first in any case
         */
        public Turn turn(List<Integer> order, boolean preempts, OptionalInt nominated) {
            if (nominated.isPresent() && order.contains(nominated.getAsInt())) {
                return has(nominated.getAsInt(), SECOND_ROUND)
                        ? new Turn(nominated, SECOND_ROUND, order)
                        : turn(beginningWith(nominated.getAsInt(), order), preempts, OptionalInt.empty());
            }
            for (int round = order.size() > 1 || !preempts ? FIRST_ROUND : SECOND_ROUND;
                    round <= (preempts ? SECOND_ROUND : FIRST_ROUND);
                    round++) {
                for (int shard : order) {
                    if (!has(shard, round)) {
                        return new Turn(OptionalInt.of(shard), round, order);
                    }
                }
            }
            return new Turn(OptionalInt.empty(), preempts ? SECOND_ROUND : FIRST_ROUND, order);
        }

        private static List<Integer> beginningWith(int first, List<Integer> order) {
            List<Integer> shards = new ArrayList<>(order);
            shards.remove(Integer.valueOf(first));
            shards.addFirst(first);
            return shards;
        }

        /**
         * All that these shards have said, as one scheduler would have said it.
         *
         * @param ofLeftOut what is to be said of the nodes of all other shards; empty where they have none
         */
        public String message(Collection<Integer> shards, Optional<String> ofLeftOut) {
            return JointMessage.of(
                    attempts.stream()
                            .filter(each -> shards.contains(each.shard()))
                            .map(Attempt::message)
                            .toList(),
                    ofLeftOut);
        }

        @Override
        public PodCondition condition(Pod pod, ShardMap map) {
            StringBuilder message = new StringBuilder(map.text());
            attempts.forEach(attempt -> message.append('\n').append(attempt.text()));
            return made(pod, "False", REASON, message.toString());
        }

        private static Optional<ShardTrace> parse(String message, ShardMap map) {
            String[] lines = message.split("\n", -1);
            if (!lines[0].equals(map.text())) {
                return Optional.empty();
            }
            Tried tried = NONE;
            for (int i = 1; i < lines.length; i++) {
                Optional<Attempt> attempt = Attempt.parse(lines[i], map.count());
                if (attempt.isEmpty() || tried.has(attempt.get().shard(), FIRST_ROUND)) {
                    return Optional.empty();
                }
                tried = tried.with(attempt.get());
            }
            return Optional.of(tried);
        }
    }

    /**
     * Who tries a pod next.
     *
     * @param shard empty once each has had its turns: then all wait for what may help, and whoever is first has the pod
     * @param order of the shards that may
     */
    record Turn(OptionalInt shard, int round, List<Integer> order) {
        public Turn {
            order = List.copyOf(order);
        }

        /** The one shard that speaks for the pod, and counts it: whose turn it is, or whose came last. */
        public int speaker() {
            return shard.orElseGet(order::getLast);
        }

        /** Whether the shard may try the pod. */
        public boolean isOf(int which) {
            return shard.isPresent() ? shard.getAsInt() == which : order.contains(which);
        }

        /**
         * Whether the shard may have others go for the pod. In its turn it alone may; once each has had its turns whoever finds that
         * it helps, as others know of no such change in their shards: who names a node then has the turn.
         */
        public boolean mayPreempt(int which) {
            return round == SECOND_ROUND && isOf(which);
        }
    }

    /** What the pod's condition says to the engines of this map. */
    static ShardTrace of(Pod pod, ShardMap map) {
        return pod.status().shard().flatMap(condition -> parse(condition, map)).orElse(NONE);
    }

    private static Optional<ShardTrace> parse(PodCondition condition, ShardMap map) {
        String message = condition.message();
        if (message.length() > LONGEST) {
            return Optional.empty();
        }
        return switch (condition.reason()) {
            case Announced.REASON -> isTrueOfNode(condition) ? Optional.of(new Announced(message)) : Optional.empty();
            case Asked.REASON -> isTrueOfNode(condition) ? Optional.of(new Asked(message)) : Optional.empty();
            case Refused.REASON -> {
                Matcher parts = Refused.MESSAGE.matcher(message);
                yield parts.matches() && NameForm.isSubdomain(parts.group(1))
                        ? Optional.of(new Refused(parts.group(1), parts.group(2)))
                        : Optional.empty();
            }
            case Tried.REASON -> Tried.parse(message, map);
            default -> Optional.empty();
        };
    }

    private static boolean isTrueOfNode(PodCondition condition) {
        return condition.status().equals("True") && NameForm.isSubdomain(condition.message());
    }

    /** Whether a place for the pod is in view, so that whom it shuns counts for all. */
    default boolean hasPlaceInView() {
        return this instanceof Announced || this instanceof Asked;
    }

    /** As the pod's status is to have it. */
    PodCondition condition(Pod pod, ShardMap map);

    /**
     * Writes it into the pod as it is known, and not into another version; with an answer.
     *
     * @param nominatedNodeName empty for none
     */
    default Command.WriteObject write(Pod pod, ShardMap map, String nominatedNodeName) {
        return write(pod, List.of(condition(pod, map)), Optional.of(nominatedNodeName));
    }

    /**
     * Writes conditions into the pod as it is known, and not into another version; with an answer.
     *
     * @param nominatedNodeName empty leaves it as it is
     */
    static Command.WriteObject write(Pod pod, List<PodCondition> conditions, Optional<String> nominatedNodeName) {
        Map<String, Object> status = new TreeMap<>();
        status.put(
                "conditions",
                conditions.stream().map(condition -> written(pod, condition)).toList());
        nominatedNodeName.ifPresent(node -> status.put("nominatedNodeName", node));
        return new Command.WriteObject(
                pod, new ObjectPatch(Kinds.POD, pod.meta(), Map.of("status", status), ObjectPatch.Form.STATUS));
    }

    private static Map<String, Object> written(Pod pod, PodCondition condition) {
        Optional<String> since = Stream.of(
                        pod.status().scheduled(), pod.status().shard())
                .flatMap(Optional::stream)
                .filter(before -> before.type().equals(condition.type())
                        && before.status().equals(condition.status())
                        && !before.lastTransitionTime().isEmpty())
                .map(PodCondition::lastTransitionTime)
                .findFirst();
        return Map.of(
                "type", condition.type(),
                "status", condition.status(),
                "reason", condition.reason(),
                "message", condition.message(),
                "observedGeneration", condition.observedGeneration(),
                "lastTransitionTime", since.isPresent() ? since.get() : ObjectPatch.Time.NOW);
    }

    private static PodCondition made(Pod pod, String status, String reason, String message) {
        return new PodCondition(
                PodCondition.SHARD, status, reason, message, "", pod.meta().generation());
    }
}
