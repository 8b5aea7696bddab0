package io.evenkeel.chart.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import io.evenkeel.model.json.Trees;
import java.util.Set;

/** What the Pod Security Standard "restricted" asks of a pod on Linux. */
final class PodSecurity {
    private static final Set<String> VOLUMES = Set.of(
            "configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "persistentVolumeClaim", "projected", "secret");
    private static final Set<String> OF_THE_HOST = Set.of("hostNetwork", "hostPID", "hostIPC");

    private PodSecurity() {}

    static void checkRestricted(JsonObject pod) {
        assertThat(OF_THE_HOST).noneMatch(host -> Trees.isTrue(pod, host));
        for (JsonObject volume : Trees.objects(pod, "volumes")) {
            assertThat(volume.keySet())
                    .filteredOn(key -> !key.equals("name"))
                    .singleElement()
                    .isIn(VOLUMES);
        }
        JsonObject security = Trees.object(pod, "securityContext").orElseThrow();
        assertThat(Trees.isTrue(security, "runAsNonRoot")).isTrue();
        assertThat(Trees.number(security, "runAsUser"))
                .hasValueSatisfying(user -> assertThat(user).isPositive());
        assertThat(Trees.text(security, "seccompProfile", "type")).isEqualTo("RuntimeDefault");
        assertThat(security.keySet()).doesNotContain("sysctls", "seLinuxOptions", "appArmorProfile");
        assertThat(Trees.objects(pod, "initContainers")).allSatisfy(PodSecurity::checkContainer);
        assertThat(Trees.objects(pod, "containers")).isNotEmpty().allSatisfy(PodSecurity::checkContainer);
    }

    private static void checkContainer(JsonObject container) {
        JsonObject security = Trees.object(container, "securityContext").orElseThrow();
        assertThat(security.get("allowPrivilegeEscalation").getAsBoolean()).isFalse();
        assertThat(Trees.isTrue(security, "privileged")).isFalse();
        assertThat(Trees.texts(security, "capabilities", "drop")).containsExactly("ALL");
        assertThat(Trees.texts(security, "capabilities", "add")).isEmpty();
        assertThat(Trees.objects(container, "ports")).noneMatch(port -> port.has("hostPort"));
    }
}
