package io.evenkeel.groups;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.decision.Decision;
import io.evenkeel.engine.group.Seat;
import io.evenkeel.model.Node;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.TaintEffect;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.NodeInclusionPolicy;
import io.evenkeel.model.policy.PlacementPolicy;
import io.evenkeel.model.policy.PolicyRule;
import io.evenkeel.model.policy.PolicySpec;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.rotation.Rotation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * All that is said of a group is so: as many are placed as any order has, or it says "at least" and is no worse than the ordinary
 * scheduler and blind orders; what is refused is not to be had; and with each number that is told it is as it says. The truth is
 * found by asking the ordinary scheduler about one pod after the other, in every order. {@code -Devenkeel.seeds=N} tries so
 * many.
 */
class GroupTruthTest {
    private static final int BLIND_ORDERS = 5;
    private static final String[] KEYS = {"zone", "rack", "row", "kubernetes.io/hostname"};
    private static final Pattern WOULD_DO = Pattern.compile("(\\d+)(?: or (\\d+))? would do(?! at once)");
    private static final Pattern AT_ONCE = Pattern.compile("(\\d+)(?: would do)? at once");
    private static final Pattern AT_LEAST = Pattern.compile("at least (\\d+) can be placed");
    private static final Pattern TAKE = Pattern.compile("takes? (\\d+), (\\d+) (?:is|are) asked for");
    private static final Pattern NEED = Pattern.compile("needs? (\\d+), (\\d+) (?:is|are) asked for");
    private static final Pattern ROOM = Pattern.compile("have room for (\\d+), (\\d+) (?:is|are) asked for");

    private final Map<String, Integer> seen = new TreeMap<>();

    /** A cluster and a group. */
    private record Case(
            List<Node> nodes, List<Pod> there, List<PlacementPolicy> policies, List<Pod> pods, boolean alike) {

        GroupScene scene() {
            GroupScene scene =
                    new GroupScene(policies.isEmpty() ? SchedulerConfiguration.defaults() : GroupScene.WITH_POLICIES);
            nodes.forEach(scene::with);
            there.forEach(scene.engine::put);
            policies.forEach(scene.engine::put);
            return scene;
        }

        EveryOrder truth() {
            return truth(pods);
        }

        EveryOrder truth(List<Pod> some) {
            return new EveryOrder(scene().engine, nodes.stream().map(Node::name).toList(), some);
        }

        /** So many that are alike. */
        EveryOrder truth(int count) {
            return truth(IntStream.range(0, count)
                    .mapToObj(i -> new Pod(
                            pods.getFirst().meta().ofAnother("q" + i),
                            pods.getFirst().spec(),
                            pods.getFirst().status()))
                    .toList());
        }
    }

    @Test
    void allThatIsSaidIsSo() {
        long[] seeds = Rotation.seeds(60).toArray();
        for (long seed : seeds) {
            Case drawn = draw(new Random(seed));
            JointPlacer.Found found = drawn.scene().placeMost(drawn.pods());
            check("seed " + seed, drawn, found);
            JointPlacement ofGang = drawn.scene().place(drawn.pods());
            checkNumbers("gang of seed " + seed, drawn, ofGang);
        }
        assertThat(seen.getOrDefault("at least", 0)).as("%s", seen).isLessThanOrEqualTo((seeds.length + 19) / 20);
        assertThat(seen.getOrDefault("too much", 0)).as("%s", seen).isLessThanOrEqualTo(seeds.length / 4);
    }

    /** Of more pods and nodes than there is a way to go through: what is placed is no worse than what comes without a group. */
    @Test
    void largerGroupsAreNoWorseThanWithoutOne() {
        for (long seed : Rotation.seeds(6).toArray()) {
            Random random = new Random(seed);
            Case drawn = draw(random, 14 + random.nextInt(30), 10 + random.nextInt(30));
            JointPlacer.Found found = drawn.scene().placeMost(drawn.pods());
            String about = "seed " + seed + ": " + found.placement();
            drawn.scene().follow(found.most());
            assertThat(found.most().size())
                    .as(about)
                    .isGreaterThanOrEqualTo(EveryOrder.asUsual(drawn.scene().engine, drawn.pods()));
            EveryOrder orders = drawn.truth();
            for (int i = 0; i < BLIND_ORDERS; i++) {
                assertThat(found.most().size()).as(about).isGreaterThanOrEqualTo(orders.blindly(random));
            }
        }
    }

