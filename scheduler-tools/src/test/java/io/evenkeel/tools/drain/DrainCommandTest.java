package io.evenkeel.tools.drain;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.cli.Typed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands about nodes that go, on scenarios. */
class DrainCommandTest {
    private static final String NODE = """
            {"kind":"Node","apiVersion":"v1","metadata":{"name":"%1$s","labels":{"kubernetes.io/hostname":"%1$s",\
            "topology.kubernetes.io/zone":"%2$s","node.kubernetes.io/instance-type":"large"}},\
            "status":{"allocatable":{"cpu":"2","pods":"9"}}}""";

    private static final String POD = """
            {"kind":"Pod","apiVersion":"v1","metadata":{"name":"%s","namespace":"shop","labels":{"app":"web"},\
            "ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web","uid":"u","controller":true}]},\
            "spec":{"nodeName":"%s","containers":[{"name":"c","resources":{"requests":{"cpu":"1"}}}]}}""";

    private static final String BUDGET = """
            {"kind":"PodDisruptionBudget","apiVersion":"policy/v1","metadata":{"name":"web","namespace":"shop"},\
            "spec":{"%s":%s,"selector":{"matchLabels":{"app":"web"}}}}""";

    @TempDir
    private Path folder;

    private String scenarios = "";

    @BeforeEach
    void twoClusters() throws IOException {
        String nodes = NODE.formatted("n1", "a") + "," + NODE.formatted("n2", "b");
        String pods = POD.formatted("x", "n1") + "," + POD.formatted("y", "n1");
        scenarios = Files.writeString(
                        folder.resolve("s.jsonl"),
                        line("shop", nodes + "," + pods + "," + BUDGET.formatted("maxUnavailable", "1"))
                                + line("held", nodes + "," + pods + "," + BUDGET.formatted("minAvailable", "\"100%\"")))
                .toString();
    }

    private static String line(String name, String objects) {
        return "{\"name\":\"" + name + "\",\"objects\":[" + objects + "]}\n";
    }

    private Typed typed(String... words) {
        String[] all = new String[words.length + 2];
        System.arraycopy(words, 0, all, 0, words.length);
        all[words.length] = "--scenario";
        all[words.length + 1] = scenarios;
        return Typed.evenkeel(all);
    }

    @Test
    void aPlanIsALineAScenario() {
        Typed plan = typed("drain", "plan", "-o", "json", "--all", "--max-unavailable", "1");

        assertThat(plan.err()).isEmpty();
        assertThat(plan.out()).isEqualToNormalizingNewlines("""
                {"name":"shop","steps":[{"drain":"n1","moves":[{"pod":"shop/x","from":"n1","to":"n2"},\
                {"pod":"shop/y","from":"n1","to":"n2"}],"waves":[1,1]},\
                {"drain":"n2","back":["n1"],"moves":[{"pod":"shop/x","from":"n2","to":"n1"},\
                {"pod":"shop/y","from":"n2","to":"n1"}],"waves":[1,1]}]}
                {"name":"held","impossible":"pod shop/x on n1 cannot be evicted: PodDisruptionBudget shop/web lets none of its 2\
                 pods go (minAvailable 100%: 2 must be there)"}
                """);
        assertThat(plan.exitCode()).isZero();
    }

    @Test
    void aPlanIsReadable() {
        assertThat(typed("drain", "plan", "--nodes", "n2,n1").out()).isEqualToNormalizingNewlines("""
                2 nodes can be drained, with 2 moves

                1. n2

                2. n1, once n2 is back, in 2 waves
                   shop/x   → n2
                   shop/y   → n2

                Impossible: pod shop/x on n1 cannot be evicted: PodDisruptionBudget shop/web lets none of its 2 pods go (minAvailable\
                 100%: 2 must be there)
                """);
    }

    @Test
    void aNodeMoreHasANameOfItsOwn() throws IOException {
        Path file = Files.writeString(
                folder.resolve("surge.jsonl"),
                line("surge", NODE.formatted("n1", "a") + "," + NODE.formatted("n1-surge-1", "a")));

        assertThat(Typed.evenkeel("drain", "plan", "--nodes", "n1", "--surge", "1", "--scenario", file.toString())
                        .out()
                        .lines())
                .contains("1. n1", "2. n1-surge-1-2, once n1 is back");
    }

    @Test
    void aNodeThatIsNotThereIsNamed() {
        Typed plan = typed("drain", "plan", "--nodes", "n3");

        assertThat(plan.exitCode()).isEqualTo(1);
        assertThat(plan.err()).contains(":1: --nodes n3: there is no such node; did you mean \"n1\"?");
    }

