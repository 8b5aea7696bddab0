package io.evenkeel.kube.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.kube.api.Machine.Loop;
import io.evenkeel.kube.api.Supervisor.SupervisedMachine;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

class SupervisedMachineTest {
    private final List<String> deaths = new CopyOnWriteArrayList<>();
    private final Machine machine =
            new SupervisedMachine(Machine.SYSTEM, (thread, why) -> deaths.add(thread + ": " + why));

    @Test
    void aThreadThatDiesIsToldByItsName() throws InterruptedException {
        Thread thread = machine.thread("works", () -> {
            throw new AssertionError("broken");
        });
        thread.start();
        thread.join();

        assertThat(deaths).containsExactly("works: java.lang.AssertionError: broken");
    }

    @Test
    void oneThatEndsOfItselfIsNot() throws InterruptedException {
        Thread thread = machine.thread("works", () -> {});
        thread.start();
        thread.join();
        run(machine::thread, new Turns(2, false));
        run(machine::dedicated, new Turns(2, false));

        assertThat(deaths).isEmpty();
    }

    @Test
    void aLoopThatDiesIsToldAndHasNoMoreTurns() throws InterruptedException {
        Turns light = new Turns(2, true);
        Turns heavy = new Turns(3, true);
        run(machine::thread, light);
        run(machine::dedicated, heavy);

        assertThat(deaths)
                .containsExactly(
                        "loop: java.lang.StackOverflowError: turn 2", "loop: java.lang.StackOverflowError: turn 3");
        assertThat(light.taken).isEqualTo(2);
        assertThat(heavy.taken).isEqualTo(3);
    }

    private static void run(BiFunction<String, Loop, Thread> threads, Loop loop) throws InterruptedException {
        Thread thread = threads.apply("loop", loop);
        thread.start();
        thread.join();
    }

    /** So many turns, the last of which may be its death. */
    private static final class Turns implements Loop {
        private final int last;
        private final boolean dies;
        private volatile int taken;

        private Turns(int last, boolean dies) {
            this.last = last;
            this.dies = dies;
        }

        @Override
        public boolean turn(long longestWait) {
            int turn = taken + 1;
            taken = turn;
            if (turn == last && dies) {
                throw new StackOverflowError("turn " + turn);
            }
            return turn < last;
        }

        @Override
        public long nanosUntilNext() {
            return 0;
        }
    }
}
