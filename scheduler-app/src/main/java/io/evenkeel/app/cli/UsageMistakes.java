package io.evenkeel.app.cli;

import io.evenkeel.model.decode.cursor.Excerpt;
import io.evenkeel.problem.NearestName;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Mistakes in the command line: one line with the mistake, the nearest name and where to look; the exit code is 2. */
final class UsageMistakes implements IParameterExceptionHandler {
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
