package io.evenkeel.plugins.devices;

import static io.evenkeel.plugins.devices.DeviceObjects.claim;
import static io.evenkeel.plugins.devices.DeviceObjects.device;
import static io.evenkeel.plugins.devices.DeviceObjects.slice;
import static io.evenkeel.plugins.devices.DeviceObjects.wanted;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.ClusterDump;
import io.evenkeel.cluster.WhatIf;
import io.evenkeel.cluster.index.Work;
import io.evenkeel.framework.GroupPlugin.GroupKey;
import io.evenkeel.framework.GroupPlugin.GroupMembers;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.device.DeviceClass;
import io.evenkeel.model.device.DeviceRequest;
import io.evenkeel.model.device.ResourceClaim;
import io.evenkeel.plugins.devices.DeviceBook.Answer;
import io.evenkeel.plugins.devices.DeviceBook.Written;
import io.evenkeel.plugins.devices.DeviceObjects.ClaimBuilder;
import io.evenkeel.plugins.devices.DeviceObjects.SliceBuilder;
import io.evenkeel.plugins.devices.Search.Effort;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClaimsUnderwayTest {
    private static final String GPU = "example.com/gpu";

    private final DeviceScene scene = new DeviceScene();
    private final ClaimsUnderway underway = ClaimsUnderway.of(scene.cluster.view());
    private final ClaimBuilder asking = claim("asking").wants(wanted("r"));

    private static PodBuilder pod(String name) {
        return PodBuilder.pod("ns", name).uid("uid-of-" + name);
    }

    private void takeAwayAndPutBack(Pod pod) {
        String before = ClusterDump.of(scene.cluster.view());
        try (WhatIf outer = scene.cluster.whatIf()) {
            try (WhatIf without = scene.cluster.whatIf()) {
                without.remove(pod);
            }
            outer.remove(pod);
            outer.place(pod, scene.node("n2"));
        }
        assertThat(ClusterDump.of(scene.cluster.view())).isEqualTo(before);
        assertThat(scene.audit()).isEmpty();
    }

    @Test
    void aPodThatIsPutBackOnItsNodeGetsNothingByIt() {
        scene.put(slice("s").devices("d0"));
        scene.put(claim("c").wants(wanted("r")));
        Pod parked = pod("parked").resourceClaim("c").nodeName("n1").build();
        scene.put(parked);
        takeAwayAndPutBack(parked);
        assertThat(scene.devices(asking)).isEqualTo("r: d0");
    }

    @Test
    void theDevicesOfExtendedResourcesAreCountedOnce() {
        scene.put(slice("s").devices("d0", "d1"));
        scene.put(new DeviceClass(ObjectMeta.named("", "gpus"), List.of(), List.of(), GPU));
        ExtendedClaims extended = ExtendedClaims.of(scene.cluster.view());
        Pod bound = pod("bound").container(GPU, "1").nodeName("n1").build();
        ResourceClaim made = extended.asked(bound)
                .flatMap(asked -> extended.on(asked, scene.node("n1")))
                .orElseThrow()
                .claim();
        List<ResourceClaim> one = List.of(made);
        Answer.Found found = (Answer.Found) scene.book.allocate(one, scene.node("n1"));
        scene.put(bound);
        scene.put(new ResourceClaim(
                made.meta(),
                made.spec(),
                Optional.of(found.allocations().getFirst()),
                made.reservedFor(),
                made.devices()));
        takeAwayAndPutBack(bound);
        assertThat(scene.devices(asking)).isEqualTo("r: d1");

        scene.cluster.remove(bound);
        try (WhatIf again = scene.cluster.whatIf()) {
            again.place(pod("bound").container(GPU, "1").build(), scene.node("n1"));
            assertThat(scene.devices(asking)).isEqualTo("r: d1");
        }
    }

    /** Made, and gone again while the watch was broken: no event tells of either. */
    @Test
    void aMadeClaimIsGoneThatAListDoesNotShow() {
        scene.put(slice("s").devices("d0"));
        scene.put(new DeviceClass(ObjectMeta.named("", "gpus"), List.of(), List.of(), GPU));
        ExtendedClaims extended = ExtendedClaims.of(scene.cluster.view());
        Pod bound = pod("bound").container(GPU, "1").build();
        List<ResourceClaim> made = List.of(extended.asked(bound)
                .flatMap(asked -> extended.on(asked, scene.node("n1")))
                .orElseThrow()
                .claim());
        Answer.Found found = (Answer.Found) scene.book.allocate(made, scene.node("n1"));
        underway.assume(bound, made, found.allocations());

        var whileItIsWritten = scene.cluster.listBegins("ResourceClaim");
        scene.book.written(made.getFirst(), new Written("7", ""));
        whileItIsWritten.accept(_ -> true);
        scene.cluster.listBegins("Pod").accept(_ -> true);
        scene.cluster.listBegins("ResourceClaim").accept(_ -> false);
        assertThat(scene.devices(asking)).isEqualTo(Answer.CANNOT);
        assertThat(underway.asked(bound).orElseThrow().left()).isEmpty();

        underway.forget(bound, List.of());
        assertThat(scene.devices(asking)).as("it is to be deleted first").isEqualTo(Answer.CANNOT);
        assertThat(underway.asked(bound).orElseThrow().left()).isPresent();

        scene.cluster
                .listBegins("ResourceClaim")
                .accept(gone -> gone.key().equals(made.getFirst().key()));
        assertThat(scene.devices(asking)).isEqualTo("r: d0");
        assertThat(underway.holderOf(made.getFirst())).isEmpty();
        assertThat(underway.asked(bound).orElseThrow().left()).isEmpty();
        assertThat(scene.audit()).isEmpty();
    }

    @Test
    void podsThatAreTriedTogetherShareWhatASearchMayTake() {
        for (int node = 0; node < 2; node++) {
            SliceBuilder slice = slice("s" + node).pool("pool" + node, 1, 2).on("n" + (node + 1));
            for (int i = 0; i < 32; i++) {
                slice.devices(device("d" + i).with("odd", i % 2).draws("card", "memory", "1"));
            }
            scene.put(slice, slice("c" + node).pool("pool" + node, 1, 2).counters("card", "memory", "1000"));
        }
        scene.put(claim("hard")
                .wants(wanted("r").count(16), wanted("s").where("false"))
                .alike("driver.example.com/no-odd", "s"));
        Work work = scene.cluster.view().work();
        long before = work.searched();
        try (WhatIf together = scene.cluster.whatIf()) {
            for (int i = 0; i < 30; i++) {
                together.place(pod("p" + i).resourceClaim("hard").build(), scene.node("n1"));
            }
        }
        assertThat(work.searched() - before).isLessThan(9L * Effort.USUAL.most());
        assertThat(scene.audit()).isEmpty();
    }

    @Test
    void devicesThatAnotherPodHasSinceAreNotTakenBack() {
        scene.put(slice("s").devices("d0"));
        ClaimBuilder shared = claim("shared").wants(wanted("r"));
        scene.put(shared);
        List<ResourceClaim> claims = DeviceScene.claims(shared);
        Pod first = pod("first").build();
        Pod second = pod("second").build();
        underway.assume(first, claims, scene.allocations("n1", shared));
        scene.put(claim("shared").wants(wanted("r")).has("pool/d0"));
        scene.put(shared);
        underway.assume(second, claims, scene.allocations("n1", shared));

        underway.forget(first, claims);
        assertThat(scene.devices(asking)).isEqualTo(Answer.CANNOT);
        assertThat(underway.holderOf(claims.getFirst())).contains(second);
        underway.forget(second, claims);
        assertThat(scene.devices(asking)).isEqualTo("r: d0");
    }

    @Test
    void whatAWhatIfTookAwayIsForgottenWithIt() {
        scene.put(slice("s").devices("d0"));
        scene.put(claim("c").wants(wanted("r")));
        Pod parked = pod("parked").resourceClaim("c").nodeName("n1").build();
        scene.put(parked);
        takeAwayAndPutBack(parked);
        scene.cluster.remove(parked);
        try (WhatIf outer = scene.cluster.whatIf()) {
            outer.place(pod("parked").resourceClaim("c").build(), scene.node("n1"));
            assertThat(scene.devices(asking)).isEqualTo(Answer.CANNOT);
        }
        assertThat(scene.devices(asking)).isEqualTo("r: d0");
    }

    @Test
    void aPodThatIsPlacedInThoughtGetsNoMoreThanItsClaimsNeed() {
        scene.put(slice("s").devices("d0", "d1"));
        scene.put(claim("has").wants(wanted("r")).has("pool/d0"));
        scene.put(new DeviceClass(ObjectMeta.named("", "gpus"), List.of(), List.of(), GPU));
        try (WhatIf thought = scene.cluster.whatIf()) {
            thought.place(pod("p").resourceClaim("has").build(), scene.node("n1"));
            assertThat(scene.devices(asking)).isEqualTo("r: d1");
            thought.place(pod("q").container(GPU, "1").build(), scene.node("n1"));
            assertThat(scene.devices(asking)).isEqualTo(Answer.CANNOT);
        }
        assertThat(scene.devices(asking)).isEqualTo("r: d1");
    }

    @Test
    void aDecisionIsOverAsSoonAsTheServerShowsIt() {
        scene.put(slice("s").devices("d0"));
        ClaimBuilder wanting = claim("c").wants(wanted("r"));
        scene.put(wanting);
        Pod decided = pod("p").build();
        underway.assume(decided, DeviceScene.claims(wanting), scene.allocations("n1", wanting));
        scene.put(wanting);
        assertThat(underway.holderOf(wanting.build())).contains(decided);
        assertThat(ClusterDump.of(scene.cluster.view()))
                .contains("claim uid-of-c decided for pod ns/p", "claim uid-of-c assumed to have [d0]");

        scene.put(claim("c").wants(wanted("r")).has("pool/d0"));
        assertThat(underway.holderOf(wanting.build())).isEmpty();
        assertThat(ClusterDump.of(scene.cluster.view()))
                .contains("device driver.example.com/pool/d0 has 1 whole, 0 shares of {}")
                .doesNotContain("decided for pod", "assumed to have");
    }

    private boolean breaks;

    @Test
    void aSearchThatBreaksLeavesThePodWithoutDevicesAndTheClusterWhole() {
        ResourceClaim whole = claim("c").wants(wanted("r")).build();
        List<DeviceRequest> requests = new AbstractList<>() {
            @Override
            public DeviceRequest get(int index) {
                if (breaks) {
                    throw new IllegalStateException("broken");
                }
                return whole.spec().requests().get(index);
            }

            @Override
            public int size() {
                return 1;
            }
        };
        scene.put(slice("s").devices("d0"));
        scene.put(new ResourceClaim(
                whole.meta(),
                new ResourceClaim.Spec(requests, List.of(), List.of()),
                Optional.empty(),
                List.of(),
                List.of()));
        String before = ClusterDump.of(scene.cluster.view());
        Pod pod = pod("p").resourceClaim("c").build();
        try (WhatIf there = scene.cluster.whatIf()) {
            breaks = true;
            there.place(pod, scene.node("n1"));
            breaks = false;
            assertThat(scene.cluster.view().pods().find(pod.key())).isNotNegative();
            assertThat(scene.devices(asking)).isEqualTo("r: d0");
        }
        assertThat(ClusterDump.of(scene.cluster.view())).isEqualTo(before);
        assertThat(scene.audit()).isEmpty();
    }

    /** A card that is had as a whole or in halves, and a group of two that take either. */
    @Test
    void podsOfAGroupExchangeDevicesAndHaveTheirOwnAgain() {
        underway.tell(new GroupMembers() {
            @Override
            public int known(GroupKey group) {
                return 2;
            }

            @Override
            public Optional<GroupKey> groupOf(Pod pod) {
                return Optional.of(new GroupKey("gang", "ns", pod.labels().getOrDefault("group", ""), ""));
            }
        });
        scene.put(
                slice("counters").pool("pool", 1, 2).counters("card", "slices", "2"),
                slice("devices")
                        .pool("pool", 1, 2)
                        .devices(
                                device("whole").draws("card", "slices", "2"),
                                device("half-1").draws("card", "slices", "1"),
                                device("half-2").draws("card", "slices", "1")));
        List<ResourceClaim> claims = new ArrayList<>();
        for (String name : List.of("p", "q", "r")) {
            scene.put(claim(name).wants(wanted("r")));
            claims.addAll(DeviceScene.claims(claim(name).wants(wanted("r"))));
        }
        String before = ClusterDump.of(scene.cluster.view());
        try (WhatIf first = scene.cluster.whatIf()) {
            first.place(pod("p").label("group", "a").resourceClaim("p").build(), scene.node("n1"));
            assertThat(deviceOf(claims.get(0))).isEqualTo("whole");
            try (WhatIf other = scene.cluster.whatIf()) {
                other.place(pod("r").label("group", "b").resourceClaim("r").build(), scene.node("n1"));
                assertThat(deviceOf(claims.get(2))).isEmpty();
            }
            try (WhatIf second = scene.cluster.whatIf()) {
                second.place(pod("q").label("group", "a").resourceClaim("q").build(), scene.node("n1"));
                assertThat(deviceOf(claims.get(0))).isEqualTo("half-1");
                assertThat(deviceOf(claims.get(1))).isEqualTo("half-2");
                assertThat(scene.audit()).isEmpty();
            }
            assertThat(deviceOf(claims.get(0))).isEqualTo("whole");
            assertThat(deviceOf(claims.get(1))).isEmpty();
        }
        assertThat(ClusterDump.of(scene.cluster.view())).isEqualTo(before);
        assertThat(underway.mayExchange()).isFalse();
    }

    private String deviceOf(ResourceClaim claim) {
        return scene.book
                .assumed(claim)
                .map(allocation -> allocation.results().getFirst().device())
                .orElse("");
    }
}
