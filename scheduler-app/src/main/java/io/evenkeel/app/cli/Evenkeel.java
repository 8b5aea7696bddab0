package io.evenkeel.app.cli;

import io.evenkeel.app.cli.StandardOutput.OutputException;
import io.evenkeel.app.option.Converters.FilePath;
import io.evenkeel.app.option.Converters.GoBool;
import io.evenkeel.app.option.Converters.WholeNumber;
import io.evenkeel.model.decode.cursor.Excerpt;
import io.evenkeel.problem.UserProblem;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine;

/**
 * The command {@code evenkeel}. A mistake in the command line ends in one line and exit code 2, any other failure that a user
 * can mend in one line and exit code 1.
 */
@Command(
        name = "evenkeel",
        description = "A Kubernetes scheduler that answers as kube-scheduler does, faster.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class)
public final class Evenkeel implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    public static void main(String[] args) {
        HttpLimits.set();
        System.exit(Terminal.ofProcess()
                .of(commandLine(isRun(args) ? Stream.of(new RunCommand()) : commands()))
                .setOut(StandardOutput.writer())
                .execute(args));
    }

    /** Pods wait for a scheduler to be up: it does not read first what the other commands' options are. */
    private static boolean isRun(String[] args) {
        return args.length > 0 && args[0].equals(RunCommand.NAME);
    }

    /** With all commands that there are. */
    public static CommandLine commandLine() {
        return commandLine(commands());
    }

    private static CommandLine commandLine(Stream<Object> commands) {
        CommandLine evenkeel = new CommandLine(new Evenkeel());
        commands.map(CommandLine::new).forEach(evenkeel::addSubcommand);
        evenkeel.getSubcommands()
                .values()
                .forEach(below -> below.getCommandSpec().versionProvider(new Version()));
        OptionGroups.list(evenkeel);
        CommandLine.tracer()
                .setLevel(CommandLine.TraceLevel.OFF); // it would warn of a flag given again, in its own form
        return evenkeel.setOverwrittenOptionsAllowed(true) // the last one holds, as with programs in Go
                .registerConverter(Path.class, new FilePath())
                .registerConverter(boolean.class, new GoBool())
                .registerConverter(Boolean.class, new GoBool())
                .registerConverter(int.class, new WholeNumber.Any())
                .registerConverter(Integer.class, new WholeNumber.Any())
                .setParameterExceptionHandler(new UsageMistakes())
                .setExecutionStrategy(Evenkeel::execute)
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    if (failure instanceof OutputException lost) {
                        if (!lost.isClosedPipe()) {
                            command.getErr().println("evenkeel: " + lost.getMessage());
                        }
                        return CommandLine.ExitCode.SOFTWARE;
                    }
                    if (failure instanceof UserProblem) {
                        String.valueOf(failure.getMessage())
                                .lines()
                                .forEach(line -> command.getErr().println("evenkeel: " + Excerpt.oneLine(line)));
                        return CommandLine.ExitCode.SOFTWARE;
                    }
                    command.getErr()
                            .println("evenkeel: an error of evenkeel itself; please report it with what follows");
                    throw failure;
                });
    }

    private static Stream<Object> commands() {
        Stream<Object> more = ServiceLoader.load(MoreCommands.class, Evenkeel.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get)
                .sorted(Comparator.comparing(MoreCommands::areLast))
                .flatMap(found -> found.commands().stream());
        return Stream.of(
                        Stream.of(new RunCommand()),
                        more,
                        Stream.of(new CompletionCommand(), new HelpCommand(), new VersionCommand()))
                .flatMap(Function.identity());
    }

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    private static CommandLine.ExecutionException failed(CommandLine.ParseResult parsed, UserProblem why) {
        return new CommandLine.ExecutionException(
                parsed.commandSpec().commandLine(), String.valueOf(why.getMessage()), why);
    }

    /** Help and version are printed outside of any command: a failure there would have no handler. */
    private static int execute(CommandLine.ParseResult parsed) {
        try {
            return new CommandLine.RunLast().execute(parsed);
        } catch (OutputException lost) {
            throw failed(parsed, lost);
        } catch (OutOfMemoryError full) {
            throw failed(
                    parsed,
                    new UserProblem(
                            "the heap of " + Runtime.getRuntime().maxMemory() / (1 << 20)
                                    + " MiB is too small for this; EVENKEEL_JAVA_OPTS=-Xmx sets a larger one",
                            full));
        }
    }

    /** {@code evenkeel completion}, as kubectl has it. */
    @Command(
            name = "completion",
            description = {
                "Prints a completion script for bash or zsh.",
                "For this session: source <(evenkeel completion bash). For all: put that line into ~/.bashrc or, with zsh,"
                        + " ~/.zshrc."
            },
            mixinStandardHelpOptions = true)
    private static final class CompletionCommand implements Runnable {
        /** One script serves them all. */
        private static final List<String> SHELLS = List.of("bash", "zsh");

        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Parameters(paramLabel = "SHELL", completionCandidates = Shells.class, description = "${COMPLETION-CANDIDATES}")
        private String shell = "";

        @Override
        public void run() {
            if (!SHELLS.contains(shell)) {
                throw new ParameterException(
                        spec.commandLine(),
                        "there is no completion for " + shell + "; there is for " + String.join(" and ", SHELLS));
            }
            CommandLine all = spec.commandLine().getParent();
            all.getOut().print(CompletionScript.of(all));
            all.getOut().flush();
        }

        /** For the help, and for the completion of this very command. */
        static final class Shells implements Iterable<String> {
            @Override
            public Iterator<String> iterator() {
                return SHELLS.iterator();
            }
        }
    }

    /** {@code evenkeel help}, as other tools have it. */
    @Command(name = "help", description = "Shows what a command does and which options it takes.")
    private static final class HelpCommand implements Runnable {
        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Parameters(arity = "0..1", paramLabel = "COMMAND", description = "Command to explain (default: all, in short)")
        private Optional<String> command = Optional.empty();

        @Override
        public void run() {
            CommandLine all = spec.commandLine().getParent();
            command.map(name -> Optional.ofNullable(all.getSubcommands().get(name))
                            .orElseThrow(() -> UsageMistakes.unknownCommand(all, name)))
                    .orElse(all)
                    .usage(all.getOut());
        }
    }

    /** {@code evenkeel version}, as other tools have it. */
    @Command(name = "version", description = "Prints the version.", mixinStandardHelpOptions = true)
    private static final class VersionCommand implements Runnable {
        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Override
        public void run() {
            spec.commandLine().printVersionHelp(spec.commandLine().getOut());
        }
    }

    /**
     * Limits that the JDK reads once, when the first class of its TLS or its HTTP server is loaded, so they are set at the very
     * start. The HTTP server is a hollow cluster's; ours has {@code app.http.Limits}.
     */
    static final class HttpLimits {
        private HttpLimits() {}

        /** To be called before anything else touches TLS or {@code com.sun.net.httpserver}; what the command line sets stays. */
        public static void set() {
            // a client may not have a server work out new keys as often as it likes
            setDefault("jdk.tls.rejectClientInitiatedRenegotiation", "true");
            // small answers on kept connections would wait 40 ms for an acknowledgement otherwise
            setDefault("sun.net.httpserver.nodelay", "true");
            // a client that sends its request a byte at a time is cut off; answers have no limit, as some are streams
            setDefault("sun.net.httpserver.maxReqTime", "10");
            setDefault("sun.net.httpserver.maxReqHeaders", "100");
            setDefault("sun.net.httpserver.maxReqHeaderSize", "65536");
            setDefault("sun.net.httpserver.idleInterval", "60");
            setDefault("jdk.httpserver.maxConnections", "500");
        }

        private static void setDefault(String property, String value) {
            if (System.getProperty(property) == null) {
                System.setProperty(property, value);
            }
        }
    }
}
