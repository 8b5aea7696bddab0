package io.evenkeel.model.kind;

import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.decode.Field;
import io.evenkeel.model.decode.Fields;
import io.evenkeel.model.decode.Message;
import io.evenkeel.model.decode.Metadata;
import io.evenkeel.model.decode.Values;
import io.evenkeel.model.device.Device;
import io.evenkeel.model.device.Device.Attribute;
import io.evenkeel.model.device.Device.Capacity;
import io.evenkeel.model.device.Device.CounterUse;
import io.evenkeel.model.device.Device.Policy;
import io.evenkeel.model.device.Device.Range;
import io.evenkeel.model.device.DeviceAllocation;
import io.evenkeel.model.device.DeviceAllocation.Configuration;
import io.evenkeel.model.device.DeviceAllocation.Result;
import io.evenkeel.model.device.DeviceClass;
import io.evenkeel.model.device.DeviceConfiguration;
import io.evenkeel.model.device.DeviceNodes;
import io.evenkeel.model.device.DeviceRequest;
import io.evenkeel.model.device.DeviceRequest.Wanted;
import io.evenkeel.model.device.DeviceTaint;
import io.evenkeel.model.device.DeviceTaintRule;
import io.evenkeel.model.device.DeviceToleration;
import io.evenkeel.model.device.ResourceClaim;
import io.evenkeel.model.device.ResourceClaim.Condition;
import io.evenkeel.model.device.ResourceClaim.Constraint;
import io.evenkeel.model.device.ResourceClaim.Consumer;
import io.evenkeel.model.device.ResourceClaim.DeviceState;
import io.evenkeel.model.device.ResourceClaimTemplate;
import io.evenkeel.model.device.ResourceSlice;
import io.evenkeel.model.device.ResourceSlice.CounterSet;
import io.evenkeel.model.device.ResourceSlice.Pool;
import io.evenkeel.model.kind.AffinityFields.NodeAffinityFields;
import io.evenkeel.model.value.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Stream;

/** The kinds of {@code resource.k8s.io}: devices, and claims to them. */
final class DeviceFields {
    private static final String EXACT_COUNT = "ExactCount";
    private static final Map<String, Boolean> FROM_CLASS = Map.of("FromClass", true, "FromClaim", false);

    /** A CEL expression; empty for a selector of another kind. */
    private static final Message<String> SELECTOR =
            Rows.only(fields -> fields.message("cel", 1, Rows.only(cel -> cel.uniqueString("expression", 1)), ""));

    private static final Message<DeviceTaint> TAINT = Message.of(fields -> {
        var key = fields.string("key", 1).from(DeviceTaint::key);
        var value = fields.string("value", 2).from(DeviceTaint::value);
        var effect = fields.string("effect", 3).from(DeviceTaint::effect);
        var timeAdded = fields.time("timeAdded", 4).from(DeviceTaint::timeAdded);
        return read -> new DeviceTaint(read.get(key), read.get(value), read.get(effect), read.get(timeAdded));
    });

    private static final Message<DeviceToleration> TOLERATION = Message.of(fields -> {
        var key = fields.string("key", 1).from(DeviceToleration::key);
        var operator = fields.string("operator", 2).from(DeviceToleration::operator);
        var value = fields.string("value", 3).from(DeviceToleration::value);
        var effect = fields.string("effect", 4).from(DeviceToleration::effect);
        var seconds = fields.optionalInt64("tolerationSeconds", 5)
                .from((DeviceToleration one) -> one.seconds().stream().boxed().findFirst());
        return read -> new DeviceToleration(
                read.get(key),
                read.get(operator),
                read.get(value),
                read.get(effect),
                read.get(seconds).map(OptionalLong::of).orElse(OptionalLong.empty()));
    });

    private record Opaque(String driver, String parameters) {
        static final Opaque NONE = new Opaque("", "");
    }

    private static final Message<Opaque> OPAQUE = Message.of(fields -> {
        var driver = fields.string("driver", 1).from(Opaque::driver);
        var parameters = fields.json("parameters", 2).from(Opaque::parameters);
        return read -> new Opaque(read.get(driver), read.get(parameters));
    });

