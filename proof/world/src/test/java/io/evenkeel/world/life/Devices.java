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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Claims to devices, the driver that publishes what devices nodes have and makes them ready, administrators who taint some, and
 * the controller that makes claims of templates and lets go of claims. The driver changes its mind, and publishes one slice at a
 * time; the controller does one thing at a time, now and then.
 *
 * <pre>
 * devices     plain    anybody's            classes   gpu      all but the shared; for example.com/gpu, too
 *             large    anybody's                      large    the large
 *             slow     ready after a while            shared   the shared
 *             half     one of a card
 *             shared   four parts
 * </pre>
 */
final class Devices {
    private static final String DRIVER = "gpu.example.com";
    private static final String FINALIZER = "resource.kubernetes.io/delete-protection";
    private static final int MOST_CLAIMS = 6;
    private static final ResourceType CLAIMS = ResourceTable.RESOURCE_CLAIMS;
    private static final ResourceType SLICES =
            ResourceTable.find("resource.k8s.io", "v1", "resourceslices").orElseThrow();
    private static final ResourceType CLASSES =
            ResourceTable.find("resource.k8s.io", "v1", "deviceclasses").orElseThrow();
    private static final ResourceType TAINT_RULES = ResourceTable.DEVICE_TAINT_RULES;

    /** Of which kinds devices are, and what those of a kind have beside their names. */
    private static final Map<String, String> KINDS = Map.of(
            "plain",
            "",
            "large",
            "",
            "slow",
            ",\"bindingConditions\":[\"Attached\"],\"bindingFailureConditions\":[\"Lost\"]",
            "half",
            ",\"consumesCounters\":[{\"counterSet\":\"card\",\"counters\":{\"halves\":{\"value\":\"1\"}}}]",
            "shared",
            ",\"allowMultipleAllocations\":true,\"capacity\":{\"parts\":{\"value\":\"4\"}}");

    private static final List<String> OFTEN =
            List.of("plain", "plain", "plain", "large", "slow", "shared", "half", "half");

    /** Of a card one half can be used at a time. */
    private static final String CARD = "{\"name\":\"card\",\"counters\":{\"halves\":{\"value\":\"1\"}}}";

    /** What claims ask for, most often the first. */
    private static final List<String> REQUESTS = List.of(
            exactly("gpu", ",\"count\":1"),
            exactly("gpu", ",\"count\":1"),
            exactly("gpu", ",\"count\":2"),
            exactly("large", ",\"count\":1"),
            exactly("shared", ",\"count\":1,\"capacity\":{\"requests\":{\"parts\":\"1\"}}"),
            exactly("shared", ",\"count\":1,\"capacity\":{\"requests\":{\"parts\":\"3\"}}"),
            exactly("gpu", ",\"count\":1,\"tolerations\":[{\"key\":\"example.com/worn\",\"operator\":\"Exists\"}]"),
            "\"firstAvailable\":[{\"name\":\"best\",\"deviceClassName\":\"large\",\"count\":1},"
                    + "{\"name\":\"good\",\"deviceClassName\":\"gpu\",\"count\":2}]");

    private final HollowObjects objects;
    private final ClusterObjects cluster;
    private final Pods pods;
    private final Choices choices;
    private final Story story;
    /** Slices that are to be published yet, by their names. */
    private final Map<String, String> unpublished = new TreeMap<>();

    private int generation;

    Devices(HollowObjects objects, ClusterObjects cluster, Pods pods, Choices choices, Story story) {
        this.objects = objects;
        this.cluster = cluster;
        this.pods = pods;
        this.choices = choices;
        this.story = story;
    }

    private static String exactly(String deviceClass, String more) {
        return "\"exactly\":{\"deviceClassName\":\"%s\",\"allocationMode\":\"ExactCount\"%s}"
                .formatted(deviceClass, more);
    }

    void begin() {
        createClass("gpu", "!= 'shared'", ",\"extendedResourceName\":\"%s\"".formatted(Life.GPU));
        createClass("large", "== 'large'", "");
        createClass("shared", "== 'shared'", "");
    }

    private void createClass(String name, String kind, String more) {
        objects.create("""
            {"kind":"DeviceClass","apiVersion":"resource.k8s.io/v1","metadata":{"name":"%s"},"spec":{"selectors":\
            [{"cel":{"expression":"device.driver == '%s' && device.attributes['%2$s'].kind %s"}}]%s}}\
            """.formatted(name, DRIVER, kind, more));
    }

    /** Most nodes have some from the beginning. */
    void publishAll() {
        cluster.all(ResourceTable.NODES).stream().filter(_ -> !choices.oneIn(4)).forEach(this::publish);
    }

