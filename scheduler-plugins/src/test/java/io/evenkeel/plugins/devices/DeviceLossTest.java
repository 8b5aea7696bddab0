package io.evenkeel.plugins.devices;

import static io.evenkeel.plugins.devices.DeviceObjects.claim;
import static io.evenkeel.plugins.devices.DeviceObjects.device;
import static io.evenkeel.plugins.devices.DeviceObjects.deviceClass;
import static io.evenkeel.plugins.devices.DeviceObjects.slice;
import static io.evenkeel.plugins.devices.DeviceObjects.wanted;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.plugins.devices.DeviceObjects.ClaimBuilder;
import io.evenkeel.plugins.devices.DeviceObjects.DeviceBuilder;
import io.evenkeel.plugins.devices.Plan.Option;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What keeps devices from a request: each is told once, with what comes first. */
class DeviceLossTest {
    private final DeviceScene scene = new DeviceScene();

    private Map<String, String> losses(ClaimBuilder claim) {
        Option option = scene.book
                .plan(List.of(claim.build()))
                .wishes()
                .getFirst()
                .asks()
                .getFirst()
                .options()
                .getLast();
        return scene.book.losses(option, scene.node("n1")).stream()
                .collect(Collectors.toMap(loss -> loss.unit().device.name(), DeviceLoss::what));
    }

    private static DeviceBuilder gpu(String name) {
        return device(name).everywhere().with("kind", "gpu").with("age", 1).has("memory", "8");
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
                                gpu("taken"),
                                device("nic").everywhere().with("kind", "nic"),
                                gpu("old").with("age", 9),
                                gpu("away").on("n2"),
                                gpu("small").has("memory", "1"),
                                gpu("drawn").draws("card", "memory", "2"),
                                gpu("tainted").taint("k", "NoExecute"),
                                gpu("free")));
        scene.put(claim("other").has("pool/taken"));
        ClaimBuilder claim = claim("c")
                .wants(wanted("r")
                        .of("gpu")
                        .count(3)
                        .where("device.attributes['driver.example.com'].age < 5")
                        .capacity("memory", "4"));
        assertThat(losses(claim))
                .isEqualTo(Map.of(
                        "taken", "in use",
                        "old", "selector device.attributes['driver.example.com'].age < 5",
                        "away", "other nodes",
                        "small", "capacity",
                        "drawn", "counter card/memory in use",
                        "tainted", "taint k:NoExecute",
                        "free", ""));
        assertThat(scene.devices(claim)).isEqualTo(DeviceBook.Answer.CANNOT);
        assertThat(scene.devices(claim("d")
                        .wants(wanted("r")
                                .of("gpu")
                                .where("device.attributes['driver.example.com'].age < 5")
                                .capacity("memory", "4"))))
                .isEqualTo("r: free");
    }

    @Test
    void ofAlternativesEachIsTold() {
        scene.put(slice("s").devices("d0", "d1"));
        assertThat(losses(claim("c").wantsFirstOf("r", wanted("p").where("device.driver == 'no'"), wanted("q"))))
                .containsExactlyInAnyOrderEntriesOf(Map.of("d0", "", "d1", ""));
        assertThat(losses(claim("c").wantsFirstOf("r", wanted("p"), wanted("q").where("device.driver == 'no'"))))
                .containsEntry("d0", "selector device.driver == 'no'");
    }

    @Test
    void whatHasNoAnswerIsNotMatched() {
        scene.put(slice("s").devices("d0"));
        assertThat(losses(claim("c").wants(wanted("r").where("device.attributes['x'].y == 1"))))
                .containsEntry("d0", "selector device.attributes['x'].y == 1");
    }
}
