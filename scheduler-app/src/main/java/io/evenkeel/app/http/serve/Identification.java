package io.evenkeel.app.http.serve;

import io.evenkeel.app.http.Request;
import java.util.ArrayList;
import java.util.List;

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

    /**
     * Tries it.
     *
     * @throws ReviewFailedException if the API server would have to say, and does not
     */
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
}
