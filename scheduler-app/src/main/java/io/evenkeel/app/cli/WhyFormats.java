package io.evenkeel.app.cli;

import io.evenkeel.app.why.WhyFormat;

/** Formats of why pods wait. */
final class WhyFormats extends OutputFormats<WhyFormat> {
    WhyFormats() {
        super(WhyFormat.JSON, WhyFormat::text);
    }
}
