package io.evenkeel.hollow;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.Tokens.User;
import io.evenkeel.hollow.registry.Conditions;
import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.registry.Registry.DeleteOptions;
import io.evenkeel.hollow.registry.Registry.Times;
import io.evenkeel.hollow.resource.FieldErrors;
import io.evenkeel.hollow.resource.LabelSelector;
import io.evenkeel.hollow.resource.Patch;
import io.evenkeel.hollow.resource.Refusals;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.json.Trees;
import io.evenkeel.schema.TypeMeta;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Subresources that are not a part of their object. */
record Subresources(Registry registry, Tokens tokens, ObjectWriter writer) {
    private static final Set<String> SERVED = Set.of("binding", "eviction", "scale", "token");

    static boolean serves(RequestPath path) {
        return SERVED.contains(path.subresource());
    }

    ApiReply serve(ApiRequest request, RequestPath path) {
        if (path.subresource().equals("scale")) {
            return writer.reply(200, request, Scale.TYPE, scale(request, path));
        }
        if (!request.method().equals("POST")) {
            throw Refusals.methodNotAllowed();
        }
        if (path.subresource().equals("token")) {
            JsonObject issued =
                    new TokenRequests(registry, tokens).issue(path.namespace(), path.name(), request.objectOrEmpty());
            return writer.reply(201, request, TokenRequests.TYPE, issued);
        }
        if (path.subresource().equals("binding")) {
            registry.bind(path.namespace(), path.name(), request.object(), request.dryRun());
        } else {
            new Eviction(registry).evict(path.namespace(), path.name(), request.objectOrEmpty());
        }
        return writer.reply(
                201,
                request,
                TypeMeta.STATUS,
                Trees.of("metadata", new JsonObject(), "status", "Success", "code", 201));
    }

    private JsonObject scale(ApiRequest request, RequestPath path) {
        Scale scale = new Scale(registry);
        return switch (request.method()) {
            case "GET" -> scale.get(path.type(), path.namespace(), path.name());
            case "PUT" -> {
                JsonObject wanted = request.object();
                yield scale.change(path.type(), path.namespace(), path.name(), _ -> wanted);
            }
            case "PATCH" -> {
                Patch patch =
                        Patch.read(request.body().contentType(), request.body().text());
                yield scale.change(path.type(), path.namespace(), path.name(), patch::applyTo);
            }
            default -> throw Refusals.methodNotAllowed();
        };
    }

    /** Deletes a pod if its disruption budget allows. Pods that do not run, or are going anyway, need no allowance. */
    private record Eviction(Registry registry) {

        private static final Set<String> NOT_RUNNING = Set.of("Pending", "Succeeded", "Failed");

        void evict(String namespace, String name, JsonObject eviction) {
            StoredObject pod = registry.get(ResourceTable.PODS, namespace, name);
            DeleteOptions options =
                    DeleteOptions.read(Trees.object(eviction, "deleteOptions").orElseGet(JsonObject::new));
            if (needsAllowance(pod.tree())) {
                List<StoredObject> budgets = budgetsOf(namespace, pod);
                if (budgets.size() > 1) {
                    throw Refusals.internal(
                            "This pod has more than one PodDisruptionBudget, which the eviction subresource"
                                    + " does not support.");
                }
                if (!budgets.isEmpty()
                        && !isSpare(pod.tree(), budgets.getFirst().tree())) {
                    use(namespace, budgets.getFirst().name(), name, options.dryRun());
                }
            }
            if (!options.dryRun()) {
                registry.edit(
                        ResourceTable.PODS,
                        pod.key(),
                        tree -> Conditions.disrupt(
                                tree, registry.times().now(), "EvictionByEvictionAPI", "Eviction API: evicting"));
            }
            registry.delete(ResourceTable.PODS, namespace, name, options);
        }

        private static boolean needsAllowance(JsonObject pod) {
            return !NOT_RUNNING.contains(Trees.text(pod, "status", "phase"))
                    && Trees.at(pod, "metadata", "deletionTimestamp").isEmpty();
        }

        private List<StoredObject> budgetsOf(String namespace, StoredObject pod) {
            return registry.store().list(ResourceTable.DISRUPTION_BUDGETS.storage(), namespace).objects().stream()
                    .filter(budget -> Trees.object(budget.tree(), "spec", "selector")
                            .map(LabelSelector::of)
                            .filter(selector -> selector.matches(pod.tree()))
                            .isPresent())
                    .toList();
        }

        /** A pod that is not ready costs no healthy one, as long as enough are. */
        private static boolean isSpare(JsonObject pod, JsonObject budget) {
            boolean ready = Conditions.holds(pod, "Ready");
            long healthy = Trees.number(budget, "status", "currentHealthy").orElse(0L);
            long desired = Trees.number(budget, "status", "desiredHealthy").orElse(0L);
            boolean always =
                    Trees.text(budget, "spec", "unhealthyPodEvictionPolicy").equals("AlwaysAllow");
            return !ready && (always || (desired > 0 && healthy >= desired));
        }

