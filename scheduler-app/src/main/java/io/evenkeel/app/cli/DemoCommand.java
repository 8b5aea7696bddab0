package io.evenkeel.app.cli;

import io.evenkeel.app.demo.Demo;
import io.evenkeel.app.demo.Palette;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code evenkeel demo}. Fails unless every story came out as told. */
@Command(
        name = "demo",
        description = "Plays topology-spread stories of the Kubernetes documents through the real engine, in this"
                + " process, and draws what it decides and why. There is no API server in it, and nothing outside is"
                + " touched. Exits with 1 if a story does not come out as told.",
        mixinStandardHelpOptions = true)
final class DemoCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--once",
            description = "End after the stories. So far the demo always does: a cluster in memory to try by hand"
                    + " will come in a later version.")
    private boolean once;

    @Override
    public Integer call() {
        CommandLine command = spec.commandLine();
        PrintWriter out = command.getOut();
        Palette palette = command.getColorScheme().ansi().enabled() ? Palette.COLOURED : Palette.PLAIN;
        boolean asTold = new Demo(out, palette).run();
        if (!once) {
            out.println("A cluster in memory to try by hand comes later; this is all for now.");
            out.flush();
        }
        return asTold ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }
}
