package io.evenkeel.app.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The completion script for bash, and for zsh through its bashcompinit: commands, then options, and after an
 * option or an equals sign the values that it takes, or files. All names are in the script; nothing is started at a tab.
 *
 * <p>picocli's own generator offers files only where a field is a {@link Path} and no {@link Optional} of one, and nothing
 * after an equals sign.
 */
final class CompletionScript {
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
                        .computeIfAbsent(reply(option), _ -> new ArrayList<>())
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
        String names = words(options(command).map(OptionSpec::longestName));
        return command.positionalParameters().stream()
                .findFirst()
                .map(value -> "if [[ \"$word\" == -* ]]; then " + names + "; else " + reply(value) + "; fi")
                .orElse(names);
    }

    private static String reply(ArgSpec arg) {
        if (arg.completionCandidates() != null) {
            return words(StreamSupport.stream(arg.completionCandidates().spliterator(), false));
        }
        return arg.auxiliaryTypes()[0] == Path.class ? FILES : NOTHING;
    }

    private static String words(Stream<String> words) {
        return words.collect(Collectors.joining(" ", "words=\"", "\""));
    }

    private static Stream<OptionSpec> options(CommandSpec command) {
        return command.options().stream().filter(option -> !option.hidden());
    }
}
