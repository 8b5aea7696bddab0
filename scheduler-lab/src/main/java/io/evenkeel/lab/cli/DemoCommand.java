package io.evenkeel.lab.cli;

import io.evenkeel.app.logging.LoggingOptions;
import io.evenkeel.lab.demo.Demo;
import io.evenkeel.lab.demo.draw.Page;
import io.evenkeel.lab.demo.draw.Palette;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code evenkeel demo}. It fails unless every story came out as told. */
@Command(
        name = "demo",
        description = {
            "Plays stories of topology spread on a cluster in this process.",
            "The stories are those of the Kubernetes documents; the cluster is an API server, nodes that run nothing,"
                    + " controllers, and the real scheduler. Draws what the API shows. Then the cluster stays until"
                    + " Ctrl-C, to be tried by hand. Exits with 1 if a story did not come out as told."
        },
        mixinStandardHelpOptions = true)
final class DemoCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--once", description = "End after the stories")
    private boolean once;

    @Override
    public Integer call() throws IOException, InterruptedException {
        LoggingOptions.applyWarningsOnly();
        CommandLine command = spec.commandLine();
        Palette palette = command.getColorScheme().ansi().enabled() ? Palette.COLOURED : Palette.PLAIN;
        Demo demo = new Demo(new Page(command.getOut(), palette, command.getUsageHelpWidth()));
        return once ? demo.playOnce() : demo.playAndStay();
    }
}
