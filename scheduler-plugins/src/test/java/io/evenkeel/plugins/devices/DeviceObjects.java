package io.evenkeel.plugins.devices;

import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.constraint.NodeSelector;
import io.evenkeel.model.constraint.NodeSelectorRequirement;
import io.evenkeel.model.constraint.NodeSelectorRequirement.Operator;
import io.evenkeel.model.constraint.NodeSelectorTerm;
import io.evenkeel.model.device.Device;
import io.evenkeel.model.device.Device.Attribute;
import io.evenkeel.model.device.Device.Capacity;
import io.evenkeel.model.device.Device.CounterUse;
import io.evenkeel.model.device.Device.Policy;
import io.evenkeel.model.device.Device.Range;
import io.evenkeel.model.device.DeviceAllocation;
import io.evenkeel.model.device.DeviceClass;
import io.evenkeel.model.device.DeviceConfiguration;
import io.evenkeel.model.device.DeviceNodes;
import io.evenkeel.model.device.DeviceRequest;
import io.evenkeel.model.device.DeviceRequest.Wanted;
import io.evenkeel.model.device.DeviceTaint;
import io.evenkeel.model.device.DeviceToleration;
import io.evenkeel.model.device.ResourceClaim;
import io.evenkeel.model.device.ResourceSlice;
import io.evenkeel.model.value.Labels;
import io.evenkeel.model.value.Quantity;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Makes slices, devices, classes and claims. */
final class DeviceObjects {
    static final String DRIVER = "driver.example.com";

    private DeviceObjects() {}

    static DeviceClass deviceClass(String name, String... selectors) {
        return new DeviceClass(ObjectMeta.named("", name), List.of(selectors), List.of(), "");
    }

    static DeviceConfiguration configuration(String parameters, String... requests) {
        return new DeviceConfiguration(List.of(requests), DRIVER, parameters);
    }

    static NodeSelector nodesWith(String label, String... values) {
        return new NodeSelector(List.of(new NodeSelectorTerm(
                List.of(new NodeSelectorRequirement(label, Operator.IN, List.of(values))), List.of())));
    }

    static SliceBuilder slice(String name) {
        return new SliceBuilder(name);
    }

    static DeviceBuilder device(String name) {
        return new DeviceBuilder(name);
    }

    static ClaimBuilder claim(String name) {
        return new ClaimBuilder(name);
    }

    /** A request for devices of class "any". */
    static WantedBuilder wanted(String name) {
        return new WantedBuilder(name);
    }

