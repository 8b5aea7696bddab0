package io.evenkeel.app.http.serve;

import io.evenkeel.app.http.Request;
import io.evenkeel.app.http.serve.ReviewedAnswers.ReviewCall.ReviewFailedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A way to find out who sent a request; used by several threads at once. */
@FunctionalInterface
interface Identification {

    sealed interface Finding {
        /** The request shows no credential of this kind. */
        record Nothing() implements Finding {}

        /** The request shows a credential that identifies no user. */
        record Refused(String why) implements Finding {}

        record Known(User user) implements Finding {}
    }

    Finding NOTHING = new Finding.Nothing();

    /** Finds it out, and fails if the API server would have to say, and does not. */
    Finding identify(Request request) throws ReviewFailedException;

    /**
     * Several ways, one after another. The first that identifies a user counts, whatever those before made of it: a
     * certificate from elsewhere does not make a good token worse. But a client that shows only bad credentials is
     * refused rather than taken for an anonymous one.
     */
    static Identification firstOf(Identification... ways) {
        return request -> {
            List<String> refusals = new ArrayList<>();
            for (Identification way : ways) {
                switch (way.identify(request)) {
                    case Finding.Known known -> {
                        return known;
                    }
                    case Finding.Refused refused -> refusals.add(refused.why());
                    case Finding.Nothing _ -> {}
                }
            }
            return refusals.isEmpty() ? NOTHING : new Finding.Refused(String.join("; ", refusals));
        };
    }

    /** A user as the API server knows it: the subject of an access review. */
    record User(String name, String uid, List<String> groups, Map<String, List<String>> extra) {
        private static final String AUTHENTICATED = "system:authenticated";
        private static final String UNAUTHENTICATED = "system:unauthenticated";
        static final User ANONYMOUS = new User("system:anonymous", "", List.of(UNAUTHENTICATED), Map.of());
        private static final String MASTERS = "system:masters";

        /** This user in {@code system:authenticated} too, unless it is in that group or in its opposite already. */
        User authenticated() {
            boolean told =
                    name.equals(ANONYMOUS.name) || groups.contains(AUTHENTICATED) || groups.contains(UNAUTHENTICATED);
            return told
                    ? this
                    : new User(
                            name,
                            uid,
                            Stream.concat(groups.stream(), Stream.of(AUTHENTICATED))
                                    .toList(),
                            extra);
        }

        /** Members of {@code system:masters} may do anything; the API server is not asked. */
        boolean isMaster() {
            return groups.contains(MASTERS);
        }
    }
}
