package io.evenkeel.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.cli.Evenkeel;
import io.evenkeel.problem.UserProblem;
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
    private record Failing(Throwable failure) implements Callable<Integer> {
        @Override
        public Integer call() throws Exception {
            if (failure instanceof Error error) {
                throw error;
            }
            throw (Exception) failure;
        }
    }

    private static String said(Throwable failure) {
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
    void aFullHeapIsALineThatSaysWhatSetsALargerOne() {
        assertThat(said(new OutOfMemoryError("Java heap space")))
                .matches(
                        "evenkeel: the heap of \\d+ MiB is too small for this; EVENKEEL_JAVA_OPTS=-Xmx sets a larger one\\R");
    }

    @Test
    void aBugSaysThatItIsOneAndWhereItIs() {
        assertThat(said(new IllegalStateException("broken")))
                .startsWith("evenkeel: an error of evenkeel itself; please report it with what follows\n"
                        + "java.lang.IllegalStateException: broken\n\tat " + FailureLineTest.class.getName());
    }
}
