package io.evenkeel.hollow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.controller.HollowDevices.Pool;
import io.evenkeel.hollow.controller.HollowWorld;
import io.evenkeel.hollow.controller.WorldOptions;
import io.evenkeel.hollow.controller.WorldOptions.Capacity;
import io.evenkeel.hollow.controller.WorldOptions.Devices;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.model.json.Trees;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Claims of devices from the template to the pod that runs, and back. */
class DeviceClaimsTest {
    private final HollowWorld world = HollowWorld.start(WorldOptions.DEFAULT
            .withServer(HollowOptions.DEFAULT
                    .plainHttp()
                    .withClock(InstantSource.fixed(Instant.parse("2030-01-01T00:00:00Z"))))
            .withNodes(2, 1, Capacity.DEFAULT)
            .withDevices(new Devices(8, 1, 4, 130))
            .withEvents(true));
    private final Drawn drawn = new Drawn(world);

    @AfterEach
    void close() {
        world.close();
    }

    @Test
    void aPodHasAClaimOfItsTemplateAndOwnsIt() throws Exception {
        template();
        pod("web", "'resourceClaimTemplateName':'one'");

        JsonObject claim = onlyClaim();
        assertThat(Drawn.name(claim)).matches("web-gpu-[a-z0-9]{5}");
        assertThat(Trees.text(claim, "metadata", "annotations", "resource.kubernetes.io/pod-claim-name"))
                .isEqualTo("gpu");
        assertThat(Trees.text(claim, "metadata", "labels", "l")).isEqualTo("1");
        assertThat(Trees.objects(claim, "metadata", "ownerReferences"))
                .singleElement()
                .satisfies(owner -> {
                    assertThat(Trees.text(owner, "name")).isEqualTo("web");
                    assertThat(Trees.isTrue(owner, "controller")).isTrue();
                });
        assertThat(Trees.objects(claim, "spec", "devices", "requests")).hasSize(1);
        assertThat(drawn.status(ResourceTable.PODS, "web")
                        .getAsJsonArray("resourceClaimStatuses")
                        .toString())
                .isEqualTo("[{\"name\":\"gpu\",\"resourceClaimName\":\"" + Drawn.name(claim) + "\"}]");
    }

    @Test
    void aPodWaitsForItsTemplateAndSaysSo() throws Exception {
        pod("web", "'resourceClaimTemplateName':'one'");
        assertThat(drawn.list(ResourceTable.EVENTS))
                .extracting(event -> Trees.text(event, "message"))
                .containsExactly("PodResourceClaim gpu: resource claim template \"one\":"
                        + " resourceclaimtemplate.resource.k8s.io \"one\" not found");

        template();

        assertThat(drawn.names(ResourceTable.RESOURCE_CLAIMS)).hasSize(1);
    }

    @Test
    void aClaimThatIsDeletedUnderItsPodIsMadeAgain() throws Exception {
        template();
        pod("web", "'resourceClaimTemplateName':'one'");
        String before = Drawn.name(onlyClaim());

        delete(ResourceTable.RESOURCE_CLAIMS, before);

        assertThat(Drawn.name(onlyClaim())).isNotEqualTo(before);
        assertThat(drawn.status(ResourceTable.PODS, "web").toString()).contains(Drawn.name(onlyClaim()));
    }

    @Test
    void aPodStartsWhenItsDevicesAreReservedForIt() throws Exception {
        claim("shared");
        pod("web", "'resourceClaimName':'shared'");
        drawn.bindAll("node-0");
        assertThat(phase("web")).isEqualTo("Pending");

        allocate("shared", "gpu.example.com", "node-0", "gpu-0", "", "");
        assertThat(phase("web")).isEqualTo("Pending");
        reserve("shared", "web");

        assertThat(phase("web")).isEqualTo("Running");
    }

    /** A pod that names its node passes no scheduler. */
    @Test
    void aPodThatIsOnItsNodeGetsDevicesThatAreAllocated() throws Exception {
        claim("shared");
        allocate("shared", "gpu.example.com", "node-0", "gpu-0", "", "");
        pod("web", "'resourceClaimName':'shared'");

        drawn.bindAll("node-0");

        assertThat(phase("web")).isEqualTo("Running");
        assertThat(users("shared")).containsExactly("web");
    }

