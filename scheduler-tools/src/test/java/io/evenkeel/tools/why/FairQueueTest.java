package io.evenkeel.tools.why;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FairQueueTest {
    private final FairQueue<String> line = new FairQueue<>(3, 5);

    @Test
    void askersTakeTurns() throws InterruptedException {
        for (String question : List.of("a1", "a2", "a3", "b1", "c1")) {
            assertThat(join(question)).isEmpty();
        }

        assertThat(rest()).containsExactly("a1", "b1", "c1", "a2", "a3");
    }

    @Test
    void oneAskerHasSoMuchRoomAndNoMore() {
        join("a1");
        join("a2");
        join("a3");

        assertThat(join("a4")).contains("a4");
    }

    /** Else those who came first would share all of the room among them for as long as they like. */
    @Test
    void whoHasMostMakesRoomForWhoHasLess() throws InterruptedException {
        for (String question : List.of("a1", "a2", "a3", "b1", "b2")) {
            join(question);
        }

        assertThat(join("c1")).contains("a3");
        assertThat(join("c2")).contains("c2");
        assertThat(rest()).containsExactly("a1", "b1", "c1", "a2", "b2");
    }

    @Test
    void whoLeavesMakesRoom() throws InterruptedException {
        join("a1");
        join("b1");
        line.leave("a", "a1");
        line.leave("a", "a1");

        assertThat(rest()).containsExactly("b1");
        assertThat(line.next(0)).isEmpty();
    }

    /** Whoever asks how much: nobody has two turns while another waits for one. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void nobodyWaitsForTwoTurnsOfAnother(long seed) throws InterruptedException {
        Random random = new Random(seed);
        FairQueue<String> many = new FairQueue<>(6, 20);
        Map<String, Integer> waiting = new HashMap<>();
        Map<String, Set<String>> servedMeanwhile = new HashMap<>();
        for (int step = 0; step < 2_000; step++) {
            String asker = String.valueOf((char) ('a' + Math.min(random.nextInt(8), random.nextInt(8))));
            if (random.nextInt(5) < 3) {
                servedMeanwhile.computeIfAbsent(asker, _ -> new HashSet<>());
                waiting.merge(asker, 1, Integer::sum);
                many.join(asker, asker + step).ifPresent(away -> taken(away, waiting, servedMeanwhile));
            } else {
                many.next(0).ifPresent(turn -> {
                    String served = taken(turn, waiting, servedMeanwhile);
                    servedMeanwhile.remove(served);
                    servedMeanwhile
                            .values()
                            .forEach(others -> assertThat(others.add(served)).isTrue());
                    if (waiting.getOrDefault(served, 0) > 0) {
                        servedMeanwhile.put(served, new HashSet<>());
                    }
                });
            }
            assertThat(waiting.values()).allMatch(questions -> questions <= 6);
            assertThat(waiting.values().stream().mapToInt(Integer::intValue).sum())
                    .isLessThanOrEqualTo(20);
        }
    }

    private static String taken(
            String question, Map<String, Integer> waiting, Map<String, Set<String>> servedMeanwhile) {
        String asker = question.substring(0, 1);
        if (waiting.merge(asker, -1, Integer::sum) == 0) {
            servedMeanwhile.remove(asker);
        }
        return asker;
    }

    private Optional<String> join(String question) {
        return line.join(question.substring(0, 1), question);
    }

    private List<String> rest() throws InterruptedException {
        List<String> all = new ArrayList<>();
        for (Optional<String> next = line.next(0); next.isPresent(); next = line.next(0)) {
            all.add(next.get());
        }
        return all;
    }
}
