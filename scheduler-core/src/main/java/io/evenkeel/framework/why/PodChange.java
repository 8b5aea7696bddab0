package io.evenkeel.framework.why;

import io.evenkeel.cluster.shape.LoweredRequests;
import io.evenkeel.cluster.shape.ResourceNames;
import io.evenkeel.framework.why.Change.PatchOperation;
import io.evenkeel.framework.why.Change.Sized;
import io.evenkeel.model.Container;
import io.evenkeel.model.Pod;
import io.evenkeel.model.Taint;
import io.evenkeel.model.Toleration;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.NodeAffinity;
import io.evenkeel.model.constraint.PodAffinity;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.NodeInclusionPolicy;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.value.Labels;
import io.evenkeel.model.value.Quantity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;

/** A change of the waiting pod itself. */
public sealed interface PodChange extends Change {

    @Override
    default Kind kind() {
        return switch (this) {
            case LessAsked _ -> Kind.REQUEST;
            case Tolerated _ -> Kind.TOLERATION;
            case MaxSkew _ -> Kind.MAX_SKEW;
            case MinDomains _ -> Kind.MIN_DOMAINS;
            case TaintsHonoured _ -> Kind.NODE_TAINTS_POLICY;
            case SpreadPreferred _ -> Kind.SPREAD;
            case NodeSelectorDropped _ -> Kind.NODE_SELECTOR;
            case NodeAffinityDropped _ -> Kind.NODE_AFFINITY;
            case PodTermDropped _ -> Kind.POD_AFFINITY;
            case Priority _ -> Kind.PRIORITY;
        };
    }

    /** The pod once it is changed. */
    Pod applied(Pod pod);

    /** Returns the change as operations on the object that the pod was read from. */
    List<PatchOperation> patch(Pod before);

    /**
     * Less of a resource that the pod asks for, taken from its containers as {@link LoweredRequests} has it.
     *
     * @param pod as it asks now
     * @param asked how much it asks for in all, cpu in thousandths
     * @param less how much is taken from that
     */
    record LessAsked(Pod pod, String resource, long asked, long less) implements PodChange, Sized {
        /** Empty where the pod cannot do with so much less. */
        public static Optional<LessAsked> of(Pod pod, String resource, long less) {
            long asked = LoweredRequests.asked(pod, resource);
            return LoweredRequests.to(pod, resource, asked - less).map(_ -> new LessAsked(pod, resource, asked, less));
        }

        @Override
        public String text() {
            return written(less) + " less " + resource + " asked for (" + written(asked - less) + " instead of "
                    + written(asked) + ")" + byWhom();
        }

        /** Where there are several containers. */
        private String byWhom() {
            if (pod.spec().containers().size() + pod.spec().initContainers().size() == 1) {
                return "";
            }
            List<String> parts = new ArrayList<>();
            lowered(
                    pod,
                    applied(pod),
                    (path, pair) -> parts.add((path.startsWith("/spec/init") ? "init container " : "container ")
                            + pair.getFirst().name() + " (" + amount(pair.getLast()) + " instead of "
                            + amount(pair.getFirst()) + ")"));
            return parts.isEmpty() ? "" : ", by " + String.join(" and ", parts);
        }

        private String written(long amount) {
            return ResourceNames.text(resource, amount);
        }

        private Quantity amount(Container container) {
            return container.requests().getOrDefault(resource, Quantity.ZERO);
        }

        @Override
        public long size() {
            return less;
        }

        /** As near to it as can be. */
        @Override
        public Change ofSize(long size) {
            long can = 0;
            long cannot = Math.min(size, asked) + 1;
            for (long next = cannot - 1; cannot - can > 1; next = can + (cannot - can) / 2) {
                if (LoweredRequests.to(pod, resource, asked - next).isPresent()) {
                    can = next;
                } else {
                    cannot = next;
                }
            }
            return new LessAsked(pod, resource, asked, Math.max(1, can));
        }

        @Override
        public Pod applied(Pod before) {
            return LoweredRequests.to(before, resource, asked - less).orElse(before);
        }

        @Override
        public List<PatchOperation> patch(Pod before) {
            Pod after = applied(before);
            List<PatchOperation> operations = new ArrayList<>();
            String name = PatchOperation.escaped(resource);
            if (!after.spec().podRequests().equals(before.spec().podRequests())) {
                after.spec()
                        .podRequests()
                        .ifPresent(requests -> operations.add(PatchOperation.add(
                                "/spec/resources/requests/" + name,
                                requests.getOrDefault(resource, Quantity.ZERO).toString())));
            }
            lowered(before, after, (path, pair) -> {
                String amount = amount(pair.getLast()).toString();
                operations.add(PatchOperation.add(path + "/resources/requests/" + name, amount));
                if (!pair.getLast().limits().equals(pair.getFirst().limits())) {
                    operations.add(PatchOperation.add(path + "/resources/limits/" + name, amount));
                }
            });
            return List.copyOf(operations);
        }