    private static final Message<DeviceConfiguration> OF_CLASS = Message.of(fields -> {
        fields.inlined(1);
        var opaque = opaque(fields, (DeviceConfiguration one) -> one);
        return read -> configuration(List.of(), read.get(opaque));
    });

    private static final Message<DeviceConfiguration> OF_CLAIM = Message.of(fields -> {
        var requests = fields.strings("requests", 1).from(DeviceConfiguration::requests);
        fields.inlined(2);
        var opaque = opaque(fields, (DeviceConfiguration one) -> one);
        return read -> configuration(read.get(requests), read.get(opaque));
    });

    private static final Message<Configuration> OF_ALLOCATION = Message.of(fields -> {
        var fromClass = fields.optionalConstant("source", 1, FROM_CLASS)
                .from((Configuration one) -> Optional.of(one.fromClass()));
        var requests = fields.strings("requests", 2)
                .from((Configuration one) -> one.configuration().requests());
        fields.inlined(3);
        var opaque = opaque(fields, Configuration::configuration);
        return read -> new Configuration(
                read.get(fromClass).orElse(false), configuration(read.get(requests), read.get(opaque)));
    });

    static final Message<DeviceClass> DEVICE_CLASS = Message.ofObject(Metadata.AGED_FIELD, fields -> {
        var spec = fields.message("spec", 2, ClassSpec.TABLE, ClassSpec.NONE)
                .from((DeviceClass one) ->
                        new ClassSpec(one.selectors(), one.configurations(), one.extendedResourceName()));
        return read -> new DeviceClass(
                read.get(Metadata.AGED_FIELD),
                read.get(spec).selectors,
                read.get(spec).configurations,
                read.get(spec).extendedResourceName);
    });

    static final Message<DeviceTaintRule> TAINT_RULE = Message.ofObject(fields -> {
        var spec = fields.message("spec", 2, RuleSpec.TABLE, RuleSpec.NONE)
                .from((DeviceTaintRule rule) -> new RuleSpec(rule.devices(), rule.taint()));
        return read -> new DeviceTaintRule(read.get(Metadata.FIELD), read.get(spec).devices, read.get(spec).taint);
    });

    private DeviceFields() {}

    private static <T> Field<Opaque> opaque(Fields fields, Function<T, DeviceConfiguration> of) {
        return fields.message("opaque", 1, OPAQUE, Opaque.NONE)
                .from((T whole) ->
                        new Opaque(of.apply(whole).driver(), of.apply(whole).parameters()));
    }

    private static DeviceConfiguration configuration(List<String> requests, Opaque opaque) {
        return new DeviceConfiguration(requests, opaque.driver, opaque.parameters);
    }

    private record ClassSpec(
            List<String> selectors, List<DeviceConfiguration> configurations, String extendedResourceName) {
        static final ClassSpec NONE = new ClassSpec(List.of(), List.of(), "");

        static final Message<ClassSpec> TABLE = Message.of(fields -> {
            var selectors = fields.list("selectors", 1, SELECTOR).from(ClassSpec::selectors);
            var config = fields.list("config", 2, OF_CLASS).from(ClassSpec::configurations);
            var extendedResourceName = fields.string("extendedResourceName", 4).from(ClassSpec::extendedResourceName);
            return read -> new ClassSpec(read.get(selectors), read.get(config), read.get(extendedResourceName));
        });
    }

    private record RuleSpec(Optional<DeviceTaintRule.Selector> devices, DeviceTaint taint) {
        static final RuleSpec NONE = new RuleSpec(Optional.empty(), new DeviceTaint("", "", "", ""));

        private static final Message<DeviceTaintRule.Selector> DEVICES = Message.of(fields -> {
            var driver = fields.string("driver", 2).from(DeviceTaintRule.Selector::driver);
            var pool = fields.string("pool", 3).from(DeviceTaintRule.Selector::pool);
            var device = fields.string("device", 4).from(DeviceTaintRule.Selector::device);
            return read -> new DeviceTaintRule.Selector(read.get(driver), read.get(pool), read.get(device));
        });

