package io.evenkeel.kube.extender;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.evenkeel.api.PreemptionCandidate;
import io.evenkeel.api.Status;
import io.evenkeel.config.Extender;
import io.evenkeel.kube.extender.Extenders.ExtenderException;
import io.evenkeel.kube.extender.WholeObjects.PodGoneException;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.write.Tree;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** One extender: each of its verbs, with the words that kube-scheduler has for what goes wrong. */
record HttpExtender(Extender extender, ExtenderClient client) implements AutoCloseable {
    /** Extenders give 0 to 10 where plugins give 0 to 100. */
    private static final long POINTS = 100 / 10;

    /** The nodes that are left, in the extender's order, and the reasons against the others. */
    record Passed(List<String> nodes, Map<String, Status> turnedAway) {}

    String name() {
        return extender.urlPrefix();
    }

    boolean isIgnorable() {
        return extender.ignorable();
    }

    boolean isInterestedIn(Pod pod) {
        return extender.isInterestedIn(pod);
    }

    boolean filters() {
        return !extender.filterVerb().isEmpty();
    }

    boolean prioritizes() {
        return !extender.prioritizeVerb().isEmpty();
    }

    boolean binds() {
        return extender.binds();
    }

    boolean preempts() {
        return extender.preempts();
    }

    Passed filter(ExtenderQuestion question, List<String> nodes) throws ExtenderException {
        ExtenderAnswers.Filtered answer = client.ask(
                extender.filterVerb(), question.about(nodes, extender.nodeCacheCapable()), ExtenderAnswers::filtered);
        if (!answer.error().isEmpty()) {
            throw new ExtenderException(answer.error());
        }
        Map<String, Status> turnedAway = new LinkedHashMap<>();
        answer.failed().forEach((node, why) -> turnedAway.put(node, Status.unschedulable(why)));
        answer.failedAndUnresolvable().forEach((node, why) -> turnedAway.put(node, Status.unresolvable(why)));
        return new Passed(left(answer, nodes), turnedAway);
    }

    /** An extender that names no nodes at all leaves none. */
    private List<String> left(ExtenderAnswers.Filtered answer, List<String> asked) throws ExtenderException {
        Optional<List<String>> names = extender.nodeCacheCapable() ? answer.nodeNames() : Optional.empty();
        List<String> left = names.or(answer::nodes).orElse(List.of());
        Set<String> known = Set.copyOf(asked);
        for (String node : left) {
            if (!known.contains(node)) {
                throw new ExtenderException("extender \"" + name() + "\" claims a filtered node \"" + node
                        + "\" which is not found in the input node list");
            }
        }
        return left.stream().distinct().toList();
    }

    /** The scores by node, to be added to the nodes' totals. */
    Map<String, Long> scores(ExtenderQuestion question, List<String> nodes) throws ExtenderException {
        List<ExtenderAnswers.Priority> priorities = client.ask(
                extender.prioritizeVerb(),
                question.about(nodes, extender.nodeCacheCapable()),
                ExtenderAnswers::priorities);
        Map<String, Long> scores = new LinkedHashMap<>();
        priorities.forEach(given -> scores.merge(given.host(), given.score() * extender.weight() * POINTS, Long::sum));
        return scores;
    }

    void bind(Pod pod, String node) throws ExtenderException {
        Tree order = new Tree()
                .put("PodName", pod.name())
                .put("PodNamespace", pod.namespace())
                .put("PodUID", pod.meta().uid())
                .put("Node", node);
        String error = client.tell(extender.bindVerb(), order.json(), ExtenderAnswers::bindingError);
        if (!error.isEmpty()) {
            throw new ExtenderException(error);
        }
    }

    /**
     * Which of the victims are to go, if preemption goes on.
     *
     * @param pods the pods of each node; the extender may also choose others of them
     */
    List<PreemptionCandidate> preempt(
            ExtenderQuestion question, List<PreemptionCandidate> candidates, Map<String, List<Pod>> pods)
            throws ExtenderException {
        List<PreemptionCandidate> asked =
                extender.nodeCacheCapable() ? candidates : question.withAllVictimsThere(candidates);
        if (asked.isEmpty()) {
            return List.of();
        }
        Map<String, ExtenderAnswers.MetaVictims> answer =
                client.ask(extender.preemptVerb(), preemption(question, asked), ExtenderAnswers::victims);
        List<PreemptionCandidate> left = new ArrayList<>();
        for (var ofNode : answer.entrySet()) {
            left.add(known(ofNode.getKey(), ofNode.getValue(), pods));
        }
        return left;
    }

