package io.evenkeel.tools.observe;

import java.io.IOException;

/** How a report is written. */
@FunctionalInterface
public interface ReportFormat {
    ReportFormat JSON = new JsonReport();

    static ReportFormat text(int columns) {
        return new TextReport(columns);
    }

    String format(SpreadReport report) throws IOException;
}
