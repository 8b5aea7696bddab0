package io.evenkeel.chart.helm;

import com.google.gson.JsonObject;
import io.evenkeel.model.json.Trees;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** What a release consists of. */
public record Manifests(Target target, List<Manifest> all) {

    static Manifests of(Target target, String text) {
        return new Manifests(
                target, Yaml.documents(text).stream().map(Manifest::new).toList());
    }

    public List<Manifest> ofKind(String kind) {
        return all.stream().filter(manifest -> manifest.kind().equals(kind)).toList();
    }

    public Optional<Manifest> find(String kind, String name) {
        return ofKind(kind).stream()
                .filter(manifest -> manifest.name().equals(name))
                .findFirst();
    }

    /** The only one of its kind. */
    public Manifest the(String kind) {
        List<Manifest> found = ofKind(kind);
        if (found.size() != 1) {
            throw new AssertionError("expected one " + kind + ", got " + found);
        }
        return found.getFirst();
    }

    public Manifest deployment() {
        return the("Deployment");
    }

    /** The KubeSchedulerConfiguration. */
    public String configuration() {
        return configMap().text("data", "config.yaml");
    }

    /** The ConfigMap that the Deployment mounts. */
    public Manifest configMap() {
        return find("ConfigMap", deployment().name()).orElseThrow();
    }

    /** The specification of the replicas. */
    public JsonObject pod() {
        return deployment().object("spec", "template", "spec");
    }

    public JsonObject container() {
        return pod().getAsJsonArray("containers").get(0).getAsJsonObject();
    }

    /** What the container is started with. */
    public List<String> arguments() {
        return Trees.texts(container(), "args");
    }

    /** The container's variables that have their values here. */
    public Map<String, String> environment() {
        return Trees.objects(container(), "env").stream()
                .filter(variable -> variable.has("value"))
                .collect(Collectors.toMap(
                        variable -> Trees.text(variable, "name"), variable -> Trees.text(variable, "value")));
    }
}
