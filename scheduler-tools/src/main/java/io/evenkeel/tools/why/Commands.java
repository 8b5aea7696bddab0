package io.evenkeel.tools.why;

import io.evenkeel.framework.why.Change;
import io.evenkeel.framework.why.Change.PatchOperation;
import io.evenkeel.framework.why.ClaimChange;
import io.evenkeel.framework.why.NodeChange;
import io.evenkeel.framework.why.PodChange;
import io.evenkeel.model.Pod;
import io.evenkeel.model.Taint;
import io.evenkeel.model.workload.PodAdmission;
import io.evenkeel.model.write.ObjectWriter;
import io.evenkeel.whatif.why.Remedy;
import io.evenkeel.whatif.why.Remedy.Edit;
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

/**
 * The kubectl commands that make the changes of a remedy.
 *
 * @param options by which kubectl finds the cluster
 */
record Commands(List<String> options) {
    private static final String TOLERATIONS = "/spec/tolerations";
    private static final Pattern AMOUNT =
            Pattern.compile("/spec/containers/([0-9]+)/resources/(requests|limits)/([^/]+)");
    private static final Pattern PLAIN = Pattern.compile("[-A-Za-z0-9._/:=,@%+]+");

    /** A command is for people to read before they type it. */
    private static final int LONGEST = 4_000;

    /** Keys of Kubernetes: labels say by them what a node is, taints how it is or what it is kept for. */
    private static final Pattern OF_KUBERNETES = Pattern.compile(".*(kubernetes|k8s)\\.io/.*");

    /** Workloads that replace their pods once their template is another. */
    private static final Set<String> ROLLED_OUT = Set.of("apps/v1 Deployment");

    /** Workloads that make pods of the changed template only in place of those that are deleted. */
    private static final Set<String> REPLACED =
            Set.of("apps/v1 StatefulSet", "apps/v1 ReplicaSet", "v1 ReplicationController");

    /**
     * Returns them in the order in which to type them; none where a change cannot be typed, or should not be: no command gives a node
     * more cpu, lets pods go that would not come again, or makes a label or a toleration of Kubernetes' own say what is not so.
     */
    List<String> of(Remedy remedy, Pod pod) {
        List<String> commands = new ArrayList<>();
        for (Change change : remedy.changes()) {
            if (change instanceof ClaimChange) {
                continue;
            }
            if (!(change instanceof PodChange)) {
                Optional<String> command = ofOthers(change);
                if (command.isEmpty()) {
                    return List.of();
                }
                commands.add(command.get());
            } else if (!isForCommands(change)) {
                return List.of();
            }
        }
        List<PatchOperation> ofPod = remedy.edits().stream()
                .filter(edit -> edit instanceof Edit.Patched(var object, var _) && object.equals("Pod/" + pod.key()))
                .flatMap(edit -> ((Edit.Patched) edit).operations().stream())
                .toList();
        if (!ofPod.isEmpty()) {
            List<String> changing = remedy.template()
                    .map(template -> inTemplate(template, ofPod, pod))
                    .orElseGet(() -> inPod(ofPod, pod));
            if (changing.isEmpty()) {
                return List.of();
            }
            commands.addAll(changing);
        }
        List<String> ofClaims = ofClaims(remedy, pod);
        if (ofClaims.isEmpty() && remedy.changes().stream().anyMatch(ClaimChange.class::isInstance)) {
            return List.of();
        }
        commands.addAll(0, ofClaims);
        return commands.stream().allMatch(Commands::isReadable) ? List.copyOf(commands) : List.of();
    }