        static final Message<RuleSpec> TABLE = Message.of(fields -> {
            var deviceSelector = fields.optional("deviceSelector", 1, DEVICES).from(RuleSpec::devices);
            var taint = fields.message("taint", 2, TAINT, NONE.taint).from(RuleSpec::taint);
            return read -> new RuleSpec(read.get(deviceSelector), read.get(taint));
        });
    }

    /** What drivers publish. */
    static final class SliceFields {
        private static final Attribute UNKNOWN = new Attribute.Unknown();

        private static final Message<Attribute> ATTRIBUTE = Message.of(fields -> {
            var number = fields.optionalInt64("int", 2)
                    .from((Attribute one) ->
                            one instanceof Attribute.Int(long value) ? Optional.of(value) : Optional.empty());
            var flag = fields.optionalBool("bool", 3)
                    .from((Attribute one) ->
                            one instanceof Attribute.Bool(boolean value) ? Optional.of(value) : Optional.empty());
            var text = fields.optionalString("string", 4)
                    .from((Attribute one) ->
                            one instanceof Attribute.Text(String value) ? Optional.of(value) : Optional.empty());
            var version = fields.optionalString("version", 5)
                    .from((Attribute one) ->
                            one instanceof Attribute.Version(String value) ? Optional.of(value) : Optional.empty());
            return read -> Stream.of(
                            read.get(number).map(Attribute.Int::new),
                            read.get(flag).map(Attribute.Bool::new),
                            read.get(text).map(Attribute.Text::new),
                            read.get(version).map(Attribute.Version::new))
                    .<Attribute>flatMap(Optional::stream)
                    .findFirst()
                    .orElse(UNKNOWN);
        });

        private static final Message<Range> RANGE = Message.of(fields -> {
            var min = fields.quantity("min", 1).from(Range::min);
            var max = fields.optionalQuantity("max", 2).from(Range::max);
            var step = fields.optionalQuantity("step", 3).from(Range::step);
            return read -> new Range(read.get(min), read.get(max), read.get(step));
        });

        private static final Message<Policy> POLICY = Message.of(fields -> {
            var absent = fields.optionalQuantity("default", 1).from(Policy::absent);
            var validValues = fields.quantities("validValues", 3).from(Policy::values);
            var validRange = fields.optional("validRange", 4, RANGE).from(Policy::range);
            return read -> new Policy(read.get(absent), read.get(validValues), read.get(validRange));
        });

        private static final Message<Capacity> CAPACITY = Message.of(fields -> {
            var value = fields.quantity("value", 1).from(Capacity::value);
            var requestPolicy = fields.optional("requestPolicy", 2, POLICY).from(Capacity::policy);
            return read -> new Capacity(read.get(value), read.get(requestPolicy));
        });

        private static final Message<Quantity> COUNTER = Rows.only(fields -> fields.quantity("value", 1));

        private static final Message<CounterUse> COUNTER_USE = Message.of(fields -> {
            var counterSet = fields.string("counterSet", 1).from(CounterUse::counterSet);
            var counters = counters(fields).from(CounterUse::counters);
            return read -> new CounterUse(read.get(counterSet), read.get(counters));
        });

        private static final Message<CounterSet> COUNTER_SET = Message.of(fields -> {
            var name = fields.string("name", 1).from(CounterSet::name);
            var counters = counters(fields).from(CounterSet::counters);
            return read -> new CounterSet(read.get(name), read.get(counters));
        });

        private static final Message<Pool> POOL = Message.of(fields -> {
            var name = fields.string("name", 1).from(Pool::name);
            var generation = fields.int64("generation", 2, 0).from(Pool::generation);
            var slices = fields.int64("resourceSliceCount", 3, 0).from(Pool::slices);
            return read -> new Pool(read.get(name), read.get(generation), read.get(slices));
        });

        private static final Message<Device> DEVICE = Message.of(fields -> {
            var name = fields.string("name", 1).from(Device::name);
            return device(fields, read -> read.get(name), 2);
        });

        private static final Message<Device> BASIC = Message.of(fields -> device(fields, _ -> "", 1));

