package io.evenkeel.tools.replay;

import com.fasterxml.jackson.core.StreamReadConstraints;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import io.evenkeel.engine.Engine;
import io.evenkeel.framework.GroupPlugin.GroupKey;
import io.evenkeel.framework.run.BindingSteps.Permission;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.policy.PolicyObject;
import io.evenkeel.problem.NearestName;
import io.evenkeel.schema.Schema.UnknownFields;
import io.evenkeel.schema.Schema.UnknownFields.UnknownField;
import java.io.IOException;
import java.io.StringReader;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Warnings of what a scenario says without effect: fields that Kubernetes does not have, a second
 * object of one name. Each is given at the first line that has it, however many follow.
 */
final class ScenarioRemarks {
    private final Set<String> said = new HashSet<>();
    private boolean hasGroups;

    /** Remarks on a line that was read as a scenario of these kinds before. */
    void of(String line, Kinds kinds, Consumer<String> out) throws IOException {
        of(line, kinds, false, out);
    }

    /** The same, with groups or without. */
    void of(String line, Kinds kinds, boolean scenarioHasGroups, Consumer<String> out) throws IOException {
        hasGroups = scenarioHasGroups;
        try (JsonReader reader = new JsonReader(new StringReader(line))) {
            reader.setNestingLimit(StreamReadConstraints.DEFAULT_MAX_DEPTH);
            reader.beginObject();
            while (reader.hasNext()) {
                String field = reader.nextName();
                switch (field) {
                    case "objects" -> ofObjects(reader, kinds, field, "", out);
                    case "pods" -> ofObjects(reader, kinds, field, "Pod", out);
                    default -> reader.skipValue();
                }
            }
        }
    }

    /** Remarks on objects of one kind and name, which a cluster cannot have. */
    void ofNamesakes(Scenario scenario, Consumer<String> out) {
        Set<String> names = new HashSet<>();
        ofNamesakes("objects", scenario.objects(), names, "the last one counts", out);
        ofNamesakes("pods", scenario.pods(), names, "where both are placed, the last one counts", out);
    }

    private void ofNamesakes(
            String list,
            List<? extends KubernetesObject> objects,
            Set<String> names,
            String effect,
            Consumer<String> out) {
        for (int i = 0; i < objects.size(); i++) {
            String name =
                    objects.get(i).kindName() + " " + objects.get(i).meta().key();
            if (!names.add(name) && said.add("namesakes in " + list)) {
                out.accept(list + "[" + i + "]: a second " + name + "; " + effect);
            }
        }
    }

    /** Remarks on policies that have no effect, as no profile has the plugin that keeps them. */
    void ofPolicies(Scenario scenario, List<Kind<?>> kindsRead, Consumer<String> out) {
        List<KubernetesObject> objects = scenario.objects();
        for (int i = 0; i < objects.size(); i++) {
            String name = objects.get(i).kindName();
            if (objects.get(i) instanceof PolicyObject
                    && kindsRead.stream().noneMatch(kind -> kind.name().equals(name))
                    && said.add("policy without plugin")) {
                out.accept("objects[" + i + "]: a " + name
                        + " has no effect, as no profile enables the plugin PlacementPolicy");
            }
        }
    }

    /** Remarks on groups without effect: the scenario has no {@code "group"}, so their pods are decided one by one. */
    void ofGroups(Scenario scenario, Engine engine, Consumer<String> out) {
        if (scenario.groups().isPresent()) {
            return;
        }
        for (int i = 0; i < scenario.pods().size(); i++) {
            Pod pod = scenario.pods().get(i);
            Optional<GroupKey> group =
                    engine.profileOf(pod).flatMap(profile -> profile.groups().groupOf(pod));
            if (group.isPresent() && said.add("group without \"group\"")) {
                out.accept("pods[" + i + "]: " + group.get()
                        + " has no effect, as the scenario has no \"group\": its pods are decided one by one");
            }
        }
    }

