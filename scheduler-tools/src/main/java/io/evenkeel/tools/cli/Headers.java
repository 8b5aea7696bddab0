package io.evenkeel.tools.cli;

import io.evenkeel.app.terminal.Version;
import io.evenkeel.tools.dump.DumpHeader;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;

/** First lines of dumps that this program makes now. */
final class Headers {
    private Headers() {}

    static DumpHeader now(String source, boolean anonymised, Map<String, String> leftOut) {
        return new DumpHeader(
                "evenkeel " + new Version().number(),
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                source,
                anonymised,
                leftOut);
    }
}
