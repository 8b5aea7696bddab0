package io.evenkeel.plugins.devices;

import static io.evenkeel.plugins.devices.DeviceObjects.claim;
import static io.evenkeel.plugins.devices.DeviceObjects.device;
import static io.evenkeel.plugins.devices.DeviceObjects.deviceClass;
import static io.evenkeel.plugins.devices.DeviceObjects.slice;
import static io.evenkeel.plugins.devices.DeviceObjects.wanted;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.plugins.devices.DeviceObjects.ClaimBuilder;
import io.evenkeel.plugins.devices.Search.Losses.Cause;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What keeps devices from a request: each is told once, with what comes first. */
class LossesTest {
    private final DeviceScene scene = new DeviceScene();

    private List<Map<Cause, Integer>> losses(ClaimBuilder claim) {
        return scene.book.losses(claim.build(), scene.node("n1")).stream()
                .map(Search.Losses::lost)
                .toList();
    }

    @Test
    void eachDeviceIsLostToOneThing() {
        scene.put(deviceClass("gpu", "device.attributes['driver.example.com'].?kind.orValue('') == 'gpu'"));
        scene.put(
                slice("counters").pool("pool", 1, 2).counters("card", "memory", "1"),
                slice("devices")
                        .pool("pool", 1, 2)
                        .perDevice()
                        .devices(
                                device("taken").everywhere().with("kind", "gpu"),
                                device("nic").everywhere().with("kind", "nic"),
                                device("old").everywhere().with("kind", "gpu").with("age", 9),
                                device("away").on("n2").with("kind", "gpu").with("age", 1),
                                device("small")
                                        .everywhere()
                                        .with("kind", "gpu")
                                        .with("age", 1)
                                        .has("memory", "1"),
                                device("drawn")
                                        .everywhere()
                                        .with("kind", "gpu")
                                        .with("age", 1)
                                        .has("memory", "8")
                                        .draws("card", "memory", "2"),
                                device("tainted")
                                        .everywhere()
                                        .with("kind", "gpu")
                                        .with("age", 1)
                                        .has("memory", "8")
                                        .taint("k", "NoExecute"),
                                device("lonely")
                                        .everywhere()
                                        .with("kind", "gpu")
                                        .with("age", 1)
                                        .has("memory", "8")
                                        .with("numa", 1),
                                device("one")
                                        .everywhere()
                                        .with("kind", "gpu")
                                        .with("age", 1)
                                        .has("memory", "8")
                                        .with("numa", 2),
                                device("two")
                                        .everywhere()
                                        .with("kind", "gpu")
                                        .with("age", 1)
                                        .has("memory", "8")
                                        .with("numa", 2)));
        scene.put(claim("other").has("pool/taken"));
        ClaimBuilder claim = claim("c")
                .wants(wanted("r")
                        .of("gpu")
                        .count(3)
                        .where("device.attributes['driver.example.com'].age < 5")
                        .capacity("memory", "4"))
                .alike("driver.example.com/numa");
        assertThat(losses(claim))
                .containsExactly(Map.of(
                        Cause.IN_USE, 1,
                        Cause.DEVICE_CLASS, 1,
                        Cause.SELECTOR, 1,
                        Cause.NODE, 1,
                        Cause.CAPACITY, 1,
                        Cause.COUNTER, 1,
                        Cause.TAINT, 1,
                        Cause.CONSTRAINT, 1));
        assertThat(scene.devices(claim)).isEqualTo(DeviceBook.Answer.CANNOT);
    }

    @Test
    void eachAlternativeIsTold() {
        scene.put(slice("s").devices(device("d0").with("x", 1), device("d1").with("x", 1)));
        ClaimBuilder claim = claim("c")
                .wantsFirstOf("r", wanted("p").where("device.driver == 'no'"), wanted("q"))
                .unlike("driver.example.com/x", "r/q");
        assertThat(losses(claim)).containsExactly(Map.of(Cause.SELECTOR, 2), Map.of(Cause.CONSTRAINT, 1));
        assertThat(scene.book
                        .losses(claim.build(), scene.node("n1"))
                        .getLast()
                        .option()
                        .fullName())
                .isEqualTo("r/q");
        assertThat(losses(claim("c").wants(wanted("r").of("none")))).isEmpty();
    }
}
