package io.evenkeel.app.record;

import io.evenkeel.api.ObjectPatch.Form;
import io.evenkeel.api.PreemptionCandidate;
import io.evenkeel.engine.Command;
import io.evenkeel.model.Node;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodCondition;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The content of a command, in words that are the same in each process.
 *
 * @param target where the pod is bound to, or for whom it goes; empty for others
 * @param digest of all that it says
 */
public record Said(String verb, String pod, String target, int digest) {

    public static Said of(Command command) {
        return switch (command) {
            case Command.Bind(Pod pod, String node, var _) -> of("Bind", pod, node, "");
            case Command.WriteObject(Pod pod, var patch, var _) ->
                of(
                        "WriteObject",
                        pod,
                        patch.kind().name() + " " + patch.object().key(),
                        identity(patch.object()) + " " + sorted(patch.changes())
                                + (patch.form() == Form.MERGE ? "" : patch.form()));
            case Command.PatchStatus(Pod pod, var conditions, var nominated) ->
                of("PatchStatus", pod, nominated.orElse(""), of(conditions) + " " + nominated);
            case Command.Evict(Pod pod, Pod preemptor, var disrupted) ->
                of("Evict", pod, preemptor.key(), preemptor.meta().uid() + " " + disrupted);
            case Command.RecordEvent(Pod pod, var event) -> of("RecordEvent", pod, event.reason(), event.toString());
            case Command.PatchGroup(Pod pod, var kind, ObjectMeta group, var condition) ->
                of("PatchGroup", pod, group.key(), kind.name() + " " + identity(group) + " " + condition);
            case Command.RecordGroupEvent(Pod pod, var kind, ObjectMeta group, var event) ->
                of("RecordGroupEvent", pod, group.key(), kind.name() + " " + identity(group) + " " + event);
            case Command.AskOfNodes(Pod pod, List<Node> nodes) ->
                of(
                        "AskOfNodes",
                        pod,
                        "",
                        nodes.stream().map(Node::name).toList().toString());
            case Command.AskOfVictims(Pod pod, var candidates, var _) ->
                of(
                        "AskOfVictims",
                        pod,
                        "",
                        candidates.stream().map(Said::of).toList().toString());
            case Command.Lookup(Pod pod) -> of("Lookup", pod, "", "");
        };
    }

    private static Said of(String verb, Pod pod, String target, String rest) {
        String all = verb + " " + pod.key() + " " + pod.meta().uid() + " " + target + " " + rest;
        return new Said(verb, pod.key(), target, all.hashCode());
    }

    /** One is told as it was in records of a time when there was one at most. */
    private static String of(List<PodCondition> conditions) {
        return conditions.size() > 1
                ? conditions.toString()
                : conditions.stream().findFirst().toString();
    }

    private static String of(PreemptionCandidate candidate) {
        return candidate.node() + " " + candidate.violations() + " "
                + candidate.victims().stream().map(pod -> pod.meta().uid()).toList();
    }

    private static String identity(ObjectMeta meta) {
        return meta.uid() + " " + meta.resourceVersion();
    }

    /** Maps of the JDK have another order in each process. */
    private static String sorted(Map<?, ?> map) {
        Map<String, String> sorted = new TreeMap<>();
        map.forEach((key, value) -> sorted.put(String.valueOf(key), said(value)));
        return sorted.toString();
    }

    private static String said(@Nullable Object value) {
        return switch (value) {
            case Map<?, ?> inner -> sorted(inner);
            case List<?> elements -> elements.stream().map(Said::said).toList().toString();
            case null, default -> String.valueOf(value);
        };
    }

    /** Whether it binds a pod. */
    public boolean isBinding() {
        return verb.equals("Bind");
    }

    @Override
    public String toString() {
        return List.of(verb, pod, target).stream()
                .filter(word -> !word.isEmpty())
                .collect(Collectors.joining(" "));
    }

    /** The running hash of all that was decided in a run: equal runs have equal ones, in whichever process. */
    public static final class DecisionHash {
        private static final long FACTOR = 0x9E3779B97F4A7C15L;

        private long hash;
        private long decisions;

        /** Goes on where another has ended. */
        public static DecisionHash from(long hash, long decisions) {
            DecisionHash begun = new DecisionHash();
            begun.hash = hash;
            begun.decisions = decisions;
            return begun;
        }

        public void add(Said said) {
            hash = Long.rotateLeft(hash, 7) + said.digest() * FACTOR;
            decisions++;
        }

        public long value() {
            return hash;
        }

        /** How many commands it is of. */
        public long decisions() {
            return decisions;
        }
    }
}
