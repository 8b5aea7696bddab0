package io.evenkeel.app.cli;

import io.evenkeel.app.cli.usage.CompletionScript;
import java.util.Iterator;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code evenkeel completion}, as kubectl has it. */
@Command(
        name = "completion",
        description = {
            "Prints a completion script for bash or zsh.",
            "For this session: source <(evenkeel completion bash). For all: put that line into ~/.bashrc or, with zsh,"
                    + " ~/.zshrc."
        },
        mixinStandardHelpOptions = true)
final class CompletionCommand implements Runnable {
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
