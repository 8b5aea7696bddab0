package io.evenkeel.app.demo;

import java.io.PrintWriter;
import java.util.List;

/** Tells all stories, one after the other, and says whether each came out as it should. */
public final class Demo {
    static final List<Story> STORIES = List.of(
            new EmptierZone(),
            new ZonesAndNodes(),
            new ConflictingConstraints(),
            new MinDomains(),
            new RollingUpdate(),
            new TaintedNodes(),
            new DefaultConstraints(),
            new LargeDeployment());

    private final PrintWriter out;
    private final Palette palette;

    public Demo(PrintWriter out, Palette palette) {
        this.out = out;
        this.palette = palette;
    }

    /** Whether every story came out as told. */
    public boolean run() {
        return run(STORIES);
    }

    boolean run(List<Story> stories) {
        introduce();
        int asTold = 0;
        for (int i = 0; i < stories.size(); i++) {
            if (tell(i + 1, stories.get(i))) {
                asTold++;
            }
        }
        conclude(asTold, stories.size());
        out.flush();
        return asTold == stories.size();
    }

    private void introduce() {
        out.println(palette.heading("Stories of topology spread, played through Evenkeel's real engine in memory."));
        out.println("There is no API server here and nothing is bound: each story has a cluster of");
        out.println("plain objects and an engine of its own, with the default configuration.");
    }

    private boolean tell(int number, Story story) {
        String title = "━━ " + number + " · " + story.title() + " ";
        out.println();
        out.println(palette.heading(title + "━".repeat(Math.max(0, Telling.WIDTH - title.length()))));
        story.explanation().lines().forEach(line -> out.println("   " + line));
        out.println();
        Telling telling = new Telling(out, palette);
        story.play(telling);
        telling.end();
        return telling.isAsTold();
    }

    private void conclude(int asTold, int stories) {
        out.println();
        out.println("━".repeat(Telling.WIDTH));
        String summary = asTold + " of " + stories + " stories came out as told.";
        out.println(asTold == stories ? palette.good("✓ " + summary) : palette.bad("✗ " + summary));
    }
}
