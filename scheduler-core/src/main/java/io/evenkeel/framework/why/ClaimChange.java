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
import io.evenkeel.model.device.ResourceClaim.Constraint;
import io.evenkeel.model.device.ResourceClaim.Consumer;
import io.evenkeel.model.kind.Kinds;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A change of what one of the waiting pod's claims for devices asks for. What is asked for is fixed, so the claim is made again, or
 * its template and the pod.
 */
public sealed interface ClaimChange extends Change {
    Source source();

    ResourceClaim.Spec applied(ResourceClaim.Spec before);

    /** Returns the change as operations on the claim, or on its template. */
    List<PatchOperation> patch(ResourceClaim.Spec before);

    /** What is other about the claim: a noun first. */
    String words();

    @Override
    default Kind kind() {
        return switch (this) {
            case FewerDevices _ -> Kind.REQUEST;
            case AlternativeAdded added -> added.isNear() ? Kind.DEVICE_ALTERNATIVE : Kind.DEVICE_CLASS;
            case TaintTolerated _ -> Kind.TOLERATION;
            case OtherClass _ -> Kind.DEVICE_CLASS;
            case SelectorDropped _ -> Kind.DEVICE_SELECTOR;
            case ConstraintDropped _ -> Kind.DEVICE_CONSTRAINT;
        };
    }

    @Override
    default String text() {
        return words() + " in " + source().object().replaceFirst("/", " ");
    }

    /** The claim once it is changed. */
    default ResourceClaim applied(ResourceClaim before) {
        return before.asking(applied(before.spec()));
    }

