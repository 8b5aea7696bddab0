package io.evenkeel.app.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.evenkeel.app.cli.Typed;
import io.evenkeel.app.record.RecordFlags.RecordOptions;
import io.evenkeel.model.json.Trees;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.tools.page.RecordPage;
import io.evenkeel.tools.rerun.RecordPlayer;
import io.evenkeel.tools.rerun.RecordReplay;
import io.evenkeel.tools.rerun.RecordReplay.Moment;
import io.evenkeel.tools.why.AnswerSchema;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page of a record, asked over HTTP as a browser would. */
class RecordPageTest {
    private static final Map<String, String> SCHEMAS =
            Map.of("state", "State", "moment", "Moment", "decisions", "DecisionsAround");

    private static final int PODS = 40;

    private final HttpClient browser = HttpClient.newHttpClient();
    private Optional<RecordPage> page = Optional.empty();

    @TempDir
    private Path directory;

    @AfterEach
    void close() {
        browser.close();
        page.ifPresent(RecordPage::close);
    }

    private void record(long seed, int steps) {
        RandomRun run = RandomRun.recorded(seed, directory);
        run.list();
        run.play(steps);
        run.end();
    }

    /** Of several files. */
    private void recordLong() {
        RandomRun run = new RandomRun(1, new RecordOptions(directory, 200_000, "test"), RandomRun.MANY);
        run.list();
        run.play(1_500);
        run.end();
    }

    private RecordPlayer serve() throws IOException {
        RecordPlayer player = RecordPlayer.open(directory, Optional.empty(), InTreePlugins.registry(), "test");
        page = Optional.of(new RecordPage(0, player, "test", InTreePlugins.registry(), (_, _) -> {}));
        return player;
    }

    private HttpResponse<String> answer(String question, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(page.orElseThrow().address().resolve("api/" + question));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return browser.send(request.build(), BodyHandlers.ofString());
    }

    private JsonObject get(String question) throws IOException, InterruptedException {
        HttpResponse<String> answer = answer(question);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(AnswerSchema.problems(SCHEMAS.get(question.replaceAll("\\?.*", "")), answer.body()))
                .as(answer.body())
                .isEmpty();
        return Trees.parse(answer.body());
    }

    private static List<Instant> moments(RecordPlayer player, long seed, int count) {
        long span = Duration.between(player.first(), player.last()).toNanos();
        SplittableRandom random = new SplittableRandom(seed);
        return random.longs(count, 0, span).mapToObj(player.first()::plusNanos).toList();
    }