    /** Somebody does something, or some do. */
    void step() {
        for (int more = 1 + choices.below(3); more > 0; more--) {
            doSomething();
        }
    }

    private void doSomething() {
        switch (choices.below(20)) {
            case 1, 2, 3 -> createPods();
            case 4, 5, 6 -> cluster.someNode(this::publish);
            case 7 -> some(SLICES).ifPresent(this::withdraw);
            case 8 -> some(CLAIMS).ifPresent(this::end);
            case 9 -> some(CLAIMS).ifPresent(this::renew);
            case 10 -> cluster.somePod(Devices::hasDevices, pods::deleteNow);
            case 11 -> pods.createForDevices(Templates.RESOURCE.formatted(Life.GPU, 1 + choices.below(2)), "");
            case 12 -> pods.createForDevices("", Templates.CLAIM_OF_TEMPLATE);
            case 13 -> taintOrNot();
            case 14 -> classComesOrGoes();
            case 15, 16 -> answer(!choices.oneIn(3));
            default -> control();
        }
    }

    private static boolean hasDevices(JsonObject pod) {
        return !Trees.objects(pod, "spec", "resourceClaims").isEmpty()
                || pod.toString().contains(Life.GPU);
    }

    /** Who wants one claim or two, which there may be already, or will be soon; now and then several pods do. */
    void createPods() {
        boolean isNew = cluster.all(CLAIMS).size() < MOST_CLAIMS && !choices.oneIn(4);
        String claim = isNew
                ? "devices-" + cluster.number()
                : some(CLAIMS).map(ClusterObjects::name).orElse("devices-never");
        boolean isLate = isNew && choices.oneIn(4);
        if (isNew && !isLate) {
            createClaim(claim);
        }
        List<String> claims = choices.oneIn(4)
                ? some(CLAIMS).map(ClusterObjects::name).stream()
                        .filter(other -> !other.equals(claim))
                        .collect(Collectors.toCollection(() -> new ArrayList<>(List.of(claim))))
                : List.of(claim);
        for (int more = choices.oneIn(3) ? 2 : 1; more > 0; more--) {
            pods.createForDevices(
                    "", claims.stream().map(Templates.CLAIM::formatted).collect(Collectors.joining(",")));
        }
        if (isLate) {
            createClaim(claim);
        }
    }

    private void createClaim(String name) {
        createClaim("default", name, choices.from(REQUESTS), "");
    }

    private void createClaim(String namespace, String name, String request, String owner) {
        story.tell("life", "creates " + name + " to " + request);
        objects.create("""
            {"kind":"ResourceClaim","apiVersion":"resource.k8s.io/v1","metadata":{"name":"%s","namespace":"%s"%s},\
            "spec":{"devices":{"requests":[{"name":"gpu",%s}]}}}\
            """.formatted(name, namespace, owner, request));
    }

    /** A node has other devices from now on, by slices of a new generation, one after the other. */
    private void publish(JsonObject node) {
        List<String> devices = new ArrayList<>();
        for (int count = 1 + choices.below(3); count > 0; count--) {
            String kind = choices.from(OFTEN);
            String taint = choices.oneIn(6)
                    ? ",\"taints\":[{\"key\":\"example.com/worn\",\"effect\":\"%s\"}]".formatted(effect())
                    : "";
            devices.add("""
                {"name":"%s-%s-%d","attributes":{"kind":{"string":"%2$s"}}%s%s}\
                """.formatted(name(node), kind, devices.size(), KINDS.get(kind), taint));
        }
        int first = devices.size() > 1 && choices.oneIn(2) ? 1 : devices.size();
        List<String> contents = new ArrayList<>(List.of(ofDevices(devices.subList(0, first))));
        if (first < devices.size()) {
            contents.add(ofDevices(devices.subList(first, devices.size())));
        }
        if (devices.stream().anyMatch(device -> device.contains("consumesCounters"))) {
            contents.add("\"sharedCounters\":[%s]".formatted(CARD));
        }
        generation++;
        unpublished.keySet().removeIf(slice -> slice.startsWith(name(node) + "-devices-"));
        for (int slice = 0; slice < contents.size(); slice++) {
            String name = name(node) + "-devices-" + slice;
            unpublished.put(name, slice(name, name(node), contents.size(), contents.get(slice)));
        }
        boolean isAtOnce = choices.oneIn(2);
        for (boolean more = true; more; ) {
            more = publishNext() && isAtOnce;
        }
    }

    private static String ofDevices(List<String> devices) {
        return "\"devices\":[%s]".formatted(String.join(",", devices));
    }

    private String effect() {
        return choices.oneIn(2) ? "NoSchedule" : "NoExecute";
    }