        /** In v1beta1, all but its name stands a level deeper. */
        private static final Message<Device> DEEP_DEVICE = Message.of(fields -> {
            var name = fields.string("name", 1).from(Device::name);
            var basic = fields.message("basic", 2, BASIC, BASIC.make(BASIC.newValues()))
                    .from((Device device) -> device);
            return read -> read.get(basic).named(read.get(name));
        });

        static final Message<ResourceSlice> SLICE = slice(DEVICE).butIn("v1beta1", slice(DEEP_DEVICE));

        private SliceFields() {}

        private static Message<ResourceSlice> slice(Message<Device> device) {
            Message<ResourceSlice> allButMetadata = Message.of(fields -> {
                var driver = fields.string("driver", 1).from(ResourceSlice::driver);
                var pool = fields.message("pool", 2, POOL, new Pool("", 0, 0)).from(ResourceSlice::pool);
                var nodeName = fields.string("nodeName", 3)
                        .from((ResourceSlice slice) -> slice.nodes().name());
                var nodeSelector = fields.optional("nodeSelector", 4, NodeAffinityFields.SELECTOR)
                        .from((ResourceSlice slice) -> slice.nodes().selector());
                var allNodes = fields.bool("allNodes", 5, false)
                        .from((ResourceSlice slice) -> slice.nodes().all());
                var devices = fields.list("devices", 6, device).from(ResourceSlice::devices);
                var perDevice = fields.bool("perDeviceNodeSelection", 7, false).from(ResourceSlice::perDevice);
                var sharedCounters =
                        fields.list("sharedCounters", 8, COUNTER_SET).from(ResourceSlice::sharedCounters);
                return read -> new ResourceSlice(
                        ObjectMeta.named("", ""),
                        read.get(driver),
                        read.get(pool),
                        new DeviceNodes(read.get(nodeName), read.get(nodeSelector), read.get(allNodes)),
                        read.get(perDevice),
                        read.get(devices),
                        read.get(sharedCounters));
            });
            return Message.ofObject(fields -> {
                var spec = fields.message("spec", 2, allButMetadata, allButMetadata.make(allButMetadata.newValues()))
                        .from((ResourceSlice slice) -> slice);
                return read -> new ResourceSlice(
                        read.get(Metadata.FIELD),
                        read.get(spec).driver(),
                        read.get(spec).pool(),
                        read.get(spec).nodes(),
                        read.get(spec).perDevice(),
                        read.get(spec).devices(),
                        read.get(spec).sharedCounters());
            });
        }

        /** All of a device but its name, in rows from this number on. */
        private static Function<Values, Device> device(Fields fields, Function<Values, String> name, int first) {
            var attributes = fields.map("attributes", first, ATTRIBUTE, UNKNOWN).from(Device::attributes);
            var capacity = fields.map("capacity", first + 1, CAPACITY, new Capacity(Quantity.ZERO, Optional.empty()))
                    .from(Device::capacity);
            var consumesCounters =
                    fields.list("consumesCounters", first + 2, COUNTER_USE).from(Device::consumes);
            var nodeName = fields.string("nodeName", first + 3)
                    .from((Device device) -> device.nodes().name());
            var nodeSelector = fields.optional("nodeSelector", first + 4, NodeAffinityFields.SELECTOR)
                    .from((Device device) -> device.nodes().selector());
            var allNodes = fields.bool("allNodes", first + 5, false)
                    .from((Device device) -> device.nodes().all());
            var taints = fields.list("taints", first + 6, TAINT).from(Device::taints);
            var bindsToNode = fields.bool("bindsToNode", first + 7, false).from(Device::bindsToNode);
            var bindingConditions =
                    fields.strings("bindingConditions", first + 8).from(Device::bindingConditions);
            var bindingFailureConditions =
                    fields.strings("bindingFailureConditions", first + 9).from(Device::bindingFailureConditions);
            var shared =
                    fields.bool("allowMultipleAllocations", first + 10, false).from(Device::shared);
            return read -> new Device(
                    name.apply(read),
                    read.get(attributes),
                    read.get(capacity),
                    read.get(consumesCounters),
                    new DeviceNodes(read.get(nodeName), read.get(nodeSelector), read.get(allNodes)),
                    read.get(taints),
                    read.get(bindsToNode),
                    read.get(bindingConditions),
                    read.get(bindingFailureConditions),
                    read.get(shared));
        }

