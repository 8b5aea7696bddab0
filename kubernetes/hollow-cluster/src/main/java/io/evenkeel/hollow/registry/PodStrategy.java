package io.evenkeel.hollow.registry;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.registry.NameRules.AmountRules;
import io.evenkeel.hollow.resource.FieldErrors;
import io.evenkeel.hollow.resource.Refusals;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.PriorityClass;
import io.evenkeel.model.json.Trees;
import io.evenkeel.model.workload.PodAdmission;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Pods: defaults and admission of a real server, a fresh status, and a spec that hardly ever changes. */
final class PodStrategy extends Strategy {

    private static final List<String> FALSE_BY_DEFAULT = List.of("hostNetwork", "hostPID", "hostIPC");

    private final Priority priority;
    private final boolean mountsToken;
    private final Supplier<String> now;

    PodStrategy(Supplier<List<JsonObject>> priorityClasses, boolean mountsToken, Supplier<String> now) {
        super(Trait.STATUS, Trait.GENERATION, Trait.RETURNED);
        this.priority = new Priority(priorityClasses);
        this.mountsToken = mountsToken;
        this.now = now;
    }

    @Override
    public void prepareForCreate(JsonObject tree) {
        JsonObject spec = Trees.ensureObject(tree, "spec");
        PodAdmission.fill(spec);
        PodAdmission.tolerateFailures(spec);
        priority.assign(Trees.text(tree, "metadata", "name"), spec);
        if (!spec.has("enableServiceLinks")) {
            spec.addProperty("enableServiceLinks", true);
        }
        PodAdmission.mergeLabelKeys(tree);
        if (mountsToken) {
            ServiceAccountToken.mount(spec);
        }
        tree.add("status", Trees.of("phase", "Pending", "qosClass", QosClass.of(spec)));
        if (!Trees.objects(spec, "schedulingGates").isEmpty()) {
            Conditions.put(
                    tree,
                    Conditions.ofPod(
                            "PodScheduled",
                            "False",
                            now.get(),
                            "SchedulingGated",
                            "Scheduling is blocked due to non-empty scheduling gates"));
        }
    }

    @Override
    public void complete(JsonObject tree) {
        JsonObject spec = tree.getAsJsonObject("spec");
        FALSE_BY_DEFAULT.stream().filter(name -> !Trees.isTrue(spec, name)).forEach(spec::remove);
        removeIfEmpty(spec, "nodeName");
        Trees.object(tree, "status").ifPresent(status -> {
            removeIfEmpty(status, "nominatedNodeName");
            Trees.objects(status, "conditions").forEach(Conditions::completePodCondition);
        });
    }

    @Override
    public void validate(JsonObject tree, FieldErrors errors) {
        PodRules.check(tree.getAsJsonObject("spec"), errors);
    }

    @Override
    public void validateUpdate(JsonObject updated, JsonObject current, FieldErrors errors) {
        PodRules.checkUpdate(updated.getAsJsonObject("spec"), current.getAsJsonObject("spec"), errors);
    }

    private static void removeIfEmpty(JsonObject tree, String name) {
        if (Trees.text(tree, name).isEmpty()) {
            tree.remove(name);
        }
    }

    /** Copies a pod's priority from its PriorityClass, or from the one that is the default of all. */
    private record Priority(Supplier<List<JsonObject>> classes) {
        void assign(String podName, JsonObject spec) {
            String wanted = Trees.text(spec, "priorityClassName");
            Optional<PriorityClass> chosen = PodAdmission.priorityClass(
                    spec, classes.get().stream().map(Priority::read).toList());
            if (!wanted.isEmpty() && chosen.isEmpty()) {
                throw Refusals.forbidden(
                        ResourceTable.PODS, podName, "no PriorityClass with name " + wanted + " was found");
            }
            Optional<Long> given = Trees.number(spec, "priority");
            PodAdmission.assign(spec, chosen);
            long priority = spec.get("priority").getAsLong();
            if (given.isPresent() && given.get() != priority) {
                throw Refusals.forbidden(
                        ResourceTable.PODS,
                        podName,
                        ("the integer value of priority (%d) must not be provided in pod spec; priority admission controller"
                                        + " computed %d from the given PriorityClass name")
                                .formatted(given.get(), priority));
            }
        }