    private String slice(String name, String node, int slices, String content) {
        return """
            {"kind":"ResourceSlice","apiVersion":"resource.k8s.io/v1","metadata":{"name":"%s"},"spec":{"driver":"%s",\
            "pool":{"name":"%s","generation":%d,"resourceSliceCount":%d},"nodeName":"%3$s",%s}}\
            """.formatted(name, DRIVER, node, generation, slices, content);
    }

    /** Whether there was something. */
    private boolean publishNext() {
        for (String name : List.copyOf(unpublished.keySet())) {
            put(name, unpublished.remove(name));
            return true;
        }
        return false;
    }

    private void put(String name, String slice) {
        JsonObject spec = Trees.parse(slice).getAsJsonObject("spec");
        story.tell("driver", "publishes " + name + ": " + spec);
        boolean isThere = objects.get(SLICES, "", name).isPresent();
        if (isThere && choices.oneIn(2)) {
            objects.deleteNow(SLICES, "", name);
            isThere = false;
        }
        if (isThere) {
            objects.patch(
                    SLICES,
                    "",
                    name,
                    "{\"spec\":{\"$patch\":\"replace\"," + spec.toString().substring(1) + "}");
        } else {
            objects.create(slice);
        }
    }

    private void withdraw(JsonObject slice) {
        story.tell("driver", "withdraws " + name(slice));
        objects.deleteNow(SLICES, "", name(slice));
    }

    /** Of all devices of a node an administrator says that they are worn, or broken. */
    private void taintOrNot() {
        Optional<JsonObject> rule = some(TAINT_RULES);
        if (rule.isPresent() && choices.oneIn(2)) {
            story.tell("life", "deletes taint rule " + name(rule.get()));
            objects.deleteNow(TAINT_RULES, "", name(rule.get()));
            return;
        }
        cluster.someNode(node -> {
            String rules = "rule-" + cluster.number();
            String taint = "{\"key\":\"example.com/%s\",\"effect\":\"%s\"}"
                    .formatted(choices.oneIn(2) ? "worn" : "broken", effect());
            story.tell("life", "taints the devices of " + name(node) + " by " + rules + ": " + taint);
            objects.create("""
                {"kind":"DeviceTaintRule","apiVersion":"resource.k8s.io/v1","metadata":{"name":"%s"},\
                "spec":{"deviceSelector":{"pool":"%s"},"taint":%s}}\
                """.formatted(rules, name(node), taint));
        });
    }

    private void classComesOrGoes() {
        if (objects.get(CLASSES, "", "large").isPresent()) {
            story.tell("life", "deletes class large");
            objects.deleteNow(CLASSES, "", "large");
        } else {
            story.tell("life", "creates class large");
            createClass("large", "== 'large'", "");
        }
    }

    /** It stays as long as it has devices, as its finalizer says. */
    private void end(JsonObject claim) {
        story.tell("life", "deletes " + name(claim));
        objects.delete(CLAIMS, namespace(claim), name(claim));
    }

    /** Another takes its name at once, if it has no devices. */
    private void renew(JsonObject claim) {
        end(claim);
        if (Trees.objects(claim, "metadata", "ownerReferences").isEmpty()
                && objects.get(CLAIMS, namespace(claim), name(claim)).isEmpty()) {
            createClaim(name(claim));
        }
    }

    /** Some device that is waited for gets ready, or is lost. */
    private boolean answer(boolean isReady) {
        for (JsonObject claim : cluster.all(CLAIMS)) {
            List<JsonObject> waitedFor = Trees.objects(claim, "status", "allocation", "devices", "results").stream()
                    .filter(result -> !Trees.texts(result, "bindingConditions").isEmpty())
                    .toList();
            if (!waitedFor.isEmpty()
                    && Trees.objects(claim, "status", "devices").isEmpty()) {
                String type = isReady ? "Attached" : "Lost";
                story.tell("driver", "says of " + name(claim) + ": " + type);
                String said = waitedFor.stream()
                        .map(result ->
                                """
                            {"driver":"%s","pool":"%s","device":"%s","conditions":[{"type":"%s","status":"True",\
                            "reason":"Because","message":"so it is","lastTransitionTime":"2026-01-01T00:00:00Z"}]}\
                            """.formatted(DRIVER, Trees.text(result, "pool"), Trees.text(result, "device"), type))
                        .collect(Collectors.joining(","));
                objects.patchStatus(
                        CLAIMS, namespace(claim), name(claim), "{\"status\":{\"devices\":[%s]}}".formatted(said));
                return true;
            }
        }
        return false;
    }

