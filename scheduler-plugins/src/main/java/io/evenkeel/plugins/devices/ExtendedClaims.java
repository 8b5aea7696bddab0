package io.evenkeel.plugins.devices;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.counting.ExtendedResources;
import io.evenkeel.cluster.index.ClusterIndex;
import io.evenkeel.cluster.index.ClusterIndex.AuditFacts;
import io.evenkeel.cluster.index.ClusterIndex.Differences;
import io.evenkeel.cluster.index.ObjectStore;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.cluster.shape.ResourceNames;
import io.evenkeel.model.Annotations;
import io.evenkeel.model.Container;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodStatus.Mapping;
import io.evenkeel.model.device.DeviceRequest;
import io.evenkeel.model.device.DeviceRequest.Wanted;
import io.evenkeel.model.device.ResourceClaim;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.value.Labels;
import io.evenkeel.model.value.Quantity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The claims that stand for what pods ask of extended resources. A pod has one at most; it is made when the pod's node is known,
 * of what that node does not offer itself:
 *
 * <pre>
 *   containers                  claim on a node without GPUs         on a node that offers GPUs itself
 *   0, init   2 example.com/gpu   container-0-request-0: 1 device      none
 *   1         1 example.com/gpu   container-1-request-0: 1 device
 * </pre>
 *
 * The first container has ended when the second runs, so it uses that one's device, too.
 */
final class ExtendedClaims implements ClusterIndex {
    private static final String NAME_PART = "-extended-resources-";
    private static final int LONGEST_BASE = 58;
    private static final String SUFFIX_CHARACTERS = "bcdfghjklmnpqrstvwxz2456789";
    private static final int SUFFIX_LENGTH = 5;

    private final ObjectStore objects;
    private final ExtendedResources resources;
    private final NodeTable nodes;
    private final ResourceNames names;
    private final Map<String, NavigableSet<String>> keysByOwner = new HashMap<>();

    /** A claim to be made. */
    record Made(ResourceClaim claim, List<Need> needs) {
        /** Which request each container's amount is, one or more. */
        List<Mapping> mappings() {
            return needs.stream().flatMap(need -> need.mappings().stream()).toList();
        }
    }

    private ExtendedClaims(ClusterView cluster) {
        objects = cluster.objects();
        resources = cluster.extendedResources();
        nodes = cluster.nodes();
        names = cluster.resources();
    }

    static ExtendedClaims of(ClusterView cluster) {
        return cluster.index(ExtendedClaims.class, ExtendedClaims::new);
    }

    /**
     * What a pod asks for by extended resources.
     *
     * @param resources that stand for devices, in order
     * @param others that it asks for, too, and that stand for none
     * @param left a claim that was made for the pod and is there though the pod is on no node: its devices may be none for it any
     *     more
     */
    record Asked(Pod pod, List<String> resources, List<String> others, Optional<ResourceClaim> left) {
        /** The same; where a claim is there by that key that the server does not show yet, it was left, too. */
        Asked orLeft(Predicate<String> isThere) {
            return left.isEmpty() && isThere.test(keyFor(pod))
                    ? new Asked(pod, resources, others, Optional.of(claim(meta(pod), List.of())))
                    : this;
        }
    }

    /** Nothing for most pods. */
    Optional<Asked> asked(Pod pod) {
        if (!resources.areAskedForBy(pod)) {
            return Optional.empty();
        }
        Map<Boolean, List<String>> all = Stream.concat(
                        pod.spec().initContainers().stream(), pod.spec().containers().stream())
                .flatMap(container -> container.requests().entrySet().stream())
                .filter(request -> request.getValue().signum() > 0)
                .map(Map.Entry::getKey)
                .filter(ExtendedResources::isOne)
                .distinct()
                .sorted()
                .collect(Collectors.partitioningBy(
                        resource -> resources.classOf(resource).isPresent()));
        return Optional.of(
                new Asked(pod, all.getOrDefault(true, List.of()), all.getOrDefault(false, List.of()), left(pod)));
    }

    /** The claim for what the node does not offer itself; nothing where it offers all. */
    Optional<Made> on(Asked asked, int node) {
        List<String> missing = asked.resources.stream()
                .filter(resource -> !isOffered(resource, node))
                .toList();
        return missing.isEmpty() ? Optional.empty() : Optional.of(make(asked.pod, missing));
    }

