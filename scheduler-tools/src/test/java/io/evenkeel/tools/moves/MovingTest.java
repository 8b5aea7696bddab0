package io.evenkeel.tools.moves;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.Pod;
import io.evenkeel.rotation.Rotation;
import io.evenkeel.whatif.moves.Step;
import io.evenkeel.whatif.moves.Step.Result;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Pods are moved beside a scheduler, in simulated time. */
class MovingTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final List<String> ZONES = List.of("a", "b", "c");

    private final SimulatedWorld world = new SimulatedWorld(1);

    /** Nine pods are on two of three zones: the third has come back. */
    private void anOutageIsOver() {
        world.node("a", "a");
        world.node("b", "b");
        world.scale("web", 9);
        world.pass(Duration.ofSeconds(30), SECOND);
        world.node("c", "c");
    }

    @Test
    void afterAnOutageAsManyPodsMoveAsMust() {
        anOutageIsOver();
        world.pass(Duration.ofMinutes(15), SECOND);
        assertThat(world.byZone("web")).isEqualTo(Map.of("a", 3, "b", 3, "c", 3));
        assertThat(world.ended)
                .extracting(Step.Ended::result)
                .containsExactly(Result.MOVED, Result.MOVED, Result.MOVED);
        assertThat(world.evicted).doesNotHaveDuplicates().hasSize(3);
        assertThat(world.held()).isZero();
    }

    @Test
    void inAThousandDaysNothingMovesTwice() {
        anOutageIsOver();
        world.pass(Duration.ofMinutes(15), SECOND);
        List<String> evicted = List.copyOf(world.evicted);
        world.pass(Duration.ofDays(1000), Duration.ofHours(1));
        assertThat(world.evicted).isEqualTo(evicted);
        assertThat(world.held()).isZero();
    }

    @Test
    void whoDoesNotLeadMovesNothing() {
        world.leads = false;
        anOutageIsOver();
        world.pass(Duration.ofMinutes(15), SECOND);
        assertThat(world.evicted).isEmpty();
    }

    @Test
    void whoLeadsNoLongerLetsGoOfWhatIsHeld() {
        anOutageIsOver();
        while (world.held() == 0) {
            world.pass(SECOND, SECOND);
        }
        world.leads = false;
        world.pass(Duration.ofSeconds(3), SECOND);
        assertThat(world.held()).isZero();
        assertThat(world.ended).extracting(Step.Ended::result).containsExactly(Result.ABANDONED);
    }

    @Test
    void anOwnerWhosePodsAreNotReadyIsLeftAlone() {
        anOutageIsOver();
        world.fail("web", true);
        world.delete(world.of("web").getFirst());
        world.pass(Duration.ofMinutes(10), SECOND);
        assertThat(world.evicted).isEmpty();
        assertThat(world.ended).extracting(Step.Ended::result).isNotEmpty().containsOnly(Result.LEFT_ALONE);
    }

    /** Its successor has the template's labels, and is counted by them. */
    @Test
    void anOwnerWithAPodThatIsCountedOtherwiseIsLeftAlone() {
        anOutageIsOver();
        world.label(world.of("web").getFirst(), "app", "other");
        world.pass(Duration.ofMinutes(10), SECOND);
        assertThat(world.evicted).isEmpty();
        assertThat(world.ended).extracting(Step.Ended::result).isNotEmpty().containsOnly(Result.LEFT_ALONE);
    }

    @Test
    void whoseSuccessorIsNotReadyIsNotMovedOverAndOver() {
        anOutageIsOver();
        while (world.evicted.isEmpty()) {
            world.pass(SECOND, SECOND);
        }
        world.fail("web", true);
        world.pass(Duration.ofHours(3), SECOND);
        assertThat(world.evicted).hasSize(1);
        assertThat(world.ended.getFirst().result()).isEqualTo(Result.LATE);
        assertThat(world.held()).isZero();
    }

    static LongStream scenes() {
        return Rotation.seeds(1000);
    }

    /** Owners are scaled while a zone is away, which comes back. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("scenes")
    void whatIsDoneIsWhatWasPlanned(long seed) {
        Random random = new Random(seed);
        SimulatedWorld scene = new SimulatedWorld(seed);
        int zones = 2 + random.nextInt(3);
        List<String> away = new ArrayList<>();
        for (int node = 0; node < zones * (1 + random.nextInt(3)); node++) {
            String zone = "z" + node % zones;
            if (zone.equals("z0")) {
                away.add("n" + node);
            } else {
                scene.node("n" + node, zone);
            }
        }
        for (int owner = 0; owner < 1 + random.nextInt(3); owner++) {
            scene.scale("o" + owner, 1 + random.nextInt(12));
        }
        scene.pass(Duration.ofSeconds(20), SECOND);
        away.forEach(name -> scene.node(name, "z0"));
        scene.pass(Duration.ofHours(1), SECOND);

        assertThat(scene.ended).extracting(Step.Ended::result).doesNotContain(Result.ELSEWHERE, Result.DRIFTED);
        scene.planned.ifPresent(planned -> assertThat(scene.byNode()).isEqualTo(planned));
        scene.replicas.keySet().forEach(owner -> assertThat(skew(scene, owner)).isLessThanOrEqualTo(1));
    }

    private static int skew(SimulatedWorld world, String owner) {
        Collection<Integer> counts = world.byZone(owner).values();
        return Collections.max(counts) - Collections.min(counts);
    }

    static LongStream seeds() {
        return Rotation.seeds(20);
    }

    /** Nodes are lost and come, owners are scaled, pods vanish, others bind, calls fail: afterwards all is as it should be. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void whateverGoesWrongNothingIsLostNothingStaysHeldAndAllIsEvenInTheEnd(long seed) {
        Random random = new Random(seed);
        SimulatedWorld rough = new SimulatedWorld(seed);
        for (String zone : ZONES) {
            rough.node(zone + "1", zone);
            rough.node(zone + "2", zone);
        }
        for (int owner = 0; owner < 3; owner++) {
            rough.scale("o" + owner, 2 + random.nextInt(8));
        }
        rough.faults = 3;
        for (int minute = 0; minute < 120; minute++) {
            happen(rough, random);
            rough.pass(Duration.ofMinutes(1), SECOND);
        }
        rough.faults = 0;
        rough.leads = true;
        ZONES.forEach(zone -> rough.node(zone + "1", zone));
        rough.replicas.keySet().forEach(owner -> rough.fail(owner, false));
        rough.pass(Duration.ofDays(4), Duration.ofSeconds(10));

        assertThat(rough.held()).isZero();
        rough.replicas.forEach((owner, wanted) -> {
            assertThat(rough.staying(owner)).as(owner).hasSize(wanted).allMatch(Pod::isPlaced);
            assertThat(skew(rough, owner))
                    .as("%s: %s", owner, rough.byZone(owner))
                    .isLessThanOrEqualTo(1);
        });
    }

    private static void happen(SimulatedWorld world, Random random) {
        List<String> owners = List.copyOf(world.replicas.keySet());
        String owner = owners.get(random.nextInt(owners.size()));
        List<String> nodes = world.nodes();
        switch (random.nextInt(8)) {
            case 0 -> {
                if (nodes.size() > 3) {
                    world.lose(nodes.get(random.nextInt(nodes.size())));
                }
            }
            case 1 -> {
                String zone = ZONES.get(random.nextInt(ZONES.size()));
                world.node(zone + (1 + random.nextInt(2)), zone);
            }
            case 2 -> world.scale(owner, 1 + random.nextInt(9));
            case 3 -> world.staying(owner).stream().findAny().ifPresent(world::delete);
            case 4 ->
                world.staying(owner).stream()
                        .filter(pod -> !pod.isPlaced())
                        .findAny()
                        .ifPresent(pod -> world.bind(pod, nodes.get(random.nextInt(nodes.size()))));
            case 5 -> world.fail(owner, random.nextBoolean());
            case 6 -> world.leads = random.nextInt(4) != 0;
            default -> world.leads = true;
        }
    }
}
