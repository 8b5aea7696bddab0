package io.evenkeel.model.decode.cursor;

import java.util.Set;
import java.util.stream.Collectors;

/** Something is wrong with a field; the reader, which knows the object, turns this into an ObjectReadException. */
public final class FieldProblem extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String path;
    private final String problem;

    public FieldProblem(String path, String problem) {
        super(path.isEmpty() ? problem : Excerpt.of(path) + ": " + problem);
        this.path = path;
        this.problem = problem;
    }

    /** The same, of a field within the one that the path leads to. */
    public FieldProblem within(String outer) {
        boolean joined = outer.isEmpty() || path.isEmpty();
        FieldProblem longer = new FieldProblem(outer + (joined ? "" : ".") + path, problem);
        longer.setStackTrace(getStackTrace());
        return longer;
    }

    /** Names the values expected, where only a few are possible. */
    public static String expectedOneOf(Set<String> names) {
        return names.stream().sorted().collect(Collectors.joining(", ", "expected one of ", ""));
    }
}
