package io.evenkeel.chart.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import io.evenkeel.chart.helm.Manifest;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Compares manifests with the OpenAPI of one Kubernetes, as the models that were generated from it know it. */
final class OpenApi {
    private static final Path JARS = Path.of("target", "kubernetes-models");
    private static final String PACKAGE = "io.kubernetes.client.openapi.";

    /** The kinds that the chart makes and the examples have, all of them v1 of their groups. */
    private static final Map<String, String> API_VERSIONS = Map.ofEntries(
            Map.entry("APIService", "apiregistration.k8s.io/v1"),
            Map.entry("ClusterRole", "rbac.authorization.k8s.io/v1"),
            Map.entry("ClusterRoleBinding", "rbac.authorization.k8s.io/v1"),
            Map.entry("ConfigMap", "v1"),
            Map.entry("CustomResourceDefinition", "apiextensions.k8s.io/v1"),
            Map.entry("Deployment", "apps/v1"),
            Map.entry("MutatingAdmissionPolicy", "admissionregistration.k8s.io/v1"),
            Map.entry("MutatingAdmissionPolicyBinding", "admissionregistration.k8s.io/v1"),
            Map.entry("NetworkPolicy", "networking.k8s.io/v1"),
            Map.entry("Pod", "v1"),
            Map.entry("PodDisruptionBudget", "policy/v1"),
            Map.entry("Role", "rbac.authorization.k8s.io/v1"),
            Map.entry("RoleBinding", "rbac.authorization.k8s.io/v1"),
            Map.entry("Service", "v1"),
            Map.entry("ServiceAccount", "v1"),
            Map.entry("ValidatingAdmissionPolicy", "admissionregistration.k8s.io/v1"),
            Map.entry("ValidatingAdmissionPolicyBinding", "admissionregistration.k8s.io/v1"));

    private static final Map<KubernetesMinor, OpenApi> LOADED = new EnumMap<>(KubernetesMinor.class);

    private final KubernetesMinor minor;
    private final ModelLoader loader;
    private final Gson gson;

    private OpenApi(KubernetesMinor minor) {
        this.minor = minor;
        loader = ModelLoader.of(JARS.resolve(minor + ".jar"));
        try {
            gson = (Gson)
                    loader.loadClass(PACKAGE + "JSON").getMethod("getGson").invoke(null);
        } catch (ReflectiveOperationException changed) {
            throw new LinkageError("the models of Kubernetes " + minor, changed);
        }
    }

    static synchronized OpenApi of(KubernetesMinor minor) {
        return LOADED.computeIfAbsent(minor, OpenApi::new);
    }

    boolean has(String model) {
        try {
            loader.loadClass(PACKAGE + "models." + model);
            return true;
        } catch (ClassNotFoundException absent) {
            return false;
        }
    }

    /** All fields of a model. */
    Set<String> fields(String model) {
        try {
            Object fields = loader.loadClass(PACKAGE + "models." + model)
                    .getField("openapiFields")
                    .get(null);
            return ((Set<?>) fields).stream().map(String::valueOf).collect(Collectors.toSet());
        } catch (ReflectiveOperationException changed) {
            throw new LinkageError("the models of Kubernetes " + minor, changed);
        }
    }

    /** Fields that there are not, fields that have to be there, and values of the wrong type. */
    void check(Manifest manifest) {
        if (manifest.apiVersion().equals(Monitors.API_VERSION)) {
            Monitors.check(manifest);
            return;
        }
        assertThat(API_VERSIONS).as("%s", manifest).containsEntry(manifest.kind(), manifest.apiVersion());
        try {
            Class<?> model = loader.loadClass(PACKAGE + "models.V1" + manifest.kind());
            validation(model).invoke(null, manifest.tree());
            assertThat(gson.fromJson(manifest.tree(), model)).isNotNull();
        } catch (InvocationTargetException wrong) {
            throw refused(manifest, wrong.getCause());
        } catch (RuntimeException wrong) {
            throw refused(manifest, wrong);
        } catch (ReflectiveOperationException changed) {
            throw new LinkageError("the models of Kubernetes " + minor, changed);
        }
    }

    /** The generator's name for it changed after 1.30. */
    private static Method validation(Class<?> model) throws NoSuchMethodException {
        return Arrays.stream(model.getMethods())
                .filter(method -> method.getName().startsWith("validateJson")
                        && method.getParameterCount() == 1
                        && method.getParameterTypes()[0].isAssignableFrom(JsonObject.class))
                .findAny()
                .orElseThrow(() -> new NoSuchMethodException(model + " validates nothing"));
    }

    private AssertionError refused(Manifest manifest, Throwable wrong) {
        return new AssertionError("Kubernetes %s: %s: %s".formatted(minor, manifest, wrong.getMessage()), wrong);
    }
}
