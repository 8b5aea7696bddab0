package io.evenkeel.hollow.registry;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.evenkeel.hollow.resource.FieldErrors;
import io.evenkeel.model.json.Trees;
import io.evenkeel.model.value.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The rules of what devices there are: slices of pools and taints of devices, in the order in which a real server names violations. */
final class ResourceSliceRules {

    private static final int MOST_DEVICES = 128;
    private static final int MOST_COMPLEX_DEVICES = 64;
    private static final int MOST_COUNTER_SETS = 8;
    private static final int MOST_COUNTERS = 32;
    private static final int MOST_CONSUMPTIONS = 2;
    private static final int MOST_ATTRIBUTES = 32;
    private static final int MOST_TAINTS = 16;
    private static final int MOST_VALUES = 10;
    private static final int LONGEST_VALUE = 64;
    private static final List<String> VALUES =
            List.of("bool", "int", "string", "version", "bools", "ints", "strings", "versions");
    private static final Pattern VERSION = Pattern.compile("(0|[1-9][0-9]*)(\\.(0|[1-9][0-9]*)){2}"
            + "(-(0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*)(\\.(0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*))*)?"
            + "(\\+[0-9a-zA-Z-]+(\\.[0-9a-zA-Z-]+)*)?");

    private ResourceSliceRules() {}

    static void check(JsonObject tree, FieldErrors errors) {
        JsonObject spec = Trees.ensureObject(tree, "spec");
        NameRules.driver("spec.driver", Trees.text(spec, "driver"), errors);
        NameRules.pool("spec.pool.name", Trees.text(spec, "pool", "name"), errors);
        long slices = Trees.number(spec, "pool", "resourceSliceCount").orElse(0L);
        if (slices <= 0) {
            errors.invalidLiteral("spec.pool.resourceSliceCount", Long.toString(slices), "must be greater than zero");
        }
        long generation = Trees.number(spec, "pool", "generation").orElse(0L);
        if (generation < 0) {
            errors.invalidLiteral(
                    "spec.pool.generation", Long.toString(generation), "must be greater than or equal to zero");
        }
        boolean perDevice = Trees.isTrue(spec, "perDeviceNodeSelection");
        nodes("spec", spec, List.of("nodeName", "nodeSelector", "allNodes", "perDeviceNodeSelection"), "", errors);
        List<JsonObject> devices = Trees.objects(spec, "devices");
        List<JsonObject> counters = Trees.objects(spec, "sharedCounters");
        if (!devices.isEmpty() && !counters.isEmpty()) {
            errors.invalid("spec", "", "only one of `sharedCounters` or `devices` is allowed");
        }
        boolean isComplex = devices.stream()
                .anyMatch(device -> !Trees.objects(device, "taints").isEmpty()
                        || !Trees.objects(device, "consumesCounters").isEmpty());
        DeviceClaimRules.set(
                "spec.devices",
                devices,
                isComplex ? MOST_COMPLEX_DEVICES : MOST_DEVICES,
                "name",
                errors,
                (at, device) -> device(at, device, perDevice, errors));
        DeviceClaimRules.set("spec.sharedCounters", counters, MOST_COUNTER_SETS, "name", errors, (at, set) -> {
            NameRules.label(at + ".name", Trees.text(set, "name"), errors);
            counters(at + ".counters", set, errors);
        });
    }

    static void checkUpdate(JsonObject updated, JsonObject current, FieldErrors errors) {
        JsonObject after = Trees.ensureObject(updated, "spec");
        JsonObject before = Trees.ensureObject(current, "spec");
        Immutable.check(
                "spec.pool.name",
                "name",
                Trees.ensureObject(after, "pool"),
                Trees.ensureObject(before, "pool"),
                errors);
        List.of("driver", "nodeName")
                .forEach(member -> Immutable.check("spec." + member, member, after, before, errors));
    }

    /** Nodes are said in exactly one way. */
    private static void nodes(String field, JsonObject tree, List<String> ways, String when, FieldErrors errors) {
        List<String> said = ways.stream().filter(tree::has).toList();
        for (String way : said) {
            String at = field + "." + way;
            switch (way) {
                case "nodeName" -> NameRules.subdomain(at, Trees.text(tree, way), errors);
                case "nodeSelector" -> {
                    JsonObject selector = Trees.ensureObject(tree, way);
                    SelectorRules.nodes(at, selector, errors);
                    if (when.isEmpty()
                            && Trees.objects(selector, "nodeSelectorTerms").size() != 1) {
                        errors.invalidObject(at + ".nodeSelectorTerms", "must have exactly one node selector term");
                    }
                }
                default -> {
                    if (!Trees.isTrue(tree, way)) {
                        errors.invalidLiteral(at, "false", "must be either unset or set to true");
                    }
                }
            }
        }
        String names = ways.stream().map(way -> '`' + way + '`').collect(Collectors.joining(", "));
        if (!when.isEmpty()) {
            names = names.replace(", `allNodes`", ", or `allNodes`");
        }
        String rule = "exactly one of " + names + " is required" + when;
        if (said.isEmpty()) {
            errors.required(field, rule);
        } else if (said.size() > 1) {
            String given = said.stream().map(way -> '`' + way + '`').collect(Collectors.joining(", ", "{", "}"));
            errors.invalid(field, given, rule + (when.isEmpty() ? ", but multiple fields are set" : ""));
        }
    }

