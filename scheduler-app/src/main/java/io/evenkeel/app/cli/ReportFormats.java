package io.evenkeel.app.cli;

import io.evenkeel.app.observe.report.ReportFormat;

/** Formats of what is said of a cluster's spread. */
final class ReportFormats extends OutputFormats<ReportFormat> {
    ReportFormats() {
        super(ReportFormat.JSON, ReportFormat::text);
    }
}