    @Test
    void mistakesAreALine() {
        assertThat(typed("drain", "plan")).isEqualTo(mistake("--nodes, --all: one of these", "drain plan"));
        assertThat(typed("drain", "plan", "--all", "--max-unavailable", "0"))
                .isEqualTo(mistake("--max-unavailable: must be at least 1", "drain plan"));
        assertThat(typed("drain", "plan", "--all", "--surge", "2000000000"))
                .isEqualTo(mistake("--surge: must be 0 to 10000, not 2000000000", "drain plan"));
        assertThat(typed("drain", "plan", "--nodes", ",n1"))
                .isEqualTo(mistake("Invalid value for option '--nodes' (NODE): must not be empty", "drain plan"));
        assertThat(typed("drain", "plan", "--nodes", ""))
                .isEqualTo(mistake("Invalid value for option '--nodes' (NODE): must not be empty", "drain plan"));
        assertThat(typed("drain", "plan", "--nodes", "", "--all"))
                .isEqualTo(mistake("Invalid value for option '--nodes' (NODE): must not be empty", "drain plan"));
        assertThat(typed("consolidate", "plan", "--nodes", ""))
                .isEqualTo(mistake("Invalid value for option '--nodes' (NODE): must not be empty", "consolidate plan"));
        assertThat(typed("capacity", "--lose-each", ""))
                .isEqualTo(mistake("Invalid value for option '--lose-each' (LABEL): must not be empty", "capacity"));
        assertThat(typed("capacity", "--like", "x"))
                .isEqualTo(mistake("Invalid value for option '--like': expected NAMESPACE/POD, got \"x\"", "capacity"));
        assertThat(Typed.evenkeel("drain")).isEqualTo(mistake("say what to do: plan", "drain"));
        assertThat(typed("capacity", "--lose", "zone"))
                .isEqualTo(mistake("--lose: expected LABEL=VALUE, got \"zone\"", "capacity"));
    }

    private static Typed mistake(String what, String command) {
        return new Typed(
                2, "", "evenkeel: " + what + "; see 'evenkeel " + command + " --help'" + System.lineSeparator());
    }

    @Test
    void eachZoneIsLostInTurn() {
        assertThat(typed("capacity", "-o", "json", "--lose-each", "zone", "--like", "shop/x")
                        .out()
                        .lines()
                        .findFirst())
                .hasValue("""
                {"name":"shop","losses":[{"lost":"topology.kubernetes.io/zone=a","nodes":1,"placed":2,"waiting":[],\
                "headroom":{"pods":0,"runsOut":"Insufficient cpu","why":"0/1 nodes are available: 1 Insufficient cpu."}},\
                {"lost":"topology.kubernetes.io/zone=b","nodes":1,"placed":0,"waiting":[],\
                "headroom":{"pods":0,"runsOut":"Insufficient cpu","why":"0/1 nodes are available: 1 Insufficient cpu."}}],\
                "headroom":{"pods":2,"runsOut":"Insufficient cpu","why":"0/2 nodes are available: 2 Insufficient cpu.",\
                "template":"shop/x"}}""");
    }

    @Test
    void aPodThatNothingMakesAgainIsLostWithItsNode() throws IOException {
        String bare = """
                {"kind":"Pod","apiVersion":"v1","metadata":{"name":"debug","namespace":"shop"},\
                "spec":{"nodeName":"n1","containers":[{"name":"c"}]}}""";
        Path file =
                Files.writeString(folder.resolve("bare.jsonl"), line("bare", NODE.formatted("n1", "a") + "," + bare));

        assertThat(Typed.evenkeel("capacity", "--lose", "zone=a", "--scenario", file.toString())
                        .out())
                .isEqualToNormalizingNewlines("""
                All pods with a controller find a node after the loss

                Lost                            nodes   placed again   waiting   runs out first
                topology.kubernetes.io/zone=a   1       0              0         –

                Lost for good with their nodes, as nothing makes them again
                   shop/debug
                """);
    }

    @Test
    void aPodThatIsNotThereIsNamed() {
        assertThat(typed("capacity", "--like", "shop/xx").err())
                .contains(":1: --like shop/xx: there is no such pod on a node; did you mean \"shop/x\"?");
    }

    @Test
    void nodesThatCanGoAreListedWithTheirMoves() {
        assertThat(typed("consolidate", "plan", "-o", "json").out()).isEqualToNormalizingNewlines("""
                {"name":"shop","alone":[{"node":"n1","moves":[{"pod":"shop/x","from":"n1","to":"n2"},\
                {"pod":"shop/y","from":"n1","to":"n2"}],"waves":[1,1]},{"node":"n2","moves":[]}],\
                "together":[{"node":"n2","moves":[]}],"most":true,"stay":[]}
                {"name":"held","alone":[{"node":"n2","moves":[]}],"together":[{"node":"n2","moves":[]}],"most":true,"stay":[{"node":"n1",\
                "why":"pod shop/x on n1 cannot be evicted: PodDisruptionBudget shop/web lets none of its 2 pods go (minAvailable\
                 100%: 2 must be there)"}]}
                """);
    }

    @Test
    void waysAreReadable() {
        assertThat(typed("consolidate", "plan", "--nodes", "n1").out().lines().limit(5))
                .containsExactly(
                        "1 of 1 node can go together and no more, 1 each alone",
                        "",
                        "n1: 2 moves, in 2 waves",
                        "   shop/x   → n2",
                        "   shop/y   → n2");
    }

    @Test
    void aPriceIsANumber() throws IOException {
        Path catalogue = Files.writeString(folder.resolve("c.yaml"), """
                apiVersion: v1
                kind: Node
                metadata: {name: small, annotations: {evenkeel.io/price: cheap}}
                """);

        assertThat(typed("consolidate", "plan", "--catalogue", catalogue.toString())
                        .err())
                .isEqualToNormalizingNewlines(
                        "evenkeel: " + catalogue
                                + ": Node small: metadata.annotations.evenkeel.io/price: expected a price such as 0.25, got \"cheap\"\n");
    }
}