    /** Claims are made again, or their templates, for none of them can be patched; and then the pod, for which another claim is made. */
    private List<String> ofClaims(Remedy remedy, Pod pod) {
        List<String> commands = new ArrayList<>();
        boolean isOfTemplate = false;
        for (Edit edit : remedy.edits()) {
            if (edit instanceof Edit.Patched(var object, var operations) && object.startsWith("ResourceClaim")) {
                String[] parts = object.split("/");
                commands.add(kubectl("get", parts[0].toLowerCase(Locale.ROOT), parts[2], "-n", parts[1], "-o", "json")
                        + remade(operations));
                isOfTemplate |= parts[0].endsWith("Template");
            }
        }
        boolean isPodMadeAgain = remedy.changes().stream().anyMatch(PodChange.class::isInstance);
        if (!isOfTemplate || isPodMadeAgain) {
            return isPodMadeAgain ? List.of() : commands;
        }
        Optional<Remedy.PodTemplate> template = remedy.template();
        List<String> names = remedy.claiming().stream().map(Pod::name).toList();
        boolean areAlike = remedy.claiming().stream()
                .allMatch(each -> each.meta().controller().equals(pod.meta().controller()));
        if (!areAlike
                || !names.stream().allMatch(Commands::isName)
                || template.filter(owner -> !isReplaced(owner)).isPresent()) {
            return List.of();
        }
        commands.add(
                template.isPresent()
                        ? ofPods("delete", names, pod)
                        : ofPods("get", names, pod, "-o", "json")
                                + remade(List.of(PatchOperation.isAbsent("/spec/nodeName"))));
        return commands;
    }

    private String ofPods(String verb, List<String> names, Pod pod, String... options) {
        return kubectl(
                Stream.of(Stream.of(verb, "pod"), names.stream(), Stream.of("-n", pod.namespace()), Stream.of(options))
                        .flatMap(words -> words)
                        .toArray(String[]::new));
    }

    private static boolean isReplaced(Remedy.PodTemplate template) {
        String kind = template.apiVersion() + " " + template.kind();
        return ROLLED_OUT.contains(kind) || REPLACED.contains(kind);
    }

    private String remade(List<PatchOperation> operations) {
        return " | " + kubectl("patch", "--local", "-f", "-", "--type=json", "-o", "json", "-p") + " "
                + json(operations) + " | " + kubectl("replace", "--force", "-f", "-");
    }

    private static boolean isForCommands(Change change) {
        return switch (change) {
            case PodChange.Priority _ -> false;
            case PodChange.Tolerated(var taint) -> !isOfKubernetes(taint);
            default -> true;
        };
    }

    private static boolean isOfKubernetes(Taint taint) {
        return taint.isOfLeavingNodes() || isOfKubernetes(taint.key());
    }

    private static boolean isOfKubernetes(String key) {
        return OF_KUBERNETES.matcher(key).matches();
    }

    private static boolean isReadable(String command) {
        return command.length() <= LONGEST && command.chars().noneMatch(Character::isISOControl);
    }

    private Optional<String> ofOthers(Change change) {
        return switch (change) {
            case NodeChange.TaintRemoved(var node, var taint)
            when isName(node) && !isOfKubernetes(taint) ->
                Optional.of(kubectl(
                        "taint",
                        "node",
                        node,
                        taint.key() + ":" + taint.effect().apiName() + "-"));
            case NodeChange.Uncordoned(var node) when isName(node) -> Optional.of(kubectl("uncordon", node));
            case NodeChange.NodeLabelled(var node, var key, var value)
            when isName(node) && !isOfKubernetes(key) -> Optional.of(kubectl("label", "node", node, key + "=" + value));
            case Change.PolicyLimit limit -> Optional.of(patched(limit));
            case Change.ObjectAdded(var kind, var object, var _)
            when kind == Change.Kind.CLAIM || kind == Change.Kind.STORAGE_CLASS ->
                Optional.of("echo " + quoted(new ObjectWriter().json(object)) + " | " + kubectl("create", "-f", "-"));
            case Change.ObjectRemoved(var _, var object, var _) ->
                Optional.of(kubectl(
                        "delete",
                        object.kindName().toLowerCase(Locale.ROOT),
                        object.meta().name()));
            default -> Optional.empty();
        };
    }

    /** An option is none. */
    private static boolean isName(String name) {
        return !name.startsWith("-");
    }

