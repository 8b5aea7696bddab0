package io.evenkeel.e2e.firsthour;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Types first-hour.txt: behind {@code $} a command, behind {@code !} its exit code if that is not 0, and in all other lines what it
 * prints, in this order and among other things; {@code …} stands for anything. A mistake has to be answered in one line.
 */
class FirstHourTest {
    private static final Path SCRIPT = Path.of("src", "test", "resources", "first-hour.txt");
    private static final int AS_MANY_AS_AN_HOUR_TAKES = 60;

    @TempDir
    private Path home;

    @Test
    void everythingComesAsANewUserWasTold() throws Exception {
        List<Action> actions = Action.read(Files.readAllLines(SCRIPT));
        List<String> surprises = new ArrayList<>();
        try (Shell shell = new Shell(home)) {
            for (Action action : actions) {
                Shell.Answer answer = shell.type(action.command(), action::isAnsweredBy);
                surprises.addAll(action.surprises(answer));
            }
        }

        assertThat(surprises).isEmpty();
        assertThat(actions).hasSizeGreaterThanOrEqualTo(AS_MANY_AS_AN_HOUR_TAKES);
    }

    @Test
    void whatDoesNotComeOrComesLateIsNoticed() throws IOException {
        Action action = Action.read(List.of("# a remark", "$ evenkeel x", "one …", "three", "! 2"))
                .getFirst();

        assertThat(action.surprises(new Shell.Answer(2, "", "evenkeel: one two three\n")))
                .isEmpty();
        assertThat(action.surprises(new Shell.Answer(2, "", "evenkeel: three one two\n")))
                .hasSize(1);
        assertThat(action.surprises(new Shell.Answer(0, "one two three\n", ""))).hasSize(1);
        assertThat(action.surprises(new Shell.Answer(2, "", "one two\nthree\n")))
                .hasSize(1);
    }

    /** A command of line so and so, and what is to come of it. */
    private record Action(int line, String command, int exitCode, List<String> expected) {
        static List<Action> read(List<String> lines) {
            List<Action> actions = new ArrayList<>();
            for (int i = 0; i < lines.size(); i++) {
                if (!lines.get(i).startsWith("$ ")) {
                    continue;
                }
                int line = i + 1;
                StringBuilder command = new StringBuilder(lines.get(i).substring(2));
                if (command.toString().endsWith("<<END")) {
                    do {
                        command.append('\n').append(lines.get(++i));
                    } while (!lines.get(i).equals("END"));
                }
                List<String> told = lines.subList(i + 1, lines.size()).stream()
                        .takeWhile(after -> !after.startsWith("$ ") && !after.startsWith("#"))
                        .map(String::strip)
                        .filter(after -> !after.isEmpty())
                        .toList();
                actions.add(new Action(
                        line,
                        command.toString(),
                        told.stream()
                                .filter(after -> after.startsWith("! "))
                                .mapToInt(after -> Integer.parseInt(after.substring(2)))
                                .findFirst()
                                .orElse(0),
                        told.stream().filter(after -> !after.startsWith("! ")).toList()));
            }
            return actions;
        }

        boolean isAnsweredBy(String said) {
            Matcher matcher = inThisOrder().matcher(flat(said));
            return matcher.find();
        }

        /** How lines are broken is a matter of the terminal. */
        private Pattern inThisOrder() {
            return Pattern.compile(
                    expected.stream()
                            .map(line -> Stream.of(flat(line).split("…", -1))
                                    .map(Pattern::quote)
                                    .collect(Collectors.joining(".*?")))
                            .collect(Collectors.joining(".*?")),
                    Pattern.DOTALL);
        }

        private static String flat(String text) {
            return text.replaceAll("\\s+", " ");
        }

        List<String> surprises(Shell.Answer answer) {
            List<String> found = new ArrayList<>();
            String where = "first-hour.txt:" + line + ": "
                    + command.lines().findFirst().orElse("");
            String said = answer.out() + answer.err();
            if (answer.exitCode() != exitCode) {
                found.add(where + " ended with " + answer.exitCode() + ", having said: " + said);
            } else if (!isAnsweredBy(said)) {
                found.add(where + " does not say, in this order: " + expected + ", but: " + said);
            } else if (exitCode != 0 && answer.err().lines().count() != 1) {
                found.add(where + " does not say its mistake in one line, but: " + answer.err());
            }
            return found;
        }
    }
}
