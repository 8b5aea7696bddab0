package io.evenkeel.app.cli;

import io.evenkeel.app.cli.usage.UsageMistakes;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code evenkeel help}, as other tools have it. */
@Command(name = "help", description = "Shows what a command does and which options it takes.")
final class HelpCommand implements Runnable {
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