    @Test
    void devicesAreFreeWhenTheLastPodIsOver() throws Exception {
        claim("shared");
        pod("one", "'resourceClaimName':'shared'");
        pod("two", "'resourceClaimName':'shared'");
        protect("shared");
        allocate("shared", "gpu.example.com", "node-0", "gpu-0", "", "");
        reserve("shared", "one");
        reserve("shared", "two");
        drawn.bindAll("node-0");

        delete(ResourceTable.PODS, "one");
        assertThat(users("shared")).containsExactly("two");
        assertThat(isAllocated("shared")).isTrue();
        world.objects().patchStatus(ResourceTable.PODS, "default", "two", "{\"status\":{\"phase\":\"Succeeded\"}}");
        world.settle();

        assertThat(users("shared")).isEmpty();
        assertThat(isAllocated("shared")).isFalse();
        assertThat(Trees.texts(drawn.get(ResourceTable.RESOURCE_CLAIMS, "shared"), "metadata", "finalizers"))
                .isEmpty();
    }

    /** The scheduler protects a claim first. */
    @Test
    void aClaimThatIsAboutToBeAllocatedKeepsItsProtection() throws Exception {
        claim("shared");
        protect("shared");
        drawn.patch(ResourceTable.RESOURCE_CLAIMS, "shared", "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}");

        assertThat(Trees.texts(drawn.get(ResourceTable.RESOURCE_CLAIMS, "shared"), "metadata", "finalizers"))
                .hasSize(1);
    }

    @Test
    void aDeletedClaimGoesWhenNoPodHasItsDevices() throws Exception {
        claim("shared");
        pod("web", "'resourceClaimName':'shared'");
        protect("shared");
        allocate("shared", "gpu.example.com", "node-0", "gpu-0", "", "");
        reserve("shared", "web");
        drawn.bindAll("node-0");
        delete(ResourceTable.RESOURCE_CLAIMS, "shared");
        assertThat(isAllocated("shared")).isTrue();

        delete(ResourceTable.PODS, "web");

        assertThat(drawn.names(ResourceTable.RESOURCE_CLAIMS)).isEmpty();
    }

    @Test
    void aPodsOwnClaimGoesWithIt() throws Exception {
        template();
        pod("web", "'resourceClaimTemplateName':'one'");
        String claim = Drawn.name(onlyClaim());
        protect(claim);
        allocate(claim, "gpu.example.com", "node-0", "gpu-0", "", "");
        reserve(claim, "web");
        drawn.bindAll("node-0");
        assertThat(phase("web")).isEqualTo("Running");

        delete(ResourceTable.PODS, "web");

        assertThat(drawn.names(ResourceTable.RESOURCE_CLAIMS)).isEmpty();
    }

    @Test
    void aFinishedPodsOwnClaimGoesBeforeIt() throws Exception {
        template();
        pod("web", "'resourceClaimTemplateName':'one'");

        world.objects().patchStatus(ResourceTable.PODS, "default", "web", "{\"status\":{\"phase\":\"Failed\"}}");
        world.settle();

        assertThat(drawn.names(ResourceTable.PODS)).containsExactly("web");
        assertThat(drawn.names(ResourceTable.RESOURCE_CLAIMS)).isEmpty();
    }

    @Test
    void eachNodePublishesItsDevicesAndTheyGoWithIt() throws Exception {
        world.settle();
        assertThat(slices())
                .containsExactly(
                        "fabric-fabric.example.com-0 128 of fabric in 2",
                        "fabric-fabric.example.com-1 2 of fabric in 2",
                        "node-0-gpu.example.com-0 8 of node-0 in 1",
                        "node-0-nic.example.com-0 4 of node-0 in 1",
                        "node-0-partition.example.com-0 0 of node-0 in 2",
                        "node-0-partition.example.com-1 7 of node-0 in 2",
                        "node-1-gpu.example.com-0 8 of node-1 in 1",
                        "node-1-nic.example.com-0 4 of node-1 in 1",
                        "node-1-partition.example.com-0 0 of node-1 in 2",
                        "node-1-partition.example.com-1 7 of node-1 in 2");
        assertThat(world.objects().list(ResourceTable.DEVICE_CLASSES, "")).hasSize(4);

        world.objects().delete(ResourceTable.RESOURCE_SLICES, "", "node-1-gpu.example.com-0");
        world.settle();
        assertThat(slices()).hasSize(10);
        world.nodes().remove("node-1");
        world.settle();

        assertThat(slices()).hasSize(6).noneMatch(slice -> slice.contains("node-1"));
    }

    @Test
    void aPoolIsPublishedAgainAsItsNextGeneration() throws Exception {
        pool(200);
        assertThat(slices()).contains("p-d.x-0 128 of p in 2", "p-d.x-1 72 of p in 2");

        pool(100);

        assertThat(slices()).contains("p-d.x-0 100 of p in 1").doesNotContain("p-d.x-1 72 of p in 2");
        assertThat(Trees.number(drawn.get(ResourceTable.RESOURCE_SLICES, "p-d.x-0"), "spec", "pool", "generation"))
                .hasValue(2L);
    }

