package io.evenkeel.cluster.counting;

import io.evenkeel.cluster.index.ClusterIndex;
import io.evenkeel.cluster.index.ClusterIndex.AuditFacts;
import io.evenkeel.cluster.index.ClusterIndex.Differences;
import io.evenkeel.cluster.index.ObjectStore;
import io.evenkeel.cluster.shape.ResourceNames;
import io.evenkeel.cluster.shape.ResourceVector;
import io.evenkeel.model.Container;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.device.DeviceClass;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.value.Quantity;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * The extended resources that stand for devices of a class. A container asks for a number of them, and on a node that does not
 * offer the resource itself the pod gets that many devices instead. There are none where there are no device classes, or
 * the feature is off.
 */
public final class ExtendedResources {
    /** Before the name of a class: the resource that stands for it in any case. */
    private static final String OF_CLASS = "deviceclass.resource.kubernetes.io/";

    /** A class that names a resource. The newest counts, so that one can take the place of another. */
    private record Claimant(String created, String name) implements Comparable<Claimant> {
        private static final Comparator<Claimant> NEWEST_FIRST =
                Comparator.comparing(Claimant::created).reversed().thenComparing(Claimant::name);

        static Claimant of(DeviceClass deviceClass) {
            return new Claimant(deviceClass.meta().created(), deviceClass.name());
        }

        @Override
        public int compareTo(Claimant other) {
            return NEWEST_FIRST.compare(this, other);
        }
    }

    private final ObjectStore objects;
    private final ResourceNames names;
    private final boolean isOn;
    private final Map<String, NavigableSet<Claimant>> byResource = new HashMap<>();
    private int version;

    private ExtendedResources(ObjectStore objects, ResourceNames names, boolean isOn) {
        this.objects = objects;
        this.names = names;
        this.isOn = isOn;
    }

    /** @param isOn whether there can be any */
    public static Writer create(ObjectStore objects, ResourceNames names, boolean isOn) {
        return new ExtendedResources(objects, names, isOn).new Writer();
    }

    /** Whether there can be any. */
    public boolean isOn() {
        return isOn;
    }

    /** Another number where the resources, or their classes, may be others. */
    public int version() {
        return version;
    }

    public boolean isEmpty() {
        return byResource.isEmpty();
    }

    /** The name of the class that the resource stands for; empty where it is a resource like any other. */
    public Optional<String> classOf(String resource) {
        NavigableSet<Claimant> claimants = byResource.get(resource);
        return claimants == null
                ? Optional.empty()
                : Optional.of(claimants.first().name());
    }

    /** Whether a pod that asks for this may ask for some that stand for devices: told without a look at its containers. */
    public boolean mayBeAmong(ResourceVector asked) {
        for (int i = 0; i < asked.size() && !byResource.isEmpty(); i++) {
            int resource = asked.resourceAt(i);
            if (resource > ResourceNames.EPHEMERAL_STORAGE && byResource.containsKey(names.nameOf(resource))) {
                return true;
            }
        }
        return false;
    }

    /** Whether a container of the pod asks for some that stand for devices. */
    public boolean areAskedForBy(Pod pod) {
        return !byResource.isEmpty()
                && (areAskedForBy(pod.spec().containers())
                        || areAskedForBy(pod.spec().initContainers()));
    }

    private boolean areAskedForBy(List<Container> containers) {
        for (int i = 0; i < containers.size(); i++) {
            for (Map.Entry<String, Quantity> request :
                    containers.get(i).requests().entrySet()) {
                if (isOne(request.getKey())
                        && request.getValue().signum() > 0
                        && byResource.containsKey(request.getKey())) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether a resource of this name could stand for devices. */
    public static boolean isOne(String resource) {
        return ResourceNames.isExtended(resource) || resource.startsWith(OF_CLASS);
    }

    /** The resources that stand for devices of the class, unless a newer class claims them. */
    public static Set<String> claimedBy(DeviceClass deviceClass) {
        String own = OF_CLASS + deviceClass.name();
        return deviceClass.extendedResourceName().isEmpty()
                ? Set.of(own)
                : Set.of(own, deviceClass.extendedResourceName());
    }

    private void enter(DeviceClass deviceClass) {
        for (String resource : claimedBy(deviceClass)) {
            byResource.computeIfAbsent(resource, _ -> new TreeSet<>()).add(Claimant.of(deviceClass));
        }
    }

    private void leave(DeviceClass deviceClass) {
        for (String resource : claimedBy(deviceClass)) {
            byResource.computeIfPresent(resource, (_, claimants) -> {
                claimants.remove(Claimant.of(deviceClass));
                return claimants.isEmpty() ? null : claimants;
            });
        }
    }

    /** Hears of device classes; made with the resources, and not to be had from them. */
    public final class Writer implements ClusterIndex {
        private Writer() {}

        public ExtendedResources resources() {
            return ExtendedResources.this;
        }

        @Override
        public void objectChanged(Optional<KubernetesObject> before, Optional<KubernetesObject> after) {
            if (isOn && after.or(() -> before).orElseThrow() instanceof DeviceClass) {
                Optional<DeviceClass> was = before.map(DeviceClass.class::cast);
                Optional<DeviceClass> is = after.map(DeviceClass.class::cast);
                boolean isSame = was.isPresent()
                        && is.isPresent()
                        && claimedBy(was.get()).equals(claimedBy(is.get()))
                        && Claimant.of(was.get()).equals(Claimant.of(is.get()));
                if (!isSame) {
                    was.ifPresent(ExtendedResources.this::leave);
                    is.ifPresent(ExtendedResources.this::enter);
                    version++;
                }
            }
        }

        @Override
        public void audit(AuditFacts facts, Differences differences) {
            ExtendedResources anew = new ExtendedResources(objects, names, isOn);
            if (isOn) {
                objects.all(Kinds.DEVICE_CLASS).forEach(anew::enter);
            }
            differences.compare(() -> "extended resources that stand for devices", byResource, anew.byResource);
        }

        @Override
        public void describe(AuditFacts facts, Consumer<String> line) {
            byResource.forEach((resource, claimants) -> line.accept("resource " + resource + " of " + claimants));
        }
    }
}
