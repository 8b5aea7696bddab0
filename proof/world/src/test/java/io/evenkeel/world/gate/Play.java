package io.evenkeel.world.gate;

import io.evenkeel.world.SchedulerLog;
import io.evenkeel.world.World;
import io.evenkeel.world.play.Choices;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Plays worlds one after the other until one goes wrong, and says which and how. */
final class Play {
    static final int NOTHING_WRONG = 0;
    static final int WRONG = 3;
    /**
     * Of this process' own processor time, however busy the machine is: some hundred times what a world takes. Worlds count
     * their steps, so this is for what never comes to its next step.
     */
    private static final Duration LONGEST = Duration.ofMinutes(2);

    private Play() {}

    /** @param arguments the first seed and the last */
    public static void main(String[] arguments) throws InterruptedException {
        SchedulerLog.silence();
        long last = Long.parseLong(arguments[1]);
        for (long seed = Long.parseLong(arguments[0]); seed <= last; seed++) {
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
        Duration begun = processorTime();
        while (processorTime().minus(begun).compareTo(LONGEST) < 0) {
            try {
                return world.get(1, TimeUnit.SECONDS).map(Play::described);
            } catch (TimeoutException goesOn) {
                // looks at the time that it took, not at the time that has passed
            } catch (ExecutionException broken) {
                return Optional.of(described(broken.getCause()));
            }
        }
        return Optional.of("a step does not end");
    }

    private static Duration processorTime() {
        return ProcessHandle.current().info().totalCpuDuration().orElseThrow();
    }

    private static String described(Throwable wrong) {
        String message = String.valueOf(wrong.getMessage());
        return wrong.getClass().getSimpleName() + ": " + message;
    }
}
