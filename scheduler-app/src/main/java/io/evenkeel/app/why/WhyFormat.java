package io.evenkeel.app.why;

import java.io.IOException;

/** A format for what is said of a pod. */
public interface WhyFormat {
    /** One line of JSON. */
    WhyFormat JSON = new JsonWhy();

    /** For people, in lines no longer than that where words allow it. */
    static WhyFormat text(int columns) {
        return new TextWhy(columns);
    }

    /** The report as text. */
    String format(PodReport report) throws IOException;
}
