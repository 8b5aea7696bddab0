package io.evenkeel.app.demo;

import static java.util.stream.Collectors.joining;

import io.evenkeel.model.Pod;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** What a story has to say, printed as it is said; and whether all came out as told. */
final class Telling {
    static final int WIDTH = 80;
    private static final String MARGIN = "   ";
    private static final int LABEL_WIDTH = 9;

    private final PrintWriter out;
    private final Palette palette;
    private final List<String> checks = new ArrayList<>();
    private boolean asTold = true;

    Telling(PrintWriter out, Palette palette) {
        this.out = out;
        this.palette = palette;
    }

    boolean isAsTold() {
        return asTold;
    }

    /** What the scheduler is asked. */
    void asks(Pod pod) {
        asks(List.of(pod));
    }

    /** What the scheduler is asked: several pods of the same kind. */
    void asks(List<Pod> pods) {
        Pod first = pods.getFirst();
        String names = pods.size() == 1
                ? first.name()
                : first.name() + " to " + pods.getLast().name();
        say("asked", names + ", labels " + labelsOf(first));
        if (first.spec().topologySpread().isEmpty()) {
            say("", "no topologySpreadConstraints");
        }
        first.spec().topologySpread().forEach(constraint -> say("", ConstraintText.of(constraint)));
    }

    void draws(Snapshot... moments) {
        draws(ClusterTable.draw(palette, moments));
    }

    /** How a pod's constraints see the cluster, domain by domain. */
    void drawsSkew(DemoCluster cluster, Pod pod) {
        draws(SkewTable.draw(palette, cluster, pod));
    }

    void draws(TextTable table) {
        draws(table.draw());
    }

    /** The decision and its reason. */
    void decides(Answer answer) {
        decides("decided", answer);
    }

    /** One of several decisions and its reason. */
    void decides(String label, Answer answer) {
        say(label, answer.sentence());
        say("why", answer.why());
    }

    /** Several decisions, without their reasons. */
    void decides(List<Answer> answers) {
        say("decided", answers.stream().map(Answer::sentence).collect(joining(", ")));
    }

    /** Any other remark, under a label. */
    void say(String label, String text) {
        String indent = " ".repeat(LABEL_WIDTH);
        String start = label + " ".repeat(LABEL_WIDTH - label.length());
        for (String line : Wrapping.wrap(text, WIDTH - MARGIN.length() - LABEL_WIDTH)) {
            out.println(MARGIN + palette.faint(start) + line);
            start = indent;
        }
    }

    /** A point that the story makes; it stands at the story's end. */
    void check(String expectation, boolean holds) {
        asTold &= holds;
        checks.add(holds ? palette.good("✓ ") + expectation : palette.bad("✗ ") + expectation);
    }

    void blank() {
        out.println();
    }

    void end() {
        out.println();
        checks.forEach(check -> out.println(" " + check));
    }

    private void draws(List<String> table) {
        out.println();
        table.forEach(out::println);
        out.println();
    }

    private static String labelsOf(Pod pod) {
        return pod.labels().asMap().entrySet().stream()
                .map(label -> label.getKey() + "=" + label.getValue())
                .collect(joining(","));
    }
}
