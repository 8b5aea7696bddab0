package io.evenkeel.shard;

import io.evenkeel.framework.cycle.Diagnosis.FitError;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What several engines say of a pod, each of its own nodes, as one would say it of all: equal reasons are added up.
 *
 * <pre>
 *   0/3 nodes are available: 1 Insufficient cpu, 2 node(s) were unschedulable. preemption: 0/3 nodes are available: 3 A.
 *   0/2 nodes are available: 2 Insufficient cpu. preemption: 0/2 nodes are available: 2 B.
 *
 *   0/5 nodes are available: 2 node(s) were unschedulable, 3 Insufficient cpu. preemption: 0/5 nodes are available: 2 B, 3 A.
 * </pre>
 */
final class JointMessage {
    /** More of what an engine says is left out. */
    static final int LONGEST_LINE = 1_000;

    private static final String CUT = "\u2026";
    /** Nodes of one shard: so many digits that no sum is too great. */
    private static final Pattern FIT_ERROR =
            Pattern.compile("0/(\\d{1,7}) nodes are available:(?: (.*?)\\.)?(?: (.*))?", Pattern.DOTALL);

    private static final Pattern REASONS = Pattern.compile(", (?=\\d{1,7} )");
    private static final Pattern REASON = Pattern.compile("(\\d{1,7}) (.+)", Pattern.DOTALL);
    private static final Pattern NESTED = Pattern.compile("(.*?)(0/\\d{1,7} nodes are available:.*)", Pattern.DOTALL);

    /** As it is said of each node that a pod's own words keep it off, where others might go for it. */
    private static final String NOT_HELPFUL = "Preemption is not helpful for scheduling";

    private int nodes;
    /** Nodes that no engine was asked about. */
    private int leftOut;

    private final SortedMap<String, Integer> counted = new TreeMap<>();
    /** In the place of reasons: of those who turned the pod away as a whole. */
    private final Set<String> uncounted = new LinkedHashSet<>();

    /** What is said of those who might go for the pod. */
    private final List<String> rest = new ArrayList<>();
    /** The same of nodes that no engine was asked about, where there are no others. */
    private Optional<String> restOfLeftOut = Optional.empty();

    private JointMessage() {}

    /** In one line, and not longer than others can read. */
    static String line(String text) {
        String line = text.replace('\n', ' ').replace('\r', ' ');
        return line.length() <= LONGEST_LINE ? line : line.substring(0, LONGEST_LINE - 1) + CUT;
    }

    /** The same without what was said of those who might go for the pod. */
    static String withoutPreemption(String message) {
        Matcher parts = FIT_ERROR.matcher(message);
        return parts.matches() && parts.group(2) != null && parts.group(3) != null
                ? message.substring(0, parts.end(2) + 1)
                : message;
    }

    /**
     * What is said of the one node that a pod was tried on, without numbers.
     *
     * @param elsewhere how it begins what is said of all other nodes
     */
    static String ofOneNode(String message, String elsewhere) {
        Matcher parts = FIT_ERROR.matcher(message);
        if (!parts.matches() || parts.group(2) == null) {
            return message;
        }
        return REASONS.splitAsStream(parts.group(2))
                .map(REASON::matcher)
                .filter(reason -> reason.matches() && !reason.group(2).startsWith(elsewhere))
                .map(reason -> reason.group(2))
                .collect(Collectors.collectingAndThen(
                        Collectors.joining(", "), reasons -> reasons.isEmpty() ? "there is no such node" : reasons));
    }

    /** @param ofLeftOut the same of nodes that no engine was asked about, as no pod that goes would help; empty where there are none */
    static String of(List<String> messages, Optional<String> ofLeftOut) {
        JointMessage joint = new JointMessage();
        ofLeftOut.map(FIT_ERROR::matcher).filter(Matcher::matches).ifPresent(parts -> {
            joint.addNodes(parts);
            joint.leftOut = joint.nodes;
            joint.restOfLeftOut = Optional.ofNullable(parts.group(3));
        });
        Set<String> others = new LinkedHashSet<>();
        Set<String> ofNone = new LinkedHashSet<>();
        for (String message : messages) {
            Matcher parts = FIT_ERROR.matcher(message);
            if (parts.matches()) {
                joint.addNodes(parts);
                Optional.ofNullable(parts.group(3)).ifPresent(joint.rest::add);
            } else if (message.equals(FitError.NO_NODES)) {
                ofNone.add(message);
            } else {
                others.add(message);
            }
        }
        List<String> all = new ArrayList<>();
        if (joint.nodes > 0) {
            all.add(joint.text());
        }
        all.addAll(others);
        return String.join(" ", all.isEmpty() ? ofNone : all);
    }

    private void addNodes(Matcher parts) {
        nodes += Integer.parseInt(parts.group(1));
        Optional.ofNullable(parts.group(2)).ifPresent(this::addReasons);
    }

    private void addReasons(String reasons) {
        SortedMap<String, Integer> counts = new TreeMap<>();
        for (String each : REASONS.split(reasons)) {
            Matcher reason = REASON.matcher(each);
            if (!reason.matches()) {
                uncounted.add(reasons);
                return;
            }
            counts.merge(reason.group(2), Integer.parseInt(reason.group(1)), Integer::sum);
        }
        counts.forEach((reason, count) -> counted.merge(reason, count, Integer::sum));
    }

    private String text() {
        StringBuilder text = new StringBuilder(FitError.message(nodes, counted));
        if (!uncounted.isEmpty()) {
            text.setLength(text.length() - (counted.isEmpty() ? 0 : 1));
            text.append(counted.isEmpty() ? " " : ", ")
                    .append(String.join(", ", uncounted))
                    .append('.');
        }
        Map<String, List<String>> nested = new LinkedHashMap<>();
        Set<String> remarks = new LinkedHashSet<>();
        boolean areAllLeftOut = nodes == leftOut;
        for (String each : areAllLeftOut ? restOfLeftOut.stream().toList() : rest) {
            Matcher parts = NESTED.matcher(each);
            if (parts.matches()) {
                List<String> ofNodes = nested.computeIfAbsent(parts.group(1), _ -> new ArrayList<>());
                if (!areAllLeftOut) { // of those it is said below
                    ofNodes.add(parts.group(2));
                }
            } else {
                remarks.add(each);
            }
        }
        Optional<String> ofLeftOut = leftOut == 0
                ? Optional.empty()
                : Optional.of(FitError.message(leftOut, new TreeMap<>(Map.of(NOT_HELPFUL, leftOut))));
        nested.forEach((before, messages) -> text.append(' ').append(before).append(of(messages, ofLeftOut)));
        remarks.forEach(remark -> text.append(' ').append(remark));
        return text.toString();
    }
}
