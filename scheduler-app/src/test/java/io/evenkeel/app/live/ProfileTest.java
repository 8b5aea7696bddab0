package io.evenkeel.app.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.Headers;
import io.evenkeel.app.http.Answer;
import io.evenkeel.app.http.Answer.StreamedReply;
import io.evenkeel.app.http.Reply;
import io.evenkeel.app.http.Request;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProfileTest {
    @TempDir
    private Path folder;

    @Test
    void anAnswerIsARecordingAndThereIsOneAtATime() throws IOException {
        StreamedReply first = (StreamedReply) ask(new Profile(Profile.ALLOCATIONS), "1");

        assertThat(ask(new Profile(Profile.PROCESSOR), "1"))
                .isInstanceOfSatisfying(
                        Reply.class, refused -> assertThat(refused.code()).isEqualTo(429));
        assertThat(recorded(first))
                .extracting(event -> event.getEventType().getName())
                .isSubsetOf(Profile.ALLOCATIONS.keySet());

        StreamedReply next = (StreamedReply) ask(new Profile(Profile.PROCESSOR), "1");
        next.end().run();
    }

    @Test
    void besideAnotherRecordingThereIsNone() {
        try (Recording other = new Recording()) {
            other.start();

            assertThat(ask(new Profile(Profile.PROCESSOR), "1")).isInstanceOfSatisfying(Reply.class, refused -> {
                assertThat(refused.code()).isEqualTo(409);
                assertThat(new String(refused.body(), StandardCharsets.UTF_8))
                        .isEqualTo("another JFR recording runs in this process: stop it, or read that one\n");
            });
        }
        assertThat(ask(new Profile(Profile.PROCESSOR), "1"))
                .isInstanceOfSatisfying(StreamedReply.class, made -> made.end().run());
    }

    @Test
    void anotherRecordingThatBeginsMeanwhileEndsIt() {
        try (Recording other = new Recording()) {
            BooleanSupplier meanwhile = () -> {
                other.start();
                return true;
            };

            assertThat(new Profile(Profile.PROCESSOR).answer(request("60", meanwhile)))
                    .isInstanceOfSatisfying(
                            Reply.class, refused -> assertThat(refused.code()).isEqualTo(409));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "61", "x", "-1", "1.5", ""})
    void itTakesAMinuteAtMost(String seconds) {
        assertThat(ask(new Profile(Profile.PROCESSOR), seconds))
                .isInstanceOfSatisfying(
                        Reply.class, refused -> assertThat(refused.code()).isEqualTo(400));
    }

    private List<RecordedEvent> recorded(StreamedReply reply) throws IOException {
        Path file = folder.resolve("profile.jfr");
        try (OutputStream out = Files.newOutputStream(file)) {
            reply.content().writeTo(out);
        } finally {
            reply.end().run();
        }
        return RecordingFile.readAllEvents(file);
    }

    private static Answer ask(Profile profile, String seconds) {
        return profile.answer(request(seconds, () -> true));
    }

    private static Request request(String seconds, BooleanSupplier stillThere) {
        return new Request(
                "GET",
                "/debug/pprof/profile",
                Map.of("seconds", List.of(seconds)),
                new Headers(),
                List.of(),
                "",
                stillThere);
    }
}
