package io.evenkeel.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.problem.UserProblem;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** What a command says when it ends in an exception, whichever one it is. */
class FailureLineTest {
    private static final class Mendable extends UserProblem {
        private static final long serialVersionUID = 1L;

        Mendable() {
            super("nodes.yaml: line 1 is wrong\nnodes.yaml: line 2 is wrong");
        }
    }

    @Command(name = "fail")
    private record Failing(RuntimeException failure) implements Callable<Integer> {
        @Override
        public Integer call() {
            throw failure;
        }
    }

    private static String said(RuntimeException failure) {
        StringWriter err = new StringWriter();
        CommandLine command = Evenkeel.commandLine();
        command.addSubcommand(new Failing(failure)).setErr(new PrintWriter(err, true));
        assertThat(command.execute("fail")).isEqualTo(1);
        return err.toString();
    }

    @Test
    void aProblemOfTheUsersIsALineForEachThingToMend() {
        assertThat(said(new Mendable()).lines())
                .containsExactly("evenkeel: nodes.yaml: line 1 is wrong", "evenkeel: nodes.yaml: line 2 is wrong");
    }

    @Test
    void aBugSaysThatItIsOneAndWhereItIs() {
        assertThat(said(new IllegalStateException("broken")))
                .startsWith("evenkeel: an error of evenkeel itself; please report it with what follows\n"
                        + "java.lang.IllegalStateException: broken\n\tat " + FailureLineTest.class.getName());
    }
}