    private static void device(String field, JsonObject device, boolean perDevice, FieldErrors errors) {
        NameRules.label(field + ".name", Trees.text(device, "name"), errors);
        int entries = map(device, "attributes").size() + map(device, "capacity").size();
        if (entries > MOST_ATTRIBUTES) {
            errors.invalidLiteral(
                    field,
                    Integer.toString(entries),
                    "the total number of attributes and capacities must not exceed " + MOST_ATTRIBUTES);
        }
        entries(field + ".attributes", map(device, "attributes"), errors, (at, value) -> attribute(at, value, errors));
        boolean isShared = Trees.isTrue(device, "allowMultipleAllocations");
        entries(field + ".capacity", map(device, "capacity"), errors, (at, capacity) -> {
            if (capacity.has("requestPolicy") && !isShared) {
                errors.forbidden(at + ".requestPolicy", "allowMultipleAllocations must be true");
            } else {
                Trees.object(capacity, "requestPolicy")
                        .ifPresent(policy -> new Policy(at + ".requestPolicy", capacity, errors).check(policy));
            }
        });
        DeviceClaimRules.list(
                field + ".taints",
                Trees.objects(device, "taints"),
                MOST_TAINTS,
                errors,
                (at, taint) -> DeviceClaimRules.taint(at, taint, errors));
        DeviceClaimRules.set(
                field + ".consumesCounters",
                Trees.objects(device, "consumesCounters"),
                MOST_CONSUMPTIONS,
                "counterSet",
                errors,
                (at, consumption) -> {
                    NameRules.label(at + ".counterSet", Trees.text(consumption, "counterSet"), errors);
                    counters(at + ".counters", consumption, errors);
                });
        List<String> ways = List.of("nodeName", "nodeSelector", "allNodes");
        if (perDevice) {
            nodes(
                    field,
                    device,
                    ways,
                    " when `perDeviceNodeSelection` is set to true in the ResourceSlice spec",
                    errors);
        } else if (ways.stream().anyMatch(device::has)) {
            errors.invalidLiteral(
                    field,
                    "null",
                    "`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to"
                            + " true in the ResourceSlice spec");
        }
        DeviceClaimRules.bindingConditions(field, device, errors);
    }

    private static void attribute(String field, JsonObject attribute, FieldErrors errors) {
        Optional.of(Trees.text(attribute, "string"))
                .filter(text -> text.length() > LONGEST_VALUE)
                .ifPresent(_ -> errors.tooLong(field + ".string", LONGEST_VALUE));
        if (attribute.has("version")) {
            version(field + ".version", Trees.text(attribute, "version"), errors);
        }
        List<String> versions = Trees.texts(attribute, "versions");
        IntStream.range(0, versions.size())
                .forEach(i -> version(field + ".versions[" + i + "]", versions.get(i), errors));
        if (VALUES.stream().filter(attribute::has).count() != 1) {
            errors.invalidLiteral(
                    field, attribute.isEmpty() ? "\"\"" : attribute.toString(), "exactly one value must be specified");
        }
    }

    private static void version(String field, String version, FieldErrors errors) {
        if (!VERSION.matcher(version).matches()) {
            errors.invalid(field, version, "must be a string compatible with semver.org spec 2.0.0");
        }
        if (version.length() > LONGEST_VALUE) {
            errors.tooLong(field, LONGEST_VALUE);
        }
    }

    private static void counters(String field, JsonObject holder, FieldErrors errors) {
        Map<String, JsonElement> counters = map(holder, "counters");
        if (counters.isEmpty()) {
            errors.required(field, "");
        } else if (counters.size() > MOST_COUNTERS) {
            errors.tooMany(field, counters.size(), MOST_COUNTERS);
        } else {
            counters.keySet().forEach(name -> NameRules.label(field, name, errors));
        }
    }

    private static Map<String, JsonElement> map(JsonObject holder, String member) {
        return Trees.object(holder, member).map(JsonObject::asMap).orElseGet(Map::of);
    }

    private static void entries(
            String field, Map<String, JsonElement> entries, FieldErrors errors, BiConsumer<String, JsonObject> rule) {
        entries.forEach((name, value) -> {
            NameRules.attribute(field, name, errors);
            rule.accept(field + "[" + name + "]", value.getAsJsonObject());
        });
    }

