package io.evenkeel.model;

/** Something is wrong with a field; whoever knows the object it stands in turns this into an ObjectReadException. */
final class FieldProblem extends RuntimeException {
    private static final long serialVersionUID = 1L;

    FieldProblem(String path, String problem) {
        super(path.isEmpty() ? problem : path + ": " + problem);
    }
}
