package io.evenkeel.model.workload;

import com.google.gson.JsonObject;
import io.evenkeel.model.PriorityClass;
import io.evenkeel.model.TaintEffect;
import io.evenkeel.model.Toleration;
import io.evenkeel.model.json.Trees;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The API server's additions to a new pod: defaults, tolerations, its priority, and what {@code matchLabelKeys} mean for it. */
public final class PodAdmission {

    private static final List<String> CONTAINERS = List.of("initContainers", "containers");
    private static final List<String> PROBES = List.of("livenessProbe", "readinessProbe", "startupProbe");
    private static final int FILE_MODE = 0644;
    private static final List<String> FAILING =
            List.of("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable");

    private PodAdmission() {}

    /** The defaults of a spec, for pods and for templates of pods. */
    public static void fill(JsonObject spec) {
        boolean hostNetwork = Trees.isTrue(spec, "hostNetwork");
        CONTAINERS.forEach(list -> Trees.objects(spec, list).forEach(each -> container(each, hostNetwork)));
        Trees.objects(spec, "volumes").forEach(PodAdmission::volume);
        Trees.fill(spec, "restartPolicy", "Always");
        Trees.fill(spec, "terminationGracePeriodSeconds", 30);
        Trees.fill(spec, "dnsPolicy", "ClusterFirst");
        Trees.ensureObject(spec, "securityContext");
        Trees.fill(spec, "schedulerName", "default-scheduler");
    }

    private static void container(JsonObject container, boolean hostNetwork) {
        requestLimits(Trees.ensureObject(container, "resources"));
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
        PROBES.forEach(name -> Trees.object(container, name).ifPresent(PodAdmission::probe));
    }

    /** What is limited and not requested is requested. */
    public static void requestLimits(JsonObject resources) {
        Trees.object(resources, "limits").ifPresent(limits -> {
            JsonObject requests = Trees.ensureObject(resources, "requests");
            limits.entrySet().forEach(limit -> {
                if (!requests.has(limit.getKey())) {
                    requests.add(limit.getKey(), limit.getValue().deepCopy());
                }
            });
        });
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

    /** Pods stay five minutes on a node that fails, unless they say otherwise. */
    public static void tolerateFailures(JsonObject spec) {
        for (String key : FAILING) {
            boolean said = Trees.objects(spec, "tolerations").stream()
                    .anyMatch(each -> isOr(each, "key", key) && isOr(each, "effect", "NoExecute"));
            if (!said) {
                JsonObject toleration = new JsonObject();
                toleration.addProperty("key", key);
                toleration.addProperty("operator", "Exists");
                toleration.addProperty("effect", "NoExecute");
                toleration.addProperty("tolerationSeconds", 300);
                Trees.ensureArray(spec, "tolerations").add(toleration);
            }
        }
    }

    /** Whether that is a toleration which every pod gets that has not its like. */
    public static boolean isGivenToAll(Toleration toleration) {
        return FAILING.contains(toleration.key())
                && toleration.operator() == Toleration.Operator.EXISTS
                && toleration.effect().equals(Optional.of(TaintEffect.NO_EXECUTE));
    }

    private static boolean isOr(JsonObject toleration, String member, String value) {
        String actual = Trees.text(toleration, member);
        return actual.isEmpty() || actual.equals(value);
    }

    /** The class that the spec names, or the one that is the default of all. */
    public static Optional<PriorityClass> priorityClass(JsonObject spec, Collection<PriorityClass> all) {
        String named = Trees.text(spec, "priorityClassName");
        return all.stream()
                .filter(each -> named.isEmpty()
                        ? each.globalDefault()
                        : each.meta().name().equals(named))
                .findFirst();
    }

    public static void assign(JsonObject spec, Optional<PriorityClass> itsClass) {
        spec.addProperty("priority", itsClass.map(PriorityClass::value).orElse(0));
        itsClass.ifPresent(
                each -> spec.addProperty("priorityClassName", each.meta().name()));
        boolean preempts = itsClass.map(PriorityClass::preempts).orElse(true);
        Trees.fill(spec, "preemptionPolicy", preempts ? "PreemptLowerPriority" : "Never");
    }

    /** Writes what {@code matchLabelKeys} means for this pod into the selectors, so that schedulers need not look at it. */
    public static void mergeLabelKeys(JsonObject pod) {
        JsonObject labels = Trees.object(pod, "metadata", "labels").orElseGet(JsonObject::new);
        Trees.objects(pod, "spec", "topologySpreadConstraints")
                .forEach(constraint -> merge(constraint, "matchLabelKeys", "In", labels));
        for (String affinity : List.of("podAffinity", "podAntiAffinity")) {
            Trees.objects(pod, "spec", "affinity", affinity, "requiredDuringSchedulingIgnoredDuringExecution")
                    .forEach(term -> mergeTerm(term, labels));
            Trees.objects(pod, "spec", "affinity", affinity, "preferredDuringSchedulingIgnoredDuringExecution")
                    .forEach(weighted ->
                            Trees.object(weighted, "podAffinityTerm").ifPresent(term -> mergeTerm(term, labels)));
        }
    }

    private static void mergeTerm(JsonObject term, JsonObject labels) {
        merge(term, "matchLabelKeys", "In", labels);
        merge(term, "mismatchLabelKeys", "NotIn", labels);
    }

    private static void merge(JsonObject owner, String keys, String operator, JsonObject labels) {
        Optional<JsonObject> selector = Trees.object(owner, "labelSelector");
        if (selector.isEmpty()) {
            return;
        }
        for (String key : Trees.texts(owner, keys)) {
            if (labels.has(key)) {
                JsonObject expression = new JsonObject();
                expression.addProperty("key", key);
                expression.addProperty("operator", operator);
                Trees.ensureArray(expression, "values")
                        .add(Trees.text(labels, key)); // be it a number, as YAML takes it
                Trees.ensureArray(selector.get(), "matchExpressions").add(expression);
            }
        }
    }
}
