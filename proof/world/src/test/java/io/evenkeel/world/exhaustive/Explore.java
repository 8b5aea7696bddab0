package io.evenkeel.world.exhaustive;

import io.evenkeel.world.SchedulerLog;

/** Tells the stories of all scenes, until one goes wrong. */
public final class Explore {
    public static final int NOTHING_WRONG = 0;
    public static final int WRONG = 3;

    private Explore() {}

    /** @param arguments how long the stories are; {@code shortest} where the shortest that goes wrong is wanted */
    public static void main(String[] arguments) {
        SchedulerLog.silence();
        int depth = Integer.parseInt(arguments[0]);
        boolean shortest = arguments.length > 1;
        for (Scene scene : Scene.ALL) {
            Search.Found found = shortest ? Search.shortestFirst(scene, depth) : Search.run(scene, depth);
            System.out.printf("%-22s  %s%n", scene, found);
            if (found.wrong().isPresent()) {
                System.out.println(found.wrong().get());
                System.exit(WRONG);
            }
        }
        System.exit(NOTHING_WRONG);
    }
}
