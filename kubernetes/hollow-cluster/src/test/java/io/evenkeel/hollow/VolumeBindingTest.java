package io.evenkeel.hollow;

import static io.evenkeel.hollow.DrawnVolumes.annotation;
import static io.evenkeel.hollow.DrawnVolumes.claimText;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.controller.HollowWorld;
import io.evenkeel.hollow.controller.WorldOptions;
import io.evenkeel.hollow.controller.WorldOptions.Capacity;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.model.json.Trees;
import io.evenkeel.rotation.Rotated;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class VolumeBindingTest {

    private static final String BOUND_BY_CONTROLLER = "pv.kubernetes.io/bound-by-controller";
    private static final String BIND_COMPLETED = "pv.kubernetes.io/bind-completed";

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2030-01-01T00:00:00Z"));
    private final HollowWorld world = HollowWorld.start(WorldOptions.DEFAULT
            .withServer(HollowOptions.DEFAULT.plainHttp().withClock(now::get))
            .withNodes(1, 1, Capacity.DEFAULT)
            .withEvents(true));
    private final Drawn drawn = new Drawn(world);
    private final DrawnVolumes volumes = new DrawnVolumes(world);

    @AfterEach
    void close() {
        world.close();
    }

    @Test
    void aClaimGetsTheSmallestVolumeThatServesIt() throws Exception {
        volumes.volume("large", "disk", "10Gi", "");
        volumes.volume("fitting", "disk", "5Gi", "");
        volumes.volume("small", "disk", "2Gi", "");
        volumes.volume("other-class", "tape", "3Gi", "");
        volumes.volume("block", "disk", "3Gi", ",'volumeMode':'Block'");
        volumes.volume("read-only", "disk", "3Gi", ",'accessModes':['ReadOnlyMany']");
        volumes.volume("versatile", "disk", "3Gi", ",'accessModes':['ReadOnlyMany','ReadWriteOnce']");
        assertThat(volumes.volumeState("fitting")).isEqualTo("Available");

        volumes.claim("data", "disk", "3Gi", "");

        assertThat(volumes.claimState("data")).isEqualTo("Bound to fitting");
        assertThat(volumes.volumeState("fitting")).isEqualTo("Bound to data");
        assertThat(Stream.of("large", "small", "other-class", "block", "read-only", "versatile"))
                .allSatisfy(name -> assertThat(volumes.volumeState(name)).isEqualTo("Available"));
    }

    @Test
    void bothSidesSayThatTheyAreBound() throws Exception {
        volumes.volume("v", "disk", "5Gi", "");
        volumes.claim("data", "disk", "3Gi", "");

        JsonObject claim = volumes.claimTree("data");
        assertThat(annotation(claim, BIND_COMPLETED)).isEqualTo("yes");
        assertThat(annotation(claim, BOUND_BY_CONTROLLER)).isEqualTo("yes");
        assertThat(Trees.text(claim, "status", "capacity", "storage")).isEqualTo("5Gi");
        assertThat(Trees.texts(claim, "status", "accessModes")).containsExactly("ReadWriteOnce");
        JsonObject volume = volumes.volumeTree("v");
        assertThat(annotation(volume, BOUND_BY_CONTROLLER)).isEqualTo("yes");
        assertThat(Trees.text(volume, "spec", "claimRef", "uid")).isEqualTo(Trees.text(claim, "metadata", "uid"));
        assertThat(Trees.text(volume, "spec", "claimRef", "namespace")).isEqualTo("default");
    }

    @Test
    void aClaimTakesOnlyWhatItsSelectorMatches() throws Exception {
        volumes.volume("a", "disk", "1Gi", "");
        volumes.volume("b", "disk", "2Gi", "");

        volumes.claim("data", "disk", "1Gi", ",'selector':{'matchLabels':{'disk':'b'}}");

        assertThat(volumes.claimState("data")).isEqualTo("Bound to b");
    }

    @Test
    void aClaimWaitsForAVolumeThatServesIt() throws Exception {
        volumes.claim("data", "", "3Gi", "");
        assertThat(volumes.claimState("data")).isEqualTo("Pending");
        assertThat(volumes.reasons("data")).containsExactly("FailedBinding");

        volumes.volume("small", "", "2Gi", "");
        assertThat(volumes.claimState("data")).isEqualTo("Pending");

        volumes.volume("fitting", "", "3Gi", "");
        assertThat(volumes.claimState("data")).isEqualTo("Bound to fitting");
    }

    @Test
    void aVolumeIsOfferedOnlyToThoseWhomItServes() throws Exception {
        volumes.claim("picky", "", "2Gi", ",'selector':{'matchLabels':{'disk':'other'}}");
        volumes.claim("shared", "", "2Gi", ",'accessModes':['ReadOnlyMany','ReadWriteMany']");
        volumes.claim("large", "", "3Gi", "");
        volumes.claim("easy", "", "1Gi", "");
        volumes.volume("v", "", "2Gi", "");

        assertThat(volumes.claimState("easy")).isEqualTo("Bound to v");
        assertThat(volumes.claimState("picky")).isEqualTo("Pending");
    }

    @Test
    void aVolumeIsGivenToOneClaimThoughTwoComeAtOnce() throws Exception {
        volumes.volume("only", "", "1Gi", "");
        for (int i = 0; i < 20; i++) {
            volumes.createAtOnce(claimText("claim-" + i, "1Gi", ",'storageClassName':''"));
        }
        world.settle();

        assertThat(volumes.claims().stream().map(volumes::claimState))
                .filteredOn("Bound to only"::equals)
                .hasSize(1);
    }

    @Test
    void aVolumeThatWasSetApartIsForThatClaimAlone() throws Exception {
        volumes.volume("kept", "other", "9Gi", ",'claimRef':{'namespace':'default','name':'mine'}");
        volumes.volume("free", "disk", "1Gi", "");
        assertThat(volumes.volumeState("kept")).isEqualTo("Available to mine");

        volumes.claim("theirs", "other", "1Gi", "");
        volumes.claim("mine", "disk", "1Gi", "");

        assertThat(volumes.claimState("theirs")).isEqualTo("Pending");
        assertThat(volumes.claimState("mine")).isEqualTo("Bound to kept");
        assertThat(annotation(volumes.volumeTree("kept"), BOUND_BY_CONTROLLER))
                .as("a user chose it")
                .isEmpty();
    }

    @Test
    void aVolumeThatWasSetApartIsNotTakenIfItIsTooSmallOrGoing() throws Exception {
        volumes.volume("small", "disk", "1Gi", ",'claimRef':{'namespace':'default','name':'data'}");
        going("going", ",'claimRef':{'namespace':'default','name':'data'}");
        going("going-too", "");
        volumes.volume("free", "disk", "3Gi", "");
        volumes.claim("data", "disk", "2Gi", "");

        assertThat(volumes.claimState("data")).isEqualTo("Bound to free");
    }

    /** A volume that is marked, and goes only with its finalizer. */
    private void going(String name, String members) throws InterruptedException {
        volumes.volume(name, "disk", "2Gi", members);
        drawn.patch(ResourceTable.PERSISTENT_VOLUMES, name, "{\"metadata\":{\"finalizers\":[\"a.b/c\"]}}");
        world.objects().delete(ResourceTable.PERSISTENT_VOLUMES, "", name);
    }

    @Test
    void aClaimThatNamesItsVolumeGetsThatOrNone() throws Exception {
        volumes.volume("v", "disk", "5Gi", "");
        volumes.claim("large", "disk", "6Gi", ",'volumeName':'v'");
        assertThat(volumes.claimState("large")).isEqualTo("Pending to v");
        assertThat(volumes.reasons("large")).contains("VolumeMismatch");
        volumes.claim("stranger", "tape", "1Gi", ",'volumeName':'v'");
        assertThat(volumes.claimState("stranger")).isEqualTo("Pending to v");

        volumes.claim("early", "disk", "5Gi", ",'volumeName':'late'");
        volumes.volume("late", "disk", "5Gi", "");
        assertThat(volumes.claimState("early")).isEqualTo("Bound to late");
        assertThat(annotation(volumes.claimTree("early"), BOUND_BY_CONTROLLER))
                .as("a user chose it")
                .isEmpty();

        volumes.claim("second", "disk", "5Gi", ",'volumeName':'late'");
        assertThat(volumes.claimState("second")).isEqualTo("Pending to late");
        assertThat(volumes.reasons("second")).contains("FailedBinding");
        assertThat(volumes.volumeState("late")).isEqualTo("Bound to early");
    }

    @Test
    void aClaimThatWaitsForItsFirstConsumerGetsTheVolumeThatASchedulerSetsApart() throws Exception {
        volumes.storageClass("local", DrawnVolumes.NO_PROVISIONER, "WaitForFirstConsumer", "");
        volumes.volume("a", "local", "1Gi", "");
        volumes.claim("data", "local", "1Gi", "");
        volumes.volume("b", "local", "1Gi", "");
        assertThat(volumes.claimState("data")).isEqualTo("Pending");
        assertThat(volumes.reasons("data")).containsExactly("WaitForFirstConsumer");

        drawn.patch(ResourceTable.PERSISTENT_VOLUMES, "b", """
            {"metadata":{"annotations":{"pv.kubernetes.io/bound-by-controller":"yes"}},
             "spec":{"claimRef":{"kind":"PersistentVolumeClaim","apiVersion":"v1","namespace":"default",
              "name":"data","uid":"%s"}}}\
            """.formatted(
                        Trees.text(volumes.claimTree("data"), "metadata", "uid")));

        assertThat(volumes.claimState("data")).isEqualTo("Bound to b");
        assertThat(volumes.volumeState("b")).isEqualTo("Bound to data");
        assertThat(volumes.volumeState("a")).isEqualTo("Available");
    }

    @Test
    void aClaimThatIsOnItsWayOutTakesNoVolume() throws Exception {
        volumes.create("""
            {'apiVersion':'v1','kind':'PersistentVolumeClaim','metadata':{'name':'data','finalizers':['a.b/c']},
             'spec':{'accessModes':['ReadWriteOnce'],'storageClassName':'',
              'resources':{'requests':{'storage':'1Gi'}}}}\
            """);
        volumes.delete("data");
        volumes.volume("v", "", "1Gi", "");
        drawn.patch(
                ResourceTable.PERSISTENT_VOLUME_CLAIMS, "data", "{\"metadata\":{\"labels\":{\"touched\":\"yes\"}}}");

        assertThat(volumes.claimState("data")).isEqualTo("Pending");
        assertThat(volumes.volumeState("v")).isEqualTo("Available");
    }

    @Test
    void aClaimWithoutAClassGetsTheDefaultOne() throws Exception {
        volumes.volume("v", "usual", "1Gi", "");
        volumes.claimWithout("open", "1Gi", "");
        volumes.claim("none", "", "1Gi", "");
        assertThat(volumes.claimState("open")).isEqualTo("Pending");

        defaultClass("usual");

        assertThat(volumes.claimState("open")).isEqualTo("Bound to v");
        assertThat(volumes.claimState("none")).isEqualTo("Pending");
        volumes.volume("plain", "", "1Gi", "");
        assertThat(volumes.claimState("none")).as("it wants no class").isEqualTo("Bound to plain");
    }

    @Test
    void ofTwoDefaultClassesTheLaterCounts() throws Exception {
        defaultClass("a");
        now.set(now.get().plusSeconds(1));
        defaultClass("b");
        volumes.claimWithout("open", "1Gi", "");

        assertThat(Trees.text(volumes.claimTree("open"), "spec", "storageClassName"))
                .isEqualTo("b");
    }

    private void defaultClass(String name) throws InterruptedException {
        volumes.create("""
            {'apiVersion':'storage.k8s.io/v1','kind':'StorageClass','provisioner':'kubernetes.io/no-provisioner',
             'metadata':{'name':'%s','annotations':{'storageclass.kubernetes.io/is-default-class':'true'}}}\
            """.formatted(name));
    }

    @Rotated(3)
    @Test
    void tenThousandClaimsFindTheirVolumes() throws Exception {
        int count = 10_000;
        for (int i = 0; i < count; i++) {
            volumes.createAtOnce(claimText("claim-" + i, 1 + i % 100 + "Gi", ",'storageClassName':''"));
        }
        world.settle();
        for (int i = 0; i < count; i++) {
            volumes.createAtOnce("""
                {'apiVersion':'v1','kind':'PersistentVolume','metadata':{'name':'volume-%d'},
                 'spec':{'capacity':{'storage':'%dGi'},'accessModes':['ReadWriteOnce'],'hostPath':{'path':'/d'}}}\
                """.formatted(i, 100 - i % 100));
        }
        world.settle();

        assertThat(volumes.volumes().stream().map(volumes::volumeState)).allMatch(state -> state.startsWith("Bound"));
    }
}
