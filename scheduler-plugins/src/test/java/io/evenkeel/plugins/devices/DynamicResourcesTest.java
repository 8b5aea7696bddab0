package io.evenkeel.plugins.devices;

import static io.evenkeel.model.build.NodeBuilder.node;
import static io.evenkeel.plugins.devices.Claimed.GPU;
import static io.evenkeel.plugins.devices.Claimed.claim;
import static io.evenkeel.plugins.devices.Claimed.claimForFirst;
import static io.evenkeel.plugins.devices.Claimed.claimOf;
import static io.evenkeel.plugins.devices.Claimed.claimWith;
import static io.evenkeel.plugins.devices.Claimed.pod;
import static io.evenkeel.plugins.devices.Claimed.slice;
import static io.evenkeel.plugins.devices.Claimed.sliceForAll;
import static io.evenkeel.plugins.devices.Claimed.templatePod;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.ChangeKind;
import io.evenkeel.api.ClusterChange;
import io.evenkeel.api.ObjectPatch;
import io.evenkeel.api.ObjectPatch.Form;
import io.evenkeel.api.PreFilterResult;
import io.evenkeel.api.Status;
import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.cluster.ClusterDump;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.WhatIf;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Engine;
import io.evenkeel.engine.decision.Commitment;
import io.evenkeel.engine.decision.Decision;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.engine.decision.SchedulingCycle;
import io.evenkeel.framework.GroupPlugin.GroupKey;
import io.evenkeel.framework.GroupPlugin.GroupMembers;
import io.evenkeel.framework.TreeContext;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.device.DeviceAllocation;
import io.evenkeel.model.device.DeviceClass;
import io.evenkeel.model.device.ResourceClaim;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.plugins.PluginHarness;
import io.evenkeel.queue.ClusterChanges;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DynamicResourcesTest {
    private static final String NO_PREEMPTION =
            ", preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.";

    private final Engine engine = new Engine(
            SchedulerConfiguration.defaults(),
            InTreePlugins.registry(),
            new FirstByName(),
            SchedulingCycle.Scoring.WHEN_NEEDED);

    private void put(KubernetesObject... objects) {
        for (KubernetesObject object : objects) {
            engine.put(object);
        }
    }

    private void putNodes() {
        for (String name : List.of("n1", "n2")) {
            put(node(name)
                    .label("name", name)
                    .allocatable("cpu", "4", "pods", "10")
                    .build());
        }
        put(GPU);
    }

    private String held(Pod pod) {
        return engine.profileOf(pod)
                .orElseThrow()
                .preEnqueue(pod)
                .map(gate -> gate.plugin() + ": " + gate.status().message())
                .orElse("");
    }

    private String messageFor(Pod pod) {
        return ((Decision.Unschedulable) engine.decide(pod)).diagnosis().message();
    }

    private String nodeFor(Pod pod) {
        return engine.decide(pod) instanceof Decision.Placed placed
                ? engine.cluster().nodes().name(placed.node())
                : messageFor(pod);
    }

    private Commitment place(Pod pod) {
        return engine.assume(pod, (Decision.Placed) engine.decide(pod));
    }

    private void takeBack(Pod pod, Commitment made) {
        ((Commitment.Ready) made).steps().takeBack();
        engine.remove(pod);
    }

    @Test
    void ofAPodThatNodesTurnedAwayItSaysThatItHasClaimedNothing() {
        putNodes();
        assertThat(messageFor(pod("big").container("cpu", "8").build()))
                .isEqualTo("0/2 nodes are available: 2 Insufficient cpu. no new claims to deallocate" + NO_PREEMPTION);
    }

    @Test
    void ofAPodThatWasTurnedAwayOutrightItKnowsNothing() {
        putNodes();
        assertThat(messageFor(pod("db-0").claim("data").build()))
                .isEqualTo("0/2 nodes are available: persistentvolumeclaim \"data\" not found. not found");
    }

    @Test
    void aPodIsHeldUntilItsClaimsAreThereAndItsOwn() {
        assertThat(held(pod("p").build())).isEmpty();
        assertThat(held(pod("p", "c").build()))
                .isEqualTo("DynamicResources: could not find ResourceClaim \"default/c\"");
        assertThat(held(templatePod("p", "")))
                .isEqualTo("DynamicResources: pod \"default/p\": ResourceClaim not created yet");
        assertThat(held(templatePod("p", "p-gpu-x")))
                .isEqualTo("DynamicResources: could not find ResourceClaim \"default/p-gpu-x\"");

        put(claim("c"), claimOf("other", "p-gpu-x"));
        assertThat(held(pod("p", "c").build())).isEmpty();
        assertThat(held(templatePod("p", "p-gpu-x")))
                .isEqualTo("DynamicResources: ResourceClaim default/p-gpu-x was not created for Pod default/p (Pod is"
                        + " not owner)");

        ResourceClaim going = claimOf("other", "p-gpu-x");
        put(new ResourceClaim(
                going.meta().withTerminating(true),
                going.spec(),
                going.allocation(),
                going.reservedFor(),
                going.devices()));
        assertThat(held(templatePod("p", "p-gpu-x")))
                .isEqualTo("DynamicResources: resourceclaim \"p-gpu-x\" is being deleted");

        put(claimOf("p", "p-gpu-x"));
        assertThat(held(templatePod("p", "p-gpu-x"))).isEmpty();
    }

    @Test
    void aClassThatIsMissingIsNamed() {
        putNodes();
        put(claim("c", "'exactly':{'deviceClassName':'tpu'}", ""));
        put(claim(
                "d",
                "'firstAvailable':[{'name':'a','deviceClassName':'gpu'},{'name':'b','deviceClassName':'tpu'}]",
                ""));

        assertThat(messageFor(pod("p", "c").build()))
                .isEqualTo("0/2 nodes are available: request r: device class tpu does not exist. no new claims to"
                        + " deallocate" + NO_PREEMPTION);
        assertThat(messageFor(pod("p", "d").build()))
                .startsWith("0/2 nodes are available: request r/b: device class tpu does not exist.");
    }

    @Test
    void aPodGoesWhereADeviceIsLeftAndTheNextCountsWithIt() {
        putNodes();
        put(slice("n2", "a-0", "a-1"), claim("c"), claim("d"), claim("e"));

        assertThat(nodeFor(pod("p", "c").build())).isEqualTo("n2");
        place(pod("p", "c").build());
        Pod second = pod("q", "d").build();
        Commitment made = place(second);
        Pod third = pod("r", "e").build();
        assertThat(messageFor(third))
                .isEqualTo(
                        "0/2 nodes are available: 2 cannot allocate all claims. still not schedulable" + NO_PREEMPTION);

        takeBack(second, made);
        assertThat(nodeFor(third)).isEqualTo("n2");
        assertThat(ClusterAudit.differences(engine.cluster())).isEmpty();
    }

    @Test
    void aClaimThatAnotherPodIsGettingDevicesForIsWaitedFor() {
        putNodes();
        put(slice("n2", "a-0"), claim("shared"));
        place(pod("p", "shared").build());

        assertThat(messageFor(pod("q", "shared").build()))
                .startsWith("0/2 nodes are available: resource claim default/shared is in the process of being"
                        + " allocated.");

        put(claimWith("shared", "n2", "a-0", "p"));
        assertThat(nodeFor(pod("q", "shared").build())).isEqualTo("n2");
    }

    private static final GroupMembers BY_LABEL = new GroupMembers() {
        @Override
        public int known(GroupKey group) {
            return 2;
        }

        @Override
        public Optional<GroupKey> groupOf(Pod pod) {
            String group = pod.labels().getOrDefault("group", "");
            return group.isEmpty() ? Optional.empty() : Optional.of(new GroupKey("gang", pod.namespace(), group, ""));
        }
    };

    @Test
    void membersOfAGroupShareAClaimAtOnce() {
        PluginHarness cluster =
                PluginHarness.cluster(node("n1").build(), node("n2").build(), GPU, slice("n2", "a-0"), claim("shared"));
        TreeContext plain = cluster.context();
        DynamicResources plugin = new DynamicResources(
                new TreeContext(plain.cluster(), plain.typedArgs(), plain.waitingPods(), BY_LABEL));
        Pod first = pod("p", "shared").label("group", "g").build();
        ClaimsUnderway underway = ClaimsUnderway.of(plain.cluster());
        DeviceBook book = DeviceBook.of(plain.cluster());
        List<ResourceClaim> claims = List.of(claim("shared"));
        int n2 = plain.cluster().nodes().find("n2");
        underway.assume(first, claims, ((DeviceBook.Answer.Found) book.allocate(claims, n2)).allocations());

        assertThat(cluster.passing(
                        plugin, pod("q", "shared").label("group", "g").build()))
                .containsExactly("n2");
        assertThat(cluster.passing(
                        plugin, pod("q", "shared").label("group", "h").build()))
                .isEmpty();
        assertThat(cluster.passing(plugin, pod("q", "shared").build())).isEmpty();
    }

    @Test
    void aClaimIsUsedWhereItsDevicesAre() {
        putNodes();
        put(slice("n1", "a-0"), slice("n2", "a-0"), claimWith("c", "n2", "a-0", "other"), claim("d"));

        assertThat(nodeFor(pod("p", "c").build())).isEqualTo("n2");
        assertThat(messageFor(pod("p", "c", "d").build()))
                .isEqualTo("0/2 nodes are available: 1 cannot allocate all claims, 1 resourceclaim not available on the"
                        + " node. still not schedulable" + NO_PREEMPTION);
    }

    @Test
    void theFormForAllNodesSaysTheSameAsTheOneForEach() {
        PluginHarness cluster = PluginHarness.cluster(
                node("n1").build(),
                node("n2").build(),
                node("n3").build(),
                GPU,
                slice("n1", "a-0"),
                slice("n2", "a-0"),
                claimWith("c", "n2", "a-0", "other"),
                claim("d"),
                claim("e", "'exactly':{'deviceClassName':'gpu','selectors':[{'cel':{'expression':'1'}}]}", ""));
        DynamicResources plugin = new DynamicResources(cluster.context());
        for (Pod pod : List.of(
                pod("p", "c").build(),
                pod("p", "d").build(),
                pod("p", "c", "d").build(),
                pod("p", "missing").build())) {
            assertThat(cluster.filterAll(plugin, pod)).isEqualTo(cluster.filterEach(plugin, pod));
        }
    }

    @Test
    void aClaimThatNobodyElseUsesIsFreedWhereItIsInTheWay() {
        putNodes();
        put(slice("n1", "a-0"), slice("n2", "a-0"), claimWith("c", "n2", "a-0", "p"));
        Pod pod = pod("p", "c").nodeSelector("name", "n1").build();

        assertThat(messageFor(pod))
                .isEqualTo("0/2 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 1"
                        + " resourceclaim not available on the node. deallocation of ResourceClaim completed"
                        + NO_PREEMPTION);

        put(claimWith("c", "n2", "a-0", "p", "q"));
        assertThat(messageFor(pod)).contains(" still not schedulable,");
        put(claimWith("c", "n2", "a-0", "q"));
        assertThat(messageFor(pod)).contains(" still not schedulable,");
        put(claimWith("c", "n2", "a-0"));
        assertThat(engine.decide(pod))
                .isInstanceOfSatisfying(
                        Decision.Unschedulable.class,
                        decided -> assertThat(decided.writes())
                                .singleElement()
                                .satisfies(write ->
                                        assertThat(write.object().name()).isEqualTo("c")));
    }

    @Test
    void aClaimWithoutRoomForAConsumerMoreIsWaitedFor() {
        putNodes();
        String[] all = IntStream.range(0, ResourceClaim.MOST_CONSUMERS)
                .mapToObj(i -> "p" + i)
                .toArray(String[]::new);
        put(slice("n2", "a-0"), claimWith("c", "n2", "a-0", all));

        assertThat(place(pod("late", "c").build()))
                .isInstanceOfSatisfying(
                        Commitment.Refused.class,
                        refused -> assertThat(refused.objection().status())
                                .isEqualTo(Status.unresolvable("resourceclaim in use")));
        assertThat(place(pod("p7", "c").build())).isInstanceOf(Commitment.Ready.class);
    }

    @Test
    void aNodeIsPreferredWhereARequestGetsWhatItWouldRatherHave() {
        PluginHarness cluster = PluginHarness.cluster(
                node("n1").build(),
                node("n2").build(),
                GPU,
                slice("n1", "b-0"),
                slice("n2", "b-1", "a-0"),
                claimForFirst("c", "a", "b"),
                claim("d"));
        DynamicResources plugin = new DynamicResources(cluster.context());

        assertThat(cluster.scores(plugin, pod("p", "c").build()))
                .containsEntry("n1", 100 * 7 / 8)
                .containsEntry("n2", 100);
        assertThat(cluster.scores(plugin, pod("p", "d").build()).values()).containsOnly(0);
    }

    /** What they have counts on each node alike: there is less between the nodes then. */
    @Test
    void whatClaimsHaveAlreadyCountsWithWhatTheOthersGet() {
        PluginHarness cluster = PluginHarness.cluster(
                node("n1").build(),
                node("n2").build(),
                GPU,
                slice("n1", "c-0"),
                slice("n2", "b-0"),
                claimForFirst("c", "a", "b", "c"),
                claim(
                        "had",
                        "'firstAvailable':[{'name':'a','deviceClassName':'gpu'},{'name':'b','deviceClassName':'gpu'}]",
                        "'allocation':{'devices':{'results':[{'request':'r/b','driver':'gpu.example.com','pool':'far',"
                                + "'device':'x-0'}]}}"));
        DynamicResources plugin = new DynamicResources(cluster.context());

        assertThat(cluster.scores(plugin, pod("p", "c", "had").build()))
                .containsEntry("n1", 100 * (7 + 6) / (7 + 7))
                .containsEntry("n2", 100);
    }

    @Test
    void requestsThatCannotBeReadAreTold() {
        putNodes();
        put(claim("c", "'any':{}", ""), claim("d", "'exactly':{'count':1}", ""));
        assertThat(messageFor(pod("p", "c").build()))
                .startsWith("0/2 nodes are available: resource claim default/c, request r: unknown request type.");
        PluginHarness cluster = PluginHarness.cluster(
                FeatureGates.with(Map.of("DRAPrioritizedList", false)),
                node("n1").build(),
                GPU,
                claimForFirst("e", "a"),
                claim("d", "'exactly':{'count':1}", ""));
        DynamicResources plugin = new DynamicResources(cluster.context());
        assertThat(cluster.preFilter(plugin, pod("p", "e").build()))
                .isEqualTo(new PreFilterResult.Rejected(
                        Status.unresolvable("resource claim default/e, request r: has subrequests, but the"
                                + " DRAPrioritizedList feature is disabled")));
        assertThat(cluster.preFilter(plugin, pod("p", "d").build()))
                .isEqualTo(new PreFilterResult.Rejected(Status.error("request r: unsupported request type")));
    }

    @Test
    void aPoolThatIsInvalidIsToldOfTheNodesThatHaveNothingElse() {
        PluginHarness cluster = PluginHarness.cluster(
                node("n1").build(), node("n2").build(), GPU, slice("n1", "a-0", "a-0"), claim("c"));
        DynamicResources plugin = new DynamicResources(cluster.context());
        Pod pod = pod("p", "c").build();
        assertThat(cluster.filterAll(plugin, pod))
                .isEqualTo(cluster.filterEach(plugin, pod))
                .containsEntry("n1", Status.unresolvable("invalid resource pools were encountered"))
                .containsEntry("n2", Status.unresolvable("cannot allocate all claims"));
    }

    @Test
    void aPodWithSomeClaimsThatHaveDevicesIsPlacedWhereSeveralNodesWillDo() {
        putNodes();
        put(slice("n1", "b-0"), slice("n2", "a-0"), sliceForAll("fabric", "net-0"), claimForFirst("c", "a", "b"));
        ResourceClaim anywhere = claimWith("shared", "fabric", "net-0", "other");
        put(new ResourceClaim(
                anywhere.meta(),
                anywhere.spec(),
                anywhere.allocation()
                        .map(had -> new DeviceAllocation(
                                had.results(), had.configurations(), Optional.empty(), had.timestamp())),
                anywhere.reservedFor(),
                anywhere.devices()));

        assertThat(nodeFor(pod("p", "shared", "c").build())).isEqualTo("n2");
    }

    @Test
    void podsPlacedInThoughtTakeDevicesAndGiveThemBack() {
        putNodes();
        put(slice("n1", "a-0"), slice("n2", "a-0"), claim("c"), claim("d"));
        PluginHarness cluster = PluginHarness.cluster(
                node("n1").build(),
                node("n2").build(),
                GPU,
                slice("n1", "a-0"),
                slice("n2", "a-0"),
                claim("c"),
                claim("d"));
        DynamicResources plugin = new DynamicResources(cluster.context());
        String before = ClusterDump.of(cluster.state().view());
        int n1 = cluster.state().view().nodes().find("n1");
        Pod second = pod("q", "d").build();

        try (WhatIf there = cluster.state().whatIf()) {
            there.place(pod("p", "c").build(), n1);
            assertThat(cluster.passing(plugin, second)).containsExactly("n2");
            try (WhatIf deeper = cluster.state().whatIf()) {
                deeper.remove(pod("p", "c").build());
                assertThat(cluster.passing(plugin, second)).containsExactly("n1", "n2");
            }
            assertThat(cluster.passing(plugin, second)).containsExactly("n2");
            assertThat(ClusterAudit.differences(cluster.state().view())).isEmpty();
        }
        assertThat(cluster.passing(plugin, second)).containsExactly("n1", "n2");
        assertThat(ClusterDump.of(cluster.state().view())).isEqualTo(before);
    }

    @Test
    void whatMayHelpWakesIt() {
        PluginHarness cluster = PluginHarness.cluster(
                node("n1").build(), GPU, slice("n1", "a-0"), claim("c"), claimWith("had", "n1", "a-0", "other"));
        DynamicResources plugin = new DynamicResources(cluster.context());
        Pod waiting = pod("p", "c").build();

        assertThat(wakes(cluster, plugin, waiting, claim("c"), withoutDevices(claim("c"))))
                .isFalse();
        assertThat(wakes(cluster, plugin, waiting, null, claim("c"))).isTrue();
        assertThat(wakes(cluster, plugin, waiting, claim("c"), claimForFirst("c", "a")))
                .as("it asks for something else")
                .isTrue();
        assertThat(wakes(
                        cluster,
                        plugin,
                        waiting,
                        claimWith("c", "n1", "a-0", "q", "r"),
                        claimWith("c", "n1", "a-0", "q")))
                .as("a pod less uses it")
                .isTrue();
        assertThat(wakes(
                        cluster,
                        plugin,
                        pod("q", "lost").build(),
                        claimWithDevice("{'type':'Lost','status':'True'}"),
                        claimWithDevice("")))
                .as("a device works again")
                .isTrue();
        assertThat(wakes(cluster, plugin, waiting, claimWith("had", "n1", "a-0", "other"), claim("had")))
                .as("devices are free")
                .isTrue();
        assertThat(wakes(cluster, plugin, waiting, claimWith("had", "n1", "a-0", "other"), null))
                .as("devices are free with the claim")
                .isTrue();
        assertThat(wakes(cluster, plugin, waiting, null, slice("n1", "a-0"))).isTrue();
        assertThat(wakes(cluster, plugin, waiting, null, GPU)).isTrue();
        assertThat(wakes(cluster, plugin, waiting, null, node("n1").build())).isFalse();
        assertThat(cluster.wakes(
                        plugin,
                        waiting,
                        ClusterChanges.ofFreedPlace(pod("other", "had").build(), "n1")))
                .as("the claim has its devices still")
                .isFalse();
        assertThat(cluster.wakes(
                        plugin,
                        waiting,
                        ClusterChanges.ofFreedPlace(pod("other", "c").build(), "n1")))
                .as("the devices were kept for a pod that is not bound after all")
                .isTrue();
        cluster.remove(claimWith("had", "n1", "a-0", "other"));
        assertThat(wakes(cluster, plugin, waiting, null, node("n1").build())).isTrue();
        assertThat(cluster.wakes(
                        plugin,
                        waiting,
                        ClusterChanges.ofFreedPlace(pod("gone", "d").build(), "n1")))
                .isTrue();
        assertThat(cluster.wakes(
                        plugin, waiting, ClusterChanges.ofFreedPlace(pod("gone").build(), "n1")))
                .isFalse();
    }

    @Test
    void aClaimOfExtendedResourcesWakesNobodyButItsPodUnlessItHadDevices() {
        PluginHarness cluster = PluginHarness.cluster(
                node("n1").build(),
                new DeviceClass(ObjectMeta.named("", "gpu"), List.of(), List.of(), "example.com/gpu"));
        DynamicResources plugin = new DynamicResources(cluster.context());
        Pod itself = pod("p").container("example.com/gpu", "1").build();
        ExtendedClaims extended = ExtendedClaims.of(cluster.context().cluster());
        ResourceClaim made = extended.asked(itself)
                .flatMap(asked ->
                        extended.on(asked, cluster.state().view().nodes().find("n1")))
                .orElseThrow()
                .claim();
        Pod other = pod("q", "c").build();

        assertThat(wakes(cluster, plugin, other, made, withoutDevices(made))).isFalse();
        assertThat(wakes(cluster, plugin, other, made, null)).isFalse();
        assertThat(wakes(cluster, plugin, itself, made, null)).isTrue();
        assertThat(wakes(cluster, plugin, itself, made, withoutDevices(made))).isFalse();
        ResourceClaim disowned = claim(made.meta().name());
        assertThat(wakes(cluster, plugin, itself, made, disowned)).isTrue();
    }

    private static ResourceClaim withoutDevices(ResourceClaim claim) {
        return new ResourceClaim(
                claim.meta().withVersion("7", 1),
                claim.spec(),
                claim.allocation(),
                claim.reservedFor(),
                claim.devices());
    }

    private static boolean wakes(
            PluginHarness cluster,
            DynamicResources plugin,
            Pod waiting,
            @Nullable KubernetesObject before,
            @Nullable KubernetesObject after) {
        return cluster.wakes(
                plugin, waiting, ClusterChanges.between(Optional.ofNullable(before), Optional.ofNullable(after)));
    }

    @Test
    void theNamesOfItsClaimsInItsStatusWakeAPod() {
        Optional<ClusterChange> change = ClusterChanges.ofWaitingPod(templatePod("p", ""), templatePod("p", "p-gpu-x"));

        assertThat(change.orElseThrow().kinds()).containsExactly(ChangeKind.OWN_CLAIMS);
        PluginHarness cluster = PluginHarness.cluster(node("n1").build());
        assertThat(cluster.wakes(new DynamicResources(cluster.context()), templatePod("p", "p-gpu-x"), change))
                .isTrue();
    }

    @Test
    void theClaimsOfAPodAreToldWithTheirDevices() {
        putNodes();
        put(slice("n2", "a-0"), claim("c"));
        DynamicResources plugin = engine.profileOf(pod("p").build()).orElseThrow().plugins().stream()
                .filter(DynamicResources.class::isInstance)
                .map(DynamicResources.class::cast)
                .findFirst()
                .orElseThrow();
        assertThat(plugin.claimsOf(pod("p", "c").build(), "n1")).isEmpty();
        assertThat(plugin.claimsOf(pod("p", "c").build(), "n2"))
                .singleElement()
                .satisfies(claim -> assertThat(claim.allocation().orElseThrow().results())
                        .singleElement()
                        .satisfies(result -> assertThat(result.device()).isEqualTo("a-0")));
        assertThat(plugin.claimsOf(pod("q").build(), "n2")).isEmpty();
    }

    /** Named by an extended resource, and all else as {@link Claimed#GPU}. */
    private static final DeviceClass NAMED =
            new DeviceClass(ObjectMeta.named("", "gpu"), List.of(), List.of(), "example.com/gpu");

    private static Pod asking(String... more) {
        return pod("p").container(Stream.concat(Stream.of("example.com/gpu", "1"), Arrays.stream(more))
                        .toArray(String[]::new))
                .build();
    }

    private static ResourceClaim madeFor(Pod pod, PluginHarness cluster, String node) {
        ExtendedClaims extended = ExtendedClaims.of(cluster.context().cluster());
        return extended.asked(pod)
                .flatMap(asked ->
                        extended.on(asked, cluster.state().view().nodes().find(node)))
                .orElseThrow()
                .claim();
    }

    @Test
    void aNodeGivesDevicesForWhatItDoesNotOfferItself() {
        PluginHarness cluster = PluginHarness.cluster(
                node("bare").build(),
                node("devices").build(),
                node("more").build(),
                node("offers")
                        .allocatable("example.com/gpu", "1", "example.com/fpga", "1")
                        .build(),
                NAMED,
                slice("devices", "a-0"),
                slice("more", "a-0"));
        DynamicResources plugin = new DynamicResources(cluster.context());
        assertThat(cluster.filterAll(plugin, asking()))
                .isEqualTo(cluster.filterEach(plugin, asking()))
                .containsEntry("bare", Status.unresolvable("cannot allocate all claims"))
                .containsEntry("devices", Status.SUCCESS)
                .containsEntry("more", Status.SUCCESS)
                .containsEntry("offers", Status.SUCCESS);

        Pod withOther = asking("example.com/fpga", "1");
        assertThat(cluster.filterAll(plugin, withOther))
                .isEqualTo(cluster.filterEach(plugin, withOther))
                .containsEntry("devices", Status.unresolvable("cannot fit resource"))
                .containsEntry("offers", Status.SUCCESS);

        cluster.put(madeFor(asking(), cluster, "bare"));
        assertThat(cluster.filterAll(plugin, asking()))
                .isEqualTo(cluster.filterEach(plugin, asking()))
                .containsEntry("devices", Status.unresolvable("cannot schedule extended resource claim"))
                .containsEntry("offers", Status.unresolvable("cannot schedule extended resource claim"));
    }

    @Test
    void aClaimThatWasLeftOfExtendedResourcesIsDeleted() {
        putNodes();
        put(NAMED, slice("n1", "a-0"));
        assertThat(nodeFor(asking())).isEqualTo("n1");
        PluginHarness cluster = PluginHarness.cluster(node("n1").build(), NAMED);
        put(madeFor(asking(), cluster, "n1"));
        assertThat(engine.decide(asking())).isInstanceOfSatisfying(Decision.Unschedulable.class, decided -> {
            assertThat(decided.diagnosis().message())
                    .startsWith("0/2 nodes are available: 2 cannot schedule extended resource claim. deletion of"
                            + " ResourceClaim completed");
            assertThat(decided.writes()).extracting(ObjectPatch::form).containsExactly(Form.MERGE_LISTS, Form.DELETE);
        });
    }

    /** As gpu-0 of n1, of which its driver says this. */
    private static ResourceClaim claimWithDevice(String condition) {
        return claim("lost", "'exactly':{'deviceClassName':'gpu'}", """
            'allocation':{'devices':{'results':[{'request':'r','driver':'gpu.example.com','pool':'n1',
            'device':'a-0','bindingConditions':['Attached'],'bindingFailureConditions':['Lost']}]}},
            'devices':[{'driver':'gpu.example.com','pool':'n1','device':'a-0','conditions':[%s]}]
            """.formatted(condition));
    }

    @Test
    void aClaimWithALostDeviceIsOfNoUseAnywhere() {
        ResourceClaim lost = claimWithDevice("{'type':'Lost','status':'True'}");
        PluginHarness cluster =
                PluginHarness.cluster(node("n1").build(), node("n2").build(), GPU, lost);
        DynamicResources plugin = new DynamicResources(cluster.context());
        Pod pod = pod("p", "lost").build();
        assertThat(cluster.filterAll(plugin, pod)).isEqualTo(cluster.filterEach(plugin, pod));
        assertThat(cluster.passing(plugin, pod)).isEmpty();
        cluster.put(claimWithDevice(""));
        assertThat(cluster.passing(plugin, pod)).containsExactly("n1", "n2");

        PluginHarness unheeding = PluginHarness.cluster(
                FeatureGates.with(Map.of("DRADeviceBindingConditions", false)),
                node("n1").build(),
                GPU,
                lost);
        assertThat(unheeding.passing(new DynamicResources(unheeding.context()), pod))
                .containsExactly("n1");

        putNodes();
        put(lost);
        assertThat(messageFor(pod)).contains("deallocation of ResourceClaim completed");
    }

    /** Pods that shared it gave it up at one time, and each saw the other. */
    @Test
    void aClaimWithADeviceThatTookTooLongIsFreedUnlessItIsReadyByNow() {
        putNodes();
        ResourceClaim late = claimWithDevice("");
        put(late);
        Pod pod = pod("p", "lost").build();
        assertThat(nodeFor(pod)).isEqualTo("n1");
        DeviceBook.of(engine.cluster()).giveUp(late);
        assertThat(messageFor(pod))
                .contains("2 resourceclaim not available on the node. deallocation of ResourceClaim completed");

        put(claimWithDevice("{'type':'Attached','status':'True'}"));
        assertThat(nodeFor(pod)).isEqualTo("n1");
    }

    /** Each of many alternatives could be of each of many classes, on each of many nodes. */
    @Test
    void whatMightHelpIsLookedForWithinBounds() {
        PluginHarness cluster = PluginHarness.cluster(GPU);
        for (int i = 0; i < 200; i++) {
            cluster.put(node("n" + i).build());
            cluster.put(slice("n" + i, "a-0", "a-1"));
        }
        for (int i = 0; i < 30; i++) {
            cluster.put(new DeviceClass(ObjectMeta.named("", "none-" + i), List.of("false"), List.of(), ""));
        }
        String all = IntStream.range(0, 8)
                .mapToObj(i -> "{'name':'a" + i + "','deviceClassName':'gpu','count':3}")
                .collect(Collectors.joining(",", "'firstAvailable':[", "]"));
        cluster.put(claim(
                "c", IntStream.range(1, 9).mapToObj(i -> all).collect(Collectors.joining("},{'name':'more',")), ""));
        DynamicResources plugin = new DynamicResources(cluster.context());
        ClusterView view = cluster.state().view();
        long before = view.work().units();

        plugin.remedies(
                cluster.state().admit(pod("p", "c").build()),
                view.nodeInfo(view.nodes().find("n7")));
        assertThat(view.work().units() - before).isLessThan(2_000_000);
    }

    @Test
    void itReadsTaintRulesWhereTheyAreOn() {
        PluginHarness cluster = PluginHarness.cluster(node("n1").build());
        assertThat(new DynamicResources(cluster.context()).reads())
                .containsExactlyInAnyOrder(Kinds.RESOURCE_CLAIM, Kinds.RESOURCE_SLICE, Kinds.DEVICE_CLASS);
        PluginHarness ruled = PluginHarness.cluster(
                FeatureGates.with(Map.of("DRADeviceTaintRules", true)),
                node("n1").build());
        assertThat(new DynamicResources(ruled.context()).reads()).contains(Kinds.DEVICE_TAINT_RULE);
    }

    @Test
    void aNodeWakesWhomItHasDevicesFor() {
        PluginHarness cluster = PluginHarness.cluster(
                node("bare").build(),
                node("n1").build(),
                node("n2").build(),
                NAMED,
                slice("n1", "a-0"),
                claim("c"),
                claimWith("had", "n2", "a-0", "other"));
        DynamicResources plugin = new DynamicResources(cluster.context());
        Pod free = pod("p", "c").build();
        for (int time = 0; time < 2; time++) {
            assertThat(wakes(cluster, plugin, free, null, node("n1").build())).isTrue();
            assertThat(wakes(cluster, plugin, free, null, node("bare").build())).isFalse();
            cluster.passing(plugin, free); // from here on it is known
        }
        Pod given = pod("q", "had").build();
        assertThat(wakes(cluster, plugin, given, null, node("n2").build())).isTrue();
        assertThat(wakes(cluster, plugin, given, null, node("n1").build())).isFalse();
        assertThat(wakes(
                        cluster,
                        plugin,
                        pod("r", "missing").build(),
                        null,
                        node("n1").build()))
                .isFalse();

        assertThat(wakes(cluster, plugin, asking(), null, node("n1").build())).isTrue();
        assertThat(wakes(cluster, plugin, asking(), null, node("bare").build())).isFalse();
        assertThat(wakes(
                        cluster,
                        plugin,
                        asking("example.com/fpga", "1"),
                        null,
                        node("n1").build()))
                .isFalse();
        cluster.put(madeFor(asking(), cluster, "bare"));
        assertThat(wakes(cluster, plugin, asking(), null, node("n1").build())).isFalse();
    }

    @Test
    void othersGoForAPodWhereItsDevicesAre() {
        put(node("n1").allocatable("cpu", "4", "pods", "1").build());
        put(node("n2").allocatable("cpu", "4", "pods", "1").build());
        put(GPU, slice("n2", "a-0"), claim("c"), claim("d"));
        put(pod("low").container("cpu", "1").nodeName("n1").build());
        put(pod("lower").container("cpu", "1").nodeName("n2").build());

        assertThat(engine.decide(pod("p", "c").priority(100).build()))
                .isInstanceOfSatisfying(Decision.Unschedulable.class, decided -> {
                    assertThat(decided.nominatedNode()).contains("n2");
                    assertThat(decided.victims()).extracting(Pod::name).containsExactly("lower");
                });
        assertThat(engine.decide(pod("p", "c", "d").priority(100).build()))
                .isInstanceOfSatisfying(
                        Decision.Unschedulable.class,
                        decided -> assertThat(decided.victims()).isEmpty());
    }
}