    /** An alternative, as a claim says it. */
    private static Map<String, Object> written(Wanted wanted) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("name", wanted.name());
        fields.put("deviceClassName", wanted.deviceClass());
        if (!wanted.selectors().isEmpty()) {
            fields.put(
                    "selectors",
                    wanted.selectors().stream()
                            .map(expression -> Map.of("cel", Map.of("expression", expression)))
                            .toList());
        }
        if (wanted.mode().equals("All")) {
            fields.put("allocationMode", wanted.mode());
        } else if (wanted.count() != 1) {
            fields.put("count", wanted.count());
        }
        if (!wanted.tolerations().isEmpty()) {
            fields.put(
                    "tolerations",
                    wanted.tolerations().stream().map(ClaimChange::written).toList());
        }
        if (!wanted.capacity().isEmpty()) {
            Map<String, Object> amounts = new TreeMap<>();
            wanted.capacity().forEach((name, amount) -> amounts.put(name, amount.toString()));
            fields.put("capacity", Map.of("requests", amounts));
        }
        return fields;
    }

    private static Map<String, Object> written(DeviceToleration toleration) {
        Map<String, Object> fields = new LinkedHashMap<>();
        if (!toleration.key().isEmpty()) {
            fields.put("key", toleration.key());
        }
        fields.put("operator", toleration.operator().isEmpty() ? "Equal" : toleration.operator());
        if (!toleration.value().isEmpty()) {
            fields.put("value", toleration.value());
        }
        if (!toleration.effect().isEmpty()) {
            fields.put("effect", toleration.effect());
        }
        toleration.seconds().ifPresent(seconds -> fields.put("tolerationSeconds", seconds));
        return fields;
    }

    /** One of a request, or of an alternative. */
    sealed interface RequestChange extends ClaimChange {
        Place place();

        Wanted applied(Wanted before);

        List<PatchOperation> patch(Wanted before);

        @Override
        default Source source() {
            return place().source();
        }

        @Override
        default ResourceClaim.Spec applied(ResourceClaim.Spec before) {
            List<DeviceRequest> requests = new ArrayList<>(before.requests());
            DeviceRequest changed = requests.get(place().request());
            List<Wanted> alternatives = new ArrayList<>(changed.alternatives());
            alternatives.set(Math.max(0, place().alternative()), applied(place().of(before)));
            requests.set(
                    place().request(),
                    new DeviceRequest(changed.name(), List.copyOf(alternatives), changed.prioritized()));
            return new ResourceClaim.Spec(List.copyOf(requests), before.constraints(), before.configurations());
        }

        @Override
        default List<PatchOperation> patch(ResourceClaim.Spec before) {
            return patch(place().of(before));
        }
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

    /** A claim of a pod once the pod is gone and controllers have seen to it; empty where it stays as it is. */
    static Optional<ResourceClaim> without(ResourceClaim claim, Pod gone) {
        List<Consumer> others = claim.reservedFor().stream()
                .filter(consumer -> !consumer.uid().equals(gone.meta().uid()))
                .toList();
        if (others.isEmpty()) {
            return claim.allocation().map(_ -> claim.freed());
        }
        return others.size() < claim.reservedFor().size() ? Optional.of(claim.usedBy(others)) : Optional.empty();
    }

    /**
     * What says what a claim of a pod asks for.
     *
     * @param claim its name within the pod
     * @param object what is made again: the claim, or its template, as {@code ResourceClaimTemplate/shop/gpu}
     */
    record Source(String claim, String object) {
        private static final String CLAIM = "ResourceClaim/";
        private static final String TEMPLATE = "ResourceClaimTemplate/";

        public static Source of(Pod pod, String claim, ResourceClaim itself) {
            String template = pod.spec().resourceClaims().stream()
                    .filter(each -> each.name().equals(claim))
                    .map(PodResourceClaim::resourceClaimTemplateName)
                    .findFirst()
                    .orElse("");
            return new Source(
                    claim, template.isEmpty() ? CLAIM + itself.key() : TEMPLATE + pod.namespace() + '/' + template);
        }

        public boolean isTemplate() {
            return object.startsWith(TEMPLATE);
        }

        /** The keys of the pod's claims that it says this of. */
        public Set<String> keysOf(Pod pod) {
            Map<String, String> names = namesOf(pod);
            return pod.spec().resourceClaims().stream()
                    .filter(each -> object.equals(
                            isTemplate()
                                    ? TEMPLATE + pod.namespace() + '/' + each.resourceClaimTemplateName()
                                    : CLAIM + pod.namespace() + '/' + each.resourceClaimName()))
                    .map(each -> names.get(each.name()))
                    .filter(Objects::nonNull)
                    .map(name -> pod.namespace() + '/' + name)
                    .collect(Collectors.toSet());
        }

        /** A pointer to a field of what is asked for. */
        private String path(String field) {
            return (isTemplate() ? "/spec/spec" : "/spec") + "/devices/" + field;
        }
    }

    /**
     * A request, or an alternative of it.
     *
     * @param request its index
     * @param alternative its index; negative where the request has no alternatives
     * @param name of the request, or {@code request/alternative}
     */
    record Place(Source source, int request, int alternative, String name) {
        /** Of a request of the claim. */
        public static Place of(Source source, ResourceClaim itself, DeviceRequest request, Wanted wanted) {
            return new Place(
                    source,
                    itself.spec().requests().indexOf(request),
                    request.prioritized() ? request.alternatives().indexOf(wanted) : -1,
                    request.prioritized() ? request.name() + '/' + wanted.name() : request.name());
        }

        /** A pointer to a field of it. */
        private String path(String field) {
            return source.path("requests/" + request
                    + (alternative < 0 ? "/exactly/" : "/firstAvailable/" + alternative + "/") + field);
        }

        /** What it asks for. */
        private Wanted of(ResourceClaim.Spec spec) {
            return spec.requests().get(request).alternatives().get(Math.max(0, alternative));
        }
    }

    /**
     * Fewer devices.
     *
     * @param before how many are asked for now, more than one
     */
    record FewerDevices(Place place, long before, long count) implements RequestChange, Sized {
        /** The same beside an earlier one: as many are asked for to begin with as before both. */
        public FewerDevices after(FewerDevices earlier) {
            return new FewerDevices(place, earlier.before, count);
        }

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
            return wanted.counting(count);
        }

        @Override
        public List<PatchOperation> patch(Wanted wanted) {
            return List.of(PatchOperation.add(place.path("count"), count));
        }
    }

    /** A toleration of just this taint of devices. */
    record TaintTolerated(Place place, DeviceTaint taint) implements RequestChange {
        @Override
        public String words() {
            return "toleration of device taint " + taint.key() + (taint.value().isEmpty() ? "" : "=" + taint.value())
                    + ":" + taint.effect() + " for request " + place.name();
        }

        private DeviceToleration toleration() {
            return new DeviceToleration(
                    taint.key(),
                    taint.value().isEmpty() ? "Exists" : "Equal",
                    taint.value(),
                    taint.effect(),
                    OptionalLong.empty());
        }

        @Override
        public Wanted applied(Wanted wanted) {
            List<DeviceToleration> tolerations = new ArrayList<>(wanted.tolerations());
            tolerations.add(toleration());
            return wanted.tolerating(List.copyOf(tolerations));
        }

        @Override
        public List<PatchOperation> patch(Wanted wanted) {
            Map<String, Object> toleration = written(toleration());
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
    record OtherClass(Place place, String before, String deviceClass) implements RequestChange {
        @Override
        public String words() {
            return "device class " + deviceClass + " instead of " + before + " for request " + place.name();
        }

        @Override
        public Wanted applied(Wanted wanted) {
            return wanted.ofClass(deviceClass);
        }

        @Override
        public List<PatchOperation> patch(Wanted wanted) {
            return List.of(PatchOperation.replace(place.path("deviceClassName"), deviceClass));
        }
    }

    /** A selector no longer asked for. */
    record SelectorDropped(Place place, String expression) implements RequestChange {
        private static final int MOST_CHARACTERS = 70;

        @Override
        public String words() {
            return "selector " + brief(expression) + " dropped from request " + place.name();
        }

        /** A selector on a line, or its beginning. */
        public static String brief(String expression) {
            String line = expression.strip().replaceAll("\\s+", " ");
            return line.length() <= MOST_CHARACTERS ? line : line.substring(0, MOST_CHARACTERS - 1) + "…";
        }

        @Override
        public Wanted applied(Wanted wanted) {
            List<String> selectors = new ArrayList<>(wanted.selectors());
            selectors.remove(expression);
            return wanted.selecting(List.copyOf(selectors));
        }

        @Override
        public List<PatchOperation> patch(Wanted wanted) {
            return List.of(PatchOperation.remove(
                    place.path("selectors/" + wanted.selectors().indexOf(expression))));
        }
    }

    /**
     * Something else that will do for a request where what it asks for now cannot be had.
     *
     * @param place of what it stands in for
     * @param other what is wanted then
     * @param isNear whether its devices are of the same driver
     */
    record AlternativeAdded(Place place, Wanted other, boolean isNear) implements ClaimChange {
        private static final String NAME = "alternative-";

        @Override
        public Source source() {
            return place.source();
        }

        @Override
        public String words() {
            return (place.alternative() < 0 ? "alternative" : "one more alternative")
                    + " for request "
                    + place.name()
                    + ", "
                    + (other.mode().equals("All")
                            ? "all devices"
                            : other.count() + (other.count() == 1 ? " device" : " devices"))
                    + " of class "
                    + other.deviceClass()
                    + (other.selectors().isEmpty()
                            ? ""
                            : " with "
                                    + other.selectors().stream()
                                            .map(SelectorDropped::brief)
                                            .collect(Collectors.joining(" and ")))
                    + ",";
        }

        private DeviceRequest applied(DeviceRequest request) {
            List<Wanted> all = new ArrayList<>(request.alternatives());
            if (!request.prioritized()) {
                all.set(0, all.getFirst().named(NAME + 1));
            }
            Set<String> names = all.stream().map(Wanted::name).collect(Collectors.toSet());
            int number = all.size() + 1;
            while (names.contains(NAME + number)) {
                number++;
            }
            all.add(other.named(NAME + number));
            return new DeviceRequest(request.name(), List.copyOf(all), true);
        }

        @Override
        public ResourceClaim.Spec applied(ResourceClaim.Spec before) {
            List<DeviceRequest> requests = new ArrayList<>(before.requests());
            requests.set(place.request(), applied(requests.get(place.request())));
            return new ResourceClaim.Spec(List.copyOf(requests), before.constraints(), before.configurations());
        }

        @Override
        public List<PatchOperation> patch(ResourceClaim.Spec before) {
            DeviceRequest request = before.requests().get(place.request());
            List<Wanted> after = applied(request).alternatives();
            String path = "requests/" + place.request();
            String list = source().path(path + "/firstAvailable");
            return request.prioritized()
                    ? List.of(PatchOperation.add(list + "/-", written(after.getLast())))
                    : List.of(
                            PatchOperation.remove(source().path(path + "/exactly")),
                            PatchOperation.add(
                                    list,
                                    after.stream().map(ClaimChange::written).toList()));
        }
    }

    /** A constraint no longer asked for. */
    record ConstraintDropped(Source source, Constraint constraint) implements ClaimChange {
        @Override
        public String words() {
            return (constraint.distinct() ? "distinctAttribute " : "matchAttribute ") + constraint.attribute()
                    + " dropped"
                    + (constraint.requests().isEmpty()
                            ? ""
                            : " from " + (constraint.requests().size() == 1 ? "request " : "requests ")
                                    + String.join(", ", constraint.requests()));
        }

        @Override
        public ResourceClaim.Spec applied(ResourceClaim.Spec before) {
            List<Constraint> constraints = new ArrayList<>(before.constraints());
            constraints.remove(constraint);
            return new ResourceClaim.Spec(before.requests(), List.copyOf(constraints), before.configurations());
        }

        @Override
        public List<PatchOperation> patch(ResourceClaim.Spec before) {
            return List.of(PatchOperation.remove(
                    source.path("constraints/" + before.constraints().indexOf(constraint))));
        }
    }
}