    /** Remarks on a pod that plugins made wait once a node was chosen for it. */
    void ofPermits(Pod pod, List<Permission.Delay> delays, Consumer<String> out) {
        for (Permission.Delay delay : delays) {
            if (said.add("permit " + delay.plugin())) {
                out.accept("pod " + pod.key() + ": " + delay.plugin()
                        + " makes it wait for its permit; the replay takes" + " it as given");
            }
        }
    }

    private void ofObjects(JsonReader reader, Kinds kinds, String list, String impliedKind, Consumer<String> out)
            throws IOException {
        if (reader.peek() == JsonToken.NULL) {
            reader.nextNull();
            return;
        }
        reader.beginArray();
        for (int i = 0; reader.hasNext(); i++) {
            JsonObject object = JsonParser.parseReader(reader).getAsJsonObject();
            String kind = UnknownFields.kindOf(object, impliedKind);
            String apiVersion = UnknownFields.apiVersionOf(object);
            String place = list + "[" + i + "].";
            kinds.find(kind, apiVersion)
                    .ifPresentOrElse(
                            read -> ofPlace(read, object, apiVersion, place, out),
                            () -> ofUnread(kind, apiVersion, kinds, place, out));
            for (UnknownField unknown : UnknownFields.in(object, impliedKind)) {
                String path = unknown.path();
                if (list.equals("pods") && ScenarioGroups.isGroupName(path)) {
                    ofGroupName(place + path, out);
                    continue;
                }
                if (said.add(kind + " " + path.replaceAll("\\[[^]]*]", "[]"))) {
                    out.accept(place + path + ": unknown field" + unknown.hint());
                }
            }
        }
        reader.endArray();
    }

    private void ofGroupName(String path, Consumer<String> out) {
        if (!hasGroups && said.add("groupName")) {
            out.accept(path + ": the scenario places no groups, as it has no \"group\"");
        }
    }

    /** An object is read by its kind and group, and lives where its kind does, whatever else it names. */
    private void ofPlace(Kind<?> kind, JsonObject object, String apiVersion, String place, Consumer<String> out) {
        if (!apiVersion.isEmpty() && !apiVersion.equals(kind.apiVersion()) && said.add("version " + apiVersion)) {
            out.accept(place + "apiVersion: " + apiVersion + " is read as if it were " + kind.apiVersion());
        }
        if (!kind.namespaced()
                && object.get("metadata") instanceof JsonObject meta
                && meta.has("namespace")
                && said.add("namespace of " + kind.name())) {
            out.accept(place + "metadata.namespace: a " + kind.name() + " lives in no namespace, and is read without");
        }
    }

    /**
     * Kinds of Kubernetes that have nothing to do with scheduling are passed over; one that is nearly the name of another
     * was meant, one of a group that it is not of too, and one of another group may be a plugin's.
     */
    private void ofUnread(String kind, String apiVersion, Kinds kinds, String place, Consumer<String> out) {
        String group = apiVersion.substring(0, Math.max(apiVersion.indexOf('/'), 0));
        if (group.contains(".") && !group.endsWith(".k8s.io")) {
            passedOver(
                    "\"" + kind + "\" of " + group,
                    "; only kinds of Kubernetes are read, and of plugins that a profile enables",
                    place + "kind: ",
                    out);
            return;
        }
        Optional<Kind<?>> namesake = kinds.find(kind, "");
        if (namesake.isPresent()) {
            passedOver(
                    "\"" + kind + "\" of " + apiVersion,
                    "; its apiVersion is " + namesake.get().apiVersion(),
                    place + "apiVersion: ",
                    out);
            return;
        }
        String hint = NearestName.hint(kind, kinds.names());
        if (!hint.isEmpty()) {
            passedOver("\"" + kind + "\"", hint, place + "kind: ", out);
        }
    }

    private void passedOver(String kind, String why, String place, Consumer<String> out) {
        if (said.add("kind " + kind)) {
            out.accept(place + "objects of kind " + kind + " are passed over" + why);
        }
    }
}
