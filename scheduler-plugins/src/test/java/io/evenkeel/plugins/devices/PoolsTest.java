package io.evenkeel.plugins.devices;

import static io.evenkeel.plugins.devices.DeviceObjects.claim;
import static io.evenkeel.plugins.devices.DeviceObjects.device;
import static io.evenkeel.plugins.devices.DeviceObjects.nodesWith;
import static io.evenkeel.plugins.devices.DeviceObjects.slice;
import static io.evenkeel.plugins.devices.DeviceObjects.wanted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.plugins.devices.Plan.Features;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which slices make a pool, and which nodes reach it. */
class PoolsTest {
    private static final Pools.Changes NOBODY = new Pools.Changes() {
        @Override
        public void of(int node) {}

        @Override
        public void of(Holdings.Holding device) {}

        @Override
        public void of(Pools.Published slice, NodeSet others) {}

        @Override
        public void ofAll() {}
    };

    private static final String NONE = "cannot allocate all claims";

    private static final Features FEATURES = Features.of(FeatureGates.DEFAULTS);

    private final DeviceScene scene = new DeviceScene();

    private String on(String node) {
        return scene.devicesOn(node, claim("c").wants(wanted("r")));
    }

    private String allOn(String node) {
        return scene.devicesOn(node, claim("c").wants(wanted("r").all()));
    }

    @Test
    void aSliceSaysWhichNodesReachIt() {
        scene.put(
                slice("a").pool("a").on("n1").devices("d0"),
                slice("b").pool("b").on(nodesWith("zone", "b")).devices("d1"),
                slice("c").pool("c").devices("d2"),
                slice("d").pool("d").nowhere().devices("d3"));
        assertThat(allOn("n1")).isEqualTo("r: d0, r: d2");
        assertThat(allOn("n2")).isEqualTo("r: d1, r: d2");
    }

    @Test
    void nodesThatReachTheSameShareOneView() {
        Pools pools = new Pools(scene.cluster.view().nodes(), new Holdings(true, _ -> {}), FEATURES, NOBODY);
        int n1 = scene.node("n1");
        int n2 = scene.node("n2");
        pools.put(slice("a").pool("a").devices("d0").build());
        assertThat(pools.site(n2)).isSameAs(pools.site(n1));
        assertThat(pools.site(n1).nodes.size()).isEqualTo(2);
        pools.put(slice("b").pool("b").on("n1").devices("d1").build());
        assertThat(pools.site(n1).layout().units).hasSize(2);
        assertThat(pools.site(n2).layout().units).hasSize(1);
        assertThat(pools.site(n2).nodes.size()).isEqualTo(1);
        assertThat(pools.site(n1).parts).containsAll(pools.site(n2).parts);
        assertThat(pools.site(n1).parts.getFirst())
                .isSameAs(pools.site(n2).parts.getFirst());
        pools.put(slice("c").pool("c").devices("d2").build());
        assertThat(pools.site(n1).layout().units).hasSize(3);
        assertThat(pools.site(n2).layout().units).hasSize(2);
    }

    @Test
    @DisplayName("by driver, pool and name of slice")
    void poolsAndSlicesHaveAnOrder() {
        scene.put(
                slice("z").pool("p", 1, 2).devices("d3"),
                slice("y").pool("p", 1, 2).devices("d2"),
                slice("x").pool("q").devices("d4"),
                slice("a").driver("a.example.com").pool("z").devices("d1"));
        assertThat(allOn("n1")).isEqualTo("r: d1, r: d2, r: d3, r: d4");
    }

    @Test
    void anOlderGenerationCountsForNothing() {
        scene.put(
                slice("a").pool("p", 1, 1).devices("d0"),
                slice("b").pool("p", 2, 1).devices("d1"));
        assertThat(allOn("n1")).isEqualTo("r: d1");
        scene.put(slice("b").pool("p", 2, 2).devices("d1"));
        assertThat(on("n1")).isEqualTo(NONE);
        scene.put(
                slice("a").pool("p", 2, 2).devices("d1"),
                slice("b").pool("p", 2, 2).devices("d1"));
        assertThat(on("n1")).isEqualTo("invalid resource pools were encountered");
        assertThat(allOn("n1"))
                .isEqualTo(
                        "error: claim ns/c, request r: asks for all devices, but resource pool driver.example.com/p is"
                                + " currently invalid");
        scene.put(slice("e").pool("q").devices("d2"));
        assertThat(on("n1")).isEqualTo("r: d2");
        scene.put(claim("other").has("q/d2"));
        assertThat(on("n1")).isEqualTo("invalid resource pools were encountered");
    }

