package io.evenkeel.kube.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.engine.Command;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.kube.api.Answers;
import io.evenkeel.kube.api.ApiAnswer;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ScriptedTransport;
import io.evenkeel.kube.dispatch.Dispatcher.DispatcherSettings;
import io.evenkeel.model.Pod;
import io.evenkeel.rotation.Rotated;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random commands on few pods, to a server that answers late, wrongly or not at all. */
class DispatcherPropertyTest {
    private static final int PARALLELISM = 5;
    private static final int QPS = 100;
    private static final int BURST = 20;
    private static final Pattern NUMBER = Pattern.compile("#(\\d+)#");

    private final Map<String, Integer> lastNumber = new HashMap<>();
    private final Set<String> bound = new HashSet<>();
    private final Map<Integer, Integer> carriedOut = new HashMap<>();
    private final List<Long> callTimes = new ArrayList<>();
    private Random random = new Random();
    private SimulatedThreads threads = new SimulatedThreads(() -> 0);

    @Rotated(3)
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void everyPromiseHoldsUnderRandomCommandsAnswersAndDelays(long seed) {
        random = new Random(seed);
        // Without delays a call is made when it starts, so that its time tells whether the rate is kept.
        boolean delays = seed % 3 != 0;
        threads = new SimulatedThreads(() -> delays ? random.nextLong(50_000_000) : 0);
        DispatcherFixture fixture = new DispatcherFixture(
                new DispatcherSettings(PARALLELISM, QPS, BURST, 20, false),
                new ScriptedTransport(this::answer),
                threads);
        Map<Pod, Integer> binds = new HashMap<>();
        Map<Pod, Integer> looks = new HashMap<>();
        for (int number = 1; number <= 1_500; number++) {
            Pod pod = Commands.pod("p" + random.nextInt(8));
            Command.AtServer command = command(pod, number);
            if (command instanceof Command.Bind) {
                binds.merge(pod, 1, Integer::sum);
            } else if (command instanceof Command.Lookup) {
                looks.merge(pod, 1, Integer::sum);
            }
            fixture.dispatcher.submit(command);
            if (random.nextInt(3) == 0) {
                fixture.pass(Duration.ofMillis(random.nextInt(120)));
                assertThat(fixture.dispatcher.view().calling().values().stream()
                                .mapToInt(Integer::intValue)
                                .sum())
                        .isLessThanOrEqualTo(PARALLELISM);
            }
        }
        fixture.pass(Duration.ofHours(1));

        assertThat(count(fixture.results, CommandResult.Bound.class, CommandResult.NotBound.class))
                .isEqualTo(binds);
        assertThat(count(fixture.results, CommandResult.Found.class, CommandResult.LookupFailed.class))
                .isEqualTo(looks);
        assertThat(carriedOut.values())
                .as("how often a binding was sent that the server did not put off")
                .allMatch(n -> n == 1);
        assertThat(fixture.dispatcher.unfinished().isEmpty()).isTrue();
        if (!delays) {
            assertThatTheRateWasKept();
        }
    }

    private Command.AtServer command(Pod pod, int number) {
        String mark = "#" + number + "#";
        return switch (random.nextInt(5)) {
            case 0 -> Commands.bind(pod, mark);
            case 1 -> new Command.Lookup(pod);
            case 2 -> Commands.recordEvent(pod, "note " + random.nextInt(3));
            default -> Commands.patch(pod, mark, random.nextBoolean() ? Optional.empty() : Optional.of("n"));
        };
    }

    private static Map<Pod, Integer> count(List<CommandResult> results, Class<?> one, Class<?> other) {
        Map<Pod, Integer> counts = new HashMap<>();
        for (CommandResult result : results) {
            if (one.isInstance(result) || other.isInstance(result)) {
                counts.merge(result.pod(), 1, Integer::sum);
            }
        }
        return counts;
    }

    private ApiAnswer answer(ApiCall call) throws IOException {
        if (call.path().contains("/events")) {
            return Answers.of(random.nextInt(4) == 0 ? 503 : 201, "");
        }
        callTimes.add(threads.now());
        String body = call.body().map(ApiCall.Body::content).orElse("");
        Matcher matcher = NUMBER.matcher(body);
        int number = matcher.find() ? Integer.parseInt(matcher.group(1)) : 0;
        if (number > 0) {
            String pod = call.path().replaceAll(".*/pods/(p\\d+)/.*", "$1");
            Integer before = lastNumber.put(pod, number);
            assertThat(number).as("order of commands on %s", pod).isGreaterThanOrEqualTo(before == null ? 0 : before);
        }
        int luck = random.nextInt(10);
        if (luck == 0) {
            return Answers.tooMany(Duration.ofMillis(random.nextInt(2_000)));
        }
        if (call.path().endsWith("/binding")) {
            carriedOut.merge(number, 1, Integer::sum);
            return bind(call.path(), luck);
        }
        return luck == 1
                ? Answers.of(500, "")
                : Answers.of(200, "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"p\"}}");
    }

    private ApiAnswer bind(String path, int luck) throws IOException {
        if (luck == 1) {
            return Answers.of(503, "");
        }
        boolean first = bound.add(path);
        if (luck == 2) {
            throw new IOException("reset");
        }
        return first ? Answers.recorded("bind") : Answers.recorded("bind again to another node");
    }

    private void assertThatTheRateWasKept() {
        for (int i = 0; i < callTimes.size(); i++) {
            for (int j = i; j < callTimes.size(); j++) {
                double seconds = (callTimes.get(j) - callTimes.get(i)) / 1e9;
                assertThat(j - i + 1).isLessThanOrEqualTo((int) Math.floor(BURST + QPS * seconds + 1e-3));
            }
        }
    }
}