    private void pool(int devices) throws InterruptedException {
        List<JsonObject> all = IntStream.range(0, devices)
                .mapToObj(i -> Trees.of("name", "d-" + i))
                .toList();
        world.devices().publish(new Pool("d.x", "p", Trees.of("allNodes", true), List.of(), all));
        world.settle();
    }

    @Test
    void aDeviceThatMustBeAttachedIs() throws Exception {
        claim("far");
        allocate(
                "far",
                "fabric.example.com",
                "fabric",
                "accelerator-7",
                "",
                ",'bindingConditions':['fabric.example.com/attached'],"
                        + "'bindingFailureConditions':['fabric.example.com/failed']");

        JsonObject device = Trees.objects(drawn.status(ResourceTable.RESOURCE_CLAIMS, "far"), "devices")
                .getFirst();
        assertThat(Trees.text(device, "device")).isEqualTo("accelerator-7");
        assertThat(Trees.objects(device, "conditions")).singleElement().satisfies(condition -> {
            assertThat(Trees.text(condition, "type")).isEqualTo("fabric.example.com/attached");
            assertThat(Trees.text(condition, "status")).isEqualTo("True");
        });
    }

    @Test
    void aTaintOfADeviceEvictsItsPodsUnlessTheirClaimToleratesIt() throws Exception {
        world.settle();
        for (String name : List.of("hurt", "tolerant", "patient")) {
            claim(name);
            pod(name, "'resourceClaimName':'" + name + "'");
        }
        allocate("hurt", "gpu.example.com", "node-0", "gpu-0", "", "");
        allocate("tolerant", "gpu.example.com", "node-0", "gpu-0", "{'operator':'Exists'}", "");
        allocate("patient", "gpu.example.com", "node-0", "gpu-1", "{'operator':'Exists','tolerationSeconds':0}", "");
        for (String name : List.of("hurt", "tolerant", "patient")) {
            reserve(name, name);
        }
        drawn.bindAll("node-0");
        assertThat(drawn.names(ResourceTable.PODS)).hasSize(3);

        JsonObject slice = drawn.get(ResourceTable.RESOURCE_SLICES, "node-0-gpu.example.com-0");
        Trees.objects(slice, "spec", "devices")
                .forEach(device ->
                        Trees.ensureArray(device, "taints").add(Trees.of("key", "broken", "effect", "NoExecute")));
        JsonObject patch = new JsonObject();
        patch.add("spec", slice.get("spec"));
        drawn.patch(ResourceTable.RESOURCE_SLICES, "node-0-gpu.example.com-0", patch.toString());

        assertThat(drawn.names(ResourceTable.PODS)).containsExactly("tolerant");
        assertThat(drawn.list(ResourceTable.EVENTS))
                .filteredOn(event -> Trees.text(event, "reason").equals("DeviceTaintManagerEviction"))
                .extracting(event -> Trees.text(event, "involvedObject", "name"))
                .containsExactlyInAnyOrder("hurt", "patient");
    }

    @Test
    void aRuleTaintsTheDevicesThatItSelects() throws Exception {
        for (String name : List.of("hurt", "other")) {
            claim(name);
            pod(name, "'resourceClaimName':'" + name + "'");
        }
        allocate("hurt", "gpu.example.com", "node-0", "gpu-0", "", "");
        allocate("other", "gpu.example.com", "node-0", "gpu-1", "", "");
        reserve("hurt", "hurt");
        reserve("other", "other");
        drawn.bindAll("node-0");

        create("""
            {'apiVersion':'resource.k8s.io/v1','kind':'DeviceTaintRule','metadata':{'name':'rule'},'spec':{
             'deviceSelector':{'driver':'gpu.example.com','device':'gpu-0'},
             'taint':{'key':'broken','effect':'NoExecute'}}}\
            """);

        assertThat(drawn.names(ResourceTable.PODS)).containsExactly("other");
    }

    /** Of alternatives the most counts, and of all devices as many as a claim can have. */
    @Test
    void aQuotaCountsTheDevicesThatClaimsMayGet() throws Exception {
        String devices = "gpu.example.com.deviceclass.resource.k8s.io/devices";
        create("{'apiVersion':'v1','kind':'ResourceQuota','metadata':{'name':'few'},'spec':{'hard':{'" + devices
                + "':'34'}}}");
        template();
        pod("web", "'resourceClaimTemplateName':'one'");
        claim("two");
        claim(
                "many",
                "'firstAvailable':[{'name':'a','deviceClassName':'gpu.example.com','allocationMode':'All'},"
                        + "{'name':'b','deviceClassName':'gpu.example.com','count':3}]");

        assertThatThrownBy(() -> claim("more"))
                .hasMessage("resourceclaims.resource.k8s.io \"more\" is forbidden: exceeded quota: few, requested: "
                        + devices + "=1, used: " + devices + "=34, limited: " + devices + "=34");
        delete(ResourceTable.RESOURCE_CLAIMS, "many");
        claim("more");
        assertThat(drawn.status(ResourceTable.RESOURCE_QUOTAS, "few")
                        .getAsJsonObject("used")
                        .toString())
                .isEqualTo("{\"" + devices + "\":\"3\"}");
    }