        private static Field<Map<String, Quantity>> counters(Fields fields) {
            return fields.map("counters", 2, COUNTER, Quantity.ZERO);
        }
    }

    /** What is wanted, and what was allocated. */
    static final class ResourceClaimFields {
        private static final Message<Map<String, Quantity>> CAPACITY =
                Rows.only(fields -> fields.resources("requests", 1));

        private static final Wanted NOTHING = new Wanted("", "", List.of(), EXACT_COUNT, 0, false, List.of(), Map.of());

        private static final Message<Wanted> EXACTLY =
                Message.of(fields -> wanted(fields, _ -> "", 1, OptionalInt.of(5), 6, (Wanted one) -> one));

        private static final Message<DeviceRequest> REQUEST = Message.of(fields -> {
            var name = fields.string("name", 1).from(DeviceRequest::name);
            var exactly = fields.optional("exactly", 2, EXACTLY)
                    .from((DeviceRequest request) -> request.prioritized()
                            ? Optional.empty()
                            : request.alternatives().stream().findFirst());
            var firstAvailable = alternatives(fields, 3, 6);
            return read -> request(read.get(name), read.get(exactly), read.get(firstAvailable));
        });

        /** In v1beta1, what is wanted exactly stands in the request itself. */
        private static final Message<DeviceRequest> FLAT_REQUEST = Message.of(fields -> {
            var name = fields.string("name", 1).from(DeviceRequest::name);
            Function<Values, Wanted> exactly =
                    wanted(fields, _ -> "", 2, OptionalInt.of(6), 8, ResourceClaimFields::exactly);
            var firstAvailable = alternatives(fields, 7, 7);
            return read -> {
                Wanted wanted = exactly.apply(read);
                return request(
                        read.get(name),
                        wanted.deviceClass().isEmpty() ? Optional.empty() : Optional.of(wanted),
                        read.get(firstAvailable));
            };
        });

        private static final Message<Constraint> CONSTRAINT = Message.of(fields -> {
            var requests = fields.strings("requests", 1).from(Constraint::requests);
            var matchAttribute =
                    fields.string("matchAttribute", 2).from((Constraint one) -> one.distinct() ? "" : one.attribute());
            var distinctAttribute = fields.string("distinctAttribute", 3)
                    .from((Constraint one) -> one.distinct() ? one.attribute() : "");
            return read -> read.get(matchAttribute).isEmpty()
                    ? new Constraint(
                            read.get(requests),
                            read.get(distinctAttribute),
                            !read.get(distinctAttribute).isEmpty())
                    : new Constraint(read.get(requests), read.get(matchAttribute), false);
        });

        private static final ResourceClaim.Spec NO_SPEC = new ResourceClaim.Spec(List.of(), List.of(), List.of());

        private static final Message<Result> RESULT = Message.of(fields -> {
            var request = fields.string("request", 1).from(Result::request);
            var driver = fields.string("driver", 2).from(Result::driver);
            var pool = fields.string("pool", 3).from(Result::pool);
            var device = fields.string("device", 4).from(Result::device);
            var adminAccess = fields.bool("adminAccess", 5, false).from(Result::admin);
            var tolerations = fields.list("tolerations", 6, TOLERATION).from(Result::tolerations);
            var bindingConditions = fields.strings("bindingConditions", 7).from(Result::bindingConditions);
            var bindingFailureConditions =
                    fields.strings("bindingFailureConditions", 8).from(Result::bindingFailureConditions);
            var shareId = fields.uniqueString("shareID", 9).from(Result::shareId);
            var consumedCapacity = fields.resources("consumedCapacity", 10).from(Result::consumed);
            return read -> new Result(
                    read.get(request),
                    read.get(driver),
                    read.get(pool),
                    read.get(device),
                    read.get(adminAccess),
                    read.get(tolerations),
                    read.get(bindingConditions),
                    read.get(bindingFailureConditions),
                    read.get(shareId),
                    read.get(consumedCapacity));
        });

        private record Results(List<Result> results, List<Configuration> configurations) {
            static final Results NONE = new Results(List.of(), List.of());
        }