    private boolean isOffered(String resource, int node) {
        int id = names.find(resource);
        return id != ResourceNames.UNKNOWN && nodes.allocatable(id, node) > 0;
    }

    boolean offerTheSame(Asked asked, int node, int other) {
        for (int i = 0; i < asked.resources.size(); i++) {
            if (isOffered(asked.resources.get(i), node) != isOffered(asked.resources.get(i), other)) {
                return false;
            }
        }
        return true;
    }

    /** Whether the node at least knows all resources that stand for no devices: no other plugin may have looked at them. */
    boolean fitsOtherwise(Asked asked, int node) {
        return asked.others.isEmpty() || nodes.node(node).allocatable().keySet().containsAll(asked.others);
    }

    private Optional<ResourceClaim> left(Pod pod) {
        NavigableSet<String> keys = keysByOwner.get(owner(pod));
        return keys == null ? Optional.empty() : objects.find(Kinds.RESOURCE_CLAIM, keys.first());
    }

    /** Whether the claim is one of these, made already or not. */
    static boolean isOne(ResourceClaim claim) {
        return claim.meta().annotations().has(Annotations.EXTENDED_RESOURCE_CLAIM, "true");
    }

    /** Its name is the same each time, so that there is one at most. */
    private Made make(Pod pod, List<String> ofResources) {
        List<Need> needs = new ArrayList<>();
        for (String resource : ofResources) {
            resources.classOf(resource).ifPresent(deviceClass -> needs.add(new Need(pod, resource, deviceClass)));
        }
        long devices = needs.stream().mapToLong(Need::devices).reduce(0, Quantity::saturatedSum);
        List<DeviceRequest> requests = new ArrayList<>();
        needs.forEach(need ->
                requests.addAll(devices > ResourceClaim.MOST_DEVICES ? List.of(need.inOne()) : need.requests()));
        requests.sort(Comparator.comparing(DeviceRequest::name));
        return new Made(claim(meta(pod), requests), needs);
    }

    private static ResourceClaim claim(ObjectMeta meta, List<DeviceRequest> requests) {
        return new ResourceClaim(
                meta,
                new ResourceClaim.Spec(List.copyOf(requests), List.of(), List.of()),
                Optional.empty(),
                List.of(),
                List.of());
    }

    /** The key of the claim that is made for the pod. */
    static String keyFor(Pod pod) {
        return meta(pod).key();
    }

    private static ObjectMeta meta(Pod pod) {
        String base = pod.name() + NAME_PART;
        return new ObjectMeta(
                pod.namespace(),
                base.substring(0, Math.min(LONGEST_BASE, base.length()))
                        + suffix(pod.meta().uid()),
                "",
                Labels.EMPTY,
                Labels.of(Annotations.EXTENDED_RESOURCE_CLAIM, "true"),
                Optional.of(
                        new OwnerReference("v1", "Pod", pod.name(), pod.meta().uid())),
                false,
                "",
                0);
    }

    /** As API servers end the names that they make up. */
    private static String suffix(String uid) {
        StringBuilder suffix = new StringBuilder(SUFFIX_LENGTH);
        long rest = Integer.toUnsignedLong(uid.hashCode());
        for (int i = 0; i < SUFFIX_LENGTH; i++) {
            suffix.append(SUFFIX_CHARACTERS.charAt((int) (rest % SUFFIX_CHARACTERS.length())));
            rest /= SUFFIX_CHARACTERS.length();
        }
        return suffix.toString();
    }

    @Override
    public void objectChanged(Optional<KubernetesObject> before, Optional<KubernetesObject> after) {
        if (after.or(() -> before).orElseThrow() instanceof ResourceClaim) {
            owner(before)
                    .ifPresent(pod -> keysByOwner.computeIfPresent(pod, (_, keys) -> {
                        keys.remove(before.orElseThrow().meta().key());
                        return keys.isEmpty() ? null : keys;
                    }));
            owner(after)
                    .ifPresent(pod -> keysByOwner
                            .computeIfAbsent(pod, _ -> new TreeSet<>())
                            .add(after.orElseThrow().meta().key()));
        }
    }

    private static String owner(Pod pod) {
        return pod.key() + '/' + pod.meta().uid();
    }

    /** Whether the claim was made for the pod's extended resources. */
    static boolean isOf(Pod pod, ResourceClaim claim) {
        return owner(Optional.of(claim)).equals(Optional.of(owner(pod)));
    }

