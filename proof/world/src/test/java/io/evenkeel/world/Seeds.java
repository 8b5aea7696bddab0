package io.evenkeel.world;

import io.evenkeel.world.play.Choices;
import java.util.Collections;
import java.util.List;
import java.util.NavigableSet;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Plays the worlds of many seeds, as many at once as there are processors, until one goes wrong. Keeps nothing of those
 * that went well, so that a million need no more memory than two; a long run tells now and then how far it has come.
 */
final class Seeds {
    private static final long TOLD_EVERY = 5_000;

    private final long first;
    private final long last;
    private final AtomicLong next;
    private final AtomicLong steps = new AtomicLong();
    private final NavigableSet<Long> wrong = new ConcurrentSkipListSet<>();
    private final long begun = System.nanoTime();

    private Seeds(long first, long last) {
        this.first = first;
        this.last = last;
        next = new AtomicLong(first);
    }

    /** The lowest seed found between these whose world goes wrong. */
    static OptionalLong firstWrong(long first, long last) throws InterruptedException, ExecutionException {
        return new Seeds(first, last).play();
    }

    private OptionalLong play() throws InterruptedException, ExecutionException {
        int atOnce = Runtime.getRuntime().availableProcessors();
        // virtual as those of the worlds, which hand over to each other at every step
        try (ExecutorService players =
                Executors.newFixedThreadPool(atOnce, Thread.ofVirtual().factory())) {
            List<Callable<Void>> all = Collections.nCopies(atOnce, this::playOn);
            for (Future<Void> player : players.invokeAll(all)) {
                player.get();
            }
        }
        return wrong.isEmpty() ? OptionalLong.empty() : OptionalLong.of(wrong.first());
    }

    private Void playOn() {
        for (long seed = next.getAndIncrement(); seed <= last && wrong.isEmpty(); seed = next.getAndIncrement()) {
            World world = new World(Choices.ofSeed(seed));
            if (world.wrong().isPresent()) {
                wrong.add(seed);
            }
            tell(seed, steps.addAndGet(world.steps()));
        }
        return null;
    }

    private void tell(long seed, long stepsNow) {
        long worlds = seed - first + 1;
        if (worlds % TOLD_EVERY == 0) {
            double seconds = (System.nanoTime() - begun) / (double) TimeUnit.SECONDS.toNanos(1);
            System.out.printf("%,d worlds, %,d steps, %.1f worlds a second%n", worlds, stepsNow, worlds / seconds);
        }
    }
}
