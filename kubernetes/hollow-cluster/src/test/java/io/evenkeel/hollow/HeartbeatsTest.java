package io.evenkeel.hollow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.controller.HollowWorld;
import io.evenkeel.hollow.controller.WorldOptions;
import io.evenkeel.hollow.controller.WorldOptions.Capacity;
import io.evenkeel.hollow.controller.WorldOptions.Heartbeats;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.model.json.Trees;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HeartbeatsTest {
    private final AtomicLong seconds = new AtomicLong(1_800_000_000);

    /** By a clock that goes on by a second at each look. */
    private final HollowWorld world = HollowWorld.start(WorldOptions.DEFAULT
            .withServer(
                    HollowOptions.DEFAULT.plainHttp().withClock(() -> Instant.ofEpochSecond(seconds.getAndIncrement())))
            .withNodes(2, 2, Capacity.DEFAULT)
            .withHeartbeats(Heartbeats.NONE.withStatus(Duration.ofMillis(1))));

    @AfterEach
    void close() {
        world.close();
    }

    @Test
    void aStatusIsReportedAgainWithNewTimesAndNothingElse() {
        JsonObject before = node("node-0");
        Set<String> times = new HashSet<>();

        await().until(() -> times.add(heartbeat(node("node-0"))) && times.size() > 3);

        JsonObject after = node("node-0");
        assertThat(heartbeat(after)).isGreaterThan(heartbeat(before));
        assertThat(butForHeartbeats(after)).isEqualTo(butForHeartbeats(before));
    }

    @Test
    void ofANodeThatIsOutOfReachNothingIsReportedAndOfOthersItIs() {
        world.objects().patchStatus(ResourceTable.NODES, "", "node-0", """
                {"status":{"conditions":[{"type":"Ready","status":"Unknown","lastHeartbeatTime":"2020-01-02T03:04:05Z"}]}}""");
        Set<String> others = new HashSet<>();

        await().until(() -> others.add(heartbeat(node("node-1"))) && others.size() > 9);

        assertThat(heartbeat(node("node-0"))).isEqualTo("2020-01-02T03:04:05Z");
    }

    private JsonObject node(String name) {
        return Trees.parse(world.objects().get(ResourceTable.NODES, "", name).orElseThrow());
    }

    private static String heartbeat(JsonObject node) {
        return Trees.text(Trees.objects(node, "status", "conditions").getLast(), "lastHeartbeatTime");
    }

    private static JsonObject butForHeartbeats(JsonObject node) {
        JsonObject same = node.deepCopy();
        same.getAsJsonObject("metadata").remove("resourceVersion");
        Trees.objects(same, "status", "conditions").forEach(condition -> condition.remove("lastHeartbeatTime"));
        return same;
    }
}
