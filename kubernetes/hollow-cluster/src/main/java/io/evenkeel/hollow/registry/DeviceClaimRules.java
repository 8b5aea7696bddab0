package io.evenkeel.hollow.registry;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.evenkeel.cel.CelProblem;
import io.evenkeel.cel.DeviceSelector;
import io.evenkeel.hollow.resource.FieldErrors;
import io.evenkeel.model.json.Trees;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The rules of who asks for devices: claims, their templates and classes, in the order in which a real server names violations. */
final class DeviceClaimRules {

    private static final int MOST = 32;
    private static final int MOST_ALTERNATIVES = 8;
    private static final int MOST_CONSUMERS = 256;
    private static final int LONGEST_TEXT = 10 * 1024;
    private static final String ONE_KIND = "exactly one of `exactly` or `firstAvailable` is required";
    private static final String NO_REQUEST =
            "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";
    private static final List<String> EFFECTS = List.of("NoExecute", "NoSchedule", "None");
    private static final Pattern UID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    private DeviceClaimRules() {}

    /**
     * Checks a claim or a template.
     *
     * @param spec where the spec of the claim is in it
     * @param isForAdministrators whether claims in a namespace may ask for devices in use
     */
    static void check(JsonObject tree, String spec, Predicate<String> isForAdministrators, FieldErrors errors) {
        JsonObject devices =
                Trees.object(tree, (spec + ".devices").split("\\.")).orElseGet(JsonObject::new);
        List<JsonObject> requests = Trees.objects(devices, "requests");
        for (int i = 0; i < requests.size(); i++) {
            if (Trees.isTrue(requests.get(i), "exactly", "adminAccess")) {
                administrators("spec.devices.requests[" + i + "].exactly", tree, isForAdministrators, errors);
                break;
            }
        }
        devices(spec + ".devices", devices, errors);
    }

    private static void administrators(
            String field, JsonObject tree, Predicate<String> isForAdministrators, FieldErrors errors) {
        if (!isForAdministrators.test(Trees.text(tree, "metadata", "namespace"))) {
            errors.forbidden(
                    field + ".adminAccess",
                    "admin access to devices requires the `resource.kubernetes.io/admin-access: true` label on the"
                            + " containing namespace");
        }
    }

    private static void devices(String field, JsonObject devices, FieldErrors errors) {
        List<JsonObject> requests = Trees.objects(devices, "requests");
        Set<String> names = names(requests);
        set(field + ".requests", requests, MOST, "name", errors, (at, each) -> request(at, each, errors));
        list(field + ".constraints", Trees.objects(devices, "constraints"), MOST, errors, (at, each) -> {
            references(at, each, names, errors);
            Optional<String> attribute = List.of("matchAttribute", "distinctAttribute").stream()
                    .filter(each::has)
                    .findFirst();
            attribute.ifPresentOrElse(
                    member -> NameRules.attributeOfDomain(at + "." + member, Trees.text(each, member), errors),
                    () -> errors.required(
                            at,
                            "exactly one of \"matchAttribute\" or \"distinctAttribute\" is required, but multiple"
                                    + " fields are set"));
        });
        list(field + ".config", Trees.objects(devices, "config"), MOST, errors, (at, each) -> {
            references(at, each, names, errors);
            configuration(at, each, errors);
        });
    }

    private static void request(String field, JsonObject request, FieldErrors errors) {
        NameRules.label(field + ".name", Trees.text(request, "name"), errors);
        Optional<JsonObject> exactly = Trees.object(request, "exactly");
        List<JsonObject> alternatives = Trees.objects(request, "firstAvailable");
        if (exactly.isPresent() && !alternatives.isEmpty()) {
            errors.invalidLiteral(field, "null", ONE_KIND + ", but multiple fields are set");
        } else if (exactly.isPresent()) {
            alternative(field + ".exactly", exactly.get(), errors);
        } else if (alternatives.isEmpty()) {
            errors.required(field, ONE_KIND);
        }
        if (exactly.isEmpty()) {
            set(field + ".firstAvailable", alternatives, MOST_ALTERNATIVES, "name", errors, (at, each) -> {
                NameRules.label(at + ".name", Trees.text(each, "name"), errors);
                alternative(at, each, errors);
            });
        }
    }

    private static void alternative(String field, JsonObject request, FieldErrors errors) {
        String name = Trees.text(request, "deviceClassName");
        if (name.isEmpty()) {
            errors.required(field + ".deviceClassName", "");
        } else {
            NameRules.subdomain(field + ".deviceClassName", name, errors);
        }
        selectors(field, request, errors);
        String mode = Trees.text(request, "allocationMode");
        long count = Trees.number(request, "count").orElse(0L);
        switch (mode) {
            case "All" -> {
                if (count != 0) {
                    errors.invalidLiteral(
                            field + ".count",
                            Long.toString(count),
                            "must not be specified when allocationMode is 'All'");
                }
            }
            case "ExactCount" -> {
                if (count <= 0) {
                    errors.invalidLiteral(field + ".count", Long.toString(count), "must be greater than zero");
                }
            }
            default -> errors.notSupported(field + ".allocationMode", mode, List.of("All", "ExactCount"));
        }
        tolerations(field, request, errors);
    }