        private static final Message<Results> RESULTS = Message.of(fields -> {
            var results = fields.list("results", 1, RESULT).from(Results::results);
            var config = fields.list("config", 2, OF_ALLOCATION).from(Results::configurations);
            return read -> new Results(read.get(results), read.get(config));
        });

        private static final Message<DeviceAllocation> ALLOCATION = Message.of(fields -> {
            var devices = fields.message("devices", 1, RESULTS, Results.NONE)
                    .from((DeviceAllocation one) -> new Results(one.results(), one.configurations()));
            var nodeSelector = fields.optional("nodeSelector", 3, NodeAffinityFields.SELECTOR)
                    .from(DeviceAllocation::nodes);
            var timestamp = fields.time("allocationTimestamp", 5).from(DeviceAllocation::timestamp);
            return read -> new DeviceAllocation(
                    read.get(devices).results,
                    read.get(devices).configurations,
                    read.get(nodeSelector),
                    read.get(timestamp));
        });

        private static final Message<Consumer> CONSUMER = Message.of(fields -> {
            var apiGroup = fields.string("apiGroup", 1).from(Consumer::apiGroup);
            var resource = fields.string("resource", 3).from(Consumer::resource);
            var name = fields.uniqueString("name", 4).from(Consumer::name);
            var uid = fields.uniqueString("uid", 5).from(Consumer::uid);
            return read -> new Consumer(read.get(apiGroup), read.get(resource), read.get(name), read.get(uid));
        });

        private static final Message<Condition> CONDITION = Message.of(fields -> {
            var type = fields.string("type", 1).from(Condition::type);
            var status = fields.string("status", 2).from(Condition::status);
            var reason = fields.string("reason", 5).from(Condition::reason);
            var message = fields.uniqueString("message", 6).from(Condition::message);
            return read -> new Condition(read.get(type), read.get(status), read.get(reason), read.get(message));
        });

        private static final Message<DeviceState> DEVICE_STATE = Message.of(fields -> {
            var driver = fields.string("driver", 1).from(DeviceState::driver);
            var pool = fields.string("pool", 2).from(DeviceState::pool);
            var device = fields.string("device", 3).from(DeviceState::device);
            var conditions = fields.list("conditions", 4, CONDITION).from(DeviceState::conditions);
            var shareId = fields.uniqueString("shareID", 7).from(DeviceState::shareId);
            return read -> new DeviceState(
                    read.get(driver), read.get(pool), read.get(device), read.get(shareId), read.get(conditions));
        });

        private record Status(
                Optional<DeviceAllocation> allocation, List<Consumer> reservedFor, List<DeviceState> devices) {
            static final Status NONE = new Status(Optional.empty(), List.of(), List.of());
        }

        private static final Message<Status> STATUS = Message.of(fields -> {
            var allocation = fields.optional("allocation", 1, ALLOCATION).from(Status::allocation);
            var reservedFor = fields.list("reservedFor", 2, CONSUMER).from(Status::reservedFor);
            var devices = fields.list("devices", 4, DEVICE_STATE).from(Status::devices);
            return read -> new Status(read.get(allocation), read.get(reservedFor), read.get(devices));
        });

        static final Message<ResourceClaim> CLAIM = claim(REQUEST).butIn("v1beta1", claim(FLAT_REQUEST));

        static final Message<ResourceClaimTemplate> TEMPLATE =
                template(REQUEST).butIn("v1beta1", template(FLAT_REQUEST));

        private ResourceClaimFields() {}

        private static Message<ResourceClaim.Spec> spec(Message<DeviceRequest> request) {
            Message<ResourceClaim.Spec> devices = Message.of(fields -> {
                var requests = fields.list("requests", 1, request).from(ResourceClaim.Spec::requests);
                var constraints = fields.list("constraints", 2, CONSTRAINT).from(ResourceClaim.Spec::constraints);
                var config = fields.list("config", 3, OF_CLAIM).from(ResourceClaim.Spec::configurations);
                return read -> new ResourceClaim.Spec(read.get(requests), read.get(constraints), read.get(config));
            });
            return Rows.only(fields -> fields.message("devices", 1, devices, NO_SPEC));
        }