    static void checkTaintRule(JsonObject tree, FieldErrors errors) {
        JsonObject selector = Trees.object(tree, "spec", "deviceSelector").orElseGet(JsonObject::new);
        if (selector.has("driver")) {
            NameRules.driver("spec.deviceSelector.driver", Trees.text(selector, "driver"), errors);
        }
        if (selector.has("pool")) {
            NameRules.pool("spec.deviceSelector.pool", Trees.text(selector, "pool"), errors);
        }
        if (selector.has("device")) {
            NameRules.label("spec.deviceSelector.device", Trees.text(selector, "device"), errors);
        }
        DeviceClaimRules.taint("spec.taint", Trees.object(tree, "spec", "taint").orElseGet(JsonObject::new), errors);
    }

    /** How much of a capacity one request may take; it stands in {@code field}. */
    private record Policy(String field, JsonObject capacity, FieldErrors errors) {

        void check(JsonObject policy) {
            List<String> values = Trees.texts(policy, "validValues");
            Optional<JsonObject> range = Trees.object(policy, "validRange");
            if (!values.isEmpty() && range.isPresent()) {
                errors.forbidden(
                        field,
                        "exactly one policy can be specified, cannot specify \"validValues\" and \"validRange\" at the"
                                + " same time");
            } else if (!values.isEmpty() || range.isPresent()) {
                String way = range.isPresent() ? "validRange" : "validValues";
                if (!policy.has("default")) {
                    errors.required(field + ".default", "required when " + way + " is defined");
                } else if (range.isPresent()) {
                    range(amount(policy, "default"), range.get());
                } else {
                    values(
                            amount(policy, "default"),
                            values.stream().map(Quantity::parse).toList());
                }
            }
        }

        private void values(Quantity usual, List<Quantity> values) {
            String at = field + ".validValues";
            for (int i = 1; i < values.size(); i++) {
                if (values.get(i - 1).compareTo(values.get(i)) > 0) {
                    refuse(at + "[" + i + "]", values.get(i), "values must be sorted in ascending order");
                }
            }
            if (values.size() > MOST_VALUES) {
                errors.tooMany(at, values.size(), MOST_VALUES);
                return;
            }
            for (int i = 0; i < values.size(); i++) {
                notLarger(at + "[" + i + "]", "option", values.get(i));
            }
            if (!values.contains(usual)) {
                refuse(at, usual, "default value is not valid according to the requestPolicy");
            }
        }

        private void range(Quantity usual, JsonObject range) {
            String at = field + ".validRange";
            if (!range.has("min")) {
                errors.required(at + ".min", "required when validRange is defined");
                return;
            }
            Quantity min = amount(range, "min");
            notLarger(at + ".min", "min", min);
            if (usual.compareTo(min) < 0) {
                refuse(at + ".default", usual, "default is less than min: " + min);
            }
            if (range.has("max")) {
                Quantity max = amount(range, "max");
                if (min.compareTo(max) > 0) {
                    refuse(at + ".max", min, "min is larger than max: " + max);
                }
                notLarger(at + ".max", "max", max);
                if (usual.compareTo(max) > 0) {
                    refuse(at + ".default", usual, "default is more than max: " + max);
                }
            }
            if (range.has("step")) {
                step(at + ".step", usual, min, range);
            }
        }

        private void step(String at, Quantity usual, Quantity min, JsonObject range) {
            Quantity step = amount(range, "step");
            if (step.signum() <= 0) {
                refuse(at, step, "must be greater than zero");
                return;
            }
            notLarger(at, "one step " + min.plus(step), min.plus(step), step);
            multiple(at, usual, min, step);
            if (range.has("max")) {
                multiple(at, amount(range, "max"), min, step);
            }
        }

        private void multiple(String at, Quantity value, Quantity min, Quantity step) {
            if ((value.value() - min.value()) % Math.max(step.value(), 1) != 0) {
                refuse(at, value, "value is not a multiple of a given step (%s) from (%s)".formatted(step, min));
            }
        }

        private void notLarger(String at, String what, Quantity amount) {
            notLarger(at, what, amount, amount);
        }

        private void notLarger(String at, String what, Quantity amount, Quantity shown) {
            if (amount.compareTo(amount(capacity, "value")) > 0) {
                refuse(at, shown, what + " is larger than capacity value: " + amount(capacity, "value"));
            }
        }

        private void refuse(String at, Quantity value, String why) {
            errors.invalid(at, value.toString(), why);
        }

        private static Quantity amount(JsonObject holder, String member) {
            String text = Trees.text(holder, member);
            return text.isEmpty() ? Quantity.ZERO : Quantity.parse(text);
        }
    }
}