        /** Tells each container that is changed: where it is, and what it was and is. */
        private static void lowered(Pod before, Pod after, BiConsumer<String, List<Container>> changed) {
            lowered(
                    "/spec/containers/",
                    before.spec().containers(),
                    after.spec().containers(),
                    changed);
            lowered(
                    "/spec/initContainers/",
                    before.spec().initContainers(),
                    after.spec().initContainers(),
                    changed);
        }

        private static void lowered(
                String path,
                List<Container> before,
                List<Container> after,
                BiConsumer<String, List<Container>> changed) {
            for (int i = 0; i < before.size(); i++) {
                if (!before.get(i).equals(after.get(i))) {
                    changed.accept(path + i, List.of(before.get(i), after.get(i)));
                }
            }
        }
    }

    /** A toleration of just this taint. */
    record Tolerated(Taint taint) implements PodChange {
        @Override
        public String text() {
            return "toleration of taint " + taint.text();
        }

        /** Returns the toleration that is added to the pod's own. */
        public Toleration toleration() {
            boolean hasValue = !taint.value().isEmpty();
            return new Toleration(
                    taint.key(),
                    hasValue ? Toleration.Operator.EQUAL : Toleration.Operator.EXISTS,
                    taint.value(),
                    Optional.of(taint.effect()));
        }

        @Override
        public Pod applied(Pod pod) {
            return PodBuilder.from(pod).toleration(toleration()).build();
        }

        @Override
        public List<PatchOperation> patch(Pod before) {
            Toleration toleration = toleration();
            Map<String, Object> written = new LinkedHashMap<>();
            written.put("key", taint.key());
            written.put("operator", toleration.operator().apiName());
            if (!taint.value().isEmpty()) {
                written.put("value", taint.value());
            }
            written.put("effect", taint.effect().apiName());
            return List.of(
                    before.spec().tolerations().isEmpty()
                            ? PatchOperation.add("/spec/tolerations", List.of(written))
                            : PatchOperation.add("/spec/tolerations/-", written));
        }
    }

    /**
     * More skew allowed by one of the pod's spread constraints.
     *
     * @param index its place among them
     * @param before what it allows now
     */
    record MaxSkew(int index, String topologyKey, int before, int maxSkew) implements PodChange, Sized {
        @Override
        public String text() {
            return "maxSkew " + maxSkew + " instead of " + before + " over " + topologyKey;
        }

        @Override
        public long size() {
            return (long) maxSkew - before;
        }

        @Override
        public Change ofSize(long size) {
            return new MaxSkew(index, topologyKey, before, (int) Math.min(Integer.MAX_VALUE, before + size));
        }

        @Override
        public Pod applied(Pod pod) {
            return respread(pod, index, constraint -> constraint.withMaxSkew(maxSkew));
        }

        @Override
        public List<PatchOperation> patch(Pod pod) {
            return List.of(PatchOperation.replace(spreadPath(index, "maxSkew"), maxSkew));
        }
    }

    /**
     * Fewer domains asked for by one of the pod's spread constraints.
     *
     * @param index its place among them
     * @param before how many it asks for now, more than one
     */
    record MinDomains(int index, String topologyKey, int before, int minDomains) implements PodChange, Sized {
        @Override
        public String text() {
            return "minDomains " + minDomains + " instead of " + before + " over " + topologyKey;
        }

        @Override
        public long size() {
            return (long) before - minDomains;
        }

        @Override
        public Change ofSize(long size) {
            return new MinDomains(index, topologyKey, before, (int) Math.max(1, before - size));
        }

        @Override
        public Pod applied(Pod pod) {
            return respread(pod, index, constraint -> constraint.withMinDomains(minDomains));
        }

        @Override
        public List<PatchOperation> patch(Pod pod) {
            return List.of(PatchOperation.replace(spreadPath(index, "minDomains"), minDomains));
        }
    }

    /**
     * Nodes with taints that the pod does not tolerate counted no longer by one of its spread constraints.
     *
     * @param index its place among them
     */
    record TaintsHonoured(int index, String topologyKey) implements PodChange {
        @Override
        public String text() {
            return "nodeTaintsPolicy Honor instead of Ignore over " + topologyKey;
        }

        @Override
        public Pod applied(Pod pod) {
            return respread(pod, index, constraint -> constraint.withTaintsPolicy(NodeInclusionPolicy.HONOR));
        }

        @Override
        public List<PatchOperation> patch(Pod before) {
            return List.of(
                    PatchOperation.add(spreadPath(index, "nodeTaintsPolicy"), NodeInclusionPolicy.HONOR.apiName()));
        }
    }

