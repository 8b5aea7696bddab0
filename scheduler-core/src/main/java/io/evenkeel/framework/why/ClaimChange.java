package io.evenkeel.framework.why;

import io.evenkeel.cluster.index.ObjectStore;
import io.evenkeel.framework.why.Change.Sized;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodResourceClaim;
import io.evenkeel.model.PodStatus.ExtendedClaim;
import io.evenkeel.model.PodStatus.MadeClaim;
import io.evenkeel.model.device.DeviceRequest;
import io.evenkeel.model.device.DeviceRequest.Wanted;
import io.evenkeel.model.device.DeviceTaint;
import io.evenkeel.model.device.DeviceToleration;
import io.evenkeel.model.device.ResourceClaim;
import io.evenkeel.model.kind.Kinds;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;

/**
 * A change of what one of the waiting pod's claims for devices asks for. What is asked for is fixed, so the claim is made again, or
 * its template and the pod.
 */
public sealed interface ClaimChange extends Change {
    Place place();

    Wanted applied(Wanted before);

    /** Returns the change as operations on the claim, or on its template. */
    List<PatchOperation> patch(Wanted before);

    /** What is other about the request: a noun first. */
    String words();

    @Override
    default Kind kind() {
        return switch (this) {
            case FewerDevices _ -> Kind.REQUEST;
            case TaintTolerated _ -> Kind.TOLERATION;
            case OtherClass _ -> Kind.DEVICE_CLASS;
            case SelectorDropped _ -> Kind.DEVICE_SELECTOR;
        };
    }

    @Override
    default String text() {
        return words() + " in " + place().object().replaceFirst("/", " ");
    }

    /** The claim once it is changed. */
    default ResourceClaim applied(ResourceClaim before) {
        return place().with(before, this::applied);
    }

    /** The names of a pod's claims, by those that they have within the pod; that for its extended resources has none there. */
    static Map<String, String> namesOf(Pod pod) {
        Map<String, String> names = new LinkedHashMap<>();
        for (PodResourceClaim each : pod.spec().resourceClaims()) {
            Optional<String> name = each.resourceClaimName().isEmpty()
                    ? pod.status().claims().stream()
                            .filter(made -> made.name().equals(each.name()))
                            .findFirst()
                            .flatMap(MadeClaim::resourceClaimName)
                    : Optional.of(each.resourceClaimName());
            name.ifPresent(made -> names.put(each.name(), made));
        }
        pod.status().extendedClaim().map(ExtendedClaim::resourceClaimName).ifPresent(name -> names.put("", name));
        return names;
    }

    /** The claims of a pod that are there, likewise. */
    static Map<String, ResourceClaim> claimsOf(Pod pod, ObjectStore objects) {
        Map<String, ResourceClaim> claims = new LinkedHashMap<>();
        namesOf(pod)
                .forEach((name, made) -> objects.find(Kinds.RESOURCE_CLAIM, pod.namespace() + '/' + made)
                        .ifPresent(claim -> claims.put(name, claim)));
        return claims;
    }

    /** A claim of a pod once the pod is gone and a controller has freed its devices; empty where they are not the pod's alone. */
    static Optional<ResourceClaim> freed(ResourceClaim claim, Pod gone) {
        boolean isOfOthers = claim.reservedFor().stream()
                .anyMatch(consumer -> !consumer.uid().equals(gone.meta().uid()));
        return claim.allocation()
                .filter(_ -> !isOfOthers)
                .map(_ -> new ResourceClaim(claim.meta(), claim.spec(), Optional.empty(), List.of(), List.of()));
    }

    /**
     * Where a claim of a pod says what it asks for.
     *
     * @param claim its name within the pod
     * @param object what is made again: the claim, or its template, as {@code ResourceClaimTemplate/shop/gpu}
     * @param request the index of the request
     * @param alternative its index; negative where the request has no alternatives
     * @param name of the request, or {@code request/alternative}
     */
    record Place(String claim, String object, int request, int alternative, String name) {
        /** Of a request of a claim of the pod. */
        public static Place of(Pod pod, String claim, ResourceClaim itself, DeviceRequest request, Wanted wanted) {
            String template = pod.spec().resourceClaims().stream()
                    .filter(each -> each.name().equals(claim))
                    .map(PodResourceClaim::resourceClaimTemplateName)
                    .findFirst()
                    .orElse("");
            return new Place(
                    claim,
                    template.isEmpty()
                            ? "ResourceClaim/" + itself.key()
                            : "ResourceClaimTemplate/" + pod.namespace() + '/' + template,
                    itself.spec().requests().indexOf(request),
                    request.prioritized() ? request.alternatives().indexOf(wanted) : -1,
                    request.prioritized() ? request.name() + '/' + wanted.name() : request.name());
        }

        public boolean isTemplate() {
            return object.startsWith("ResourceClaimTemplate/");
        }

        /** A pointer to a field of it. */
        String path(String field) {
            return (isTemplate() ? "/spec/spec" : "/spec") + "/devices/requests/" + request
                    + (alternative < 0 ? "/exactly/" : "/firstAvailable/" + alternative + "/") + field;
        }