    /** Whichever moment was looked at before, also of pods on their way. In these runs the cluster shows each node that is promised to a pod. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 8})
    void ofAPodItSaysWhatAReplayUntilThenSays(long seed) throws Exception {
        record(seed, 120);
        RecordPlayer player = serve();
        for (Instant moment : moments(player, seed, 12)) {
            RecordReplay replay =
                    RecordReplay.run(directory, Optional.of(new Moment.At(moment)), InTreePlugins.registry(), "test");
            for (int i = 0; i < PODS; i++) {
                Optional<String> replayed = replay.why("default/p" + i, (_, _) -> {})
                        .map(report -> report.tree().json());

                HttpResponse<String> answer = answer("pod?pod=default/p" + i + "&at=" + moment);

                assertThat(answer.body()).as("p%d at %s", i, moment).isEqualTo(replayed.orElse(answer.body()));
                assertThat(answer.statusCode()).isEqualTo(replayed.isPresent() ? 200 : 404);
            }
        }
    }

    @Test
    void aLongRecordIsLookedIntoFromItsFiles() throws Exception {
        recordLong();
        RecordPlayer player = serve();
        assertThat(player.parts()).isGreaterThan(2);

        for (Instant moment : moments(player, 7, 10)) {
            JsonObject then = get("moment?at=" + moment);

            String replayed = RecordReplay.run(
                            directory, Optional.of(new Moment.At(moment)), InTreePlugins.registry(), "test")
                    .lines()
                    .getFirst();
            assertThat(replayed.replace(",", ""))
                    .contains(": " + then.get("event").getAsLong() + " event");
        }
    }

    @Test
    void decisionsAreThoseUntilTheMomentAndTheNext() throws Exception {
        record(1, 300);
        RecordPlayer player = serve();
        Instant middle = player.first()
                .plus(Duration.between(player.first(), player.last()).dividedBy(2));

        List<Instant> times = times(get("decisions?at=" + middle));
        List<Instant> before = times(get("decisions?at=" + player.first().plusSeconds(1)));

        assertThat(times).isSorted().anyMatch(time -> !time.isAfter(middle));
        assertThat(times.stream().filter(middle::isBefore)).hasSize(10);
        assertThat(before).doesNotContain(times.getLast());
    }

    private static List<Instant> times(JsonObject answer) {
        return Trees.objects(answer, "decisions").stream()
                .map(decision -> Instant.parse(Trees.text(decision, "time")))
                .toList();
    }

    @Test
    void theOverviewTellsHowManyWaitedFromTheFirstToTheLast() throws Exception {
        record(1, 300);
        RecordPlayer player = serve();
        JsonObject record = await().until(
                        () -> get("state").getAsJsonObject("record"),
                        state -> state.getAsJsonObject("overview").get("done").getAsBoolean());
        JsonObject overview = record.getAsJsonObject("overview");
        long span = overview.get("spanMs").getAsLong();
        List<Integer> most = StreamSupport.stream(
                        overview.getAsJsonArray("waiting").spliterator(), false)
                .map(JsonElement::getAsInt)
                .toList();

        assertThat(Trees.text(record, "first")).isEqualTo(player.first().toString());
        assertThat(Trees.text(record, "last")).isEqualTo(player.last().toString());
        assertThat(most).anyMatch(count -> count > 0);
        for (Instant moment : moments(player, 3, 10)) {
            int at = (int) (Duration.between(player.first(), moment).toMillis() / span);
            assertThat(get("moment?at=" + moment).get("waiting").getAsInt()).isLessThanOrEqualTo(most.get(at));
        }
    }

    @Test
    void ofAGapItSaysThatNothingIsRecorded() throws Exception {
        recordLong();
        Files.delete(RecordedScheduler.segments(directory).get(1));
        RecordPlayer player = serve();
        Instant begin = player.first();
        Instant gap = RecordPlayer.open(directory, Optional.empty(), InTreePlugins.registry(), "test")
                .play(1, RecordPlayer.Taker.NONE)
                .reached()
                .minusNanos(1);

        HttpResponse<String> answer = answer("waiting?at=" + gap);

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(Trees.text(Trees.parse(answer.body()), "message"))
                .startsWith("at: " + directory + ": nothing is recorded from ");
        assertThat(answer("waiting?at=" + begin).statusCode()).isEqualTo(200);
    }

    @Test
    void aDamagedFileIsNamedWithItsPlace() throws Exception {
        recordLong();
        Path first = RecordedScheduler.segments(directory).getFirst();
        byte[] bytes = Files.readAllBytes(first);
        bytes[bytes.length - 100] ^= 1;
        Files.write(first, bytes);
        RecordPlayer player = serve();
        Instant end = RecordPlayer.open(directory, Optional.empty(), InTreePlugins.registry(), "test")
                .play(1, RecordPlayer.Taker.NONE)
                .reached()
                .minusNanos(1);

        assertThat(answer("waiting?at=" + end).body()).contains(first + ": offset ", "was changed");
        assertThat(answer("waiting?at=" + player.last()).statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"waiting?at=yesterday", "moment?at=15:13", "pod?pod=web", "whatif?drain=nowhere"})
    void whatMakesNoSenseIsSaidAsStatus(String question) throws Exception {
        record(1, 20);
        serve();

        HttpResponse<String> answer = answer(question);

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(Trees.text(Trees.parse(answer.body()), "kind")).isEqualTo("Status");
        assertThat(answer("state", "Origin", "https://elsewhere.example").statusCode())
                .isEqualTo(403);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--assert", "--feature-gates=AllBeta=true", "--emulated-version=1.37"})
    void whatARecordKnowsByItselfIsRefused(String option) {
        Typed typed = Typed.evenkeel("replay", "--record", directory.toString(), option);

        assertThat(typed.exitCode()).isEqualTo(2);
        assertThat(typed.err()).contains("goes with scenarios");
    }

    @Test
    void whereThereIsNoRecordThatIsSaid() {
        Typed typed = Typed.evenkeel("replay", "--record", directory.toString(), "--page");

        assertThat(typed.exitCode()).isEqualTo(1);
        assertThat(typed.err()).contains(directory + ": there is no record in it");
    }
}
