package io.evenkeel.e2e.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.cli.Evenkeel;
import java.io.PrintWriter;
import java.io.StringWriter;

/** A command line as a user types it. */
final class Typing {
    private Typing() {}

    /** What it prints; it must succeed and have nothing to warn of. */
    static String evenkeel(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exitCode = Evenkeel.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
        assertThat(err.toString()).isEmpty();
        assertThat(exitCode).isZero();
        return out.toString();
    }
}