        private static PriorityClass read(JsonObject tree) {
            return new PriorityClass(
                    ObjectMeta.named("", Trees.text(tree, "metadata", "name")),
                    Trees.number(tree, "value").orElse(0L).intValue(),
                    Trees.isTrue(tree, "globalDefault"),
                    !Trees.text(tree, "preemptionPolicy").equals("Never"));
        }
    }

    /** Guaranteed if every container limits and requests the same cpu and memory, BestEffort if none asks for any. */
    private static final class QosClass {

        private static final List<String> COMPUTE = List.of("cpu", "memory");

        private QosClass() {}

        static String of(JsonObject spec) {
            List<JsonObject> containers = new ArrayList<>(Trees.objects(spec, "containers"));
            containers.addAll(Trees.objects(spec, "initContainers"));
            boolean none = containers.stream()
                    .noneMatch(container -> asks(container, "requests") || asks(container, "limits"));
            if (none) {
                return "BestEffort";
            }
            return containers.stream().allMatch(QosClass::isGuaranteed) ? "Guaranteed" : "Burstable";
        }

        private static boolean asks(JsonObject container, String side) {
            return COMPUTE.stream()
                    .anyMatch(
                            name -> Trees.at(container, "resources", side, name).isPresent());
        }

        private static boolean isGuaranteed(JsonObject container) {
            return COMPUTE.stream().allMatch(name -> {
                String limit = Trees.text(container, "resources", "limits", name);
                return !limit.isEmpty() && limit.equals(Trees.text(container, "resources", "requests", name));
            });
        }
    }

    /**
     * Mounts a service account's token into every container, as the ServiceAccount admission does. The volume's name is
     * random, which makes every pod's spec different from its siblings': code that compares specs is tested with it.
     */
    private static final class ServiceAccountToken {
        private static final String PATH = "/var/run/secrets/kubernetes.io/serviceaccount";
        private static final String SOURCES = """
                {"sources":[
                  {"serviceAccountToken":{"expirationSeconds":3607,"path":"token"}},
                  {"configMap":{"name":"kube-root-ca.crt","items":[{"key":"ca.crt","path":"ca.crt"}]}},
                  {"downwardAPI":{"items":[
                    {"path":"namespace","fieldRef":{"apiVersion":"v1","fieldPath":"metadata.namespace"}}]}}],
                 "defaultMode":420}""";

        private ServiceAccountToken() {}

        static void mount(JsonObject spec) {
            Trees.fill(spec, "serviceAccountName", "default");
            spec.addProperty("serviceAccount", Trees.text(spec, "serviceAccountName"));
            if (Trees.text(spec, "automountServiceAccountToken").equals("false")) {
                return;
            }
            String name = "kube-api-access-" + NameRules.randomLetters(5);
            JsonObject volume = Trees.of("name", name, "projected", Trees.parse(SOURCES));
            Trees.ensureArray(spec, "volumes").add(volume);
            mountInto(spec, "initContainers", name);
            mountInto(spec, "containers", name);
        }

        private static void mountInto(JsonObject spec, String containers, String volume) {
            for (JsonObject container : Trees.objects(spec, containers)) {
                boolean mounted = Trees.objects(container, "volumeMounts").stream()
                        .anyMatch(mount -> Trees.text(mount, "mountPath").equals(PATH));
                if (!mounted) {
                    Trees.ensureArray(container, "volumeMounts")
                            .add(Trees.of("name", volume, "readOnly", true, "mountPath", PATH));
                }
            }
        }
    }

    /** Rules for a pod's spec, as far as schedulers and their users meet them. */
    private static final class PodRules {

        private static final List<String> MUTABLE =
                List.of("activeDeadlineSeconds", "tolerations", "terminationGracePeriodSeconds", "schedulingGates");

        private PodRules() {}

        static void check(JsonObject spec, FieldErrors errors) {
            DeviceClaims.check(spec, errors);
            ephemeralClaims(Trees.objects(spec, "volumes"), errors);
            List<JsonObject> containers = Trees.objects(spec, "containers");
            if (containers.isEmpty()) {
                errors.required("spec.containers", "");
            }
            for (int i = 0; i < containers.size(); i++) {
                for (String member : List.of("name", "image")) {
                    if (Trees.text(containers.get(i), member).isEmpty()) {
                        errors.required("spec.containers[" + i + "]." + member, "");
                    }
                }
            }
            amounts("containers", spec, errors);
            amounts("initContainers", spec, errors);
            if (!Trees.text(spec, "nodeName").isEmpty()
                    && !Trees.objects(spec, "schedulingGates").isEmpty()) {
                errors.forbidden("spec.nodeName", "cannot be set until all schedulingGates have been cleared");
            }
            TopologySpreadRules.check(Trees.objects(spec, "topologySpreadConstraints"), errors);
        }

