package io.evenkeel.world.life;

import static io.evenkeel.world.life.ClusterObjects.name;
import static io.evenkeel.world.life.ClusterObjects.namespace;
import static io.evenkeel.world.life.ClusterObjects.phase;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.HollowObjects;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.model.json.Trees;
import io.evenkeel.world.Story;
import io.evenkeel.world.play.Choices;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Claims to devices, the driver that publishes what devices nodes have, and the controller that lets go of claims. The driver
 * changes its mind, and the controller does one thing at a time, now and then.
 */
final class Devices {
    private static final String DRIVER = "gpu.example.com";
    private static final String FINALIZER = "resource.kubernetes.io/delete-protection";
    private static final int MOST_CLAIMS = 6;
    private static final ResourceType CLAIMS = ResourceTable.RESOURCE_CLAIMS;
    private static final ResourceType SLICES =
            ResourceTable.find("resource.k8s.io", "v1", "resourceslices").orElseThrow();

    private final HollowObjects objects;
    private final ClusterObjects cluster;
    private final Pods pods;
    private final Choices choices;
    private final Story story;
    private int generation;

    Devices(HollowObjects objects, ClusterObjects cluster, Pods pods, Choices choices, Story story) {
        this.objects = objects;
        this.cluster = cluster;
        this.pods = pods;
        this.choices = choices;
        this.story = story;
    }

    void begin() {
        objects.create("""
            {"kind":"DeviceClass","apiVersion":"resource.k8s.io/v1","metadata":{"name":"gpu"},"spec":{"selectors":\
            [{"cel":{"expression":"device.driver == '%s'"}}]}}\
            """.formatted(DRIVER));
    }

    /** Somebody does something. */
    void step() {
        switch (choices.below(12)) {
            case 1, 2, 3 -> createPods();
            case 4, 5 -> publish();
            case 6 -> some(SLICES).ifPresent(this::withdraw);
            case 7 -> some(CLAIMS).ifPresent(this::end);
            case 8 -> cluster.somePod(Devices::hasDevices, pods::deleteNow);
            default -> control();
        }
    }

    private static boolean hasDevices(JsonObject pod) {
        return !Trees.objects(pod, "spec", "resourceClaims").isEmpty();
    }

    /** Who wants one claim, which there may be already, or will be soon; now and then several pods do. */
    private void createPods() {
        boolean isNew = cluster.all(CLAIMS).size() < MOST_CLAIMS && !choices.oneIn(4);
        String claim = isNew
                ? "devices-" + cluster.number()
                : some(CLAIMS).map(ClusterObjects::name).orElse("devices-never");
        boolean isLate = isNew && choices.oneIn(4);
        if (isNew && !isLate) {
            createClaim(claim);
        }
        for (int more = choices.oneIn(3) ? 2 : 1; more > 0; more--) {
            pods.createWithDevices(claim);
        }
        if (isLate) {
            createClaim(claim);
        }
    }

    private void createClaim(String name) {
        int count = choices.oneIn(4) ? 2 : 1;
        story.tell("life", "creates " + name + " to " + count + " devices");
        objects.create("""
            {"kind":"ResourceClaim","apiVersion":"resource.k8s.io/v1","metadata":{"name":"%s","namespace":"default"},\
            "spec":{"devices":{"requests":[{"name":"gpu","exactly":{"deviceClassName":"gpu",\
            "allocationMode":"ExactCount","count":%d}}]}}}\
            """.formatted(name, count));
    }

    /** A node has other devices from now on, by a slice of a new generation. */
    private void publish() {
        cluster.someNode(node -> {
            int count = 1 + choices.below(3);
            String slice = name(node) + "-devices";
            story.tell("driver", name(node) + " has " + count + " devices");
            if (objects.get(SLICES, "", slice).isPresent()) {
                objects.deleteNow(SLICES, "", slice);
            }
            String devices = IntStream.range(0, count)
                    .mapToObj(device -> "{\"name\":\"gpu-%d\"}".formatted(device))
                    .collect(Collectors.joining(","));
            objects.create("""
                {"kind":"ResourceSlice","apiVersion":"resource.k8s.io/v1","metadata":{"name":"%s"},"spec":{"driver":"%s",\
                "pool":{"name":"%s","generation":%d,"resourceSliceCount":1},"nodeName":"%3$s","devices":[%s]}}\
                """.formatted(slice, DRIVER, name(node), ++generation, devices));
        });
    }

    private void withdraw(JsonObject slice) {
        story.tell("driver", "withdraws " + name(slice));
        objects.deleteNow(SLICES, "", name(slice));
    }

    /** It stays as long as it has devices, as its finalizer says. */
    private void end(JsonObject claim) {
        story.tell("life", "deletes " + name(claim));
        objects.delete(CLAIMS, namespace(claim), name(claim));
    }

    /** The controller does the next of what is to be done, if anything is. */
    void control() {
        for (JsonObject claim : cluster.all(CLAIMS)) {
            List<JsonObject> consumers = Trees.objects(claim, "status", "reservedFor");
            List<JsonObject> gone =
                    consumers.stream().filter(consumer -> !isThere(consumer)).toList();
            boolean isGoing =
                    !Trees.text(claim, "metadata", "deletionTimestamp").isEmpty();
            if (!gone.isEmpty() && gone.size() < consumers.size()) {
                forget(claim, gone);
                return;
            }
            if (!gone.isEmpty() || (isGoing && consumers.isEmpty())) {
                letGo(claim, isGoing);
                return;
            }
        }
    }

    private void forget(JsonObject claim, List<JsonObject> gone) {
        story.tell("controller", name(claim) + " forgets " + gone.size() + " pods");
        String entries = gone.stream()
                .map(consumer -> "{\"$patch\":\"delete\",\"uid\":\"%s\"}".formatted(Trees.text(consumer, "uid")))
                .collect(Collectors.joining(","));
        objects.patchStatus(
                CLAIMS, namespace(claim), name(claim), "{\"status\":{\"reservedFor\":[%s]}}".formatted(entries));
    }

    private void letGo(JsonObject claim, boolean isGoing) {
        story.tell("controller", name(claim) + " lets go of its devices");
        objects.patchStatus(
                CLAIMS, namespace(claim), name(claim), "{\"status\":{\"reservedFor\":null,\"allocation\":null}}");
        if (isGoing && Trees.texts(claim, "metadata", "finalizers").contains(FINALIZER)) {
            objects.patch(CLAIMS, namespace(claim), name(claim), "{\"metadata\":{\"finalizers\":null}}");
        }
    }

    /** Whether the pod is there and uses its claims. */
    private boolean isThere(JsonObject consumer) {
        String uid = Trees.text(consumer, "uid");
        return !cluster.pods(pod -> Trees.text(pod, "metadata", "uid").equals(uid)
                        && !phase(pod).equals("Succeeded")
                        && !phase(pod).equals("Failed"))
                .isEmpty();
    }

    private Optional<JsonObject> some(ResourceType type) {
        List<JsonObject> found = cluster.all(type);
        return found.isEmpty() ? Optional.empty() : Optional.of(choices.from(found));
    }
}
