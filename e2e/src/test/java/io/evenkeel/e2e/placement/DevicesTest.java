package io.evenkeel.e2e.placement;

import static io.evenkeel.e2e.cluster.ClusterKind.HOLLOW;
import static io.evenkeel.e2e.scene.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import io.evenkeel.app.live.LiveOptions;
import io.evenkeel.e2e.live.BindingLog;
import io.evenkeel.e2e.scene.OnClusters;
import io.evenkeel.e2e.scene.Scene;
import io.evenkeel.e2e.scene.SchedulerUnderTest;
import io.evenkeel.hollow.Faults.RequestMatch;
import io.evenkeel.hollow.RequestLog.LoggedRequest;
import io.evenkeel.model.json.Trees;
import io.evenkeel.rotation.Rotated;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Pods that claim devices: what is written into their claims, and what becomes of it in races. */
@OnClusters(value = HOLLOW, atEachLevel = true)
@Rotated(3)
class DevicesTest {
    private static final String RESOURCES = "resource.k8s.io/v1";
    private static final String DRIVER = "gpu.example.com";
    private static final RequestMatch STATUSES = new RequestMatch("patch", "resourceclaims/status");
    private static final String PENDING = "BindingConditionsPending";

    private static void devices(Scene scene, String node, String... devices) {
        scene.createInCluster(RESOURCES, "ResourceSlice", scene.nodeName(node), """
                spec:
                  driver: %s
                  nodeName: %s
                  pool: {name: %s, generation: 1, resourceSliceCount: 1}
                  devices: [%s]
                """.formatted(
                        DRIVER, scene.nodeName(node), scene.nodeName(node), String.join(", ", devices)));
    }

    /** Free of use once it is attached. */
    private static String attachable(String device) {
        return "{name: %s, bindingConditions: [Attached], bindingFailureConditions: [Lost]}".formatted(device);
    }

    private static String deviceClass(Scene scene) {
        return scene.createInCluster(
                RESOURCES,
                "DeviceClass",
                scene.namespace() + "-gpu",
                "spec: {selectors: [{cel: {expression: 'device.driver == \"%s\"'}}]}".formatted(DRIVER));
    }

    private static String spec(Scene scene) {
        return "{devices: {requests: [{name: gpu, exactly: {deviceClassName: %s-gpu}}]}}".formatted(scene.namespace());
    }

    private static void claim(Scene scene, String name) {
        scene.create(RESOURCES, "ResourceClaim", name, "spec: " + spec(scene));
    }

    private static String claimPath(Scene scene, String name) {
        return scene.path(RESOURCES, "ResourceClaim") + "/" + name;
    }

    private static JsonObject claimOf(Scene scene, String name) {
        return scene.api().get(claimPath(scene, name));
    }

    private static String with(String... claims) {
        return "resourceClaims: [%s]"
                .formatted(String.join(
                        ", ",
                        List.of(claims).stream()
                                .map(name -> "{name: %s, resourceClaimName: %s}".formatted(name, name))
                                .toList()));
    }

    private static List<JsonObject> results(JsonObject claim) {
        return Trees.objects(claim, "status", "allocation", "devices", "results");
    }

    private static List<String> consumers(JsonObject claim) {
        return Trees.objects(claim, "status", "reservedFor").stream()
                .map(consumer -> Trees.text(consumer, "name"))
                .toList();
    }

    private static void condition(Scene scene, String claim, String type) {
        JsonObject result = results(claimOf(scene, claim)).getFirst();
        scene.api().patch(claimPath(scene, claim) + "/status", """
                        status:
                          devices:
                          - driver: %s
                            pool: %s
                            device: %s
                            conditions:
                            - {type: %s, status: 'True', reason: Because, message: so it is,
                               lastTransitionTime: '2026-01-01T00:00:00Z'}
                        """.formatted(
                        DRIVER, Trees.text(result, "pool"), Trees.text(result, "device"), type));
    }

    private static List<String> notes(Scene scene, String pod) {
        return scene.events(pod).stream()
                .map(event -> Trees.text(event, "reason") + ": " + Trees.text(event, "note"))
                .toList();
    }