        /** What it asks for in the claim. */
        public Wanted of(ResourceClaim itself) {
            return itself.spec().requests().get(request).alternatives().get(Math.max(0, alternative));
        }

        private ResourceClaim with(ResourceClaim before, UnaryOperator<Wanted> change) {
            List<DeviceRequest> requests = new ArrayList<>(before.spec().requests());
            DeviceRequest changed = requests.get(request);
            List<Wanted> alternatives = new ArrayList<>(changed.alternatives());
            alternatives.set(Math.max(0, alternative), change.apply(of(before)));
            requests.set(request, new DeviceRequest(changed.name(), List.copyOf(alternatives), changed.prioritized()));
            return new ResourceClaim(
                    before.meta(),
                    new ResourceClaim.Spec(
                            List.copyOf(requests),
                            before.spec().constraints(),
                            before.spec().configurations()),
                    before.allocation(),
                    before.reservedFor(),
                    before.devices());
        }
    }

    /**
     * Fewer devices.
     *
     * @param before how many are asked for now, more than one
     */
    record FewerDevices(Place place, long before, long count) implements ClaimChange, Sized {
        @Override
        public String words() {
            return count + (count == 1 ? " device" : " devices") + " instead of " + before + " for request "
                    + place.name();
        }

        @Override
        public long size() {
            return before - count;
        }

        @Override
        public Change ofSize(long size) {
            return new FewerDevices(place, before, Math.max(1, before - size));
        }

        @Override
        public Wanted applied(Wanted wanted) {
            return new Wanted(
                    wanted.name(),
                    wanted.deviceClass(),
                    wanted.selectors(),
                    wanted.mode(),
                    count,
                    wanted.admin(),
                    wanted.tolerations(),
                    wanted.capacity());
        }

        @Override
        public List<PatchOperation> patch(Wanted wanted) {
            return List.of(PatchOperation.add(place.path("count"), count));
        }
    }

    /** A toleration of just this taint of devices. */
    record TaintTolerated(Place place, DeviceTaint taint) implements ClaimChange {
        @Override
        public String words() {
            return "toleration of device taint " + taint.key() + (taint.value().isEmpty() ? "" : "=" + taint.value())
                    + ":" + taint.effect() + " for request " + place.name();
        }

        private String operator() {
            return taint.value().isEmpty() ? "Exists" : "Equal";
        }

        @Override
        public Wanted applied(Wanted wanted) {
            List<DeviceToleration> tolerations = new ArrayList<>(wanted.tolerations());
            tolerations.add(
                    new DeviceToleration(taint.key(), operator(), taint.value(), taint.effect(), OptionalLong.empty()));
            return new Wanted(
                    wanted.name(),
                    wanted.deviceClass(),
                    wanted.selectors(),
                    wanted.mode(),
                    wanted.count(),
                    wanted.admin(),
                    List.copyOf(tolerations),
                    wanted.capacity());
        }

        @Override
        public List<PatchOperation> patch(Wanted wanted) {
            Map<String, Object> toleration = new LinkedHashMap<>();
            toleration.put("key", taint.key());
            toleration.put("operator", operator());
            if (!taint.value().isEmpty()) {
                toleration.put("value", taint.value());
            }
            toleration.put("effect", taint.effect());
            return List.of(
                    wanted.tolerations().isEmpty()
                            ? PatchOperation.add(place.path("tolerations"), List.of(toleration))
                            : PatchOperation.add(place.path("tolerations/-"), toleration));
        }
    }

    /**
     * Devices of another class.
     *
     * @param before the class that is asked for now
     */
    record OtherClass(Place place, String before, String deviceClass) implements ClaimChange {
        @Override
        public String words() {
            return "device class " + deviceClass + " instead of " + before + " for request " + place.name();
        }

        @Override
        public Wanted applied(Wanted wanted) {
            return new Wanted(
                    wanted.name(),
                    deviceClass,
                    wanted.selectors(),
                    wanted.mode(),
                    wanted.count(),
                    wanted.admin(),
                    wanted.tolerations(),
                    wanted.capacity());
        }

        @Override
        public List<PatchOperation> patch(Wanted wanted) {
            return List.of(PatchOperation.replace(place.path("deviceClassName"), deviceClass));
        }
    }

    /**
     * A selector no longer asked for.
     *
     * @param index its place among the request's own
     * @param expression it, or its beginning
     */
    record SelectorDropped(Place place, int index, String expression) implements ClaimChange {
        @Override
        public String words() {
            return "selector " + expression + " dropped from request " + place.name();
        }

        @Override
        public Wanted applied(Wanted wanted) {
            List<String> selectors = new ArrayList<>(wanted.selectors());
            selectors.remove(index);
            return new Wanted(
                    wanted.name(),
                    wanted.deviceClass(),
                    List.copyOf(selectors),
                    wanted.mode(),
                    wanted.count(),
                    wanted.admin(),
                    wanted.tolerations(),
                    wanted.capacity());
        }

        @Override
        public List<PatchOperation> patch(Wanted wanted) {
            return List.of(PatchOperation.remove(place.path("selectors/" + index)));
        }
    }
}
