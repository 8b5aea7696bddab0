package io.evenkeel.tools.simulate;

import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodResourceClaim;
import io.evenkeel.model.PodStatus.ExtendedClaim;
import io.evenkeel.model.PodStatus.MadeClaim;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.build.PodStatusBuilder;
import io.evenkeel.model.device.DeviceAllocation;
import io.evenkeel.model.device.ResourceClaim;
import io.evenkeel.model.device.ResourceClaimTemplate;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.value.Labels;
import io.evenkeel.tools.simulate.Successors.Letters;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** A picture's claims to devices: made for pods, used by them and freed after them as the API server and its controllers do. */
final class DeviceClaims {
    static final String KIND = Kinds.RESOURCE_CLAIM.name();
    private static final String TEMPLATE = Kinds.RESOURCE_CLAIM_TEMPLATE.name();
    private static final String POD = "Pod";

    private final ClusterPicture picture;
    private final Consumer<ClusterEvent> heard;
    private final Consumer<String> remarks;
    /** Claims by the template that they were made from, where no template is known. */
    private final Map<String, ResourceClaim> likes = new HashMap<>();

    /**
     * Nothing is made yet.
     *
     * @param before the cluster before all changes: its claims tell what templates are that cannot be read
     * @param heard is told what becomes of claims
     * @param remarks is told for what pods wait
     */
    DeviceClaims(
            ClusterPicture before, ClusterPicture picture, Consumer<ClusterEvent> heard, Consumer<String> remarks) {
        this.picture = picture;
        this.heard = heard;
        this.remarks = remarks;
        if (before.all(TEMPLATE).isEmpty()) {
            before.pods()
                    .forEach(pod -> pod.spec()
                            .resourceClaims()
                            .forEach(wanted -> made(before, pod, wanted)
                                    .ifPresent(claim -> likes.putIfAbsent(templateOf(pod, wanted), claim))));
        }
    }

    private static String templateOf(Pod pod, PodResourceClaim wanted) {
        return pod.namespace() + '/' + wanted.resourceClaimTemplateName();
    }

    private static Optional<ResourceClaim> made(ClusterPicture picture, Pod pod, PodResourceClaim wanted) {
        return pod.status().claims().stream()
                .filter(made -> made.name().equals(wanted.name())
                        && !wanted.resourceClaimTemplateName().isEmpty())
                .flatMap(made -> made.resourceClaimName().stream())
                .flatMap(name -> picture.find(KIND, pod.namespace() + '/' + name).stream())
                .map(ResourceClaim.class::cast)
                .findFirst();
    }

    /** The pod with a claim for each template that it names. */
    Pod supplied(Pod pod) {
        List<MadeClaim> all = new ArrayList<>();
        for (PodResourceClaim wanted : pod.spec().resourceClaims()) {
            if (!wanted.resourceClaimTemplateName().isEmpty()) {
                made(picture, pod, wanted)
                        .or(() -> make(pod, wanted))
                        .ifPresent(claim -> all.add(new MadeClaim(
                                wanted.name(), Optional.of(claim.meta().name()))));
            }
        }
        return all.isEmpty()
                ? pod
                : PodBuilder.from(pod)
                        .status(PodStatusBuilder.from(pod.status()).claims(all).build())
                        .build();
    }

    private Optional<ResourceClaim> make(Pod pod, PodResourceClaim wanted) {
        String template = templateOf(pod, wanted);
        Optional<ResourceClaim.Spec> spec =
                picture.find(TEMPLATE, template).map(found -> ((ResourceClaimTemplate) found).spec());
        if (spec.isEmpty() && likes.containsKey(template)) {
            ResourceClaim like = likes.get(template);
            remarks.accept("ResourceClaimTemplate " + template + " is not known: its claims are like " + like.key());
            spec = Optional.of(like.spec());
        }
        if (spec.isEmpty()) {
            remarks.accept("there is no ResourceClaimTemplate " + template + ": pods wait for it");
        }
        return spec.map(found -> {
            ResourceClaim claim = new ResourceClaim(meta(pod, wanted), found, Optional.empty(), List.of(), List.of());
            put(claim);
            return claim;
        });
    }