        private static void ephemeralClaims(List<JsonObject> volumes, FieldErrors errors) {
            for (int i = 0; i < volumes.size(); i++) {
                String field = "spec.volumes[" + i + "].ephemeral.volumeClaimTemplate";
                Optional<JsonObject> claim = Trees.object(volumes.get(i), "ephemeral");
                Optional<JsonObject> template = claim.flatMap(each -> Trees.object(each, "volumeClaimTemplate"));
                if (claim.isPresent() && template.isEmpty()) {
                    errors.required(field, "");
                }
                template.map(each -> Trees.object(each, "spec").orElseGet(JsonObject::new))
                        .ifPresent(each -> ClaimRules.check(field + ".spec", each, errors));
            }
        }

        private static void amounts(String kind, JsonObject spec, FieldErrors errors) {
            List<JsonObject> containers = Trees.objects(spec, kind);
            for (int i = 0; i < containers.size(); i++) {
                for (String side : List.of("limits", "requests")) {
                    String field = "spec." + kind + "[" + i + "].resources." + side;
                    Trees.object(containers.get(i), "resources", side)
                            .ifPresent(amounts -> amounts.entrySet()
                                    .forEach(amount -> AmountRules.notNegative(
                                            field + "[" + amount.getKey() + "]",
                                            amount.getValue().getAsString(),
                                            errors)));
                }
            }
        }

        static void checkUpdate(JsonObject updated, JsonObject current, FieldErrors errors) {
            List<String> gates = gates(current);
            gates(updated).stream()
                    .filter(gate -> !gates.contains(gate))
                    .forEach(gate -> errors.forbidden(
                            "spec.schedulingGates",
                            "only deletion is allowed, but found new scheduling gate '" + gate + "'"));
            if (!fixedPart(updated, !gates.isEmpty()).equals(fixedPart(current, !gates.isEmpty()))) {
                errors.forbidden(
                        "spec",
                        "pod updates may not change fields other than"
                                + " `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations`"
                                + " (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to"
                                + " be set to 1 if it was previously negative)");
            }
        }

        private static JsonObject fixedPart(JsonObject spec, boolean gated) {
            JsonObject fixed = spec.deepCopy();
            MUTABLE.forEach(fixed::remove);
            if (gated) {
                fixed.remove("nodeSelector");
                Trees.object(fixed, "affinity").ifPresent(affinity -> affinity.remove("nodeAffinity"));
                if (Trees.object(fixed, "affinity").filter(JsonObject::isEmpty).isPresent()) {
                    fixed.remove("affinity");
                }
            }
            Trees.objects(fixed, "containers").forEach(container -> container.remove("image"));
            Trees.objects(fixed, "initContainers").forEach(container -> container.remove("image"));
            return fixed;
        }

        private static List<String> gates(JsonObject spec) {
            return Trees.objects(spec, "schedulingGates").stream()
                    .map(gate -> Trees.text(gate, "name"))
                    .collect(Collectors.toList());
        }

        /** The rules of a pod's claims of devices, and of the containers that name them. */
        private static final class DeviceClaims {
            private static final String ONE_WAY = "`resourceClaimName`, `resourceClaimTemplateName`";

            private DeviceClaims() {}

            static void check(JsonObject spec, FieldErrors errors) {
                List<JsonObject> claims = Trees.objects(spec, "resourceClaims");
                SortedSet<String> names = new TreeSet<>();
                for (int i = 0; i < claims.size(); i++) {
                    claim("spec.resourceClaims[" + i + "]", claims.get(i), names, errors);
                }
                for (String kind : List.of("containers", "initContainers")) {
                    List<JsonObject> containers = Trees.objects(spec, kind);
                    for (int i = 0; i < containers.size(); i++) {
                        references(
                                "spec." + kind + "[" + i + "].resources.claims",
                                Trees.objects(containers.get(i), "resources", "claims"),
                                names,
                                errors);
                    }
                }
            }

