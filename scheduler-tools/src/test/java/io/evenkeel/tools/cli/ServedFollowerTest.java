package io.evenkeel.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.kube.api.Answers;
import io.evenkeel.kube.api.ScriptedTransport;
import io.evenkeel.tools.cli.ServedAnswers.Served;
import io.evenkeel.tools.output.Layout;
import io.evenkeel.tools.output.Output;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ConnectException;
import java.time.Duration;
import java.time.LocalTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What an Evenkeel says of a pod, asked for until the pod has its node. */
class ServedFollowerTest {
    private static final String WAITS = "{\"state\":\"waits\",\"message\":\"m\",\"queue\":{\"attempts\":%d}}";
    private static final Answers UNSYNCED = new Answers(
            503, Optional.of(Duration.ofSeconds(1)), "{\"kind\":\"Status\",\"message\":\"not synced\",\"code\":503}");
    private static final String IN_PLACE = "{\"state\":\"inPlace\",\"node\":\"n1\"}";

    /** The answers as JSON, one after the other. */
    private final Deque<String> told = new ArrayDeque<>();

    private final StringWriter out = new StringWriter();
    private final List<String> warnings = new ArrayList<>();
    private String current = "";
    private int pauses;

    private void follow(Output output) throws InterruptedException {
        ServedAnswers answers = new ServedAnswers(
                new ScriptedTransport(call -> {
                    if (call.path().contains("output=json")) {
                        current = told.removeFirst();
                    }
                    return switch (current) {
                        case "gone" ->
                            Answers.of(404, "{\"kind\":\"Status\",\"details\":{\"kind\":\"pods\"},\"code\":404}");
                        case "away" -> throw new ConnectException("Connection refused");
                        case "ill" -> UNSYNCED;
                        default ->
                            Answers.of(200, call.path().contains("output=json") ? current : "text of " + current);
                    };
                }),
                Layout.of(80));
        PrintWriter writer = new PrintWriter(out);
        new ServedFollower(
                        answers,
                        output,
                        new ChangingAnswer(
                                writer, new OutputForm(output, Optional.empty()), () -> LocalTime.of(14, 3, 7)),
                        warnings::add,
                        _ -> pauses++)
                .follow("shop/web", (Served.Told) answers.about("shop/web", Output.JSON));
    }

    @Test
    void isPrintedWhereItHasChangedOtherThanInTimesAndAttempts() throws InterruptedException {
        told.addAll(List.of(WAITS.formatted(1), WAITS.formatted(2), WAITS.formatted(3), IN_PLACE));

        follow(Output.TEXT);

        assertThat(out.toString().lines())
                .containsExactly("text of " + WAITS.formatted(1), "--- 14:03:07", "text of " + IN_PLACE);
        assertThat(pauses).isEqualTo(3);
        assertThat(warnings).isEmpty();
    }

    @Test
    void programsGetALineForEachChange() throws InterruptedException {
        told.addAll(List.of(WAITS.formatted(1), WAITS.formatted(2), IN_PLACE));

        follow(Output.JSON);

        assertThat(out.toString().lines()).containsExactly(WAITS.formatted(1), IN_PLACE);
    }

    @Test
    void aFailureIsToldOnceAndAskedOn() throws InterruptedException {
        told.addAll(List.of(WAITS.formatted(1), "ill", "ill", WAITS.formatted(1), "ill", IN_PLACE));

        follow(Output.JSON);

        assertThat(out.toString().lines()).containsExactly(WAITS.formatted(1), IN_PLACE);
        assertThat(warnings)
                .hasSize(2)
                .allSatisfy(
                        warning -> assertThat(warning).contains("not synced").endsWith("; asking again"));
    }

    @Test
    void thatTheApiServerIsAwayIsNoFaultOfTheAnswers() throws InterruptedException {
        told.addAll(List.of(WAITS.formatted(1), "away", "away", IN_PLACE));

        follow(Output.JSON);

        assertThat(warnings)
                .singleElement()
                .asString()
                .matches("the API server \\S+ does not answer: Connection refused; asking again");
    }

    @Test
    void endsWithThePod() {
        told.addAll(List.of(IN_PLACE, IN_PLACE, "gone"));

        assertThatThrownBy(() -> follow(Output.JSON))
                .isInstanceOf(NoSuchPodException.class)
                .hasMessageStartingWith("there is no pod shop/web in ");
        assertThat(out.toString().lines()).containsExactly(IN_PLACE);
    }
}
