package io.evenkeel.tools.why;

import io.evenkeel.app.http.Parameters;
import io.evenkeel.app.http.Request;
import io.evenkeel.model.decode.cursor.Excerpt;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.SelectorText;
import io.evenkeel.tools.output.Layout;
import io.evenkeel.tools.output.Output;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A question, as it came.
 *
 * @param namespace that it is about; empty for all
 * @param ofAll whether pods of all namespaces may be named, for which access has been reviewed
 * @param output a format of the report; empty for the object of the API
 * @param layout of text for people
 */
record PlacementRequest(String namespace, Subject subject, boolean ofAll, Optional<Output> output, Layout layout) {
    static final String PLACEMENTS = "placements";
    static final String SPREADS = "spreads";

    private static final Pattern NAME = Pattern.compile("[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?");
    private static final String ALL = "allNamespaces";
    private static final String OUTPUT = "output";
    private static final String COLUMNS = "columns";
    private static final String COLOURS = "colors";
    private static final String KUBECTL = "kubectl";
    private static final String WORKLOAD = "workload";
    private static final String LABELS = "labelSelector";
    private static final Pattern OPTION = Pattern.compile("--(kubeconfig|context|server)=.+");
    private static final Parameters OF_ONE =
            Parameters.named(Set.of(ALL, OUTPUT, COLUMNS, COLOURS)).andSeveral(Set.of(KUBECTL));
    /** A limit is what kubectl sends with each list; there are no parts of this one. */
    private static final Parameters OF_SEVERAL = Parameters.named(
                    Set.of(ALL, OUTPUT, COLUMNS, COLOURS, WORKLOAD, LABELS, "limit"))
            .andSeveral(Set.of(KUBECTL));

    private static final Parameters OF_SPREADS = Parameters.named(Set.of("limit"));

    private static final int FEWEST_COLUMNS = 20;
    private static final int USUAL_COLUMNS = 80;
    private static final int MOST_COLUMNS = 1_000;

    /** What is asked about. */
    sealed interface Subject {
        record One(String name) implements Subject {}

        /** All of those that wait. */
        record Several(MeantPods pods) implements Subject {}

        /** Of all workloads. */
        record Spread() implements Subject {}
    }

    /**
     * Empty where the path is another: there are {@code …/namespaces/NAMESPACE/pods/NAME/placement}, and {@code placements} and
     * {@code spreads} in {@code …/namespaces/NAMESPACE/} and in {@code …/}.
     *
     * @throws BadQuestionException if it makes no sense
     */
    static Optional<PlacementRequest> of(Request request) throws BadQuestionException {
        if (request.path().equals(PlacementApi.OF_ALL_NAMESPACES)) {
            require(OF_SEVERAL, request);
            return Optional.of(of(request, "", several(request, "")));
        }
        if (request.path().equals(PlacementApi.SPREADS_OF_ALL_NAMESPACES)) {
            return Optional.of(spread(request, ""));
        }
        String[] parts =
                request.path().substring(PlacementApi.NAMESPACES.length()).split("/", -1);
        if (parts.length == 2 && parts[1].equals(PLACEMENTS)) {
            require(OF_SEVERAL, request);
            String namespace = name("namespace", parts[0]);
            return Optional.of(of(request, namespace, several(request, namespace)));
        }
        if (parts.length == 2 && parts[1].equals(SPREADS)) {
            return Optional.of(spread(request, name("namespace", parts[0])));
        }
        if (parts.length != 4 || !parts[1].equals("pods") || !parts[3].equals("placement")) {
            return Optional.empty();
        }
        require(OF_ONE, request);
        return Optional.of(of(request, name("namespace", parts[0]), new Subject.One(name("pod", parts[2]))));
    }

    private static PlacementRequest of(Request request, String namespace, Subject subject) throws BadQuestionException {
        return new PlacementRequest(
                namespace, subject, isAsked(request, ALL) || namespace.isEmpty(), output(request), layout(request));
    }

    private static PlacementRequest spread(Request request, String namespace) throws BadQuestionException {
        require(OF_SPREADS, request);
        return of(request, namespace, new Subject.Spread());
    }

    private static void require(Parameters parameters, Request request) throws BadQuestionException {
        Optional<String> mistake = parameters.problem(request);
        if (mistake.isPresent()) {
            throw new BadQuestionException(mistake.get());
        }
    }

    private static Subject several(Request request, String namespace) throws BadQuestionException {
        Optional<String> typed = given(request, WORKLOAD);
        Optional<String> labels = given(request, LABELS).filter(given -> !given.isEmpty());
        if (typed.isPresent() && (namespace.isEmpty() || labels.isPresent())) {
            throw new BadQuestionException(WORKLOAD + ": goes with a namespace, and without " + LABELS);
        }
        if (typed.isPresent()) {
            return new Subject.Several(MeantPods.of(workload(typed.get(), namespace)));
        }
        Optional<LabelSelector> selector = labels.flatMap(SelectorText::parse);
        if (labels.isPresent() && selector.isEmpty()) {
            throw new BadQuestionException(
                    LABELS + ": expected labels such as app=web,tier in (a,b), got " + Excerpt.quoted(labels.get()));
        }
        return new Subject.Several(
                new MeantPods(Optional.of(namespace).filter(name -> !name.isEmpty()), selector, Optional.empty()));
    }

    private static Workload workload(String typed, String namespace) throws BadQuestionException {
        int slash = typed.indexOf('/');
        Optional<String> kind = slash < 0
                ? Optional.empty()
                : Workload.kindNamed(typed.substring(0, slash)).filter(known -> !known.equals(Workload.POD));
        if (kind.isEmpty()) {
            throw new BadQuestionException(
                    WORKLOAD + ": expected TYPE/NAME, as in deploy/web, got " + Excerpt.quoted(typed));
        }
        return new Workload(kind.get(), namespace, name("workload", typed.substring(slash + 1)));
    }

    private static String name(String of, String text) throws BadQuestionException {
        if (!NAME.matcher(text).matches()) {
            throw new BadQuestionException("\"" + Excerpt.of(text) + "\" is no name of a " + of);
        }
        return text;
    }

    private static boolean isAsked(Request request, String flag) throws BadQuestionException {
        Optional<String> given = given(request, flag);
        if (given.isPresent() && !given.get().isEmpty() && !given.get().equals("true")) {
            throw new BadQuestionException(flag + ": expected true or nothing, got \"" + Excerpt.of(given.get()) + '"');
        }
        return given.isPresent();
    }

    private static Optional<Output> output(Request request) throws BadQuestionException {
        Optional<String> given = given(request, OUTPUT);
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
        Optional<String> given = given(request, COLUMNS);
        if (given.isEmpty()) {
            return USUAL_COLUMNS;
        }
        if (!given.get().matches("[0-9]{1,9}")) {
            throw new BadQuestionException(COLUMNS + ": expected a number, got \"" + Excerpt.of(given.get()) + '"');
        }
        return Math.clamp(Integer.parseInt(given.get()), FEWEST_COLUMNS, MOST_COLUMNS);
    }

    private static Optional<String> given(Request request, String name) {
        return request.values(name).stream().findFirst();
    }

    /** For the log: a pod as {@code namespace/name}, or what else is meant. */
    String title() {
        return switch (subject) {
            case Subject.One(var name) -> namespace + "/" + name;
            case Subject.Several(var pods) -> "all" + pods.where();
            case Subject.Spread() -> "spread of " + (namespace.isEmpty() ? "all" : namespace);
        };
    }
}