    private ObjectMeta meta(Pod pod, PodResourceClaim wanted) {
        String name = "";
        for (int nth = 0;
                name.isEmpty()
                        || picture.find(KIND, pod.namespace() + '/' + name).isPresent();
                nth++) {
            name = Letters.name(pod.name() + '-' + wanted.name() + '-', nth);
        }
        return new ObjectMeta(
                pod.namespace(),
                name,
                uid(name, pod),
                Labels.EMPTY,
                Optional.of(new OwnerReference("v1", POD, pod.name(), pod.meta().uid())),
                false);
    }

    private static String uid(String claim, Pod pod) {
        return "simulated:" + claim + ':' + pod.meta().uid();
    }

    private void put(ResourceClaim claim) {
        picture.put(claim);
        heard.accept(new ClusterEvent.Put(claim));
    }

    /** The pod uses these claims with the devices that they have; returns the pod as it is then. */
    Pod used(Pod pod, List<ResourceClaim> claims) {
        Pod user = pod;
        for (ResourceClaim claim : claims) {
            boolean isOfExtendedResources = claim.meta().uid().isEmpty();
            List<ResourceClaim.Consumer> consumers = new ArrayList<>(claim.reservedFor());
            if (!claim.isReservedFor(pod.meta().uid())) {
                consumers.add(new ResourceClaim.Consumer(
                        "", "pods", pod.name(), pod.meta().uid()));
            }
            put(with(isOfExtendedResources ? withUid(claim.meta(), pod) : claim.meta(), claim, consumers));
            if (isOfExtendedResources) {
                user = PodBuilder.from(user)
                        .status(PodStatusBuilder.from(user.status())
                                .extendedClaim(new ExtendedClaim(claim.meta().name(), List.of()))
                                .build())
                        .build();
            }
        }
        return user;
    }

    private static ResourceClaim with(ObjectMeta meta, ResourceClaim claim, List<ResourceClaim.Consumer> consumers) {
        return new ResourceClaim(meta, claim.spec(), claim.allocation(), List.copyOf(consumers), claim.devices());
    }

    private static ObjectMeta withUid(ObjectMeta meta, Pod pod) {
        return new ObjectMeta(
                meta.namespace(),
                meta.name(),
                uid(meta.name(), pod),
                meta.labels(),
                meta.annotations(),
                meta.controller(),
                false,
                "",
                0);
    }

    /** Claims that were made for pods that are gone go, too; others are free once the last of their pods is gone. */
    void forget(Predicate<String> isGone) {
        for (ResourceClaim claim : picture.all(KIND, ResourceClaim.class)) {
            List<ResourceClaim.Consumer> rest = claim.reservedFor().stream()
                    .filter(consumer -> !consumer.resource().equals("pods") || !isGone.test(consumer.uid()))
                    .toList();
            if (claim.meta()
                    .controller()
                    .filter(owner -> owner.kind().equals(POD) && isGone.test(owner.uid()))
                    .isPresent()) {
                remove(claim);
            } else if (rest.isEmpty() && !claim.reservedFor().isEmpty()) {
                free(claim);
            } else if (rest.size() < claim.reservedFor().size()) {
                put(claim.usedBy(rest));
            }
        }
    }

    void remove(ResourceClaim claim) {
        picture.remove(claim);
        heard.accept(new ClusterEvent.Removed(claim));
    }

    void free(ResourceClaim claim) {
        put(claim.freed());
    }

    /** The devices that pods use, by the pods' UIDs. */
    static Map<String, List<Had>> had(ClusterPicture picture) {
        Map<String, List<Had>> had = new HashMap<>();
        for (ResourceClaim claim : picture.all(KIND, ResourceClaim.class)) {
            List<DeviceAllocation.Result> results =
                    claim.allocation().map(DeviceAllocation::results).orElse(List.of());
            for (ResourceClaim.Consumer consumer : claim.reservedFor()) {
                results.forEach(result -> had.computeIfAbsent(consumer.uid(), _ -> new ArrayList<>())
                        .add(new Had(claim.meta().name(), result)));
            }
        }
        return had;
    }

    /** A device, and the name of the claim that has it. */
    record Had(String claim, DeviceAllocation.Result device) {}
}
