package io.evenkeel.app.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** A command line as a user types it, and what comes of it. */
public record Typed(int exitCode, String out, String err) {
    public static Typed evenkeel(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine command =
                Evenkeel.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return new Typed(command.execute(arguments), out.toString(), err.toString());
    }
}
