package io.evenkeel.app.why.api;

import io.evenkeel.app.http.Request;
import io.evenkeel.app.why.WhyOutput;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A question, as it came.
 *
 * @param ofAll whether pods of all namespaces may be named, for which access has been reviewed
 * @param output a format of the report; empty for the object of the API
 * @param columns how long lines for people may be
 */
record PlacementRequest(String namespace, String name, boolean ofAll, Optional<WhyOutput> output, int columns) {
    private static final Pattern NAME = Pattern.compile("[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?");
    private static final int USUAL_COLUMNS = 80;
    private static final int MOST_COLUMNS = 1_000;

    /** Empty where the path is another: below {@code …/namespaces/} there are only {@code NAMESPACE/pods/NAME/placement}. */
    static Optional<PlacementRequest> of(Request request) {
        String[] parts =
                request.path().substring(PlacementApi.NAMESPACES.length()).split("/", -1);
        return parts.length == 4
                        && NAME.matcher(parts[0]).matches()
                        && parts[1].equals("pods")
                        && NAME.matcher(parts[2]).matches()
                        && parts[3].equals("placement")
                ? Optional.of(new PlacementRequest(
                        parts[0],
                        parts[2],
                        request.asks("allNamespaces"),
                        request.values("output").stream().findFirst().flatMap(WhyOutput::named),
                        columns(request.values("columns"))))
                : Optional.empty();
    }

    private static int columns(List<String> asked) {
        try {
            return asked.isEmpty() ? USUAL_COLUMNS : Math.clamp(Integer.parseInt(asked.getFirst()), 20, MOST_COLUMNS);
        } catch (NumberFormatException noNumber) {
            return USUAL_COLUMNS;
        }
    }

    String key() {
        return namespace + "/" + name;
    }
}