    private static void selectors(String field, JsonObject asking, FieldErrors errors) {
        list(field + ".selectors", Trees.objects(asking, "selectors"), MOST, errors, (at, selector) -> {
            String expression = Trees.text(selector, "cel", "expression");
            if (Trees.object(selector, "cel").isEmpty()) {
                errors.required(at + ".cel", "");
            } else if (expression.length() > LONGEST_TEXT) {
                errors.tooLong(at + ".cel.expression", LONGEST_TEXT);
            } else {
                try {
                    DeviceSelector.compile(expression, true);
                } catch (CelProblem wrong) {
                    errors.invalid(at + ".cel.expression", expression, String.valueOf(wrong.getMessage()));
                }
            }
        });
    }

    private static void tolerations(String field, JsonObject tolerating, FieldErrors errors) {
        List<JsonObject> tolerations = Trees.objects(tolerating, "tolerations");
        for (int i = 0; i < tolerations.size(); i++) {
            JsonObject toleration = tolerations.get(i);
            String at = field + ".tolerations[" + i + "]";
            String key = Trees.text(toleration, "key");
            if (!key.isEmpty()) {
                NameRules.labelKey(at + ".key", key, errors);
            }
            String value = Trees.text(toleration, "value");
            String operator = Trees.text(toleration, "operator");
            switch (operator) {
                case "Exists" -> {
                    if (!value.isEmpty()) {
                        errors.invalid(at + ".value", value, "must be empty for operator `Exists`");
                    }
                }
                case "Equal" -> NameRules.labelValue(at + ".value", value, errors);
                default -> errors.notSupported(at + ".operator", operator, List.of("Equal", "Exists"));
            }
            String effect = Trees.text(toleration, "effect");
            if (!effect.isEmpty()) {
                errors.oneOf(at + ".effect", effect, EFFECTS);
            }
        }
    }

    private static void configuration(String field, JsonObject configuration, FieldErrors errors) {
        Optional<JsonObject> opaque = Trees.object(configuration, "opaque");
        if (opaque.isEmpty()) {
            errors.required(field + ".opaque", "");
            return;
        }
        NameRules.driver(field + ".opaque.driver", Trees.text(opaque.get(), "driver"), errors);
        String parameters = field + ".opaque.parameters";
        if (!opaque.get().has("parameters")) {
            errors.required(parameters, "");
        } else if (opaque.get().get("parameters").toString().length() > LONGEST_TEXT) {
            errors.tooLong(parameters, LONGEST_TEXT);
        } else if (!opaque.get().get("parameters").isJsonObject()) {
            errors.invalid(parameters, "<value omitted>", "must be a valid JSON object");
        }
    }

    /** The names by which a claim's own fields can mean its requests: {@code request} and {@code request/alternative}. */
    private static Set<String> names(List<JsonObject> requests) {
        Set<String> names = new HashSet<>();
        for (JsonObject request : requests) {
            String name = Trees.text(request, "name");
            names.add(name);
            Trees.objects(request, "firstAvailable").forEach(each -> names.add(name + "/" + Trees.text(each, "name")));
        }
        return names;
    }

    private static void references(String field, JsonObject tree, Set<String> names, FieldErrors errors) {
        List<String> references = Trees.texts(tree, "requests");
        if (references.size() > MOST) {
            errors.tooMany(field + ".requests", references.size(), MOST);
            return;
        }
        for (int i = 0; i < references.size(); i++) {
            reference(field + ".requests[" + i + "]", references.get(i), names, errors);
        }
        distinct(field + ".requests", references, errors);
    }

    private static void reference(String field, String reference, Set<String> names, FieldErrors errors) {
        List<String> parts = List.of(reference.split("/", -1));
        if (parts.size() <= 2) {
            parts.forEach(part -> NameRules.label(field, part, errors));
        }
        if (!names.contains(reference)) {
            errors.invalid(field, reference, NO_REQUEST);
        }
    }

    static void checkClass(JsonObject tree, FieldErrors errors) {
        JsonObject spec = Trees.object(tree, "spec").orElseGet(JsonObject::new);
        selectors("spec", spec, errors);
        list("spec.config", Trees.objects(spec, "config"), MOST, errors, (at, each) -> configuration(at, each, errors));
        String resource = Trees.text(spec, "extendedResourceName");
        if (spec.has("extendedResourceName") && !isExtended(resource)) {
            errors.invalid("spec.extendedResourceName", resource, "must be a valid extended resource name");
        }
    }