    /** The pod: its namespace is the claim's, whatever a claim elsewhere says. */
    private static Optional<String> owner(Optional<KubernetesObject> claim) {
        return claim.map(ResourceClaim.class::cast)
                .filter(ExtendedClaims::isOne)
                .flatMap(one -> one.meta().controller())
                .map(pod -> claim.orElseThrow().meta().namespace() + '/' + pod.name() + '/' + pod.uid());
    }

    @Override
    public void audit(AuditFacts facts, Differences differences) {
        Map<String, NavigableSet<String>> anew = new HashMap<>();
        objects.all(Kinds.RESOURCE_CLAIM)
                .forEach(claim -> owner(Optional.of(claim))
                        .ifPresent(pod ->
                                anew.computeIfAbsent(pod, _ -> new TreeSet<>()).add(claim.key())));
        differences.compare(() -> "claims of extended resources", keysByOwner, anew);
    }

    @Override
    public void describe(AuditFacts facts, Consumer<String> line) {
        keysByOwner.forEach((pod, keys) -> line.accept("extended resources of pod " + pod + " by " + keys));
    }

    /**
     * What a pod's containers need of one resource. Containers that run to the end of the pod have a request each; those that have
     * ended before share what these will use, and one request for what they need beyond.
     */
    static final class Need {
        private final String resource;
        private final String deviceClass;
        private final List<Container> containers;
        private final long[] shortLived;
        private final long[] kept;
        private long allKept;
        private long most; // that one of those that have ended needs beyond
        private int largest;

        private Need(Pod pod, String resource, String deviceClass) {
            this.resource = resource;
            this.deviceClass = deviceClass;
            containers = Stream.concat(pod.spec().initContainers().stream(), pod.spec().containers().stream())
                    .toList();
            int inits = pod.spec().initContainers().size();
            shortLived = new long[containers.size()];
            kept = new long[containers.size()];
            for (int i = containers.size() - 1; i >= 0; i--) {
                Container container = containers.get(i);
                long amount = Math.max(
                        0,
                        container
                                .requests()
                                .getOrDefault(resource, Quantity.ZERO)
                                .value());
                (i >= inits || container.sidecar() ? kept : shortLived)[i] = amount;
                allKept = Quantity.saturatedSum(allKept, kept[i]);
                if (shortLived[i] > allKept && shortLived[i] - allKept >= most) {
                    most = shortLived[i] - allKept;
                    largest = i;
                }
            }
        }

        private long devices() {
            return Quantity.saturatedSum(allKept, most);
        }

        /** All as one request, for a claim that is refused for its many devices. */
        private DeviceRequest inOne() {
            int first = 0;
            while (kept[first] + shortLived[first] == 0) {
                first++;
            }
            return request(name(first), devices());
        }

        private List<DeviceRequest> requests() {
            List<DeviceRequest> requests = new ArrayList<>();
            for (int i = 0; i < kept.length; i++) {
                if (kept[i] > 0) {
                    requests.add(request(name(i), kept[i]));
                }
            }
            if (most > 0) {
                requests.add(request(name(largest), most));
            }
            return requests;
        }

        private DeviceRequest request(String name, long count) {
            Wanted wanted = new Wanted("", deviceClass, List.of(), "ExactCount", count, false, List.of(), Map.of());
            return new DeviceRequest(name, List.of(wanted), false);
        }

        private List<Mapping> mappings() {
            List<Mapping> mappings = new ArrayList<>();
            String ofLargest = name(largest);
            String[] names = new String[kept.length];
            for (int i = 0; i < kept.length; i++) {
                if (kept[i] > 0) {
                    names[i] = name(i);
                    mappings.add(new Mapping(containers.get(i).name(), resource, names[i]));
                }
            }
            for (int i = 0; i < kept.length; i++) {
                long missing = shortLived[i];
                for (int later = i; later < kept.length && missing > 0; later++) {
                    if (kept[later] > 0) {
                        mappings.add(new Mapping(containers.get(i).name(), resource, names[later]));
                        missing -= kept[later];
                    }
                }
                if (missing > 0) {
                    mappings.add(new Mapping(containers.get(i).name(), resource, ofLargest));
                }
            }
            return mappings;
        }

        /** By the place of the container, and that of the resource among all that it asks for. */
        private String name(int container) {
            long place = containers.get(container).requests().keySet().stream()
                    .filter(other -> other.compareTo(resource) < 0)
                    .count();
            return "container-" + container + "-request-" + place;
        }
    }
}