        private static Message<ResourceClaimTemplate> template(Message<DeviceRequest> request) {
            Message<ResourceClaim.Spec> ofClaims =
                    Rows.only(fields -> fields.message("spec", 2, spec(request), NO_SPEC));
            return Message.ofObject(fields -> {
                var spec = fields.message("spec", 2, ofClaims, NO_SPEC).from(ResourceClaimTemplate::spec);
                return read -> new ResourceClaimTemplate(read.get(Metadata.FIELD), read.get(spec));
            });
        }

        private static Message<ResourceClaim> claim(Message<DeviceRequest> request) {
            return Message.ofObject(fields -> {
                var spec = fields.message("spec", 2, spec(request), NO_SPEC).from(ResourceClaim::spec);
                var status = fields.message("status", 3, STATUS, Status.NONE)
                        .from((ResourceClaim claim) ->
                                new Status(claim.allocation(), claim.reservedFor(), claim.devices()));
                return read -> new ResourceClaim(
                        read.get(Metadata.FIELD),
                        read.get(spec),
                        read.get(status).allocation,
                        read.get(status).reservedFor,
                        read.get(status).devices);
            });
        }

        /**
         * What is wanted: rows of whatever message says it.
         *
         * @param first the number of the first row
         * @param admin the number of the row of adminAccess, which alternatives have not
         * @param tolerations the number of that row, and of the one before the last
         * @param of where in the message's value it is found
         */
        private static <T> Function<Values, Wanted> wanted(
                Fields fields,
                Function<Values, String> name,
                int first,
                OptionalInt admin,
                int tolerations,
                Function<T, Wanted> of) {
            var deviceClass = fields.string("deviceClassName", first).from(of.andThen(Wanted::deviceClass));
            var selectors = fields.list("selectors", first + 1, SELECTOR).from(of.andThen(Wanted::selectors));
            var mode = fields.string("allocationMode", first + 2, EXACT_COUNT).from(of.andThen(Wanted::mode));
            var count = fields.int64("count", first + 3, 0).from(of.andThen(Wanted::count));
            Optional<Field<Boolean>> adminAccess = admin.isEmpty()
                    ? Optional.empty()
                    : Optional.of(
                            fields.bool("adminAccess", admin.getAsInt(), false).from(of.andThen(Wanted::admin)));
            var tolerated = fields.list("tolerations", tolerations, TOLERATION).from(of.andThen(Wanted::tolerations));
            var capacity = fields.message("capacity", tolerations + 1, CAPACITY, Map.of())
                    .from(of.andThen(Wanted::capacity));
            return read -> new Wanted(
                    name.apply(read),
                    read.get(deviceClass),
                    read.get(selectors),
                    read.get(mode),
                    count(read.get(mode), read.get(count)),
                    adminAccess.map(read::get).orElse(false),
                    read.get(tolerated),
                    read.get(capacity));
        }

        private static Field<List<Wanted>> alternatives(Fields fields, int number, int tolerations) {
            Message<Wanted> alternative = Message.of(itsFields -> {
                var name = itsFields.string("name", 1).from(Wanted::name);
                return wanted(
                        itsFields, read -> read.get(name), 2, OptionalInt.empty(), tolerations, (Wanted one) -> one);
            });
            return fields.list("firstAvailable", number, alternative)
                    .from((DeviceRequest request) -> request.prioritized() ? request.alternatives() : List.of());
        }

        private static Wanted exactly(DeviceRequest request) {
            return request.prioritized() || request.alternatives().isEmpty()
                    ? NOTHING
                    : request.alternatives().getFirst();
        }

        private static DeviceRequest request(String name, Optional<Wanted> exactly, List<Wanted> firstAvailable) {
            return exactly.map(wanted -> new DeviceRequest(name, List.of(wanted), false))
                    .orElseGet(() -> new DeviceRequest(name, firstAvailable, !firstAvailable.isEmpty()));
        }

        /** The API server says 1 where nothing is said; in protobuf, zero is how it says nothing. */
        private static long count(String mode, long said) {
            return said == 0 && mode.equals(EXACT_COUNT) ? 1 : said;
        }
    }
}
