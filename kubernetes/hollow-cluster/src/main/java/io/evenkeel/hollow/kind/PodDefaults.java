package io.evenkeel.hollow.kind;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.json.Trees;
import java.util.List;

/** The defaults of a pod's spec, for pods and for templates of pods. */
final class PodDefaults {

    private static final List<String> CONTAINERS = List.of("initContainers", "containers");
    private static final List<String> PROBES = List.of("livenessProbe", "readinessProbe", "startupProbe");
    private static final int FILE_MODE = 0644;

    private PodDefaults() {}

    public static void fill(JsonObject spec) {
        boolean hostNetwork = Trees.isTrue(spec, "hostNetwork");
        CONTAINERS.forEach(list -> Trees.objects(spec, list).forEach(each -> container(each, hostNetwork)));
        Trees.objects(spec, "volumes").forEach(PodDefaults::volume);
        Trees.fill(spec, "restartPolicy", "Always");
        Trees.fill(spec, "terminationGracePeriodSeconds", 30);
        Trees.fill(spec, "dnsPolicy", "ClusterFirst");
        Trees.ensureObject(spec, "securityContext");
        Trees.fill(spec, "schedulerName", "default-scheduler");
    }

    private static void container(JsonObject container, boolean hostNetwork) {
        JsonObject resources = Trees.ensureObject(container, "resources");
        Trees.object(resources, "limits").ifPresent(limits -> {
            JsonObject requests = Trees.ensureObject(resources, "requests");
            limits.entrySet().forEach(limit -> {
                if (!requests.has(limit.getKey())) {
                    requests.add(limit.getKey(), limit.getValue().deepCopy());
                }
            });
        });
        Trees.fill(container, "terminationMessagePath", "/dev/termination-log");
        Trees.fill(container, "terminationMessagePolicy", "File");
        Trees.fill(container, "imagePullPolicy", pullPolicy(Trees.text(container, "image")));
        for (JsonObject port : Trees.objects(container, "ports")) {
            Trees.fill(port, "protocol", "TCP");
            if (hostNetwork) {
                Trees.number(port, "containerPort").ifPresent(number -> Trees.fill(port, "hostPort", number));
            }
        }
        for (JsonObject variable : Trees.objects(container, "env")) {
            Trees.object(variable, "valueFrom", "fieldRef").ifPresent(ref -> Trees.fill(ref, "apiVersion", "v1"));
        }
        PROBES.forEach(name -> Trees.object(container, name).ifPresent(PodDefaults::probe));
    }

    private static void probe(JsonObject probe) {
        Trees.fill(probe, "timeoutSeconds", 1);
        Trees.fill(probe, "periodSeconds", 10);
        Trees.fill(probe, "successThreshold", 1);
        Trees.fill(probe, "failureThreshold", 3);
        Trees.object(probe, "httpGet").ifPresent(get -> {
            Trees.fill(get, "path", "/");
            Trees.fill(get, "scheme", "HTTP");
        });
    }

    private static void volume(JsonObject volume) {
        if (volume.size() == 1) {
            volume.add("emptyDir", new JsonObject());
        }
        for (String source : List.of("secret", "configMap", "projected", "downwardAPI")) {
            Trees.object(volume, source).ifPresent(each -> Trees.fill(each, "defaultMode", FILE_MODE));
        }
        Trees.object(volume, "hostPath").ifPresent(path -> Trees.fill(path, "type", ""));
    }

    private static String pullPolicy(String image) {
        int colon = image.lastIndexOf(':');
        boolean digest = image.contains("@");
        String tag = colon > image.lastIndexOf('/') ? image.substring(colon + 1) : "latest";
        return !digest && tag.equals("latest") ? "Always" : "IfNotPresent";
    }
}