        private void use(String namespace, String budgetName, String podName, boolean dryRun) {
            registry.change(ResourceTable.DISRUPTION_BUDGETS, namespace, budgetName, dryRun, budget -> {
                JsonObject status = Trees.ensureObject(budget, "status");
                long allowed = Trees.number(status, "disruptionsAllowed").orElse(0L);
                if (allowed <= 0) {
                    throw Refusals.disruptionBudget(
                            budgetName,
                            Trees.number(status, "desiredHealthy").orElse(0L),
                            Trees.number(status, "currentHealthy").orElse(0L));
                }
                status.addProperty("disruptionsAllowed", allowed - 1);
                Trees.ensureObject(status, "disruptedPods")
                        .addProperty(podName, registry.times().now());
                return budget;
            });
        }
    }

    /** How many replicas a workload has and shall have, in a shape that is the same for all workloads. */
    private record Scale(Registry registry) {

        private static final TypeMeta TYPE = new TypeMeta("autoscaling/v1", "Scale");

        JsonObject get(ResourceType type, String namespace, String name) {
            return of(registry.get(type, namespace, name).tree());
        }

        /** Scales to what {@code change} makes of the present scale. */
        JsonObject change(ResourceType type, String namespace, String name, UnaryOperator<JsonObject> change) {
            StoredObject changed = registry.change(type, namespace, name, false, workload -> {
                JsonObject wanted = change.apply(of(workload));
                String version = Trees.text(wanted, "metadata", "resourceVersion");
                if (!version.isEmpty() && !version.equals(Trees.text(workload, "metadata", "resourceVersion"))) {
                    throw Refusals.modified(type, name);
                }
                long before = Trees.number(workload, "spec", "replicas").orElse(1L);
                long after = Trees.number(wanted, "spec", "replicas").orElse(0L);
                if (after != before) {
                    Trees.ensureObject(workload, "spec").addProperty("replicas", after);
                    Registry.bumpGeneration(workload);
                }
                return workload;
            });
            return of(changed.tree());
        }

        private static JsonObject of(JsonObject workload) {
            JsonObject metadata = new JsonObject();
            for (String member : List.of("name", "namespace", "uid", "resourceVersion", "creationTimestamp")) {
                metadata.addProperty(member, Trees.text(workload, "metadata", member));
            }
            JsonObject status = Trees.of(
                    "replicas", Trees.number(workload, "status", "replicas").orElse(0L));
            Trees.object(workload, "spec", "selector", "matchLabels")
                    .ifPresent(labels -> status.addProperty(
                            "selector",
                            labels.entrySet().stream()
                                    .map(label -> label.getKey() + "="
                                            + label.getValue().getAsString())
                                    .collect(Collectors.joining(","))));
            JsonObject spec = Trees.of(
                    "replicas", Trees.number(workload, "spec", "replicas").orElse(1L));
            return Trees.of("metadata", metadata, "spec", spec, "status", status);
        }
    }

    /** Gives out tokens of service accounts: good for their time, and while the account is there. */
    private record TokenRequests(Registry registry, Tokens tokens) {
        private static final TypeMeta TYPE = new TypeMeta("authentication.k8s.io/v1", "TokenRequest");

        private static final long USUAL_SECONDS = 3600;
        private static final long FEWEST_SECONDS = 600;
        private static final String AUDIENCE = "https://kubernetes.default.svc";

        /** The request with its token. */
        JsonObject issue(String namespace, String name, JsonObject request) {
            StoredObject account = registry.get(ResourceTable.SERVICE_ACCOUNTS, namespace, name);
            JsonObject spec = Trees.ensureObject(request, "spec");
            Trees.fill(spec, "expirationSeconds", USUAL_SECONDS);
            long seconds = Trees.number(spec, "expirationSeconds").orElse(USUAL_SECONDS);
            checkSeconds(seconds);
            if (Trees.texts(spec, "audiences").isEmpty()) {
                Trees.ensureArray(spec, "audiences").add(AUDIENCE);
            }
            Instant end = registry.times().instant().plusSeconds(seconds);
            String token = UUID.randomUUID().toString();
            tokens.add(
                    token,
                    User.serviceAccount(namespace, name),
                    () -> registry.times().instant().isBefore(end) && isThere(account));
            String now = registry.times().now();
            return Trees.of(
                    "metadata", Trees.of("name", name, "namespace", namespace, "creationTimestamp", now),
                    "spec", spec,
                    "status", Trees.of("token", token, "expirationTimestamp", Times.format(end)));
        }

        private static void checkSeconds(long seconds) {
            if (seconds < FEWEST_SECONDS) {
                FieldErrors errors = new FieldErrors();
                errors.invalidLiteral(
                        "spec.expirationSeconds",
                        Long.toString(seconds),
                        "may not specify a duration less than 10 minutes");
                errors.refuse("authentication.k8s.io", TYPE.kind(), "");
            }
        }

        private boolean isThere(StoredObject account) {
            return registry.store()
                    .get(account.key())
                    .filter(now -> now.uid().equals(account.uid()))
                    .isPresent();
        }
    }
}