            private static void claim(String field, JsonObject claim, Set<String> names, FieldErrors errors) {
                String name = Trees.text(claim, "name");
                if (name.isEmpty()) {
                    errors.required(field + ".name", "");
                } else if (!names.add(name)) {
                    errors.duplicate(field + ".name", '"' + name + '"');
                } else {
                    NameRules.label(field + ".name", name, errors);
                }
                List<String> ways = List.of("resourceClaimName", "resourceClaimTemplateName").stream()
                        .filter(claim::has)
                        .toList();
                if (ways.size() != 1) {
                    errors.invalidLiteral(
                            field,
                            claim.toString(),
                            ways.isEmpty()
                                    ? "must specify one of: " + ONE_WAY
                                    : "at most one of " + ONE_WAY.replace(",", " or") + " may be specified");
                }
                ways.forEach(way -> NameRules.subdomain(field + "." + way, Trees.text(claim, way), errors));
            }

            private static void references(
                    String field, List<JsonObject> references, SortedSet<String> names, FieldErrors errors) {
                Set<String> seen = new HashSet<>();
                for (int i = 0; i < references.size(); i++) {
                    String at = field + "[" + i + "]";
                    String name = Trees.text(references.get(i), "name");
                    if (name.isEmpty()) {
                        errors.required(at, "");
                        continue;
                    }
                    if (!seen.add(name + "/" + Trees.text(references.get(i), "request"))) {
                        errors.duplicate(at, '"' + name + '"');
                    }
                    if (!names.contains(name)) {
                        errors.notFound(
                                at,
                                name,
                                "must be one of the names in pod.spec.resourceClaims"
                                        + (names.isEmpty() ? " which is empty" : ": " + String.join(", ", names)));
                    }
                }
            }
        }

        /** The rules of topologySpreadConstraints, in the order in which a real server names violations. */
        private static final class TopologySpreadRules {

            private static final String FIELD = "spec.topologySpreadConstraints";
            private static final String POSITIVE = "must be greater than zero";

            private TopologySpreadRules() {}

            static void check(List<JsonObject> constraints, FieldErrors errors) {
                Set<String> seen = new HashSet<>();
                for (int i = 0; i < constraints.size(); i++) {
                    JsonObject constraint = constraints.get(i);
                    String field = FIELD + "[" + i + "]";
                    String key = Trees.text(constraint, "topologyKey");
                    String action = Trees.text(constraint, "whenUnsatisfiable");
                    positive(
                            field + ".maxSkew",
                            Trees.number(constraint, "maxSkew").or(() -> Optional.of(0L)),
                            errors);
                    if (key.isEmpty()) {
                        errors.required(field + ".topologyKey", "can not be empty");
                    }
                    errors.oneOf(field + ".whenUnsatisfiable", action, List.of("DoNotSchedule", "ScheduleAnyway"));
                    if (!seen.add(key + "\n" + action)) {
                        errors.duplicate(
                                field + ".{topologyKey, whenUnsatisfiable}", "\"{%s, %s}\"".formatted(key, action));
                    }
                    minDomains(field, constraint, action, errors);
                    for (String policy : List.of("nodeAffinityPolicy", "nodeTaintsPolicy")) {
                        if (constraint.has(policy)) {
                            errors.oneOf(
                                    field + "." + policy, Trees.text(constraint, policy), List.of("Honor", "Ignore"));
                        }
                    }
                    if (!Trees.texts(constraint, "matchLabelKeys").isEmpty() && !constraint.has("labelSelector")) {
                        errors.forbidden(
                                field + ".matchLabelKeys", "must not be specified when labelSelector is not set");
                    }
                }
            }

            private static void minDomains(String field, JsonObject constraint, String action, FieldErrors errors) {
                Optional<Long> minDomains = Trees.number(constraint, "minDomains");
                positive(field + ".minDomains", minDomains, errors);
                if (minDomains.isPresent() && !action.equals("DoNotSchedule")) {
                    errors.invalidLiteral(
                            field + ".minDomains",
                            minDomains.get().toString(),
                            "can only use minDomains if whenUnsatisfiable=DoNotSchedule, not " + action);
                }
            }

            private static void positive(String field, Optional<Long> number, FieldErrors errors) {
                number.filter(value -> value <= 0)
                        .ifPresent(value -> errors.invalidLiteral(field, value.toString(), POSITIVE));
            }
        }
    }
}
