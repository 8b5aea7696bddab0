package io.evenkeel.tools.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.app.http.Answer;
import io.evenkeel.app.http.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class SharedAnswersTest {
    private long now = -1_000_000;
    private long version = 1;
    private int made;
    private final List<Long> pauses = new ArrayList<>();
    private final SharedAnswers answers = new SharedAnswers(() -> now, pauses::add);

    private static String text(Answer answer) {
        return new String(((Reply) answer).body());
    }

    private String ask() {
        return ask(() -> Reply.text(200, "answer " + ++made));
    }

    private String ask(Supplier<Answer> making) {
        return text(answers.answer("cluster", () -> version, making));
    }

    @Test
    void anAnswerHoldsUntilSomethingChanges() {
        assertThat(ask()).isEqualTo("answer 1");
        assertThat(ask()).isEqualTo("answer 1");

        version++;
        assertThat(ask()).isEqualTo("answer 2");
    }

    /** Without a copy of the cluster nothing tells of changes. */
    @Test
    void anAnswerDoesNotHoldForLong() {
        ask();
        now += Duration.ofSeconds(3).toNanos();

        assertThat(ask()).isEqualTo("answer 2");
    }

    /** What changes while an answer is made may not be in it. */
    @Test
    void anAnswerIsOfTheVersionBeforeItWasMade() {
        ask(() -> {
            version++;
            return Reply.text(200, "half");
        });

        assertThat(ask()).isEqualTo("answer 1");
    }

    @Test
    void whatTakesLongIsMadeLessOften() {
        ask(() -> {
            now += Duration.ofMillis(200).toNanos();
            return Reply.text(200, "slow");
        });
        version++;
        ask();

        assertThat(pauses.getLast()).isEqualTo(Duration.ofMillis(800).toNanos());
    }

    @Test
    void aRefusalIsNotKept() {
        ask(() -> Reply.text(503, "not yet"));

        assertThat(ask()).isEqualTo("answer 1");
    }

    @Test
    void aFaultIsTheirsWhoWaitedForTheAnswer() {
        assertThatThrownBy(() -> ask(() -> {
                    throw new IllegalStateException("a bug");
                }))
                .hasRootCauseMessage("a bug");

        assertThat(ask()).isEqualTo("answer 1");
    }

    /** All that ask while one answer is made get the next one, which is made once. */
    @Test
    void manyWhoAskAtOnceCostOneAnswer() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CompletableFuture<Void> goOn = new CompletableFuture<>();
        try (ExecutorService readers = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<String> first = readers.submit(() -> ask(() -> {
                begun.countDown();
                goOn.join();
                return Reply.text(200, "first");
            }));
            begun.await();
            version++;
            CountDownLatch asking = new CountDownLatch(100);
            List<Future<String>> others = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                others.add(readers.submit(() -> {
                    asking.countDown();
                    return ask();
                }));
            }
            asking.await();
            goOn.complete(null);

            assertThat(first.get()).isEqualTo("first");
            for (Future<String> other : others) {
                assertThat(other.get()).isEqualTo("answer 1");
            }
        }
        assertThat(made).isEqualTo(1);
    }

    @Test
    void keepsNoMoreThanSome() {
        for (int i = 0; i < 10_000; i++) {
            String question = "node?name=" + i;
            answers.answer(question, () -> version, () -> Reply.text(200, question));
        }
        answers.answer("node?name=0", () -> version, () -> Reply.text(200, "answer " + ++made));

        assertThat(made).isEqualTo(1);
    }
}