    private String preemption(ExtenderQuestion question, List<PreemptionCandidate> candidates)
            throws ExtenderException {
        boolean byUid = extender.nodeCacheCapable();
        Tree.Raw pod = new Tree.Raw(question.podInJson());
        Tree victims = new Tree();
        for (PreemptionCandidate candidate : candidates) {
            List<Object> ofNode = new ArrayList<>();
            for (Pod victim : candidate.victims()) {
                ofNode.add(byUid ? new Tree().put("UID", victim.meta().uid()) : new Tree.Raw(question.inJson(victim)));
            }
            victims.put(
                    candidate.node(), new Tree().put("Pods", ofNode).put("NumPDBViolations", candidate.violations()));
        }
        return new Tree()
                .put("Pod", pod)
                .put(byUid ? "NodeNameToVictims" : "NodeNameToMetaVictims", null)
                .put(byUid ? "NodeNameToMetaVictims" : "NodeNameToVictims", victims)
                .json();
    }

    private PreemptionCandidate known(String node, ExtenderAnswers.MetaVictims named, Map<String, List<Pod>> pods)
            throws ExtenderException {
        if (!pods.containsKey(node)) {
            throw new ExtenderException("nodeinfo not found for node name \"" + node + "\"");
        }
        List<Pod> victims = new ArrayList<>();
        for (String uid : named.uids()) {
            victims.add(pods.get(node).stream()
                    .filter(pod -> pod.meta().uid().equals(uid))
                    .findFirst()
                    .orElseThrow(() -> new ExtenderException("extender: " + name() + " claims to preempt pod (UID: &{"
                            + uid + "}) on node: " + node + ", but the pod is not found on that node")));
        }
        return new PreemptionCandidate(node, victims, named.violations());
    }

    @Override
    public void close() {
        client.close();
    }

    /**
     * Reads what extenders answer. As in Go, in which most of them are written, the case of a field's name does not matter,
     * fields that are not known are passed over, and null is as good as nothing.
     */
    static final class ExtenderAnswers {
        /**
         * The answer of a filter.
         *
         * @param nodeNames the nodes that are left, from whichever of both fields; empty where that field is not there
         * @param nodes the nodes as whole objects, likewise
         */
        record Filtered(
                Optional<List<String>> nodeNames,
                Optional<List<String>> nodes,
                Map<String, String> failed,
                Map<String, String> failedAndUnresolvable,
                String error) {}

        record Priority(String host, long score) {}

        /** Pods by their UIDs, and how many disruption budgets they would violate. */
        record MetaVictims(List<String> uids, long violations) {}

        /** Reads the value of a field, its name in whichever case; the parser stands on the value's first token. */
        @FunctionalInterface
        private interface Fields {
            void read(String lowerCaseName) throws IOException;
        }

        private ExtenderAnswers() {}

        static Filtered filtered(JsonParser in) throws IOException {
            List<Optional<List<String>>> kept = new ArrayList<>(List.of(Optional.empty(), Optional.empty()));
            Map<String, String> failed = new LinkedHashMap<>();
            Map<String, String> unresolvable = new LinkedHashMap<>();
            String[] error = {""};
            object(in, field -> {
                switch (field) {
                    case "nodenames" -> kept.set(0, Optional.of(strings(in)));
                    case "nodes" -> kept.set(1, nodeList(in));
                    case "failednodes" -> textsByName(in, failed);
                    case "failedandunresolvablenodes" -> textsByName(in, unresolvable);
                    case "error" -> error[0] = text(in);
                    default -> in.skipChildren();
                }
            });
            return new Filtered(kept.get(0), kept.get(1), failed, unresolvable, error[0]);
        }

        static List<Priority> priorities(JsonParser in) throws IOException {
            List<Priority> priorities = new ArrayList<>();
            array(in, () -> {
                String[] host = {""};
                long[] score = {0};
                object(in, field -> {
                    switch (field) {
                        case "host" -> host[0] = text(in);
                        case "score" -> score[0] = number(in);
                        default -> in.skipChildren();
                    }
                });
                priorities.add(new Priority(host[0], score[0]));
            });
            return priorities;
        }

        /** The error of a binding; empty where it went well. */
        static String bindingError(JsonParser in) throws IOException {
            return textOf("error", in);
        }

        static Map<String, MetaVictims> victims(JsonParser in) throws IOException {
            Map<String, MetaVictims> byNode = new LinkedHashMap<>();
            object(in, field -> {
                if (field.equals("nodenametometavictims")) {
                    members(in, node -> byNode.put(node, metaVictims(in)));
                } else {
                    in.skipChildren();
                }
            });
            return byNode;
        }

        /** A pod without a UID is one that is on no node; of fields that come twice the last counts. */
        private static MetaVictims metaVictims(JsonParser in) throws IOException {
            Set<String> uids = new LinkedHashSet<>();
            long[] violations = {0};
            object(in, field -> {
                switch (field) {
                    case "pods" -> {
                        uids.clear();
                        array(in, () -> uids.add(textOf("uid", in)));
                    }
                    case "numpdbviolations" -> violations[0] = number(in);
                    default -> in.skipChildren();
                }
            });
            return new MetaVictims(List.copyOf(uids), violations[0]);
        }

        /** One field of an object; empty where there is none. */
        private static String textOf(String wanted, JsonParser in) throws IOException {
            String[] found = {""};
            object(in, field -> {
                if (field.equals(wanted)) {
                    found[0] = text(in);
                } else {
                    in.skipChildren();
                }
            });
            return found[0];
        }

