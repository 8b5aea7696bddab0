package io.evenkeel.world.exhaustive;

import io.evenkeel.world.check.Violation;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * All stories of a scene up to a length. What goes on in a world that was seen before is not told again, unless it was come to by
 * more steps then; the last world of each story comes to rest and is judged.
 *
 * <p>A world cannot be copied. The first choice is taken in the world at hand, each other in one that has been brought to the same
 * place by the same steps.
 *
 * <pre>
 *   a b        one world: a, then b
 *   a c        another: a again, then c; it is equal to the first after b, so its story ends here
 * </pre>
 */
final class Search {
    private final Scene scene;
    private final int depth;
    private final Map<Fingerprint, Integer> visited = new HashMap<>();
    private final long begun = processorNanos();
    private long steps;
    private long ends;

    /** A story that goes wrong, and how. */
    record Wrong(List<String> story, Throwable how) {
        @Override
        public String toString() {
            return String.join("\n", story) + "\n= " + how.getMessage();
        }
    }

    /**
     * What was found.
     *
     * @param depth the longest story's length
     * @param states how many different worlds
     * @param steps how many steps led to them, and to those seen before
     * @param ends how many came to rest and were judged
     * @param seconds of a processor, however many share it
     */
    record Found(Optional<Wrong> wrong, int depth, long states, long steps, long ends, double seconds) {
        @Override
        public String toString() {
            return "%5d  %,11d  %,11d  %,11d  %,9.1f".formatted(depth, states, steps, ends, seconds);
        }
    }

    /** Ends the search. */
    private static final class Halt extends Exception {
        private final Wrong wrong;

        private Halt(Wrong wrong) {
            super(null, null, false, false);
            this.wrong = wrong;
        }
    }

    private Search(Scene scene, int depth) {
        this.scene = scene;
        this.depth = depth;
    }

    static Found run(Scene scene, int depth) {
        return new Search(scene, depth).run();
    }

    /** The same by ever longer stories, so that the first that goes wrong is among the shortest. */
    static Found shortestFirst(Scene scene, int depth) {
        Found found = run(scene, 1);
        for (int longer = 2; longer <= depth && found.wrong().isEmpty(); longer++) {
            found = run(scene, longer);
        }
        return found;
    }

    private Found run() {
        Optional<Wrong> wrong = Optional.empty();
        try (SmallWorld world = new SmallWorld(scene)) {
            visited.put(Fingerprint.of(world), 0);
            tell(world, List.of());
        } catch (Halt found) {
            wrong = Optional.of(found.wrong);
        }
        double seconds = (processorNanos() - begun) / (double) TimeUnit.SECONDS.toNanos(1);
        return new Found(wrong, depth, visited.size(), steps, ends, seconds);
    }

    private static long processorNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private void tell(SmallWorld at, List<Integer> before) throws Halt {
        int choices = before.size() == depth ? 0 : at.choices().size();
        if (choices == 0) {
            ends++;
            halting(at, () -> new Calm(at).comes());
            return;
        }
        for (int choice = 0; choice < choices; choice++) {
            try (SmallWorld world = choice == 0 ? at : SmallWorld.after(scene, before)) {
                List<Integer> after = new ArrayList<>(before);
                after.add(choice);
                steps++;
                halting(world, () -> world.take(after.getLast()));
                if (isNew(world, after.size())) {
                    tell(world, after);
                }
            }
        }
    }

    private boolean isNew(SmallWorld world, int length) {
        Fingerprint print = Fingerprint.of(world);
        boolean isNew = visited.getOrDefault(print, Integer.MAX_VALUE) > length;
        if (isNew) {
            visited.put(print, length);
        }
        return isNew;
    }

    private static void halting(SmallWorld world, Runnable what) throws Halt {
        try {
            what.run();
        } catch (Violation | IllegalStateException | IndexOutOfBoundsException | NullPointerException how) {
            throw new Halt(new Wrong(world.story(), how));
        }
    }
}
