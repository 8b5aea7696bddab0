package io.evenkeel.plugins.volumes;

import static io.evenkeel.model.build.NodeBuilder.node;
import static io.evenkeel.model.build.PodBuilder.pod;
import static io.evenkeel.plugins.volumes.ClaimBuilder.claim;
import static io.evenkeel.plugins.volumes.StorageObjects.NOBODY;
import static io.evenkeel.plugins.volumes.StorageObjects.allowed;
import static io.evenkeel.plugins.volumes.StorageObjects.capacity;
import static io.evenkeel.plugins.volumes.StorageObjects.driver;
import static io.evenkeel.plugins.volumes.StorageObjects.late;
import static io.evenkeel.plugins.volumes.StorageObjects.nodesWith;
import static io.evenkeel.plugins.volumes.VolumeBuilder.volume;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.Status;
import io.evenkeel.model.Pod;
import io.evenkeel.model.storage.StorageClass.TopologyTerm;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Near which nodes a volume can be made for a claim. */
class ProvisioningTest {
    private static final Status NOTHING_TO_BIND =
            Status.unresolvable("node(s) didn't find available persistent volumes to bind");
    private static final Status NO_SPACE = Status.unresolvable("node(s) did not have enough free storage");
    private static final String DRIVER = "disk.example";

    private final Pod pod = pod("p").claim("c").build();
    private final BindingScene scene = new BindingScene(
            node("a").label("zone", "a").build(),
            node("b").label("zone", "b").build(),
            claim("c").size("2Gi").build(),
            late("late", DRIVER));

    private void expect(Status onA, Status onB) {
        assertThat(scene.verdicts(pod)).isEqualTo(Map.of("a", onA, "b", onB));
    }

    @Test
    void anywhereWhereTheClassSaysNothing() {
        expect(Status.SUCCESS, Status.SUCCESS);
    }

    @Test
    void nowhereWhereNobodyMakesThem() {
        scene.put(late("late", NOBODY));
        expect(NOTHING_TO_BIND, NOTHING_TO_BIND);
        scene.put(late("late", ""));
        expect(NOTHING_TO_BIND, NOTHING_TO_BIND);
    }

    @Test
    void whereOneOfTheAllowedTopologiesIs() {
        scene.put(late("late", DRIVER, allowed("zone", "a"), allowed("zone", "c")));
        expect(Status.SUCCESS, NOTHING_TO_BIND);
        scene.put(late("late", DRIVER, new TopologyTerm(List.of())));
        expect(NOTHING_TO_BIND, NOTHING_TO_BIND);
    }

    @Test
    void onlyNearTheNodeThatIsChosenAlready() {
        scene.put(claim("c").selectedNode("b").build());
        scene.put(volume("v").build());
        expect(NOTHING_TO_BIND, Status.SUCCESS);
        scene.put(claim("c").selectedNode("gone").build());
        expect(NOTHING_TO_BIND, NOTHING_TO_BIND);
    }

    @Test
    void aPodWithTheSameClaimFollowsTheOneForWhichItIsMade() {
        scene.reserve(pod);
        expect(Status.SUCCESS, NOTHING_TO_BIND);
        scene.unreserve();
        expect(Status.SUCCESS, Status.SUCCESS);
    }

    @Test
    void whereThereIsRoomWhereTheDriverTellsOfIt() {
        scene.put(driver(DRIVER, true));
        expect(NO_SPACE, NO_SPACE);
        scene.put(capacity("k", "late", nodesWith("zone", "a"), "2Gi", ""));
        expect(Status.SUCCESS, NO_SPACE);
        scene.put(capacity("k", "late", nodesWith("zone", "a"), "1Gi", ""));
        expect(NO_SPACE, NO_SPACE);
        scene.put(driver(DRIVER, false));
        expect(Status.SUCCESS, Status.SUCCESS);
    }

    @Test
    void theLargestVolumeCountsBeforeTheCapacity() {
        scene.put(driver(DRIVER, true));
        scene.put(capacity("k", "late", nodesWith("zone", "a"), "9Gi", "1Gi"));
        expect(NO_SPACE, NO_SPACE);
        scene.put(capacity("k", "late", nodesWith("zone", "a"), "1Gi", "2Gi"));
        expect(Status.SUCCESS, NO_SPACE);
        scene.put(capacity("k", "late", nodesWith("zone", "a"), "", ""));
        expect(NO_SPACE, NO_SPACE);
    }

    @Test
    void aCapacityThatNamesNoNodesIsNowhere() {
        scene.put(driver(DRIVER, true));
        scene.put(capacity("k", "late", Optional.empty(), "9Gi", ""));
        expect(NO_SPACE, NO_SPACE);
    }

    @Test
    void theCapacityOfAnotherClassIsOfNoUse() {
        scene.put(driver(DRIVER, true));
        scene.put(capacity("k", "other", nodesWith("zone", "a"), "9Gi", ""));
        expect(NO_SPACE, NO_SPACE);
    }

    @Test
    void aVolumeThatIsThereNeedsNoRoom() {
        scene.put(driver(DRIVER, true));
        scene.put(volume("v").size("5Gi").on("zone", "b").build());
        expect(NO_SPACE, Status.SUCCESS);
    }

    @Test
    void whatTheServerShowsOfAClaimGoesBeforeWhatWasChosen() {
        scene.reserve(pod);
        scene.put(claim("c").selectedNode("b").build());
        expect(NOTHING_TO_BIND, Status.SUCCESS);
        scene.put(claim("c").build());
        expect(Status.SUCCESS, Status.SUCCESS);
    }

    @Test
    void anotherClaimOfTheNameIsMadeWhereItWill() {
        scene.reserve(pod);
        scene.put(claim("c").uid("another").build());
        expect(Status.SUCCESS, Status.SUCCESS);
    }
}
