package io.evenkeel.app.cli;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.evenkeel.app.cli.Terminal.StandardOutput;
import io.evenkeel.app.cli.Terminal.StandardOutput.OutputException;
import io.evenkeel.app.option.Commit;
import io.evenkeel.app.option.Converters.FilePath;
import io.evenkeel.app.option.Converters.GoBool;
import io.evenkeel.app.option.Converters.WholeNumber;
import io.evenkeel.app.option.ServerOptions;
import io.evenkeel.kube.api.Answered;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.client.ApiObserver;
import io.evenkeel.kube.client.HttpTransport;
import io.evenkeel.model.decode.cursor.Excerpt;
import io.evenkeel.problem.NearestName;
import io.evenkeel.problem.UserProblem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Layout;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The command {@code evenkeel}. A mistake in the command line ends in one line and exit code 2, any other failure that a user
 * can mend in one line and exit code 1.
 */
@Command(
        name = "evenkeel",
        description = "A Kubernetes scheduler that answers as kube-scheduler does, faster.",
        footerHeading = "%nExamples:%n",
        footer = {"  evenkeel demo", "  evenkeel run --help"},
        mixinStandardHelpOptions = true)
public final class Evenkeel implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    public static void main(String[] args) {
        HttpLimits.set();
        System.exit(Terminal.ofProcess()
                .of(commandLine(args.length == 0 ? commands() : meant(args[0])))
                .setOut(StandardOutput.writer())
                .execute(args));
    }

    /** Pods wait for a scheduler to be up, and people for an answer: what the options of other commands are is not read first. */
    private static Stream<Object> meant(String name) {
        return name.equals(RunCommand.NAME)
                ? Stream.of(new RunCommand())
                : moreCommands()
                        .filter(command -> command.getClass()
                                .getAnnotation(Command.class)
                                .name()
                                .equals(name))
                        .findFirst()
                        .map(Stream::of)
                        .orElseGet(Evenkeel::commands);
    }

    /** With all commands that there are. */
    public static CommandLine commandLine() {
        return commandLine(commands());
    }

    private static CommandLine commandLine(Stream<Object> commands) {
        CommandLine evenkeel = new CommandLine(new Evenkeel());
        commands.map(CommandLine::new).forEach(evenkeel::addSubcommand);
        tellVersion(evenkeel);
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

    private static void tellVersion(CommandLine command) {
        command.getCommandSpec().versionProvider(new Version());
        command.getSubcommands().values().forEach(Evenkeel::tellVersion);
    }

    private static Stream<Object> commands() {
        return Stream.of(
                        Stream.of(new RunCommand()),
                        moreCommands(),
                        Stream.of(new CompletionCommand(), new HelpCommand(), new VersionCommand(), new NamesCommand()))
                .flatMap(Function.identity());
    }

    private static Stream<Object> moreCommands() {
        return ServiceLoader.load(MoreCommands.class, Evenkeel.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get)
                .sorted(Comparator.comparing(MoreCommands::areLast))
                .flatMap(found -> found.commands().stream());
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
                "Prints a completion script for bash, zsh or fish.",
                "For this session: source <(evenkeel completion bash). For all: put that line into ~/.bashrc or, with zsh,"
                        + " ~/.zshrc. Names of namespaces, pods and nodes are asked of the cluster."
            },
            footerHeading = "%nExamples:%n",
            footer = {
                "  source <(evenkeel completion bash)",
                "  evenkeel completion fish >~/.config/fish/completions/evenkeel.fish"
            },
            mixinStandardHelpOptions = true)
    private static final class CompletionCommand implements Runnable {
        private static final String FISH = "fish";
        private static final List<String> SHELLS = List.of("bash", "zsh", FISH);

        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Parameters(paramLabel = "SHELL", completionCandidates = Shells.class, description = "${COMPLETION-CANDIDATES}")
        private String shell = "";

        @Override
        public void run() {
            if (!SHELLS.contains(shell)) {
                throw new ParameterException(
                        spec.commandLine(),
                        "there is no completion for " + shell + "; there is for " + String.join(", ", SHELLS));
            }
            CommandLine all = spec.commandLine().getParent();
            all.getOut().print(shell.equals(FISH) ? CompletionScript.ofFish(all) : CompletionScript.of(all));
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
    @Command(
            name = "help",
            description = "Shows what a command does and which options it takes.",
            footerHeading = "%nExamples:%n",
            footer = "  evenkeel help why")
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
    @Command(
            name = "version",
            description = "Prints the version, and the commit that it was built from.",
            footerHeading = "%nExamples:%n",
            footer = {"  evenkeel version"},
            mixinStandardHelpOptions = true)
    private static final class VersionCommand implements Runnable {
        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Override
        public void run() {
            spec.commandLine().printVersionHelp(spec.commandLine().getOut());
            spec.commandLine().getOut().println(Commit.OF_BUILD);
        }
    }

    /** {@code evenkeel names}: what completion asks at a tab. It says nothing where the cluster does not answer. */
    @Command(name = "names", hidden = true, mixinStandardHelpOptions = true)
    private static final class NamesCommand implements Callable<Integer> {
        static final String NAMESPACES = "namespaces";
        static final String PODS = "pods";
        static final String NODES = "nodes";
        private static final String MOST = "?limit=500";
        /** A shell may expand what completion offers, so a server's names are offered only if they are names. */
        private static final Pattern NAME = Pattern.compile("[a-z0-9.-]+(/[a-z0-9.-]+)?");

        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Parameters(paramLabel = "KIND")
        private String kind = "";

        @Option(names = {"-n", "--namespace"})
        private Optional<String> namespace = Optional.empty();

        @Mixin
        private ServerOptions server = new ServerOptions();

        @Override
        public Integer call() {
            String in = kind.equals(PODS)
                    ? namespace.map(name -> "namespaces/" + name + "/").orElse("")
                    : "";
            try (HttpTransport transport =
                    HttpTransport.open(server.over(""), new Version().number(), ApiObserver.NONE)) {
                Answered answer = Answered.whole(
                        transport, ApiCall.get("/api/v1/" + in + kind + MOST).withSilence(Duration.ofSeconds(3)));
                JsonObject list = JsonParser.parseString(new String(answer.body(), StandardCharsets.UTF_8))
                        .getAsJsonObject();
                for (JsonElement item : list.getAsJsonArray("items")) {
                    JsonObject meta = item.getAsJsonObject().getAsJsonObject("metadata");
                    String name = meta.get("name").getAsString();
                    boolean isOfAll = kind.equals(PODS) && namespace.isEmpty();
                    String offer = isOfAll ? meta.get("namespace").getAsString() + "/" + name : name;
                    if (NAME.matcher(offer).matches()) {
                        spec.commandLine().getOut().println(offer);
                    }
                }
                return CommandLine.ExitCode.OK;
            } catch (IOException | RuntimeException noAnswer) {
                return CommandLine.ExitCode.SOFTWARE;
            }
        }
    }

    /**
     * Limits that the JDK reads once, when the first class of its TLS or its HTTP server is loaded, so they are set at the very
     * start. The HTTP server is a hollow cluster's; ours has {@code OpenConnections.Limits}.
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

    /** Mistakes in the command line: one line with the mistake, the nearest name and where to look; the exit code is 2. */
    static final class UsageMistakes implements IParameterExceptionHandler {
        /** All names that there are may be listed, but not all that was typed. */
        private static final int LONGEST = 4_000;

        @Override
        public int handleParseException(ParameterException mistake, String[] args) {
            CommandLine command = mistake.getCommandLine();
            String message = mistake instanceof UnmatchedArgumentException unmatched
                    ? unmatched(command, unmatched.getUnmatched().getFirst())
                    : String.valueOf(mistake.getMessage()).lines().findFirst().orElse("");
            String see = "'" + command.getCommandSpec().qualifiedName() + " --help'";
            command.getErr()
                    .println("evenkeel: " + Excerpt.of(message, LONGEST) + (message.endsWith("?") ? " See " : "; see ")
                            + see);
            return CommandLine.ExitCode.USAGE;
        }

        public static ParameterException unknownCommand(CommandLine all, String name) {
            return new ParameterException(all, noCommand(all, name));
        }

        private static String unmatched(CommandLine command, String argument) {
            if (argument.startsWith("-")) {
                return noOption(command.getCommandSpec(), argument);
            }
            return command.getSubcommands().isEmpty()
                    ? "one argument too many: \"" + argument + '"'
                    : noCommand(command, argument);
        }

        private static String noOption(CommandSpec command, String argument) {
            String name = argument.split("=", 2)[0];
            List<String> names = command.options().stream()
                    .filter(option -> !option.hidden())
                    .map(OptionSpec::longestName)
                    .toList();
            return "there is no option \"" + name + '"' + NearestName.hint(name, names);
        }

        private static String noCommand(CommandLine all, String name) {
            List<String> names = all.getSubcommands().values().stream()
                    .map(CommandLine::getCommandSpec)
                    .filter(command -> !command.usageMessage().hidden())
                    .map(CommandSpec::name)
                    .toList();
            String nearest = NearestName.hint(name, names);
            return "there is no command \"" + name + '"'
                    + (nearest.isEmpty() ? "; there are " + String.join(", ", names) : nearest);
        }
    }

    /**
     * The completion scripts: for bash, and for zsh through its bashcompinit, and for fish. Commands come first, then options, and
     * after an option or an equals sign the values that it takes, or files. Names in a cluster are asked of it at the tab, by
     * {@link NamesCommand}; all other names are in the script.
     *
     * <p>picocli's own generator offers files only where a field is a {@link Path} and no {@link Optional} of one, and nothing
     * after an equals sign.
     */
    static final class CompletionScript {
        /** No reply: then the shell offers files. */
        private static final String FILES = "return";

        private static final String NOTHING = "compopt +o default 2>/dev/null; return";

        private CompletionScript() {}

        public static String of(CommandLine all) {
            List<CommandSpec> commands = all.getSubcommands().values().stream()
                    .map(CommandLine::getCommandSpec)
                    .filter(command -> !command.usageMessage().hidden())
                    .toList();
            return """
                # Completes %1$s in bash, and in zsh through its bashcompinit.
                if [ -n "${ZSH_VERSION-}" ]; then
                  autoload -U +X compinit && compinit
                  autoload -U +X bashcompinit && bashcompinit
                fi

                _%1$s() {
                  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} start= words=
                  COMPREPLY=()
                  # bash makes three words of --option=value; where it is one, the reply has to begin with the option
                  if [ "$word" = "=" ]; then
                    word=
                  elif [ "$before" = "=" ]; then
                    before=${COMP_WORDS[COMP_CWORD - 2]}
                  elif [[ "$word" == --*=* ]]; then
                    before=${word%%%%=*}
                    word=${word#*=}
                    start=$before=
                  fi
                  # names in the cluster that the line is about so far
                  _%1$s_names() {
                    local i value options=()
                    for ((i = 2; i < COMP_CWORD; i++)); do
                      case "${COMP_WORDS[i]}" in
                      --kubeconfig=* | --context=* | --master=* | --namespace=*) options+=("${COMP_WORDS[i]}") ;;
                      --kubeconfig | --context | --master | --namespace | -n)
                        value=$((i + 1))
                        if [ "${COMP_WORDS[value]}" = "=" ]; then value=$((i + 2)); fi
                        if ((value < COMP_CWORD)); then options+=("${COMP_WORDS[i]}" "${COMP_WORDS[value]}"); fi
                        ;;
                      esac
                    done
                    words=$("${COMP_WORDS[0]}" names "$1" ${options[@]+"${options[@]}"} 2>/dev/null)
                  }
                  case "$COMP_CWORD ${COMP_WORDS[1]}" in
                  1\\ *) words="%2$s --help --version" ;;
                  *\\ help) words="%2$s" ;;
                %3$s  esac
                  COMPREPLY=($(compgen -P "$start" -W "$words" -- "$word"))
                }
                complete -o default -F _%1$s %1$s
                """.formatted(
                            all.getCommandName(),
                            commands.stream().map(CommandSpec::name).collect(Collectors.joining(" ")),
                            commands.stream()
                                    .filter(command -> !command.helpCommand())
                                    .map(CompletionScript::ofCommand)
                                    .collect(Collectors.joining()));
        }

        private static String ofCommand(CommandSpec command) {
            Map<String, List<String>> optionsByReply = new LinkedHashMap<>();
            options(command)
                    .filter(option -> option.arity().min() > 0)
                    .forEach(option -> optionsByReply
                            .computeIfAbsent(reply(option, command), _ -> new ArrayList<>())
                            .addAll(List.of(option.names())));
            String values = optionsByReply.entrySet().stream()
                    .map(options -> "    " + String.join(" | ", options.getValue()) + ") " + options.getKey() + " ;;\n")
                    .collect(Collectors.joining());
            return """
                  *\\ %s)
                    case "$before" in
                %s    *) %s ;;
                    esac
                    ;;
                """.formatted(command.name(), values, otherwise(command));
        }

        /** Completion of a word that is no value of an option. */
        private static String otherwise(CommandSpec command) {
            String names = words(Stream.concat(
                    command.subcommands().keySet().stream(), options(command).map(OptionSpec::longestName)));
            return command.positionalParameters().stream()
                    .findFirst()
                    .map(value ->
                            "if [[ \"$word\" == -* ]]; then " + names + "; else " + reply(value, command) + "; fi")
                    .orElse(names);
        }

        private static String reply(ArgSpec arg, CommandSpec command) {
            if (arg.completionCandidates() != null) {
                return words(candidates(arg));
            }
            return arg.auxiliaryTypes()[0] == Path.class
                    ? FILES
                    : named(arg, command)
                            .map(kind -> "_" + command.root().name() + "_names " + kind)
                            .orElse(NOTHING);
        }

        private static Stream<String> candidates(ArgSpec arg) {
            return StreamSupport.stream(arg.completionCandidates().spliterator(), false);
        }

        /** The kind of objects in a cluster that the value names; empty where the command asks none. */
        private static Optional<String> named(ArgSpec arg, CommandSpec command) {
            if (options(command).noneMatch(option -> List.of(option.names()).contains("--kubeconfig"))) {
                return Optional.empty();
            }
            String label = arg.paramLabel();
            boolean isNamespace =
                    arg instanceof OptionSpec option && option.longestName().endsWith("namespace");
            return isNamespace
                    ? Optional.of(NamesCommand.NAMESPACES)
                    : label.startsWith("NODE")
                            ? Optional.of(NamesCommand.NODES)
                            : label.endsWith("/]NAME") ? Optional.of(NamesCommand.PODS) : Optional.empty();
        }

        static String ofFish(CommandLine all) {
            StringBuilder script = new StringBuilder("""
                # Completes %1$s in fish.
                function __%1$s_names
                    set -l options
                    set -l words (commandline -opc)
                    for i in (seq 2 (count $words))
                        switch $words[$i]
                            case '--kubeconfig=*' '--context=*' '--master=*' '--namespace=*'
                                set -a options $words[$i]
                            case --kubeconfig --context --master --namespace -n
                                if test $i -lt (count $words)
                                    set -a options $words[$i] $words[(math $i + 1)]
                                end
                        end
                    end
                    $words[1] names $argv $options 2>/dev/null
                end
                complete -c %1$s -f
                """.formatted(all.getCommandName()));
            for (CommandLine line : all.getSubcommands().values()) {
                CommandSpec command = line.getCommandSpec();
                if (command.usageMessage().hidden()) {
                    continue;
                }
                String complete = "complete -c " + all.getCommandName() + " -n ";
                script.append(complete + "__fish_use_subcommand -a " + command.name() + " -d "
                        + quoted(command.usageMessage().description()[0]) + "\n");
                String seen = complete + "'__fish_seen_subcommand_from " + command.name() + "'";
                command.subcommands()
                        .values()
                        .forEach(below -> script.append(seen + " -a " + below.getCommandName() + " -d "
                                + quoted(below.getCommandSpec().usageMessage().description()[0]) + "\n"));
                options(command)
                        .forEach(option -> script.append(seen + names(option)
                                + (option.arity().min() > 0 ? fishReply(option, command) : "") + "\n"));
                command.positionalParameters().stream()
                        .findFirst()
                        .ifPresent(value ->
                                script.append(seen + fishReply(value, command).replaceFirst(" -r", "") + "\n"));
            }
            return script.toString();
        }

        private static String names(OptionSpec option) {
            return Stream.of(option.names())
                    .map(name -> name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1))
                    .collect(Collectors.joining());
        }

        private static String fishReply(ArgSpec arg, CommandSpec command) {
            if (arg.completionCandidates() != null) {
                return " -r -a " + quoted(candidates(arg).collect(Collectors.joining(" ")));
            }
            return arg.auxiliaryTypes()[0] == Path.class
                    ? " -r -F"
                    : named(arg, command)
                            .map(kind -> " -r -a '(__" + command.root().name() + "_names " + kind + ")'")
                            .orElse(" -r");
        }

        private static String quoted(String text) {
            return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
        }

        private static String words(Stream<String> words) {
            return words.collect(Collectors.joining(" ", "words=\"", "\""));
        }

        /** The command's, and those of the commands below it: which of these is meant, no option tells. */
        private static Stream<OptionSpec> options(CommandSpec command) {
            Map<String, OptionSpec> byName = new LinkedHashMap<>();
            Stream.concat(command.subcommands().values().stream().map(CommandLine::getCommandSpec), Stream.of(command))
                    .flatMap(each -> each.options().stream())
                    .filter(option -> !option.hidden())
                    .forEach(option -> byName.putIfAbsent(option.longestName(), option));
            return byName.values().stream();
        }
    }

    /**
     * A command's options under headings: that of the mixin that an option comes from, which is its {@code optionListHeading},
     * else that of the mixin or command around it. A command without any has a plain list.
     */
    static final class OptionGroups {
        static final String NO_HEADING = "";
        private static final String HELP = "Help";

        private final Map<String, List<OptionSpec>> groups = new LinkedHashMap<>();

        private OptionGroups(CommandSpec command) {
            Map<String, String> headings = new LinkedHashMap<>();
            collect(command, NO_HEADING, headings);
            headings.values().forEach(heading -> groups.putIfAbsent(heading, new ArrayList<>()));
            boolean plain = groups.size() == 1;
            command.options().stream()
                    .filter(option -> !option.hidden())
                    .sorted(Comparator.comparing(OptionSpec::longestName))
                    .forEach(option -> groups.computeIfAbsent(
                                    isHelp(option) && !plain
                                            ? HELP
                                            : headings.getOrDefault(option.longestName(), NO_HEADING),
                                    _ -> new ArrayList<>())
                            .add(option));
            groups.values().removeIf(List::isEmpty);
        }

        /** The visible options by heading: headings as they are declared, options by name. */
        static Map<String, List<OptionSpec>> of(CommandSpec command) {
            return new OptionGroups(command).groups;
        }

        /** Lists options by groups in the help of a command and of its subcommands. */
        public static void list(CommandLine command) {
            Map<String, IHelpSectionRenderer> sections = new LinkedHashMap<>(command.getHelpSectionMap());
            sections.put(UsageMessageSpec.SECTION_KEY_OPTION_LIST_HEADING, _ -> "");
            sections.put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, OptionGroups::render);
            command.setHelpSectionMap(sections);
        }

        private static void collect(CommandSpec spec, String around, Map<String, String> headings) {
            String own = spec.usageMessage().optionListHeading();
            String heading = own.isEmpty() ? around : own;
            spec.options().forEach(option -> headings.put(option.longestName(), heading));
            spec.mixins().values().forEach(mixin -> collect(mixin, heading, headings));
        }

        private static boolean isHelp(OptionSpec option) {
            return option.usageHelp() || option.versionHelp();
        }

        private static String render(Help help) {
            return of(help.commandSpec()).entrySet().stream()
                    .map(group -> heading(group.getKey()) + list(help, group.getValue()))
                    .collect(Collectors.joining());
        }

        private static String heading(String heading) {
            return heading.isEmpty() ? "" : "%n%s:%n".formatted(heading);
        }

        private static String list(Help help, List<OptionSpec> options) {
            Layout layout = help.createDefaultLayout();
            layout.addOptions(options, help.parameterLabelRenderer());
            return layout.toString();
        }
    }
}
