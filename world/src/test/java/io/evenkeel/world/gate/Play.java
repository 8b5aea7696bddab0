package io.evenkeel.world.gate;

import io.evenkeel.world.SchedulerLog;
import io.evenkeel.world.World;
import io.evenkeel.world.play.Choices;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Plays worlds one after the other until one goes wrong, and says which and how. */
final class Play {
    static final int NOTHING_WRONG = 0;
    static final int WRONG = 3;
    /** Many times what a world takes on a busy machine. */
    private static final long LONGEST_SECONDS = 60;

    private Play() {}

    /** @param arguments how many seeds, from 1 on */
    public static void main(String[] arguments) throws InterruptedException {
        SchedulerLog.silence();
        long last = Long.parseLong(arguments[0]);
        for (long seed = 1; seed <= last; seed++) {
            Optional<String> wrong = wrong(seed);
            if (wrong.isPresent()) {
                System.out.println(seed + "\t" + wrong.get().lines().findFirst().orElse(""));
                Runtime.getRuntime().halt(WRONG);
            }
        }
        Runtime.getRuntime().halt(NOTHING_WRONG);
    }

    private static Optional<String> wrong(long seed) throws InterruptedException {
        var world = CompletableFuture.supplyAsync(
                () -> new World(Choices.ofSeed(seed)).wrong(),
                work -> Thread.ofVirtual().start(work));
        try {
            return world.get(LONGEST_SECONDS, TimeUnit.SECONDS).map(Play::described);
        } catch (TimeoutException endless) {
            return Optional.of("the world does not end");
        } catch (ExecutionException begun) {
            return Optional.of(described(begun.getCause()));
        }
    }

    private static String described(Throwable wrong) {
        String message = String.valueOf(wrong.getMessage());
        return wrong.getClass().getSimpleName() + ": " + message;
    }
}