        private static Optional<List<String>> nodeList(JsonParser in) throws IOException {
            if (in.currentToken() == JsonToken.VALUE_NULL) {
                return Optional.empty();
            }
            List<String> names = new ArrayList<>();
            object(in, field -> {
                if (field.equals("items")) {
                    array(in, () -> names.add(nameOf(in)));
                } else {
                    in.skipChildren();
                }
            });
            return Optional.of(names);
        }

        private static String nameOf(JsonParser in) throws IOException {
            String[] name = {""};
            object(in, field -> {
                if (field.equals("metadata")) {
                    name[0] = textOf("name", in);
                } else {
                    in.skipChildren();
                }
            });
            return name[0];
        }

        private static List<String> strings(JsonParser in) throws IOException {
            List<String> texts = new ArrayList<>();
            array(in, () -> texts.add(text(in)));
            return texts;
        }

        private static void textsByName(JsonParser in, Map<String, String> out) throws IOException {
            members(in, name -> out.put(name, text(in)));
        }

        private static void object(JsonParser in, Fields fields) throws IOException {
            members(in, name -> fields.read(name.toLowerCase(Locale.ROOT)));
        }

        private static void members(JsonParser in, Fields fields) throws IOException {
            if (in.currentToken() == JsonToken.VALUE_NULL) {
                return;
            }
            expect(in, JsonToken.START_OBJECT, "an object");
            while (in.nextToken() != JsonToken.END_OBJECT) {
                String name = in.currentName();
                in.nextToken();
                fields.read(name);
            }
        }

        /** Reads an item; the parser stands on its first token. */
        @FunctionalInterface
        private interface Item {
            void read() throws IOException;
        }

        private static void array(JsonParser in, Item item) throws IOException {
            if (in.currentToken() == JsonToken.VALUE_NULL) {
                return;
            }
            expect(in, JsonToken.START_ARRAY, "a list");
            while (in.nextToken() != JsonToken.END_ARRAY) {
                item.read();
            }
        }

        private static String text(JsonParser in) throws IOException {
            if (in.currentToken() == JsonToken.VALUE_NULL) {
                return "";
            }
            expect(in, JsonToken.VALUE_STRING, "a string");
            return in.getText();
        }

        private static long number(JsonParser in) throws IOException {
            if (in.currentToken() == JsonToken.VALUE_NULL) {
                return 0;
            }
            expect(in, JsonToken.VALUE_NUMBER_INT, "a whole number");
            return in.getLongValue();
        }

        private static void expect(JsonParser in, JsonToken token, String called) throws IOException {
            if (in.currentToken() != token) {
                String where = in.currentName() == null ? "" : in.currentName() + ": ";
                throw new JsonParseException(in, where + "expected " + called + ", got " + in.currentToken());
            }
        }
    }

    /** A pod and nodes as extenders get them; what several extenders are asked about is read once. */
    static final class ExtenderQuestion {
        private final WholeObjects objects;
        private final Pod pod;
        private final Map<String, Node> nodes = new HashMap<>();
        private final Map<String, String> podsInJson = new HashMap<>();

        ExtenderQuestion(WholeObjects objects, Pod pod, List<Node> nodes) {
            this.objects = objects;
            this.pod = pod;
            nodes.forEach(node -> this.nodes.put(node.name(), node));
        }

        /**
         * The arguments of a filter or prioritize verb.
         *
         * @param names of the nodes that are still to choose from
         * @param namesOnly for an extender that knows the nodes itself
         * @throws ExtenderException if the pod or nodes cannot be read
         */
        String about(List<String> names, boolean namesOnly) throws ExtenderException {
            Tree question = new Tree().put("Pod", new Tree.Raw(podInJson()));
            if (namesOnly) {
                return question.put("Nodes", null).put("NodeNames", names).json();
            }
            List<String> items = objects.nodes(names.stream().map(nodes::get).toList());
            Tree list = new Tree().put("metadata", new Tree()).put("items", items, Tree.Raw::new);
            return question.put("Nodes", list).put("NodeNames", null).json();
        }

        String podInJson() throws ExtenderException {
            return inJson(pod);
        }

        /** Reads all victims; returns the candidates with all of theirs still there, as it is no use to ask of others. */
        List<PreemptionCandidate> withAllVictimsThere(List<PreemptionCandidate> candidates) throws ExtenderException {
            List<PreemptionCandidate> there = new ArrayList<>();
            for (PreemptionCandidate candidate : candidates) {
                try {
                    for (Pod victim : candidate.victims()) {
                        inJson(victim);
                    }
                    there.add(candidate);
                } catch (PodGoneException gone) {
                    // the pod will be decided again when the watch tells of it
                }
            }
            return there;
        }

        String inJson(Pod some) throws ExtenderException {
            String known = podsInJson.get(some.meta().uid());
            if (known == null) {
                known = objects.pod(some);
                podsInJson.put(some.meta().uid(), known);
            }
            return known;
        }
    }
}