    private static boolean isExtended(String resource) {
        FieldErrors none = new FieldErrors();
        NameRules.labelKey("", "requests." + resource, none);
        return none.isEmpty()
                && resource.contains("/")
                && !resource.contains("kubernetes.io/")
                && !resource.startsWith("requests.");
    }

    /** The status of a claim: an allocation is set once, and goes when no pod uses the claim. */
    static void checkStatus(
            JsonObject updated, JsonObject current, Predicate<String> isForAdministrators, FieldErrors errors) {
        JsonObject status = Trees.object(updated, "status").orElseGet(JsonObject::new);
        Optional<JsonObject> allocation = Trees.object(status, "allocation");
        Optional<JsonObject> before = Trees.object(current, "status", "allocation");
        List<JsonObject> results = results(status);
        for (int i = 0; i < results.size() && before.isEmpty(); i++) {
            if (Trees.isTrue(results.get(i), "adminAccess")) {
                administrators("status.allocation.devices.results[" + i + "]", updated, isForAdministrators, errors);
                break;
            }
        }
        List<JsonObject> consumers = Trees.objects(status, "reservedFor");
        set(
                "status.reservedFor",
                consumers,
                MOST_CONSUMERS,
                "uid",
                errors,
                (at, consumer) -> List.of("resource", "name", "uid").forEach(member -> {
                    if (Trees.text(consumer, member).isEmpty()) {
                        errors.required(at + "." + member, "");
                    }
                }));
        allocatedDevices(status, errors);
        if (!consumers.isEmpty() && allocation.isEmpty()) {
            errors.forbidden("status.reservedFor", "may not be specified when `allocated` is not set");
        } else if (Trees.at(updated, "metadata", "deletionTimestamp").isPresent()
                && !Trees.objects(current, "status", "reservedFor").containsAll(consumers)) {
            errors.forbidden(
                    "status.reservedFor",
                    "new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set");
        }
        if (before.isPresent() && allocation.isPresent()) {
            Immutable.check("status.allocation", "allocation", status, Trees.ensureObject(current, "status"), errors);
        } else {
            allocation.ifPresent(
                    each -> allocation(each, names(Trees.objects(updated, "spec", "devices", "requests")), errors));
        }
    }

    private static List<JsonObject> results(JsonObject status) {
        return Trees.objects(status, "allocation", "devices", "results");
    }

    private static void allocatedDevices(JsonObject status, FieldErrors errors) {
        Set<String> allocated =
                results(status).stream().map(DeviceClaimRules::device).collect(Collectors.toSet());
        List<JsonObject> devices = Trees.objects(status, "devices");
        for (int i = 0; i < devices.size(); i++) {
            String at = "status.devices[" + i + "]";
            deviceNames(at, devices.get(i), errors);
            String device = device(devices.get(i));
            if (!allocated.contains(device)) {
                errors.invalidLiteral(at, device, "must be an allocated device in the claim");
            }
        }
        distinctLiterals(
                "status.devices", devices.stream().map(DeviceClaimRules::device).toList(), errors);
    }

    private static void allocation(JsonObject allocation, Set<String> names, FieldErrors errors) {
        String field = "status.allocation.devices";
        list(field + ".results", Trees.objects(allocation, "devices", "results"), MOST, errors, (at, result) -> {
            reference(at + ".request", Trees.text(result, "request"), names, errors);
            deviceNames(at, result, errors);
            bindingConditions(at, result, errors);
            tolerations(at, result, errors);
            String share = Trees.text(result, "shareID");
            if (!share.isEmpty() && !UID.matcher(share).matches()) {
                errors.invalid(
                        at + ".shareID",
                        share,
                        "uid must be in RFC 4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with lowercase"
                                + " hexadecimal characters");
            }
        });
        list(field + ".config", Trees.objects(allocation, "devices", "config"), 2 * MOST, errors, (at, each) -> {
            errors.oneOf(at + ".source", Trees.text(each, "source"), List.of("FromClaim", "FromClass"));
            references(at, each, names, errors);
            configuration(at, each, errors);
        });
        Trees.object(allocation, "nodeSelector")
                .ifPresent(selector -> SelectorRules.nodes("status.allocation.nodeSelector", selector, errors));
    }

    private static void deviceNames(String field, JsonObject device, FieldErrors errors) {
        NameRules.driver(field + ".driver", Trees.text(device, "driver"), errors);
        NameRules.pool(field + ".pool", Trees.text(device, "pool"), errors);
        NameRules.label(field + ".device", Trees.text(device, "device"), errors);
    }

