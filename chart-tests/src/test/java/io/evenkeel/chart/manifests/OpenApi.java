package io.evenkeel.chart.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import io.evenkeel.chart.helm.Manifest;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1ClusterRole;
import io.kubernetes.client.openapi.models.V1ClusterRoleBinding;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1NetworkPolicy;
import io.kubernetes.client.openapi.models.V1PodDisruptionBudget;
import io.kubernetes.client.openapi.models.V1Role;
import io.kubernetes.client.openapi.models.V1RoleBinding;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1ServiceAccount;
import java.io.IOException;
import java.util.Map;

/** Compares manifests with Kubernetes' OpenAPI, as the models that were generated from it know it. */
final class OpenApi {
    private interface Fields {
        void check(JsonElement tree) throws IOException;
    }

    private record Model(String apiVersion, Class<?> type, Fields fields) {}

    private static final Map<String, Model> MODELS = Map.of(
            "ClusterRole",
            new Model("rbac.authorization.k8s.io/v1", V1ClusterRole.class, V1ClusterRole::validateJsonElement),
            "ClusterRoleBinding",
            new Model(
                    "rbac.authorization.k8s.io/v1",
                    V1ClusterRoleBinding.class,
                    V1ClusterRoleBinding::validateJsonElement),
            "ConfigMap",
            new Model("v1", V1ConfigMap.class, V1ConfigMap::validateJsonElement),
            "Deployment",
            new Model("apps/v1", V1Deployment.class, V1Deployment::validateJsonElement),
            "NetworkPolicy",
            new Model("networking.k8s.io/v1", V1NetworkPolicy.class, V1NetworkPolicy::validateJsonElement),
            "PodDisruptionBudget",
            new Model("policy/v1", V1PodDisruptionBudget.class, V1PodDisruptionBudget::validateJsonElement),
            "Role",
            new Model("rbac.authorization.k8s.io/v1", V1Role.class, V1Role::validateJsonElement),
            "RoleBinding",
            new Model("rbac.authorization.k8s.io/v1", V1RoleBinding.class, V1RoleBinding::validateJsonElement),
            "Service",
            new Model("v1", V1Service.class, V1Service::validateJsonElement),
            "ServiceAccount",
            new Model("v1", V1ServiceAccount.class, V1ServiceAccount::validateJsonElement));

    private OpenApi() {}

    /** Fields that there are not, fields that have to be there, and values of the wrong type. */
    static void check(Manifest manifest) {
        if (manifest.apiVersion().equals(Monitors.API_VERSION)) {
            Monitors.check(manifest);
            return;
        }
        assertThat(MODELS).as("a model for %s", manifest).containsKey(manifest.kind());
        Model model = MODELS.get(manifest.kind());
        assertThat(manifest.apiVersion()).as("%s", manifest).isEqualTo(model.apiVersion);
        try {
            model.fields.check(manifest.tree());
        } catch (IOException | IllegalArgumentException wrong) {
            throw new AssertionError(manifest + ": " + wrong.getMessage(), wrong);
        }
        assertThat(JSON.getGson().fromJson(manifest.tree(), model.type))
                .as("%s", manifest)
                .isNotNull();
    }
}
