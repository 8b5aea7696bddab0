package io.evenkeel.chart.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.evenkeel.chart.helm.Manifest;
import io.evenkeel.chart.helm.Manifests;
import io.evenkeel.model.json.Trees;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the objects of a release say of each other: selectors, ports, volumes, roles. */
final class References {
    private final Manifests rendered;
    private final Map<String, String> podLabels;

    private References(Manifests rendered) {
        this.rendered = rendered;
        podLabels = rendered.deployment().strings("spec", "template", "metadata", "labels");
    }

    static void check(Manifests rendered) {
        References references = new References(rendered);
        references.selectors();
        references.ports();
        references.volumes();
        references.account();
        references.roles();
    }

    private void selectors() {
        Map<String, String> ours = rendered.deployment().strings("spec", "selector", "matchLabels");
        assertThat(podLabels).containsAllEntriesOf(ours);
        assertThat(rendered.the("Service").strings("spec", "selector")).isEqualTo(ours);
        for (String kind : List.of("PodDisruptionBudget", "PodMonitor")) {
            rendered.ofKind(kind)
                    .forEach(manifest -> assertThat(manifest.strings("spec", "selector", "matchLabels"))
                            .isEqualTo(ours));
        }
        rendered.ofKind("NetworkPolicy")
                .forEach(policy -> assertThat(policy.strings("spec", "podSelector", "matchLabels"))
                        .isEqualTo(ours));
        rendered.ofKind("ServiceMonitor")
                .forEach(monitor -> assertThat(rendered.the("Service").labels())
                        .containsAllEntriesOf(monitor.strings("spec", "selector", "matchLabels")));
        Trees.objects(rendered.pod(), "topologySpreadConstraints")
                .forEach(constraint -> assertThat(
                                Manifest.strings(Trees.object(constraint, "labelSelector", "matchLabels")
                                        .orElseThrow()))
                        .isEqualTo(ours));
    }

    private void ports() {
        Set<String> named = names(rendered.container(), "ports");
        rendered.the("Service")
                .objects("spec", "ports")
                .forEach(port -> assertThat(named).contains(Trees.text(port, "targetPort")));
        for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
            assertThat(named).contains(Trees.text(rendered.container(), probe, "httpGet", "port"));
        }
        rendered.ofKind("ServiceMonitor")
                .forEach(monitor -> assertThat(names(rendered.the("Service").object("spec"), "ports"))
                        .containsAll(monitor.objects("spec", "endpoints").stream()
                                .map(endpoint -> Trees.text(endpoint, "port"))
                                .toList()));
        rendered.ofKind("PodMonitor")
                .forEach(monitor -> assertThat(named)
                        .containsAll(monitor.objects("spec", "podMetricsEndpoints").stream()
                                .map(endpoint -> Trees.text(endpoint, "port"))
                                .toList()));
    }

    private void volumes() {
        JsonObject pod = rendered.pod();
        assertThat(names(rendered.container(), "volumeMounts")).isEqualTo(names(pod, "volumes"));
        List<String> mounted = Trees.objects(rendered.container(), "volumeMounts").stream()
                .map(mount -> Trees.text(mount, "mountPath"))
                .toList();
        assertThat(rendered.arguments().stream()
                        .map(argument -> argument.substring(argument.indexOf('=') + 1))
                        .filter(value -> value.startsWith("/")))
                .isNotEmpty()
                .allMatch(file -> mounted.stream().anyMatch(folder -> (file + "/").startsWith(folder + "/")));
        Trees.objects(pod, "volumes").stream()
                .map(volume -> Trees.text(volume, "configMap", "name"))
                .filter(name -> !name.isEmpty())
                .forEach(name -> assertThat(rendered.find("ConfigMap", name)).isPresent());
    }

    private void account() {
        String account = Trees.text(rendered.pod(), "serviceAccountName");
        rendered.ofKind("ServiceAccount")
                .forEach(made -> assertThat(made.name()).isEqualTo(account));
        Stream.of("ClusterRoleBinding", "RoleBinding")
                .flatMap(kind -> rendered.ofKind(kind).stream())
                .filter(binding -> !binding.name().endsWith("-readers"))
                .forEach(binding -> assertThat(binding.objects("subjects"))
                        .singleElement()
                        .satisfies(subject -> {
                            assertThat(Trees.text(subject, "name")).isEqualTo(account);
                            assertThat(Trees.text(subject, "namespace"))
                                    .isEqualTo(rendered.target().namespace());
                        }));
    }

    private void roles() {
        for (String kind : List.of("ClusterRole", "Role")) {
            for (Manifest binding : rendered.ofKind(kind + "Binding")) {
                assertThat(binding.text("roleRef", "kind")).isEqualTo(kind);
                assertThat(rendered.find(kind, binding.text("roleRef", "name")))
                        .hasValueSatisfying(role -> assertThat(role.namespace()).isEqualTo(binding.namespace()));
            }
            assertThat(rendered.ofKind(kind)).hasSameSizeAs(rendered.ofKind(kind + "Binding"));
        }
    }

    private static Set<String> names(JsonObject tree, String list) {
        return Trees.objects(tree, list).stream()
                .map(element -> element.get("name"))
                .map(JsonElement::getAsString)
                .collect(Collectors.toSet());
    }
}