    @Test
    void aPodIsBoundOnceItsClaimsHaveTheirDevices(Scene scene) {
        scene.node("a1", "");
        scene.node("b1", "");
        deviceClass(scene);
        devices(scene, "b1", "{name: gpu-0}", "{name: gpu-1}");
        claim(scene, "mine");
        scene.create(RESOURCES, "ResourceClaimTemplate", "made", "spec: {spec: %s}".formatted(spec(scene)));
        scene.scheduler();
        scene.pod("web", """
                resourceClaims:
                - {name: mine, resourceClaimName: mine}
                - {name: made, resourceClaimTemplateName: made}
                """);

        scene.awaitBound("web");
        assertThat(scene.pod("web").node()).contains("b1");
        List<JsonObject> claims = scene.api().list(scene.path(RESOURCES, "ResourceClaim"));
        assertThat(claims).hasSize(2).allSatisfy(claim -> {
            assertThat(Trees.texts(claim.getAsJsonObject("metadata"), "finalizers"))
                    .contains("resource.kubernetes.io/delete-protection");
            assertThat(consumers(claim)).containsExactly("web");
            assertThat(results(claim)).hasSize(1);
            assertThat(Trees.text(results(claim).getFirst(), "pool")).isEqualTo(scene.nodeName("b1"));
            assertThat(Trees.text(claim, "status", "allocation", "allocationTimestamp"))
                    .isNotEmpty();
            assertThat(claim.toString()).contains("\"values\":[\"" + scene.nodeName("b1") + "\"]");
        });
        assertThat(claims.stream().map(claim -> Trees.text(results(claim).getFirst(), "device")))
                .containsExactlyInAnyOrder("gpu-0", "gpu-1");
    }

    @Test
    void twoPodsDoNotGetOneDevice(Scene scene) {
        scene.node("a1", "");
        deviceClass(scene);
        devices(scene, "a1", "{name: gpu-0}");
        claim(scene, "one");
        claim(scene, "two");
        scene.scheduler();
        scene.pod("first", with("one"));
        scene.awaitBound("first");
        scene.pod("second", with("two"));
        scene.awaitRejected("second", "1 cannot allocate all claims");

        scene.api().deleteNow(scene.podPath("first"));
        scene.awaitBound("second");
        assertThat(results(claimOf(scene, "one"))).isEmpty();
    }

    @Test
    void manyPodsShareAClaim(Scene scene) {
        scene.node("a1", "");
        deviceClass(scene);
        devices(scene, "a1", "{name: gpu-0}");
        claim(scene, "shared");
        scene.scheduler();
        scene.pods("web", 20, with("shared"));
        scene.awaitAllBound(20);
        assertThat(consumers(claimOf(scene, "shared"))).hasSize(20);
    }

    @Test
    void aConflictRepeatsTheDecision(Scene scene) {
        scene.node("a1", "");
        deviceClass(scene);
        devices(scene, "a1", "{name: gpu-0}");
        claim(scene, "one");
        scene.hollow().faults().refuseNext(1, STATUSES, 409, 0);
        scene.scheduler();
        scene.pod("web", with("one"));

        scene.awaitBound("web");
        assertThat(notes(scene, "web"))
                .anyMatch(note -> note.startsWith("FailedScheduling: running PreBind plugin \"DynamicResources\": add"
                        + " allocation and reservation to claim " + scene.key("one") + ": "));
        assertThat(consumers(claimOf(scene, "one"))).containsExactly("web");
    }

    @Test
    void whereAnswersAreLostNoDeviceIsGivenTwice(Scene scene) {
        scene.node("a1", "");
        deviceClass(scene);
        devices(
                scene,
                "a1",
                IntStream.range(0, 10).mapToObj("{name: gpu-%d}"::formatted).toArray(String[]::new));
        scene.create(RESOURCES, "ResourceClaimTemplate", "made", "spec: {spec: %s}".formatted(spec(scene)));
        scene.hollow().faults().dropShareOfAnswers(0.3, STATUSES);
        scene.hollow().faults().dropShareOfAnswers(0.3, new RequestMatch("patch", "resourceclaims"));
        scene.scheduler(
                scene.configuration("", "{leaderElection: {leaderElect: false}, podMaxBackoffSeconds: 1}"),
                LiveOptions.usual("e2e"));
        scene.pods("web", 10, "resourceClaims: [{name: made, resourceClaimTemplateName: made}]");

        scene.awaitAllBound(10);
        assertThat(scene.api().list(scene.path(RESOURCES, "ResourceClaim")).stream()
                        .map(claim -> Trees.text(results(claim).getFirst(), "device")))
                .hasSize(10)
                .doesNotHaveDuplicates();
        BindingLog.assertNothingBoundTwice(scene);
    }