    /** The controllers and the driver do the next of what is to be done, if anything is. */
    void control() {
        if (!letGo() && !makeClaim() && !evict() && !publishNext()) {
            answer(true);
        }
    }

    private boolean letGo() {
        for (JsonObject claim : cluster.all(CLAIMS)) {
            List<JsonObject> consumers = Trees.objects(claim, "status", "reservedFor");
            List<JsonObject> gone =
                    consumers.stream().filter(consumer -> !isThere(consumer)).toList();
            boolean isGoing =
                    !Trees.text(claim, "metadata", "deletionTimestamp").isEmpty();
            if (!gone.isEmpty() && gone.size() < consumers.size()) {
                forget(claim, gone);
                return true;
            }
            if (!gone.isEmpty() || (isGoing && consumers.isEmpty())) {
                letGo(claim, isGoing);
                return true;
            }
            boolean isOrphan =
                    Trees.objects(claim, "metadata", "ownerReferences").stream().anyMatch(owner -> !isThere(owner));
            if (isOrphan && !isGoing) {
                end(claim);
                return true;
            }
        }
        return false;
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

    /** A pod gets the claim that its template says. */
    private boolean makeClaim() {
        for (JsonObject pod : cluster.pods(pod -> isOfTemplate(pod)
                && isUnfinished(pod)
                && Trees.objects(pod, "status", "resourceClaimStatuses").isEmpty())) {
            String claim = name(pod) + "-gpu-" + cluster.number();
            createClaim(namespace(pod), claim, REQUESTS.getFirst(), """
                ,"ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"%s","uid":"%s","controller":true}]\
                """.formatted(
                            name(pod), Trees.text(pod, "metadata", "uid")));
            String status =
                    "{\"status\":{\"resourceClaimStatuses\":[{\"name\":\"made\",\"resourceClaimName\":\"%s\"}]}}";
            objects.patchStatus(ResourceTable.PODS, namespace(pod), name(pod), status.formatted(claim));
            return true;
        }
        return false;
    }

    private static boolean isOfTemplate(JsonObject pod) {
        return Trees.objects(pod, "spec", "resourceClaims").stream()
                .anyMatch(claim -> claim.has("resourceClaimTemplateName"));
    }

    /** Some pod has to go, as a device of it is tainted. */
    private boolean evict() {
        for (JsonObject claim : cluster.all(CLAIMS)) {
            boolean isTainted = Trees.objects(claim, "status", "allocation", "devices", "results").stream()
                    .anyMatch(this::isOverdue);
            List<JsonObject> evicted = isTainted
                    ? cluster.pods(pod -> Trees.objects(claim, "status", "reservedFor").stream()
                            .anyMatch(
                                    consumer -> Trees.text(consumer, "uid").equals(Trees.text(pod, "metadata", "uid"))))
                    : List.of();
            if (!evicted.isEmpty()) {
                story.tell("controller", "evicts " + name(evicted.getFirst()) + " from its devices");
                pods.deleteNow(evicted.getFirst());
                return true;
            }
        }
        return false;
    }

    private boolean isOverdue(JsonObject result) {
        Stream<JsonObject> bySlice = cluster.all(SLICES).stream()
                .flatMap(slice -> Trees.objects(slice, "spec", "devices").stream())
                .filter(device -> Trees.text(device, "name").equals(Trees.text(result, "device")))
                .flatMap(device -> Trees.objects(device, "taints").stream());
        Stream<JsonObject> byRule = cluster.all(TAINT_RULES).stream()
                .filter(rule ->
                        Trees.text(rule, "spec", "deviceSelector", "pool").equals(Trees.text(result, "pool")))
                .flatMap(rule -> Trees.object(rule, "spec", "taint").stream());
        return Stream.concat(bySlice, byRule)
                .filter(taint -> Trees.text(taint, "effect").equals("NoExecute"))
                .anyMatch(taint -> Trees.objects(result, "tolerations").stream()
                        .noneMatch(toleration -> Trees.text(toleration, "key").equals(Trees.text(taint, "key"))));
    }

    /** Whether the pod is there and uses its claims. */
    private boolean isThere(JsonObject consumer) {
        String uid = Trees.text(consumer, "uid");
        return !cluster.pods(pod -> Trees.text(pod, "metadata", "uid").equals(uid) && isUnfinished(pod))
                .isEmpty();
    }

    private static boolean isUnfinished(JsonObject pod) {
        return !phase(pod).equals("Succeeded") && !phase(pod).equals("Failed");
    }

    private Optional<JsonObject> some(ResourceType type) {
        List<JsonObject> found = cluster.all(type);
        return found.isEmpty() ? Optional.empty() : Optional.of(choices.from(found));
    }
}