    private String patched(Change.PolicyLimit limit) {
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

    private List<String> inTemplate(Remedy.PodTemplate template, List<PatchOperation> ofPod, Pod pod) {
        String kind = template.apiVersion() + " " + template.kind();
        if (!isReplaced(template) || !isName(pod.name())) {
            return List.of();
        }
        String workload = template.kind().toLowerCase(Locale.ROOT) + "/" + template.name();
        Map<String, Map<String, String>> amounts = new LinkedHashMap<>();
        List<PatchOperation> others = new ArrayList<>();
        List<Object> tolerations = new ArrayList<>();
        for (PatchOperation operation : ofPod) {
            Matcher amount = AMOUNT.matcher(operation.path());
            if (operation.path().startsWith("/spec/initContainers/")) {
                return List.of(); // which kubectl set resources does not find
            } else if (amount.matches()) {
                amounts.computeIfAbsent(container(pod, amount), _ -> new LinkedHashMap<>())
                        .merge(
                                "--" + amount.group(2) + "=",
                                unescaped(amount.group(3)) + "="
                                        + operation.value().orElseThrow(),
                                (one, other) -> one + "," + other);
            } else if (operation.path().equals(TOLERATIONS + "/-")) {
                tolerations.add(operation.value().orElseThrow());
            } else {
                others.add(ofTemplate(operation));
            }
        }
        others.addAll(tolerating(tolerations, pod));
        List<String> commands = new ArrayList<>();
        amounts.forEach((container, options) -> commands.add(kubectl(Stream.concat(
                        Stream.of("set", "resources", workload, "-n", pod.namespace(), "-c", container),
                        options.entrySet().stream().map(option -> option.getKey() + option.getValue()))
                .toArray(String[]::new))));
        if (!others.isEmpty()) {
            commands.add(kubectl("patch", workload, "-n", pod.namespace(), "--type=json", "-p") + " " + json(others));
        }
        if (REPLACED.contains(kind)) {
            commands.add(kubectl("delete", "pod", pod.name(), "-n", pod.namespace()));
        }
        return commands;
    }

    private static String unescaped(String pointed) {
        return pointed.replace("~1", "/").replace("~0", "~");
    }

    private static String container(Pod pod, Matcher path) {
        return pod.spec().containers().get(Integer.parseInt(path.group(1))).name();
    }

    private static PatchOperation ofTemplate(PatchOperation operation) {
        return new PatchOperation(operation.operation(), "/spec/template" + operation.path(), operation.value());
    }

    /**
     * A template lacks the tolerations that admission gives to each pod. Where the pod has no others, it may still have these of its own:
     * then the patch is refused, and takes nothing away.
     */
    private static List<PatchOperation> tolerating(List<Object> tolerations, Pod pod) {
        String path = "/spec/template" + TOLERATIONS;
        if (tolerations.isEmpty()) {
            return List.of();
        }
        return pod.spec().tolerations().stream().allMatch(PodAdmission::isGivenToAll)
                ? List.of(PatchOperation.isAbsent(path), PatchOperation.add(path, tolerations))
                : tolerations.stream()
                        .map(toleration -> PatchOperation.add(path + "/-", toleration))
                        .toList();
    }

    /** Of a pod that is there only tolerations can be added; else it has to be made again, unless it has its node meanwhile. */
    private List<String> inPod(List<PatchOperation> operations, Pod pod) {
        if (!isName(pod.name())) {
            return List.of();
        }
        if (operations.stream().allMatch(operation -> operation.path().startsWith(TOLERATIONS))) {
            return List.of(kubectl("patch", "pod", pod.name(), "-n", pod.namespace(), "--type=json", "-p") + " "
                    + json(operations));
        }
        List<PatchOperation> guarded = new ArrayList<>(List.of(PatchOperation.isAbsent("/spec/nodeName")));
        guarded.addAll(operations);
        return List.of(kubectl("get", "pod", pod.name(), "-n", pod.namespace(), "-o", "json") + remade(guarded));
    }

    private static String json(List<PatchOperation> operations) {
        return quoted(operations.stream()
                .map(operation -> JsonWhy.operation(operation).json())
                .collect(Collectors.joining(",", "[", "]")));
    }

    private String kubectl(String... arguments) {
        return Stream.of(Stream.of("kubectl"), options.stream(), Stream.of(arguments))
                .flatMap(words -> words.map(Commands::quoted))
                .collect(Collectors.joining(" "));
    }

    /** An argument as a shell takes it for one, whatever is in it. */
    private static String quoted(String argument) {
        return PLAIN.matcher(argument).matches() ? argument : "'" + argument.replace("'", "'\\''") + "'";
    }
}