    /** Binding conditions of a device: some for success and some for failure, or none at all. */
    static void bindingConditions(String field, JsonObject device, FieldErrors errors) {
        String success = "bindingConditions";
        String failure = "bindingFailureConditions";
        Map<String, List<String>> given = new HashMap<>();
        for (String member : List.of(success, failure)) {
            List<String> conditions = Trees.texts(device, member);
            given.put(member, conditions);
            if (conditions.size() > 4) {
                errors.tooMany(field + "." + member, conditions.size(), 4);
                continue;
            }
            for (int i = 0; i < conditions.size(); i++) {
                NameRules.labelKey(field + "." + member + "[" + i + "]", conditions.get(i), errors);
            }
            distinct(field + "." + member, conditions, errors);
        }
        List<String> failures = given.getOrDefault(failure, List.of());
        List<String> successes = given.getOrDefault(success, List.of());
        for (int i = 0; i < failures.size(); i++) {
            if (successes.contains(failures.get(i))) {
                errors.invalid(
                        field + "." + failure + "[" + i + "]",
                        failures.get(i),
                        "bindingFailureConditions must not overlap with bindingConditions");
            }
        }
        if (successes.isEmpty() != failures.isEmpty()) {
            String missing = successes.isEmpty() ? success : failure;
            String there = successes.isEmpty() ? failure : success;
            errors.invalidLiteral(field + "." + missing, "null", missing + " are required to use " + there);
        }
    }

    /** Takes out what a status update does not change, or loses with the allocation. */
    static void prepareStatus(JsonObject updated, JsonObject current) {
        JsonObject metadata = Trees.ensureObject(updated, "metadata");
        JsonObject kept = Trees.ensureObject(current, "metadata");
        for (String member : List.of("labels", "annotations", "ownerReferences", "finalizers")) {
            metadata.remove(member);
            if (kept.has(member)) {
                metadata.add(member, kept.get(member).deepCopy());
            }
        }
        JsonObject status = Trees.ensureObject(updated, "status");
        Set<String> gone = results(Trees.ensureObject(current, "status")).stream()
                .map(DeviceClaimRules::deviceOfAnyShare)
                .collect(Collectors.toCollection(TreeSet::new));
        results(status).forEach(result -> gone.remove(deviceOfAnyShare(result)));
        Optional<JsonArray> devices = Trees.array(status, "devices");
        devices.ifPresent(
                all -> all.asList().removeIf(each -> gone.contains(deviceOfAnyShare(each.getAsJsonObject()))));
        if (devices.filter(JsonArray::isEmpty).isPresent()) {
            status.remove("devices");
        }
    }

    private static String deviceOfAnyShare(JsonObject named) {
        return Trees.text(named, "driver") + "/" + Trees.text(named, "pool") + "/" + Trees.text(named, "device");
    }

    private static String device(JsonObject named) {
        String share = Trees.text(named, "shareID");
        return deviceOfAnyShare(named) + (share.isEmpty() ? "" : "/" + share);
    }

    /** Checks each element of a list, unless they are too many. */
    static void list(
            String field,
            List<JsonObject> elements,
            int most,
            FieldErrors errors,
            BiConsumer<String, JsonObject> rule) {
        if (elements.size() > most) {
            errors.tooMany(field, elements.size(), most);
            return;
        }
        for (int i = 0; i < elements.size(); i++) {
            rule.accept(field + "[" + i + "]", elements.get(i));
        }
    }

    /** Checks each element of a list, and that they differ in a member. */
    static void set(
            String field,
            List<JsonObject> elements,
            int most,
            String member,
            FieldErrors errors,
            BiConsumer<String, JsonObject> rule) {
        list(field, elements, most, errors, rule);
        if (elements.size() <= most) {
            distinct(
                    field,
                    elements.stream().map(each -> Trees.text(each, member)).toList(),
                    errors);
        }
    }

    private static void distinct(String field, List<String> keys, FieldErrors errors) {
        distinctLiterals(field, keys.stream().map(key -> '"' + key + '"').toList(), errors);
    }

    private static void distinctLiterals(String field, List<String> keys, FieldErrors errors) {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < keys.size(); i++) {
            if (!seen.add(keys.get(i))) {
                errors.duplicate(field + "[" + i + "]", keys.get(i));
            }
        }
    }

    /** A taint, by its key, value and effect. */
    static void taint(String field, JsonObject taint, FieldErrors errors) {
        NameRules.labelKey(field + ".key", Trees.text(taint, "key"), errors);
        NameRules.labelValue(field + ".value", Trees.text(taint, "value"), errors);
        String effect = Trees.text(taint, "effect");
        if (effect.isEmpty()) {
            errors.required(field + ".effect", "");
        } else {
            errors.oneOf(field + ".effect", effect, EFFECTS);
        }
    }
}
