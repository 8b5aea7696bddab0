package io.evenkeel.lab.demo;

import io.evenkeel.lab.demo.Page.Palette;
import io.evenkeel.lab.demo.Telling.NotAsToldException;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;

/** Plays all stories on one stage, one after the other, and says whether each came out as it should. */
public final class Demo {
    static final List<Story> STORIES = List.of(
            SpreadStories.ZoneSpread.STORY,
            SpreadStories.ZonesAndNodes.STORY,
            SpreadStories.ConflictingConstraints.STORY,
            SpreadStories.MinDomains.STORY,
            SpreadStories.RevisionSpread.STORY,
            SpreadStories.TaintedNodes.STORY,
            SpreadStories.ProfileDefaults.STORY,
            GroupStories.RedisShards.STORY,
            GroupStories.WaitingGang.STORY,
            AnswerStories.WaitingPod.STORY,
            AnswerStories.SimulatedScale.STORY,
            SpreadStories.LargeDeployment.STORY);

    /** Generous: a story takes a second or two. */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private static final int AS_TOLD = 0;
    private static final int NOT_AS_TOLD = 1;

    private final Page page;
    private final PrintWriter out;
    private final List<Story> stories;
    private final Duration patience;

    /** @param width in columns of a terminal, which may want colours */
    public Demo(PrintWriter out, boolean coloured, int width) {
        this(new Page(out, coloured ? Palette.COLOURED : Palette.PLAIN, width), STORIES, PATIENCE);
    }

    Demo(Page page, List<Story> stories, Duration patience) {
        this.page = page;
        this.out = page.out();
        this.stories = stories;
        this.patience = patience;
    }

    /** Plays the stories and ends; the exit code is 0 if every story came out as told, else 1. */
    public int playOnce() throws IOException, InterruptedException {
        introduce();
        try (Stage stage = new Stage(patience)) {
            return play(stage);
        }
    }

    /**
     * Plays the stories, then keeps the cluster to be tried by hand, until a signal ends the process; with the same exit
     * code.
     */
    public int playAndStay() throws IOException, InterruptedException {
        introduce();
        try (Stage stage = new Stage(patience)) {
            return new HandsOn(stage, page, play(stage)).untilSignalled();
        } catch (NotAsToldException e) {
            out.println(page.palette().bad("✗ ") + e.getMessage());
            return NOT_AS_TOLD;
        }
    }

    int play(Stage stage) throws InterruptedException {
        int asTold = 0;
        for (int i = 0; i < stories.size(); i++) {
            if (tell(stage, i + 1, stories.get(i))) {
                asTold++;
            }
        }
        conclude(asTold);
        return asTold == stories.size() ? AS_TOLD : NOT_AS_TOLD;
    }

    private void introduce() {
        page.heading("Stories of topology spread, played on a cluster in this process.");
        page.paragraph("", """
                An API server (HTTPS), its controllers and its nodes, which run nothing; and the
                real scheduler, which knows the cluster by its API only. Every ✓ is what the API
                shows, not what the scheduler believes.
                """);
        out.flush();
    }

    private boolean tell(Stage stage, int number, Story story) throws InterruptedException {
        out.println();
        page.rule(number + " · " + story.title());
        page.paragraph(Page.MARGIN, story.explanation());
        out.println();
        out.flush();
        Telling telling = new Telling(page);
        try {
            Scene scene = Scene.inNew(story.namespace(), stage, new Progress(page));
            try {
                story.course().play(scene, telling);
            } catch (NotAsToldException e) {
                telling.breaksOff(e);
            }
            scene.strike();
        } catch (NotAsToldException e) {
            telling.breaksOff(e);
        }
        telling.end();
        return telling.isAsTold();
    }

    private void conclude(int asTold) {
        out.println();
        page.rule("");
        String summary = asTold + " of " + stories.size() + " stories came out as told.";
        Palette palette = page.palette();
        out.println(asTold == stories.size() ? palette.good("✓ " + summary) : palette.bad("✗ " + summary));
        out.flush();
    }
}