    private void check(String seed, Case drawn, JointPlacer.Found found) {
        String words = found.placement().shortfall(drawn.pods().size());
        String about =
                seed + ": " + drawn.pods().size() + " pods, " + found.most().size() + " placed; "
                        + found.placement().getClass().getSimpleName() + " " + words;
        drawn.scene().follow(found.most());
        boolean atLeast = AT_LEAST.matcher(words).find();
        count(found.placement().getClass().getSimpleName());
        int usual = EveryOrder.asUsual(drawn.scene().engine, drawn.pods());
        assertThat(found.most().size()).as(about).isGreaterThanOrEqualTo(usual);
        Random random = new Random(drawn.pods().size());
        for (int i = 0; i < BLIND_ORDERS; i++) {
            assertThat(found.most().size())
                    .as(about)
                    .isGreaterThanOrEqualTo(drawn.truth().blindly(random));
        }
        if (found.placement() instanceof JointPlacement.Placed) {
            assertThat(found.most()).as(about).hasSameSizeAs(drawn.pods());
            return;
        }
        checkNumbers(seed, drawn, found.placement());
        EveryOrder truth = drawn.truth();
        int longest = truth.longest();
        if (atLeast) {
            count("at least");
        }
        if (truth.isTooMuch()) {
            count("too much");
            return;
        }
        if (atLeast) {
            count(found.most().size() == longest ? "at least, and no more" : "at least, though " + longest);
            assertThat(found.most().size()).as(about).isLessThanOrEqualTo(longest);
        } else {
            assertThat(found.most().size()).as(about).isEqualTo(longest);
        }
        switch (found.placement()) {
            case JointPlacement.Infeasible _ -> {
                assertThat(longest).as(about).isLessThan(drawn.pods().size());
                EveryOrder ends = drawn.truth();
                assertThat(ends.haveAnEnd() && !ends.isTooMuch()).as(about).isFalse();
            }
            case JointPlacement.EndStateOnly end -> {
                assertThat(end.orderRuledOut() && longest == drawn.pods().size())
                        .as(about)
                        .isFalse();
                assertThat(isAnEnd(drawn, end.seats())).as(about).isTrue();
            }
            default -> {}
        }
    }

    private void checkNumbers(String seed, Case drawn, JointPlacement found) {
        String words = found.shortfall(drawn.pods().size());
        String about = seed + ": " + words;
        AT_LEAST.matcher(words).results().forEach(said -> canCome(about, drawn, number(said, 1), !drawn.alike()));
        WOULD_DO.matcher(words).results().forEach(said -> {
            canCome(about, drawn, number(said, 1), false);
            if (said.group(2) != null) {
                canCome(about, drawn, number(said, 2), false);
            }
        });
        AT_ONCE.matcher(words).results().forEach(said -> {
            count("at once");
            EveryOrder truth = drawn.truth(number(said, 1));
            assertThat(truth.haveAnEnd()).as(about).isTrue();
            EveryOrder orders = drawn.truth(number(said, 1));
            assertThat(orders.longest() == number(said, 1) && !orders.isTooMuch())
                    .as("%s, but there is an order", about)
                    .isFalse();
        });
        TAKE.matcher(words).results().forEach(said -> {
            canCome(about, drawn, number(said, 1), false);
            cannotCome(about, drawn, number(said, 1) + 1, number(said, 2));
        });
        ROOM.matcher(words).results().forEach(said -> {
            canCome(about, drawn, number(said, 1), false);
            cannotCome(about, drawn, number(said, 1) + 1, number(said, 2));
        });
        NEED.matcher(words).results().forEach(said -> {
            EveryOrder truth = drawn.truth(number(said, 1));
            assertThat(truth.longest() == number(said, 1)
                            || drawn.truth(number(said, 1)).haveAnEnd())
                    .as(about)
                    .isTrue();
        });
    }

    private static int number(MatchResult said, int group) {
        return Integer.parseInt(said.group(group));
    }

    private void canCome(String about, Case drawn, int count, boolean someOfThem) {
        count("number");
        EveryOrder truth = someOfThem ? drawn.truth() : drawn.truth(count);
        int longest = truth.longest();
        if (!truth.isTooMuch()) {
            assertThat(longest).as("%s: %s", about, count).isGreaterThanOrEqualTo(count);
        }
    }

    private void cannotCome(String about, Case drawn, int from, int to) {
        for (int count = from; count <= to; count++) {
            EveryOrder truth = drawn.truth(count);
            assertThat(truth.longest() == count && !truth.isTooMuch())
                    .as("%s: %s", about, count)
                    .isFalse();
        }
    }

