package io.evenkeel.hollow.kind;

import com.google.gson.JsonObject;
import io.evenkeel.model.json.Trees;
import java.util.function.IntFunction;

/**
 * Mounts a service account's token into every container, as the ServiceAccount admission does. The volume's name is
 * random, which makes every pod's spec different from its siblings': code that compares specs is tested with it.
 */
final class ServiceAccountToken {

    private static final String PATH = "/var/run/secrets/kubernetes.io/serviceaccount";
    private static final String SOURCES = """
            {"sources":[
              {"serviceAccountToken":{"expirationSeconds":3607,"path":"token"}},
              {"configMap":{"name":"kube-root-ca.crt","items":[{"key":"ca.crt","path":"ca.crt"}]}},
              {"downwardAPI":{"items":[
                {"path":"namespace","fieldRef":{"apiVersion":"v1","fieldPath":"metadata.namespace"}}]}}],
             "defaultMode":420}""";

    private final IntFunction<String> randomLetters;

    public ServiceAccountToken(IntFunction<String> randomLetters) {
        this.randomLetters = randomLetters;
    }

    public void mount(JsonObject spec) {
        Trees.fill(spec, "serviceAccountName", "default");
        spec.addProperty("serviceAccount", Trees.text(spec, "serviceAccountName"));
        if (Trees.text(spec, "automountServiceAccountToken").equals("false")) {
            return;
        }
        JsonObject volume = new JsonObject();
        volume.addProperty("name", "kube-api-access-" + randomLetters.apply(5));
        volume.add("projected", Trees.parse(SOURCES));
        Trees.ensureArray(spec, "volumes").add(volume);
        mountInto(spec, "initContainers", volume);
        mountInto(spec, "containers", volume);
    }

    private static void mountInto(JsonObject spec, String containers, JsonObject volume) {
        for (JsonObject container : Trees.objects(spec, containers)) {
            boolean mounted = Trees.objects(container, "volumeMounts").stream()
                    .anyMatch(mount -> Trees.text(mount, "mountPath").equals(PATH));
            if (!mounted) {
                JsonObject mount = new JsonObject();
                mount.addProperty("name", Trees.text(volume, "name"));
                mount.addProperty("readOnly", true);
                mount.addProperty("mountPath", PATH);
                Trees.ensureArray(container, "volumeMounts").add(mount);
            }
        }
    }
}