    private void template() throws InterruptedException {
        create("""
            {'apiVersion':'resource.k8s.io/v1','kind':'ResourceClaimTemplate','metadata':{'name':'one'},
             'spec':{'metadata':{'labels':{'l':'1'}},'spec':{'devices':{'requests':[
              {'name':'r','exactly':{'deviceClassName':'gpu.example.com'}}]}}}}\
            """);
    }

    private void claim(String name) throws InterruptedException {
        claim(name, "'exactly':{'deviceClassName':'gpu.example.com'}");
    }

    private void claim(String name, String request) throws InterruptedException {
        create("""
            {'apiVersion':'resource.k8s.io/v1','kind':'ResourceClaim','metadata':{'name':'%s'},
             'spec':{'devices':{'requests':[{'name':'r',%s}]}}}\
            """.formatted(name, request));
    }

    private void pod(String name, String claim) throws InterruptedException {
        create("""
            {'apiVersion':'v1','kind':'Pod','metadata':{'name':'%s'},
             'spec':{'containers':[{'name':'c','image':'i','resources':{'claims':[{'name':'gpu'}]}}],
              'resourceClaims':[{'name':'gpu',%s}]}}\
            """.formatted(name, claim));
    }

    private void create(String quoted) throws InterruptedException {
        world.objects().create(quoted.replace('\'', '"'));
        world.settle();
    }

    private void delete(io.evenkeel.hollow.resource.ResourceType type, String name) throws InterruptedException {
        world.objects().delete(type, "default", name);
        world.settle();
    }

    private void protect(String claim) throws InterruptedException {
        drawn.patch(
                ResourceTable.RESOURCE_CLAIMS,
                claim,
                "{\"metadata\":{\"finalizers\":[\"resource.kubernetes.io/delete-protection\"]}}");
    }

    private void allocate(String claim, String driver, String pool, String device, String tolerations, String members)
            throws InterruptedException {
        status(
                claim,
                "'allocation':{'devices':{'results':[{'request':'r','driver':'%s','pool':'%s','device':'%s','tolerations':[%s]%s}]}}"
                        .formatted(driver, pool, device, tolerations, members));
    }

    private void reserve(String claim, String pod) throws InterruptedException {
        String uid = Trees.text(drawn.get(ResourceTable.PODS, pod), "metadata", "uid");
        status(claim, "'reservedFor':[{'resource':'pods','name':'%s','uid':'%s'}]".formatted(pod, uid));
    }

    private void status(String claim, String members) throws InterruptedException {
        world.objects()
                .patchStatus(
                        ResourceTable.RESOURCE_CLAIMS,
                        "default",
                        claim,
                        ("{'status':{" + members + "}}").replace('\'', '"'));
        world.settle();
    }

    private JsonObject onlyClaim() {
        List<JsonObject> claims = drawn.list(ResourceTable.RESOURCE_CLAIMS);
        assertThat(claims).hasSize(1);
        return claims.getFirst();
    }

    private String phase(String pod) {
        return Trees.text(drawn.status(ResourceTable.PODS, pod), "phase");
    }

    private boolean isAllocated(String claim) {
        return drawn.status(ResourceTable.RESOURCE_CLAIMS, claim).has("allocation");
    }

    private List<String> users(String claim) {
        return Trees.objects(drawn.status(ResourceTable.RESOURCE_CLAIMS, claim), "reservedFor").stream()
                .map(user -> Trees.text(user, "name"))
                .toList();
    }

    /** In a line each: the slice, its devices, its pool, and of how many slices that says to be. */
    private List<String> slices() {
        return world.objects().list(ResourceTable.RESOURCE_SLICES, "").stream()
                .map(Trees::parse)
                .map(slice -> "%s %d of %s in %s"
                        .formatted(
                                Drawn.name(slice),
                                Trees.objects(slice, "spec", "devices").size(),
                                Trees.text(slice, "spec", "pool", "name"),
                                Trees.text(slice, "spec", "pool", "resourceSliceCount")))
                .sorted()
                .toList();
    }
}