    @Test
    void aPodThatIsNotBoundIsTakenOutOfItsClaim(Scene scene) {
        scene.node("a1", "");
        deviceClass(scene);
        devices(scene, "a1", "{name: gpu-0}");
        claim(scene, "one");
        scene.hollow().faults().refuseNext(1, new RequestMatch("create", "pods/binding"), 403, 0);
        scene.scheduler();
        scene.pod("web", with("one"));

        scene.awaitBound("web");
        assertThat(scene.hollow().requestLog().requests().stream()
                        .map(LoggedRequest::attributes)
                        .filter(request -> request.resourcePath().equals("resourceclaims/status")
                                && request.namespace().equals(scene.namespace())))
                .as("in, out and in again")
                .hasSizeGreaterThanOrEqualTo(3);
        assertThat(consumers(claimOf(scene, "one"))).containsExactly("web");
    }

    @Test
    void devicesAreWaitedForAndARestartMeanwhileKeepsThem(Scene scene) {
        scene.node("a1", "");
        scene.node("b1", "");
        deviceClass(scene);
        devices(scene, "a1", attachable("gpu-0"));
        devices(scene, "b1", attachable("gpu-0"));
        claim(scene, "one");
        SchedulerUnderTest first = scene.scheduler();
        scene.pod("web", with("one"));
        eventually("it is told what it waits for")
                .untilAsserted(() -> assertThat(notes(scene, "web"))
                        .anyMatch(note ->
                                note.startsWith(PENDING + ": waiting for binding conditions for device on node ")));
        JsonObject given = results(claimOf(scene, "one")).getFirst();
        assertThat(scene.pod("web").node()).isEmpty();
        first.crash();

        scene.scheduler();
        eventually("the next one waits, too")
                .until(() -> notes(scene, "web").stream()
                                .filter(note -> note.startsWith(PENDING))
                                .count()
                        >= 1);
        condition(scene, "one", "Attached");
        scene.awaitBound("web");
        assertThat(results(claimOf(scene, "one"))).containsExactly(given);
        assertThat(scene.nodeName(scene.pod("web").node().orElseThrow())).isEqualTo(Trees.text(given, "pool"));
    }

    @Test
    void devicesThatFailAreGivenBack(Scene scene) {
        scene.node("a1", "");
        deviceClass(scene);
        devices(scene, "a1", attachable("gpu-0"));
        claim(scene, "one");
        scene.scheduler();
        scene.pod("web", with("one"));
        eventually("it has the device")
                .until(() -> !results(claimOf(scene, "one")).isEmpty());
        condition(scene, "one", "Lost");
        eventually("it is told that they failed")
                .untilAsserted(() -> assertThat(notes(scene, "web"))
                        .contains("FailedScheduling: running PreBind plugin \"DynamicResources\": claim one binding"
                                + " failed: reason=Because, message=\"so it is\""));
        eventually("it has it once more, without the conditions of before")
                .until(() -> !results(claimOf(scene, "one")).isEmpty()
                        && Trees.objects(claimOf(scene, "one"), "status", "devices")
                                .isEmpty());
        condition(scene, "one", "Attached");
        scene.awaitBound("web");
    }

    @Test
    void devicesThatTakeTooLongAreGivenBack(Scene scene) {
        scene.node("a1", "");
        deviceClass(scene);
        devices(scene, "a1", attachable("gpu-0"));
        claim(scene, "one");
        scene.scheduler(
                scene.configuration("pluginConfig: [{name: DynamicResources, args: {bindingTimeout: 1s}}]"),
                LiveOptions.usual("e2e"));
        scene.pod("web", with("one"));
        eventually("it is told that time was up")
                .untilAsserted(() -> assertThat(notes(scene, "web"))
                        .anySatisfy(note -> assertThat(note)
                                .startsWith("FailedScheduling: running PreBind plugin \"DynamicResources\": device"
                                        + " binding timeout: ")));
    }
}