    private static Map<String, Quantity> quantities(String... namesAndValues) {
        Map<String, Quantity> quantities = new TreeMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            quantities.put(namesAndValues[i], Quantity.parse(namesAndValues[i + 1]));
        }
        return quantities;
    }

    /** A slice of pool "pool", which is complete with it, on all nodes. */
    static final class SliceBuilder {
        private final String name;
        private String driver = DRIVER;
        private ResourceSlice.Pool pool = new ResourceSlice.Pool("pool", 1, 1);
        private DeviceNodes nodes = new DeviceNodes("", Optional.empty(), true);
        private boolean perDevice;
        private final List<Device> devices = new ArrayList<>();
        private final List<ResourceSlice.CounterSet> counters = new ArrayList<>();

        private SliceBuilder(String name) {
            this.name = name;
        }

        SliceBuilder driver(String of) {
            driver = of;
            return this;
        }

        SliceBuilder pool(String of, long generation, long slices) {
            pool = new ResourceSlice.Pool(of, generation, slices);
            return this;
        }

        SliceBuilder pool(String of) {
            return pool(of, 1, 1);
        }

        SliceBuilder on(String node) {
            nodes = new DeviceNodes(node, Optional.empty(), false);
            return this;
        }

        SliceBuilder on(NodeSelector selector) {
            nodes = new DeviceNodes("", Optional.of(selector), false);
            return this;
        }

        SliceBuilder perDevice() {
            nodes = DeviceNodes.NONE;
            perDevice = true;
            return this;
        }

        SliceBuilder nowhere() {
            nodes = DeviceNodes.NONE;
            return this;
        }

        SliceBuilder devices(DeviceBuilder... more) {
            Arrays.stream(more).map(DeviceBuilder::build).forEach(devices::add);
            return this;
        }

        SliceBuilder devices(String... names) {
            Arrays.stream(names).map(each -> device(each).build()).forEach(devices::add);
            return this;
        }

        SliceBuilder counters(String set, String... namesAndValues) {
            counters.add(new ResourceSlice.CounterSet(set, quantities(namesAndValues)));
            return this;
        }

        ResourceSlice build() {
            return new ResourceSlice(
                    ObjectMeta.named("", name),
                    driver,
                    pool,
                    nodes,
                    perDevice,
                    List.copyOf(devices),
                    List.copyOf(counters));
        }
    }

    /** A device of which nothing is said. */
    static final class DeviceBuilder {
        private final String name;
        private final Map<String, Attribute> attributes = new TreeMap<>();
        private final Map<String, Capacity> capacity = new TreeMap<>();
        private final List<CounterUse> consumes = new ArrayList<>();
        private DeviceNodes nodes = DeviceNodes.NONE;
        private final List<DeviceTaint> taints = new ArrayList<>();
        private boolean binds;
        private List<String> conditions = List.of();
        private List<String> failures = List.of();
        private boolean shared;

        private DeviceBuilder(String name) {
            this.name = name;
        }

        DeviceBuilder with(String attribute, Attribute value) {
            attributes.put(attribute, value);
            return this;
        }

        DeviceBuilder with(String attribute, long value) {
            return with(attribute, new Attribute.Int(value));
        }

        DeviceBuilder with(String attribute, String value) {
            return with(attribute, new Attribute.Text(value));
        }

        DeviceBuilder has(String name, String amount) {
            capacity.put(name, new Capacity(Quantity.parse(amount), Optional.empty()));
            return this;
        }

        DeviceBuilder has(String name, String amount, Policy policy) {
            capacity.put(name, new Capacity(Quantity.parse(amount), Optional.of(policy)));
            return this;
        }

        DeviceBuilder draws(String set, String... namesAndValues) {
            consumes.add(new CounterUse(set, quantities(namesAndValues)));
            return this;
        }

        DeviceBuilder on(String node) {
            nodes = new DeviceNodes(node, Optional.empty(), false);
            return this;
        }

        DeviceBuilder on(NodeSelector selector) {
            nodes = new DeviceNodes("", Optional.of(selector), false);
            return this;
        }

        DeviceBuilder everywhere() {
            nodes = new DeviceNodes("", Optional.empty(), true);
            return this;
        }

        DeviceBuilder taint(String key, String effect) {
            taints.add(new DeviceTaint(key, "", effect, ""));
            return this;
        }

        DeviceBuilder bindsToNode() {
            binds = true;
            return this;
        }

        DeviceBuilder conditions(String condition, String failure) {
            conditions = List.of(condition);
            failures = List.of(failure);
            return this;
        }

        DeviceBuilder shared() {
            shared = true;
            return this;
        }

        Device build() {
            return new Device(
                    name,
                    Map.copyOf(attributes),
                    Map.copyOf(capacity),
                    List.copyOf(consumes),
                    nodes,
                    List.copyOf(taints),
                    binds,
                    conditions,
                    failures,
                    shared);
        }
    }

    static Policy atLeast(String min, String max, String step, String absent) {
        return new Policy(
                optional(absent),
                List.of(),
                Optional.of(new Range(Quantity.parse(min), optional(max), optional(step))));
    }

    static Policy oneOf(String absent, String... values) {
        return new Policy(
                optional(absent), Arrays.stream(values).map(Quantity::parse).toList(), Optional.empty());
    }

    private static Optional<Quantity> optional(String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(Quantity.parse(text));
    }

    /** One device of class "any". */
    static final class WantedBuilder {
        private final String name;
        private String deviceClass = "any";
        private List<String> selectors = List.of();
        private String mode = "ExactCount";
        private long count = 1;
        private boolean admin;
        private final List<DeviceToleration> tolerations = new ArrayList<>();
        private Map<String, Quantity> capacity = Map.of();

        private WantedBuilder(String name) {
            this.name = name;
        }

        WantedBuilder of(String newClass) {
            deviceClass = newClass;
            return this;
        }

        WantedBuilder where(String... expressions) {
            selectors = List.of(expressions);
            return this;
        }

        WantedBuilder mode(String newMode) {
            mode = newMode;
            return this;
        }

        WantedBuilder all() {
            return mode("All");
        }

        WantedBuilder count(long newCount) {
            count = newCount;
            return this;
        }

        WantedBuilder admin() {
            admin = true;
            return this;
        }

        WantedBuilder tolerates(String key) {
            tolerations.add(new DeviceToleration(key, "Exists", "", "", OptionalLong.empty()));
            return this;
        }

        WantedBuilder capacity(String... namesAndValues) {
            capacity = quantities(namesAndValues);
            return this;
        }

        private Wanted build(boolean alternative) {
            return new Wanted(
                    alternative ? name : "",
                    deviceClass,
                    selectors,
                    mode,
                    count,
                    admin,
                    List.copyOf(tolerations),
                    capacity);
        }
    }

    /** A claim of nothing yet, in namespace "ns". */
    static final class ClaimBuilder {
        private final String name;
        private String uid;
        private final List<DeviceRequest> requests = new ArrayList<>();
        private final List<ResourceClaim.Constraint> constraints = new ArrayList<>();
        private final List<DeviceConfiguration> configurations = new ArrayList<>();
        private Optional<DeviceAllocation> allocation = Optional.empty();

        private ClaimBuilder(String name) {
            this.name = name;
            this.uid = "uid-of-" + name;
        }

        ClaimBuilder uid(String newUid) {
            uid = newUid;
            return this;
        }

        ClaimBuilder wants(WantedBuilder... more) {
            for (WantedBuilder each : more) {
                requests.add(new DeviceRequest(each.name, List.of(each.build(false)), false));
            }
            return this;
        }

        ClaimBuilder wantsFirstOf(String request, WantedBuilder... alternatives) {
            requests.add(new DeviceRequest(
                    request,
                    Arrays.stream(alternatives).map(each -> each.build(true)).toList(),
                    true));
            return this;
        }

        ClaimBuilder alike(String attribute, String... of) {
            constraints.add(new ResourceClaim.Constraint(List.of(of), attribute, false));
            return this;
        }

        ClaimBuilder unlike(String attribute, String... of) {
            constraints.add(new ResourceClaim.Constraint(List.of(of), attribute, true));
            return this;
        }

        ClaimBuilder configured(DeviceConfiguration... more) {
            configurations.addAll(List.of(more));
            return this;
        }

        ClaimBuilder has(DeviceAllocation newAllocation) {
            allocation = Optional.of(newAllocation);
            return this;
        }

        /** It has devices, each given as pool/device, or as pool/device/share/capacity/amount. */
        ClaimBuilder has(String... devices) {
            List<DeviceAllocation.Result> results = new ArrayList<>();
            for (String device : devices) {
                String[] parts = device.split("/", -1);
                boolean share = parts.length > 2;
                results.add(new DeviceAllocation.Result(
                        "r",
                        DRIVER,
                        parts[0],
                        parts[1],
                        false,
                        List.of(),
                        List.of(),
                        List.of(),
                        share ? parts[2] : "",
                        share && parts.length > 3 ? quantities(parts[3], parts[4]) : Map.of()));
            }
            return has(new DeviceAllocation(results, List.of(), Optional.empty(), ""));
        }

        ResourceClaim build() {
            ObjectMeta meta = new ObjectMeta("ns", name, uid, Labels.EMPTY, Optional.empty(), false);
            return new ResourceClaim(
                    meta,
                    new ResourceClaim.Spec(
                            List.copyOf(requests), List.copyOf(constraints), List.copyOf(configurations)),
                    allocation,
                    List.of(),
                    List.of());
        }
    }
}
