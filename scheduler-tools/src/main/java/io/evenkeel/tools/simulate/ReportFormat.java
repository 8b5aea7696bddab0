package io.evenkeel.tools.simulate;

import java.io.IOException;

/** A format for what is said of a simulation. */
public interface ReportFormat {
    /** One line of JSON. */
    ReportFormat JSON = new JsonReport();

    /** For people, in lines no longer than that where words allow it. */
    static ReportFormat text(int columns) {
        return new TextReport(columns);
    }

    /** The answer as text. */
    String format(Answer answer) throws IOException;
}