    @Test
    void aPoolOfSeveralNodesIsCompleteByAllOfItsSlices() {
        scene.put(slice("a").pool("p", 1, 2).on("n1").devices("d0"));
        assertThat(on("n1")).isEqualTo(NONE);
        scene.put(slice("b").pool("p", 1, 2).on("n2").devices("d1"));
        assertThat(allOn("n1")).isEqualTo("r: d0");
        assertThat(allOn("n2")).isEqualTo("r: d1");
        scene.put(slice("b").pool("p", 2, 1).on("n2").devices("d2"));
        assertThat(on("n1")).isEqualTo(NONE);
        assertThat(allOn("n1")).isEqualTo(NONE);
        assertThat(allOn("n2")).isEqualTo("r: d2");
        scene.put(slice("b").pool("p", 2, 2).on("n2").devices("d2"));
        assertThat(allOn("n2")).contains("driver.example.com/p is currently being updated");
        assertThat(scene.audit()).isEmpty();
    }

    @Test
    void aNodeThatReachesAllSlicesOfAGenerationHearsOfNoOther() {
        scene.put(
                slice("a").pool("p", 1, 2).on("n1").devices("d0"),
                slice("b").pool("p", 1, 2).on("n1").devices("d1"),
                slice("c").pool("p", 2, 2).on("n2").devices("d0"));
        assertThat(allOn("n1")).isEqualTo("r: d0, r: d1");
        assertThat(on("n2")).isEqualTo(NONE);
        scene.put(slice("d").pool("p", 2, 2).on("n2").devices("d2"));
        assertThat(allOn("n1")).isEqualTo("r: d0, r: d1");
        assertThat(allOn("n2")).isEqualTo("r: d0, r: d2");
        scene.cluster.remove(slice("b").build());
        assertThat(on("n1")).isEqualTo(NONE);
        assertThat(scene.audit()).isEmpty();
    }

    @Test
    void aNodeIsLookedAtAgainWithEachChange() {
        scene.put(slice("a").pool("a").on(nodesWith("zone", "b")).devices("d0"));
        assertThat(on("n1")).isEqualTo(NONE);
        scene.put(NodeBuilder.node("n1").label("zone", "b").build());
        assertThat(on("n1")).isEqualTo("r: d0");
        scene.put(slice("a").pool("a").on("n2").devices("d0"));
        assertThat(on("n1")).isEqualTo(NONE);
        assertThat(on("n2")).isEqualTo("r: d0");
        scene.cluster.remove(slice("a").build());
        scene.put(slice("b").pool("a").devices(device("d1")));
        assertThat(on("n2")).isEqualTo("r: d1");
        scene.cluster.removeNode("n2");
        scene.put(NodeBuilder.node("n3").label("zone", "c").build());
        assertThat(on("n3")).isEqualTo("r: d1");
        assertThat(scene.audit()).isEmpty();
    }

    @Test
    void aDeviceIsKnownAsLongAsItIsPublishedOrHad() {
        Holdings holdings = new Holdings(true, _ -> {});
        Pools pools = new Pools(scene.cluster.view().nodes(), holdings, FEATURES, NOBODY);
        var first = holdingOnceMore(pools);
        pools.remove(slice("a").devices("d0").build());
        var second = holdingOnceMore(pools);
        assertThat(second).isNotSameAs(first);
        var share =
                claim("c").has("pool/d0/share/memory/3").build().allocation().orElseThrow();
        holdings.add(share);
        pools.remove(slice("a").devices("d0").build());
        assertThat(second.units).isEmpty();
        assertThat(holdingOnceMore(pools)).isSameAs(second);
        assertThat(holdings.lines())
                .containsExactly(entry("driver.example.com/pool/d0", "0 whole, 1 shares of {memory=3}"));
        pools.remove(slice("a").devices("d0").build());
        holdings.remove(share);
        assertThat(holdings.lines()).isEmpty();
        assertThat(holdingOnceMore(pools)).isNotSameAs(second);
    }

    private Holdings.Holding holdingOnceMore(Pools pools) {
        pools.put(slice("a").devices("d0").build());
        return pools.site(scene.node("n1")).layout().units[0].holding;
    }
}
