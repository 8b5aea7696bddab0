package io.evenkeel.tools.why;

import io.evenkeel.app.http.Parameters;
import io.evenkeel.app.http.Request;
import io.evenkeel.model.decode.cursor.Excerpt;
import io.evenkeel.tools.output.Layout;
import io.evenkeel.tools.output.Output;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A question, as it came.
 *
 * @param ofAll whether pods of all namespaces may be named, for which access has been reviewed
 * @param output a format of the report; empty for the object of the API
 * @param layout of text for people
 */
record PlacementRequest(String namespace, String name, boolean ofAll, Optional<Output> output, Layout layout) {
    private static final Pattern NAME = Pattern.compile("[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?");
    private static final String ALL = "allNamespaces";
    private static final String OUTPUT = "output";
    private static final String COLUMNS = "columns";
    private static final String COLOURS = "colors";
    private static final String KUBECTL = "kubectl";
    private static final Pattern OPTION = Pattern.compile("--(kubeconfig|context|server)=.+");
    private static final Parameters PARAMETERS = Parameters.named(Set.of(ALL, OUTPUT, COLUMNS, COLOURS, KUBECTL));
    private static final int FEWEST_COLUMNS = 20;
    private static final int USUAL_COLUMNS = 80;
    private static final int MOST_COLUMNS = 1_000;

    /**
     * Empty where the path is another: below {@code …/namespaces/} there are only {@code NAMESPACE/pods/NAME/placement}.
     *
     * @throws BadQuestionException if it makes no sense
     */
    static Optional<PlacementRequest> of(Request request) throws BadQuestionException {
        String[] parts =
                request.path().substring(PlacementApi.NAMESPACES.length()).split("/", -1);
        if (parts.length != 4 || !parts[1].equals("pods") || !parts[3].equals("placement")) {
            return Optional.empty();
        }
        Optional<String> mistake = PARAMETERS.problem(request);
        if (mistake.isPresent()) {
            throw new BadQuestionException(mistake.get());
        }
        return Optional.of(new PlacementRequest(
                name("namespace", parts[0]),
                name("pod", parts[2]),
                isAsked(request, ALL),
                output(request),
                layout(request)));
    }

    private static String name(String of, String text) throws BadQuestionException {
        if (!NAME.matcher(text).matches()) {
            throw new BadQuestionException("\"" + Excerpt.of(text) + "\" is no name of a " + of);
        }
        return text;
    }

    private static boolean isAsked(Request request, String flag) throws BadQuestionException {
        Optional<String> given = only(request, flag);
        if (given.isPresent() && !given.get().isEmpty() && !given.get().equals("true")) {
            throw new BadQuestionException(flag + ": expected true or nothing, got \"" + Excerpt.of(given.get()) + '"');
        }
        return given.isPresent();
    }

    private static Optional<Output> output(Request request) throws BadQuestionException {
        Optional<String> given = only(request, OUTPUT);
        Optional<Output> output = given.flatMap(Output::named);
        if (given.isPresent() && output.isEmpty()) {
            throw new BadQuestionException(
                    OUTPUT + ": expected text, wide, json or yaml, got \"" + Excerpt.of(given.get()) + '"');
        }
        return output;
    }

    private static Layout layout(Request request) throws BadQuestionException {
        List<String> options = request.values(KUBECTL);
        for (String option : options) {
            if (!OPTION.matcher(option).matches()) {
                throw new BadQuestionException(
                        KUBECTL + ": expected --kubeconfig=, --context= or --server= with a value," + " got \""
                                + Excerpt.of(option) + '"');
            }
        }
        return new Layout(columns(request), isAsked(request, COLOURS), List.copyOf(options));
    }

    private static int columns(Request request) throws BadQuestionException {
        Optional<String> given = only(request, COLUMNS);
        if (given.isEmpty()) {
            return USUAL_COLUMNS;
        }
        if (!given.get().matches("[0-9]{1,9}")) {
            throw new BadQuestionException(COLUMNS + ": expected a number, got \"" + Excerpt.of(given.get()) + '"');
        }
        return Math.clamp(Integer.parseInt(given.get()), FEWEST_COLUMNS, MOST_COLUMNS);
    }

    private static Optional<String> only(Request request, String name) throws BadQuestionException {
        List<String> values = request.values(name);
        if (values.size() > 1) {
            throw new BadQuestionException(name + ": given " + values.size() + " times");
        }
        return values.stream().findFirst();
    }

    String key() {
        return namespace + "/" + name;
    }
}
