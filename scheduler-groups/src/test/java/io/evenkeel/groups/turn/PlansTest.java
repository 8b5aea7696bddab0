package io.evenkeel.groups.turn;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.engine.decision.Likeness;
import io.evenkeel.framework.GroupPlugin.GroupKey;
import io.evenkeel.groups.turn.Plan.Step;
import io.evenkeel.model.build.PodBuilder;
import java.util.Collections;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How long a plan is kept, and when another is made. */
class PlansTest {
    private static final long MICRO = TimeUnit.MICROSECONDS.toNanos(1);
    private static final long NOW = 7;

    private final RoomScene scene = new RoomScene();
    private final Likeness likeness = Likeness.of(
            scene.engine.forGroups().cluster().admit(PodBuilder.pod("p").build()), scene.engine.cluster());
    private final Plans plans = new Plans(new NamespaceCooldown());

    private static GroupKey group(int number) {
        return new GroupKey("ReplicaSet", "ns", "web" + number, "");
    }

    /** With so many steps, some of them taken. */
    private Plan plan(int length, int taken) {
        Plan plan = new Plan(Collections.nCopies(length, new Step(likeness, "n0")), Optional.empty());
        for (int i = 0; i < taken; i++) {
            plan.advance();
        }
        return plan;
    }

    private boolean outlivesAChangeOfNodes(Plan plan) {
        plans.put(group(0), plan);
        plans.nodesChanged();
        return plans.of(group(0)).isPresent();
    }

    @Test
    void ofMoreThanAThousandTheEldestIsForgotten() {
        for (int i = 0; i < 1_024; i++) {
            plans.put(group(i), plan(1, 0));
        }
        plans.put(group(0), plan(2, 0));
        assertThat(plans.of(group(0)))
                .hasValueSatisfying(plan -> assertThat(plan.left()).isEqualTo(2));
        assertThat(plans.of(group(1))).isPresent();
        plans.put(group(1_024), plan(1, 0));
        assertThat(plans.of(group(1))).isEmpty();
        assertThat(plans.of(group(2))).isPresent();
        assertThat(plans.of(group(0))).as("the latest of it counts").isPresent();
    }

    /** Long ones cost more to be made than they have brought. */
    @Test
    void whereNodesChangeOnlyLongPlansThatHaveJustBegunAreKept() {
        assertThat(outlivesAChangeOfNodes(plan(64, 0))).isFalse();
        assertThat(outlivesAChangeOfNodes(plan(65, 0))).isTrue();
        assertThat(outlivesAChangeOfNodes(plan(124, 24))).isTrue();
        assertThat(outlivesAChangeOfNodes(plan(125, 25))).isFalse();
        assertThat(outlivesAChangeOfNodes(plan(500, 400))).isFalse();
    }

    @Test
    void afterALongPlanThatCameToNothingItsNamespaceRestsAsLongAsTheStepsThatAreLeft() {
        Plan large = plan(110, 10);
        plans.put(group(0), large);
        plans.failed(group(0), large, NOW);
        assertThat(plans.of(group(0))).isEmpty();
        long rest = 10 * 10 * MICRO * 100;
        assertThat(plans.mayPlan(group(0), NOW + rest - 1)).isFalse();
        assertThat(plans.mayPlan(group(0), NOW + rest)).isTrue();
    }

    @Test
    void afterAShortOneTheNextIsMadeAtOnce() {
        Plan small = plan(9, 1);
        plans.put(group(0), small);
        plans.failed(group(0), small, NOW);
        assertThat(plans.of(group(0))).isEmpty();
        assertThat(plans.mayPlan(group(0), NOW)).isTrue();
    }
}
