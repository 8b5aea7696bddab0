package io.evenkeel.lab.cli;

import io.evenkeel.app.cli.MoreCommands;
import io.evenkeel.app.logging.LoggingOptions;
import io.evenkeel.lab.bench.BenchCommand;
import io.evenkeel.lab.demo.Demo;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The laboratory's commands, in the order of the help. */
public final class LabCommands implements MoreCommands {
    @Override
    public List<Object> commands() {
        return Stream.concat(
                        BenchCommand.withItsProcesses().stream(), Stream.of(new DemoCommand(), new HollowCommand()))
                .toList();
    }

    @Override
    public boolean areLast() {
        return true;
    }

    /** {@code evenkeel demo}. It fails unless every story came out as told. */
    @Command(
            name = "demo",
            description = {
                "Plays stories of topology spread on a cluster in this process.",
                "The stories are those of the Kubernetes documents; the cluster is an API server, nodes that run nothing,"
                        + " controllers, and the real scheduler. Draws what the API shows. Then the cluster stays until"
                        + " Ctrl-C, to be tried by hand. Exits with 1 if a story did not come out as told."
            },
            footerHeading = "%nExamples:%n",
            footer = {"  evenkeel demo --once"},
            mixinStandardHelpOptions = true)
    private static final class DemoCommand implements Callable<Integer> {
        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Option(names = "--once", description = "End after the stories")
        private boolean once;

        @Option(names = "--no-open", description = "Open no browser; on a desktop one shows the page otherwise")
        private boolean isNotToOpen;

        @Override
        public Integer call() throws IOException, InterruptedException {
            LoggingOptions.applyWarningsOnly();
            CommandLine command = spec.commandLine();
            boolean coloured = command.getColorScheme().ansi().enabled();
            Demo demo = new Demo(command.getOut(), coloured, command.getUsageHelpWidth());
            return once ? demo.playOnce() : demo.playAndStay(isNotToOpen ? _ -> {} : DesktopBrowser::show);
        }
    }

    /** The browser of who sits at this machine, before a terminal. */
    static final class DesktopBrowser {
        private DesktopBrowser() {}

        static void show(URI address) {
            if (System.console() == null || !System.console().isTerminal()) {
                return;
            }
            command(System.getProperty("os.name"), System.getenv()).ifPresent(command -> start(command, address));
        }

        private static void start(List<String> command, URI address) {
            try {
                new ProcessBuilder(Stream.concat(command.stream(), Stream.of(address.toString()))
                                .toList())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
            } catch (IOException _) {
                // the address is printed
            }
        }

        /** What opens an address; empty where nobody sees a desktop of this machine. */
        static Optional<List<String>> command(String system, Map<String, String> environment) {
            if (environment.containsKey("SSH_CONNECTION")) {
                return Optional.empty();
            }
            if (system.startsWith("Windows")) {
                return Optional.of(List.of("rundll32", "url.dll,FileProtocolHandler"));
            }
            if (system.startsWith("Mac")) {
                return Optional.of(List.of("open"));
            }
            return environment.containsKey("DISPLAY") || environment.containsKey("WAYLAND_DISPLAY")
                    ? Optional.of(List.of("xdg-open"))
                    : Optional.empty();
        }
    }
}
