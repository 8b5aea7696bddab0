package io.evenkeel.tools.why;

import io.evenkeel.engine.why.Remedy;
import io.evenkeel.engine.why.Remedy.Edit;
import io.evenkeel.framework.why.Change;
import io.evenkeel.framework.why.Change.PatchOperation;
import io.evenkeel.framework.why.NodeChange;
import io.evenkeel.framework.why.PodChange;
import io.evenkeel.model.Container;
import io.evenkeel.model.Pod;
import io.evenkeel.model.TaintEffect;
import io.evenkeel.model.Toleration;
import io.evenkeel.model.write.ObjectWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The kubectl commands that make the changes of a remedy. */
final class Commands {
    private static final String TOLERATIONS = "/spec/tolerations";
    private static final Pattern AMOUNT =
            Pattern.compile("/spec/(containers|initContainers)/([0-9]+)/resources/(requests|limits)/([^/]+)");
    private static final Set<String> GIVEN_TO_ALL =
            Set.of("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable");
    private static final Pattern PLAIN = Pattern.compile("[-A-Za-z0-9._/:=,@%+]+");

    /** Workloads that replace their pods once their template is another. */
    private static final Set<String> ROLLED_OUT = Set.of("Deployment", "DaemonSet");

    /** Workloads that make pods of the changed template only in place of those that are deleted. */
    private static final Set<String> REPLACED = Set.of("StatefulSet", "ReplicaSet", "ReplicationController");

    private Commands() {}

    /**
     * Returns them in the order in which to type them; none where a change cannot be typed: no command gives a node more cpu, and
     * none takes away a taint that says how the node is.
     */
    static List<String> of(Remedy remedy, Pod pod) {
        List<String> commands = new ArrayList<>();
        for (Change change : remedy.changes()) {
            if (change instanceof PodChange) {
                continue;
            }
            Optional<String> command = ofOthers(change);
            if (command.isEmpty()) {
                return List.of();
            }
            commands.add(command.get());
        }
        List<PatchOperation> ofPod = remedy.edits().stream()
                .filter(edit -> edit instanceof Edit.Patched(var object, var _) && object.equals("Pod/" + pod.key()))
                .flatMap(edit -> ((Edit.Patched) edit).operations().stream())
                .toList();
        if (!ofPod.isEmpty()) {
            List<String> changing = remedy.changes().stream().anyMatch(PodChange.Priority.class::isInstance)
                    ? List.of()
                    : remedy.template()
                            .map(template -> inTemplate(template, ofPod, pod))
                            .orElseGet(() -> inPod(ofPod, pod));
            if (changing.isEmpty()) {
                return List.of();
            }
            commands.addAll(changing);
        }
        return List.copyOf(commands);
    }

    private static Optional<String> ofOthers(Change change) {
        return switch (change) {
            case NodeChange.TaintRemoved(var node, var taint)
            when !taint.isOfCondition() ->
                Optional.of(kubectl(
                        "taint",
                        "node",
                        node,
                        taint.key() + ":" + taint.effect().apiName() + "-"));
            case NodeChange.Uncordoned(var node) -> Optional.of(kubectl("uncordon", node));
            case NodeChange.NodeLabelled(var node, var key, var value) ->
                Optional.of(kubectl("label", "node", node, key + "=" + value));
            case Change.PolicyLimit limit -> Optional.of(patched(limit));
            case Change.PodGone(var gone, var _) when gone.meta().controller().isEmpty() -> Optional.of(deleted(gone));
            case Change.ObjectAdded(var kind, var object, var _)
            when kind == Change.Kind.CLAIM || kind == Change.Kind.STORAGE_CLASS ->
                Optional.of("echo " + quoted(new ObjectWriter().json(object)) + " | kubectl create -f -");
            default -> Optional.empty();
        };
    }

    private static String patched(Change.PolicyLimit limit) {
        String policy = limit.policy();
        int slash = policy.indexOf('/');
        List<String> arguments = new ArrayList<>(
                List.of("patch", limit.kindName().toLowerCase(Locale.ROOT), policy.substring(slash + 1)));
        if (slash >= 0) {
            arguments.addAll(List.of("-n", policy.substring(0, slash)));
        }
        arguments.addAll(List.of("--type=json", "-p"));
        return kubectl(arguments.toArray(String[]::new)) + " " + json(limit.patch());
    }

