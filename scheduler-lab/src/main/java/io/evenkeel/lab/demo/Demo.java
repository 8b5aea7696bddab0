package io.evenkeel.lab.demo;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Plays all stories on one stage, one after the other, and says whether each came out as it should. */
public final class Demo {
    static final List<Story> STORIES = List.of(
            new ZoneSpread(),
            new ZonesAndNodes(),
            new ConflictingConstraints(),
            new MinDomains(),
            new RevisionSpread(),
            new TaintedNodes(),
            new ProfileDefaults(),
            new RedisShards(),
            new WaitingGang(),
            new WaitingPod(),
            new SimulatedScale(),
            new LargeDeployment());

    /** Generous: a story takes a second or two. */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private static final int AS_TOLD = 0;
    private static final int NOT_AS_TOLD = 1;

    private final Page page;
    private final PrintWriter out;
    private final List<Story> stories;
    private final Duration patience;

    public Demo(Page page) {
        this(page, STORIES, PATIENCE);
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
                story.play(scene, telling);
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

    /** minDomains holds pods back until there are enough zones. */
    private static final class MinDomains implements Story {
        private static final Manifest WEB =
                Manifest.deployment("web", 3, Constraints.ZONES.formatted("web") + "  minDomains: 3\n");

        @Override
        public String namespace() {
            return "min-domains";
        }

        @Override
        public String title() {
            return "minDomains: wait for a third zone";
        }

        @Override
        public String explanation() {
            return """
                    Three pods, two zones, and minDomains asks for three zones. Until there are
                    three, the emptiest counts as 0, so no zone may take a second pod.
                    """;
        }

        @Override
        public void play(Scene scene, Telling telling) throws InterruptedException {
            scene.draw("zone-a: node1[] | zone-b: node2[]");
            Cluster before = scene.cluster();
            telling.applies(WEB);
            scene.create(WEB);
            Cluster waiting =
                    scene.await("two pods on nodes, one refused", cluster -> cluster.hasPlacedAndRefused(2, 1));
            scene.join("node3", "zone-c");
            Cluster after = scene.await("three pods on nodes", cluster -> cluster.hasPlaced(3));

            telling.draws(Moment.of("before", before), Moment.of("applied", waiting), Moment.of("node3 joined", after));
            telling.check(
                    "one pod waits while there are two zones",
                    waiting.podsByZone().equals(Map.of("zone-a", 1, "zone-b", 1)),
                    waiting.podsByZone());
            telling.check(
                    "it goes to zone-c once that is there",
                    after.podsByZone().equals(Map.of("zone-a", 1, "zone-b", 1, "zone-c", 1)),
                    after.podsByZone());
        }
    }

    /** nodeTaintsPolicy decides whether nodes that the pod cannot use count. */
    private static final class TaintedNodes implements Story {
        private static final Manifest IGNORE = Manifest.deployment("ignore", 3, Constraints.ZONES.formatted("ignore"));
        private static final Manifest HONOR =
                Manifest.deployment("honor", 3, Constraints.ZONES.formatted("honor") + "  nodeTaintsPolicy: Honor\n");

        @Override
        public String namespace() {
            return "tainted-nodes";
        }

        @Override
        public String title() {
            return "nodeTaintsPolicy: a node that the pod cannot use";
        }

        @Override
        public String explanation() {
            return """
                    Zone-c has one node, tainted and empty. With Ignore, the default, it is
                    the emptiest zone and blocks the others; with Honor it does not count.
                    """;
        }

        @Override
        public void play(Scene scene, Telling telling) throws InterruptedException {
            scene.draw("zone-a: node1[] | zone-b: node2[] | zone-c: node3[]");
            scene.taint("node3", "dedicated", "database");
            Cluster before = scene.cluster();
            telling.applies(HONOR);
            telling.say("", IGNORE.what() + ": the same, but for the last line");
            scene.create(HONOR);
            scene.create(IGNORE);
            Cluster after =
                    scene.await("five pods on nodes, one refused", cluster -> cluster.hasPlacedAndRefused(5, 1));

            Cluster honored = after.ofApp("honor");
            Cluster ignored = after.ofApp("ignore");
            telling.draws(Moment.of("before", before), Moment.of("Ignore", ignored), Moment.of("Honor", honored));
            telling.check(
                    "with Ignore the third pod waits",
                    ignored.podsByZone().equals(Map.of("zone-a", 1, "zone-b", 1, "zone-c", 0)),
                    ignored.podsByZone());
            telling.check(
                    "with Honor it has a node, and not the tainted one",
                    honored.hasPlaced(3) && honored.podsByNode().getOrDefault("node3", 0) == 0,
                    honored.podsByNode());
        }
    }

    /** Two hard constraints that must both hold. */
    private static final class ZonesAndNodes implements Story {
        private static final Manifest DB = Manifest.statefulSet("db", 6, Constraints.ZONES_AND_NODES.formatted("db"));

        @Override
        public String namespace() {
            return "zones-and-nodes";
        }

        @Override
        public String title() {
            return "Even over zones and even over nodes";
        }

        @Override
        public String explanation() {
            return """
                    A StatefulSet starts its pods one after the other, on four nodes in two
                    zones. Neither zones nor nodes may ever differ by more than one pod.
                    """;
        }

        @Override
        public void play(Scene scene, Telling telling) throws InterruptedException {
            scene.draw("zone-a: node1[] node2[] | zone-b: node3[] node4[]");
            Cluster before = scene.cluster();
            telling.applies(DB);
            scene.create(DB);
            Cluster after = scene.await("six pods on nodes", cluster -> cluster.hasPlaced(6));

            telling.draws(Moment.of("before", before), Moment.since(before, "after", after));
            telling.check(
                    "each zone has three pods",
                    after.podsByZone().values().stream().allMatch(pods -> pods == 3),
                    after.podsByZone());
            telling.check("nodes differ by one pod at most", Cluster.skew(after.podsByNode()) <= 1, after.podsByNode());
        }
    }
}