    /**
     * One of the pod's spread constraints preferred instead of required.
     *
     * @param index its place among them
     */
    record SpreadPreferred(int index, String topologyKey) implements PodChange {
        @Override
        public String text() {
            return "spread over " + topologyKey + " with ScheduleAnyway instead of DoNotSchedule";
        }

        @Override
        public Pod applied(Pod pod) {
            return respread(
                    pod,
                    index,
                    constraint -> constraint.withMinDomains(1).whenUnsatisfiable(WhenUnsatisfiable.SCHEDULE_ANYWAY));
        }

        /** The API allows minDomains only with DoNotSchedule; who asks for one domain mostly does not say so. */
        @Override
        public List<PatchOperation> patch(Pod before) {
            List<PatchOperation> operations = new ArrayList<>();
            if (before.spec().topologySpread().get(index).minDomains() > 1) {
                operations.add(PatchOperation.remove(spreadPath(index, "minDomains")));
            }
            operations.add(PatchOperation.replace(
                    spreadPath(index, "whenUnsatisfiable"), WhenUnsatisfiable.SCHEDULE_ANYWAY.apiName()));
            return operations;
        }
    }

    /** A label no longer asked for by the pod's nodeSelector. */
    record NodeSelectorDropped(String key, String value) implements PodChange {
        @Override
        public String text() {
            return "nodeSelector without " + key + "=" + value;
        }

        @Override
        public Pod applied(Pod pod) {
            Map<String, String> rest = pod.spec().nodeSelector().asMap();
            rest.remove(key);
            return PodBuilder.from(pod).nodeSelector(Labels.of(rest)).build();
        }

        @Override
        public List<PatchOperation> patch(Pod before) {
            return List.of(PatchOperation.remove("/spec/nodeSelector/" + PatchOperation.escaped(key)));
        }
    }

    /** The pod's required node affinity gone; what it prefers stays. */
    record NodeAffinityDropped() implements PodChange {
        @Override
        public String text() {
            return "required node affinity dropped";
        }

        @Override
        public Pod applied(Pod pod) {
            return PodBuilder.from(pod)
                    .nodeAffinity(new NodeAffinity(
                            Optional.empty(), pod.spec().nodeAffinity().preferred()))
                    .build();
        }

        @Override
        public List<PatchOperation> patch(Pod before) {
            return List.of(PatchOperation.remove(
                    "/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution"));
        }
    }

    /**
     * A required term of the pod's affinity or anti-affinity gone.
     *
     * @param index its place among those terms
     */
    record PodTermDropped(boolean anti, int index, String topologyKey) implements PodChange {
        @Override
        public String text() {
            return "required pod " + (anti ? "anti-affinity" : "affinity") + " over " + topologyKey + " dropped";
        }

        @Override
        public Pod applied(Pod pod) {
            PodAffinity before = pod.spec().podAffinity();
            return PodBuilder.from(pod)
                    .podAffinity(new PodAffinity(
                            anti ? before.requiredAffinity() : without(before.requiredAffinity()),
                            before.preferredAffinity(),
                            anti ? without(before.requiredAntiAffinity()) : before.requiredAntiAffinity(),
                            before.preferredAntiAffinity()))
                    .build();
        }

        private List<PodAffinityTerm> without(List<PodAffinityTerm> terms) {
            List<PodAffinityTerm> rest = new ArrayList<>(terms);
            rest.remove(index);
            return List.copyOf(rest);
        }

        @Override
        public List<PatchOperation> patch(Pod before) {
            return List.of(PatchOperation.remove("/spec/affinity/" + (anti ? "podAntiAffinity" : "podAffinity")
                    + "/requiredDuringSchedulingIgnoredDuringExecution/" + index));
        }
    }

    /**
     * A higher priority, so that others go for the pod. An API server takes it from a PriorityClass alone.
     *
     * @param before that it has now
     */
    record Priority(int before, int priority) implements PodChange {
        @Override
        public String text() {
            return "priority " + priority + " instead of " + before + ", by a PriorityClass";
        }

        @Override
        public Pod applied(Pod pod) {
            return PodBuilder.from(pod).priority(priority).build();
        }

        @Override
        public List<PatchOperation> patch(Pod pod) {
            return List.of(PatchOperation.add("/spec/priority", priority));
        }
    }

    private static Pod respread(Pod pod, int index, UnaryOperator<TopologySpreadConstraint> change) {
        List<TopologySpreadConstraint> constraints = new ArrayList<>(pod.spec().topologySpread());
        constraints.set(index, change.apply(constraints.get(index)));
        return PodBuilder.from(pod).topologySpread(constraints).build();
    }

    private static String spreadPath(int index, String field) {
        return "/spec/topologySpreadConstraints/" + index + "/" + field;
    }
}
