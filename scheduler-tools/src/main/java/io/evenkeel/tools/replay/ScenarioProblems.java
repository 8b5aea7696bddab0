package io.evenkeel.tools.replay;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Problems with the lines of a source, each told as it comes, but for lines before the first scenario that are none:
 * where none follows, as in a picture or a manifest, the first of them says enough.
 */
final class ScenarioProblems {
    private static final int MOST_BEFORE = 1_000;

    private final Consumer<String> out;
    private final List<String> before = new ArrayList<>();
    private boolean hasScenarios;

    ScenarioProblems(Consumer<String> out) {
        this.out = out;
    }

    /** A line is a scenario, whether it can be replayed or not. */
    void isScenario() {
        hasScenarios = true;
        before.forEach(out);
        before.clear();
    }

    void add(String problem) {
        isScenario();
        out.accept(problem);
    }

    /**
     * A line is none.
     *
     * @return whether it is worth to read on
     */
    boolean addNone(String problem) {
        if (hasScenarios) {
            out.accept(problem);
        } else {
            before.add(problem);
        }
        return before.size() < MOST_BEFORE;
    }

    /** There are no more lines. */
    void end() {
        if (!before.isEmpty()) {
            out.accept(before.getFirst() + after(before.size() - 1));
        }
    }

    private static String after(int lines) {
        return switch (lines) {
            case 0 -> "";
            case 1 -> "; nor is the line after it a scenario";
            default -> "; nor is any of the " + lines + " lines after it a scenario";
        };
    }
}
