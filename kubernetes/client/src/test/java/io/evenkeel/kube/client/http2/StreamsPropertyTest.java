package io.evenkeel.kube.client.http2;

import static io.evenkeel.kube.client.http2.ServerFrames.END_STREAM;
import static io.evenkeel.kube.client.http2.ServerFrames.answer;
import static io.evenkeel.kube.client.http2.ServerFrames.data;
import static io.evenkeel.kube.client.http2.ServerFrames.headers;
import static io.evenkeel.kube.client.http2.ServerFrames.setting;
import static io.evenkeel.kube.client.http2.ServerFrames.windowUpdate;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * A server that keeps to the protocol, in random order: it changes its settings, opens windows, and answers calls, before or
 * after it has heard all of them. It counts what may be sent by itself.
 */
class StreamsPropertyTest {
    private static final int SEEDS = 2_000;

    private Random random = new Random();
    private StreamsFixture fixture = StreamsFixture.begun();
    private final Map<Integer, Long> windows = new LinkedHashMap<>();
    private final List<Integer> heard = new ArrayList<>();
    private final List<String> told = new ArrayList<>();
    private long window;
    private int firstWindow;
    private int mostStreams;
    private int calls;

    @Test
    void everyCallIsToldOnceAndNoWindowOrLimitIsExceeded() throws IOException {
        for (int seed = 0; seed < SEEDS; seed++) {
            begin(seed);
            for (int step = 0; step < 60; step++) {
                step();
                check(seed);
            }
            finish(seed);
            assertThat(told).as("seed " + seed).hasSize(calls).doesNotHaveDuplicates();
            assertThat(told).as("seed " + seed).allMatch(end -> end.endsWith(" 200"));
        }
    }

    private void begin(int seed) {
        random = new Random(seed);
        fixture = StreamsFixture.begun();
        windows.clear();
        heard.clear();
        told.clear();
        window = 65_535;
        firstWindow = 65_535;
        mostStreams = 100;
        calls = 0;
    }

    private void step() throws IOException {
        switch (random.nextInt(6)) {
            case 0, 1 -> fixture.call("c" + calls++, random.nextBoolean() ? 0 : random.nextInt(60_000));
            case 2 -> {
                int changed = random.nextInt(100_000);
                windows.replaceAll((_, left) -> left + changed - firstWindow);
                firstWindow = changed;
                fixture.receive(setting(Frame.INITIAL_WINDOW_SIZE, changed));
            }
            case 3 -> widen(random.nextInt(20_000) + 1);
            case 4 -> {
                mostStreams = random.nextInt(8);
                fixture.receive(setting(Frame.MAX_CONCURRENT_STREAMS, mostStreams));
            }
            default -> answerOne(random.nextInt(3) == 0 ? new ArrayList<>(windows.keySet()) : heard);
        }
    }

    private void widen(int bytes) throws IOException {
        window += bytes;
        fixture.receive(windowUpdate(0, bytes));
        for (int stream : List.copyOf(windows.keySet())) {
            windows.merge(stream, (long) bytes, Long::sum);
            fixture.receive(windowUpdate(stream, bytes));
        }
    }

    private void answerOne(List<Integer> among) throws IOException {
        if (among.isEmpty()) {
            return;
        }
        int stream = among.get(random.nextInt(among.size()));
        // What the client had sent by then counts; what it sends because of this answer is checked after it.
        windows.remove(stream);
        heard.removeIf(each -> each == stream);
        if (random.nextBoolean()) {
            fixture.receive(answer(stream, 200));
        } else {
            fixture.receive(headers(stream, 200), data(stream, END_STREAM));
        }
    }

    /** Counts what has been sent. */
    private void check(int seed) {
        for (String frame : fixture.sent()) {
            String[] words = frame.split(" ", -1);
            int stream = words.length > 1 && words[1].matches("\\d+") ? Integer.parseInt(words[1]) : 0;
            if (words[0].equals("HEADERS")) {
                assertThat(windows).as("seed " + seed + " " + frame).hasSizeLessThan(mostStreams);
                windows.put(stream, (long) firstWindow);
            } else if (words[0].equals("DATA")) {
                int bytes = Integer.parseInt(words[2]);
                window -= bytes;
                assertThat(window).as("seed " + seed + " " + frame).isNotNegative();
                assertThat(windows.merge(stream, (long) -bytes, Long::sum))
                        .as("seed " + seed + " " + frame)
                        .isNotNegative();
            }
            if (frame.endsWith(" END")) {
                heard.add(stream);
            }
        }
        told.addAll(fixture.ended());
    }

    private void finish(int seed) throws IOException {
        mostStreams = 1_000;
        fixture.receive(setting(Frame.MAX_CONCURRENT_STREAMS, mostStreams));
        check(seed);
        widen(10_000_000);
        check(seed);
        assertThat(heard).as("seed " + seed + ": bodies arrive as a whole").containsAll(windows.keySet());
        while (!heard.isEmpty()) {
            answerOne(heard);
            check(seed);
        }
        assertThat(fixture.streams.isEmpty()).as("seed " + seed).isTrue();
    }
}
