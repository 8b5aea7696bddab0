package io.evenkeel.app.http.auth;

import io.evenkeel.app.http.Request;
import java.util.ArrayList;
import java.util.List;

/** A way to find out who sent a request; used by several threads at once. */
@FunctionalInterface
public interface Identification {

    /** What came of it. */
    sealed interface Finding {
        /** The request shows nothing of the kind. */
        record Nothing() implements Finding {}

        /** It shows something by which nobody is known. */
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
     * Several ways, one after another. The first by which somebody is known counts, whatever those before made of it: a
     * certificate from elsewhere does not make a good token worse. But who shows only what is no good is refused rather
     * than taken for somebody who shows nothing.
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
