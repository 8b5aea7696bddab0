package io.evenkeel.lab.page;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.evenkeel.app.cli.Version;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.hollow.HollowObjects;
import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.registry.Registry.Part;
import io.evenkeel.hollow.resource.Patch;
import io.evenkeel.hollow.resource.Refusals.ApiException;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.kube.client.ApiObserver;
import io.evenkeel.kube.client.ConnectionOptions;
import io.evenkeel.kube.client.HttpTransport;
import io.evenkeel.model.json.Trees;
import io.evenkeel.model.write.Tree;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.tools.page.Page;
import io.evenkeel.tools.page.PageSite;
import io.evenkeel.tools.why.ClusterQuestions.Judgement;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Carries out on a hollow cluster what {@code why} says would help. What of a pod or a claim cannot be changed is made again with the
 * change; a pod's owner gets it in its template.
 */
public record HollowPage(HollowObjects objects) {
    private static final List<ResourceType> OWNERS =
            List.of(ResourceTable.DEPLOYMENTS, ResourceTable.REPLICA_SETS, ResourceTable.STATEFUL_SETS);

    /** Kinds that a change makes again, as their spec is fixed. */
    private static final List<String> FIXED = List.of("Pod", "ResourceClaim", "ResourceClaimTemplate");

    private static final String JSON_PATCH = "application/json-patch+json";

    /**
     * Serves the page of a hollow cluster.
     *
     * @param port 0 for any free one
     * @param source who serves it
     * @param judgement tells the owner of the configuration
     */
    public static PageSite site(
            int port,
            String source,
            Supplier<SchedulerConfiguration> configuration,
            Judgement judgement,
            Path kubeconfig,
            HollowObjects objects) {
        String version = new Version().number();
        return new PageSite(
                port,
                () -> new Page.Setting(source, version, configuration.get(), InTreePlugins.registry(), judgement, true),
                () -> HttpTransport.open(ConnectionOptions.of(Optional.of(kubeconfig)), version, ApiObserver.NONE),
                new HollowPage(objects)::apply);
    }

    /**
     * Makes the changes of a remedy.
     *
     * @param json with the pod, and the changes as {@code why -o json} writes them
     * @throws IllegalArgumentException if they make no sense, or the cluster refuses one; then those before it are made
     */
    Tree apply(String json) {
        try {
            JsonObject asked = Trees.parse(json);
            List<String> done = new ArrayList<>();
            Trees.objects(asked, "changes").forEach(change -> done.add(made(change)));
            if (done.isEmpty()) {
                throw new IllegalArgumentException("changes: there are none");
            }
            return new Tree().put("message", String.join(", ", done)).put("pod", Trees.text(asked, "pod"));
        } catch (ApiException refused) {
            throw new IllegalArgumentException(refused.getMessage(), refused);
        }
    }

    private String made(JsonObject change) {
        Optional<JsonObject> added = Trees.object(change, "add");
        if (added.isPresent()) {
            return added(added.get());
        }
        String removed = Trees.text(change, "remove");
        Named named = Named.of(removed.isEmpty() ? Trees.text(change, "object") : removed);
        if (!removed.isEmpty()) {
            objects.deleteNow(named.type(), named.namespace(), named.name());
            return named + " deleted";
        }
        return patched(named, change.getAsJsonArray("patch"));
    }

    /** What a new node brings along its drivers may have made already. */
    private String added(JsonObject object) {
        String name = Trees.text(object, "kind") + " " + Trees.text(object, "metadata", "name");
        try {
            objects.create(object);
            return name + " created";
        } catch (ApiException refused) {
            if (refused.reason().equals("AlreadyExists")) {
                return name + " is there";
            }
            throw refused;
        }
    }

    private String patched(Named named, JsonArray operations) {
        if (!FIXED.contains(named.type().kind())) {
            patch(named, operations, false);
            patch(named, operations, true);
            return named + " changed";
        }
        Registry registry = objects.registry();
        JsonObject there =
                registry.get(named.type(), named.namespace(), named.name()).tree();
        Optional<Named> owner = owner(named, there);
        if (owner.isPresent()) {
            JsonArray inTemplate = new JsonArray();
            operations.forEach(operation -> {
                JsonObject moved = operation.getAsJsonObject().deepCopy();
                moved.addProperty("path", "/spec/template" + Trees.text(moved, "path"));
                inTemplate.add(moved);
            });
            patch(owner.get(), inTemplate, false);
            if (!owner.get().type().equals(ResourceTable.DEPLOYMENTS)) { // which replaces its pods by itself
                objects.deleteNow(named.type(), named.namespace(), named.name());
            }
            return owner.get() + " changed, in its template";
        }
        JsonObject again = Patch.read(JSON_PATCH, operations.toString())
                .applyTo(named.type().typed(there.deepCopy()));
        again.remove("status");
        JsonObject metadata = again.getAsJsonObject("metadata");
        List.of("uid", "resourceVersion", "creationTimestamp", "generation", "managedFields")
                .forEach(metadata::remove);
        objects.deleteNow(named.type(), named.namespace(), named.name());
        objects.create(again);
        return named + " made again";
    }

    /** Part of a patch is the status's, which is written by itself. */
    private void patch(Named named, JsonArray operations, boolean isOfStatus) {
        JsonArray part = new JsonArray();
        operations.forEach(operation -> {
            if (Trees.text(operation.getAsJsonObject(), "path").startsWith("/status/") == isOfStatus) {
                part.add(operation);
            }
        });
        if (!part.isEmpty()) {
            objects.registry()
                    .patch(
                            named.type(),
                            named.namespace(),
                            named.name(),
                            Patch.read(JSON_PATCH, part.toString()),
                            isOfStatus ? Part.STATUS : Part.OBJECT,
                            false);
        }
    }

    /** The workload whose template describes the pod; a ReplicaSet's is its Deployment's, if it has one. */
    private Optional<Named> owner(Named owned, JsonObject tree) {
        Optional<Named> owner = Trees.objects(tree, "metadata", "ownerReferences").stream()
                .filter(reference -> Trees.isTrue(reference, "controller"))
                .flatMap(reference -> OWNERS.stream()
                        .filter(type -> type.kind().equals(Trees.text(reference, "kind")))
                        .map(type -> new Named(type, owned.namespace(), Trees.text(reference, "name"))))
                .findFirst();
        return owner.flatMap(there -> objects.registry().find(there.type(), there.namespace(), there.name()))
                .flatMap(there -> owner(owner.get(), there.tree()))
                .or(() -> owner);
    }

    /** An object by its name in changes, as {@code Node/n1} or {@code Pod/shop/web-1}. */
    private record Named(ResourceType type, String namespace, String name) {
        static Named of(String text) {
            String[] parts = text.split("/", -1);
            ResourceType type = ResourceTable.ALL.stream()
                    .filter(each -> each.kind().equals(parts[0]))
                    .findFirst()
                    .filter(each -> parts.length == (each.namespaced() ? 3 : 2))
                    .orElseThrow(() -> new IllegalArgumentException("\"" + text + "\" names no object"));
            return new Named(type, type.namespaced() ? parts[1] : "", parts[parts.length - 1]);
        }

        @Override
        public String toString() {
            return type.kind() + " " + (namespace.isEmpty() ? "" : namespace + "/") + name;
        }
    }
}