    private static String deleted(Pod pod) {
        return kubectl("delete", "pod", pod.name(), "-n", pod.namespace());
    }

    private static List<String> inTemplate(Remedy.PodTemplate template, List<PatchOperation> ofPod, Pod pod) {
        String kind = template.kind();
        if (!ROLLED_OUT.contains(kind) && !REPLACED.contains(kind)) {
            return List.of();
        }
        String workload = kind.toLowerCase(Locale.ROOT) + "/" + template.name();
        Map<String, List<String>> amounts = new LinkedHashMap<>();
        List<PatchOperation> others = new ArrayList<>();
        for (PatchOperation operation : ofPod) {
            Matcher amount = AMOUNT.matcher(operation.path());
            if (amount.matches()) {
                amounts.computeIfAbsent(container(pod, amount).name(), _ -> new ArrayList<>())
                        .add("--" + amount.group(3) + "="
                                + amount.group(4).replace("~1", "/").replace("~0", "~") + "="
                                + operation.value().orElseThrow());
            } else {
                others.add(ofTemplate(operation, pod));
            }
        }
        List<String> commands = new ArrayList<>();
        amounts.forEach((container, options) -> commands.add(kubectl(Stream.concat(
                        Stream.of("set", "resources", workload, "-n", pod.namespace(), "-c", container),
                        options.stream())
                .toArray(String[]::new))));
        if (!others.isEmpty()) {
            commands.add(kubectl("patch", workload, "-n", pod.namespace(), "--type=json", "-p") + " " + json(others));
        }
        if (REPLACED.contains(kind)) {
            commands.add(deleted(pod));
        }
        return commands;
    }

    private static Container container(Pod pod, Matcher path) {
        List<Container> containers = path.group(1).equals("containers")
                ? pod.spec().containers()
                : pod.spec().initContainers();
        return containers.get(Integer.parseInt(path.group(2)));
    }

    /** A template lacks the tolerations that admission gives to each pod. */
    private static PatchOperation ofTemplate(PatchOperation operation, Pod pod) {
        String path = "/spec/template" + operation.path();
        boolean isFirst = operation.path().equals(TOLERATIONS + "/-")
                && pod.spec().tolerations().stream().allMatch(Commands::isGivenToAll);
        return isFirst
                ? PatchOperation.add(
                        "/spec/template" + TOLERATIONS,
                        List.of(operation.value().orElseThrow()))
                : new PatchOperation(operation.operation(), path, operation.value());
    }

    private static boolean isGivenToAll(Toleration toleration) {
        return GIVEN_TO_ALL.contains(toleration.key())
                && toleration.operator() == Toleration.Operator.EXISTS
                && toleration.effect().equals(Optional.of(TaintEffect.NO_EXECUTE));
    }

    /** Of a pod that is there only tolerations can be added; else it has to be made again. */
    private static List<String> inPod(List<PatchOperation> operations, Pod pod) {
        if (operations.stream().allMatch(operation -> operation.path().startsWith(TOLERATIONS))) {
            return List.of(kubectl("patch", "pod", pod.name(), "-n", pod.namespace(), "--type=json", "-p") + " "
                    + json(operations));
        }
        return List.of(kubectl("get", "pod", pod.name(), "-n", pod.namespace(), "-o", "json")
                + " | kubectl patch --local -f - --type=json -o json -p " + json(operations)
                + " | kubectl replace --force -f -");
    }

    private static String json(List<PatchOperation> operations) {
        return quoted(operations.stream()
                .map(operation -> JsonWhy.operation(operation).json())
                .collect(Collectors.joining(",", "[", "]")));
    }

    private static String kubectl(String... arguments) {
        return Stream.concat(Stream.of("kubectl"), Stream.of(arguments).map(Commands::quoted))
                .collect(Collectors.joining(" "));
    }

    /** An argument as a shell takes it for one, whatever is in it. */
    private static String quoted(String argument) {
        return PLAIN.matcher(argument).matches() ? argument : "'" + argument.replace("'", "'\\''") + "'";
    }
}