    private static boolean isAnEnd(Case drawn, Collection<Seat> seats) {
        GroupScene scene = drawn.scene();
        return seats.stream()
                .allMatch(seat -> new GroupDecisions(scene.engine.forGroups())
                        .decideOn(
                                seat,
                                seats.stream()
                                        .filter(other -> !other.equals(seat))
                                        .toList(),
                                decision -> decision instanceof Decision.Placed));
    }

    private void count(String what) {
        seen.merge(what, 1, Integer::sum);
    }

    /** Up to 13 nodes and three keys that cross, with domains of unequal sizes; the more nodes, the fewer pods. */
    private static Case draw(Random random) {
        int nodes = 2 + random.nextInt(12);
        return draw(random, nodes, 2 + random.nextInt(nodes > 9 ? 4 : 6));
    }

    private static Case draw(Random random, int nodes, int count) {
        int[] sizes = {1 + random.nextInt(3), 2 + random.nextInt(3), 2 + random.nextInt(4)};
        boolean roomy = random.nextInt(3) == 0;
        boolean tainted = random.nextInt(3) == 0;
        List<Node> all = new ArrayList<>();
        for (int node = 0; node < nodes; node++) {
            NodeBuilder builder = GroupScene.node("n" + node, roomy ? 110 : 1 + random.nextInt(2));
            for (int key = 0; key < sizes.length; key++) {
                if (random.nextInt(20) > 0) {
                    builder.label(KEYS[key], "d" + random.nextInt(sizes[key]));
                }
            }
            if (tainted && random.nextInt(4) == 0) {
                builder.taint("dedicated", "db", TaintEffect.NO_SCHEDULE);
            }
            all.add(builder.build());
        }
        List<Pod> there = new ArrayList<>();
        if (random.nextInt(3) == 0) {
            for (int node = 0; node < nodes; node++) {
                if (random.nextInt(4) == 0) {
                    there.add(PodBuilder.pod("there-" + node)
                            .label("app", random.nextInt(3) == 0 ? "db" : "web")
                            .nodeName("n" + node)
                            .build());
                }
            }
        }
        List<TopologySpreadConstraint> spreads = spreads(random, tainted);
        int kinds = random.nextInt(3) > 0 ? 1 : 2 + random.nextInt(2);
        String away = random.nextInt(4) == 0 ? KEYS[random.nextInt(KEYS.length)] : "";
        List<Pod> pods = new ArrayList<>();
        for (int pod = 0; pod < count; pod++) {
            PodBuilder builder = PodBuilder.pod("p" + pod).label("app", "web").label("shard", "s" + pod % kinds);
            if (kinds == 1 || random.nextInt(8) > 0) {
                spreads.forEach(builder::spread);
            }
            if (!away.isEmpty()) {
                builder.podAffinity(GroupScene.awayFrom("s" + pod % kinds, away));
            }
            pods.add(builder.build());
        }
        List<PlacementPolicy> policies = new ArrayList<>();
        if (random.nextInt(4) == 0) {
            policies.add(policy("own", random.nextBoolean() ? "web" : "db", random));
        }
        return new Case(all, there, policies, pods, kinds == 1);
    }

    private static List<TopologySpreadConstraint> spreads(Random random, boolean tainted) {
        List<TopologySpreadConstraint> spreads = new ArrayList<>();
        int keys = 1 + random.nextInt(3);
        int first = random.nextInt(KEYS.length);
        for (int key = 0; key < keys; key++) {
            TopologySpreadConstraint spread =
                    GroupScene.spread(random.nextInt(4) > 0 ? 1 : 2, KEYS[(first + key) % KEYS.length]);
            if (random.nextInt(8) == 0) {
                spread = spread.withMinDomains(2 + random.nextInt(3));
            }
            if (tainted && random.nextBoolean()) {
                spread = spread.withTaintsPolicy(NodeInclusionPolicy.HONOR);
            }
            spreads.add(spread);
        }
        return spreads;
    }

    private static PlacementPolicy policy(String name, String app, Random random) {
        PolicyRule rule = PolicyRule.over(KEYS[random.nextInt(KEYS.length)]);
        return new PlacementPolicy(
                ObjectMeta.named("default", name),
                PolicySpec.of(
                        LabelSelector.matchingLabels(Labels.of("app", app)),
                        List.of(
                                random.nextBoolean()
                                        ? rule.withMaxPods(1 + random.nextInt(2))
                                        : rule.withMaxSkew(1 + random.nextInt(2)))));
    }
}
