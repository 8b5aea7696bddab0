package io.evenkeel.plugins;

import static io.evenkeel.plugins.RandomCluster.oneOf;

import io.evenkeel.api.ClusterChange;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Namespace;
import io.evenkeel.model.Node;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.Service;
import io.evenkeel.model.Taint;
import io.evenkeel.model.TaintEffect;
import io.evenkeel.model.Toleration;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.PodAffinity;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.NodeInclusionPolicy;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.queue.ClusterChanges;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/** A crowded little world in which every plugin turns pods away, and changes that may help them. */
final class RandomObjects {
    private static final String[] APPS = {"a", "b", "c"};
    private static final String[] KEYS = {"zone", "host"};

    private final SplittableRandom random;
    private final int priorities;

    /** @param priorities how many different ones pods have, from 0 on */
    RandomObjects(long seed, int priorities) {
        random = new SplittableRandom(seed);
        this.priorities = priorities;
    }

    /** Puts, changes or removes one object and notes that; nothing where no filter reads the difference. */
    Optional<ClusterChange> change(Map<String, KubernetesObject> objects) {
        KubernetesObject next = switch (random.nextInt(12)) {
            case 0, 1, 2, 3 -> node("n" + random.nextInt(5), objects);
            case 4 -> namespace();
            case 5 -> service();
            default -> assignedPod("p" + random.nextInt(12), objects);
        };
        String key = next.getClass().getSimpleName() + " " + next.meta().key();
        Optional<KubernetesObject> before = Optional.ofNullable(objects.get(key));
        boolean isRemoved = before.isPresent() && random.nextInt(4) == 0;
        Optional<KubernetesObject> after = isRemoved ? Optional.empty() : Optional.of(next);
        Optional<ClusterChange> change = ClusterChanges.between(before, after);
        if (change.isPresent()) {
            after.ifPresentOrElse(object -> objects.put(key, object), () -> objects.remove(key));
        }
        return change;
    }

    Pod waitingPod(int number) {
        PodBuilder pod = PodBuilder.pod(oneOf(random, "default", "other"), "w" + number);
        pod.label("app", oneOf(random, APPS)).container("cpu", oneOf(random, "0", "1", "3"));
        pod.priority(random.nextInt(priorities));
        switch (random.nextInt(8)) {
            case 0 -> pod.hostPort(80);
            case 1 -> pod.nodeSelector("disk", "ssd");
            case 2, 3 -> addSpread(pod);
            case 4, 5 -> pod.podAffinity(affinity());
            case 6 -> pod.hostNetwork(true).hostUsers(false);
            default -> {}
        }
        if (random.nextBoolean()) {
            pod.toleration(new Toleration("", Toleration.Operator.EXISTS, "", Optional.empty()));
        }
        return pod.build();
    }

    /** The same pod with one thing changed that an update may change. */
    Pod updated(Pod pod) {
        PodBuilder changed = PodBuilder.from(pod);
        return switch (random.nextInt(4)) {
            case 0 -> changed.label("app", oneOf(random, APPS)).build();
            case 1 ->
                changed.toleration(new Toleration("", Toleration.Operator.EXISTS, "", Optional.empty()))
                        .build();
            case 2 -> changed.nodeSelector(Labels.EMPTY).build();
            default -> changed.podRequests("cpu", "1").build();
        };
    }

    private Node node(String name, Map<String, KubernetesObject> objects) {
        if (objects.get("Node " + name) instanceof Node before && random.nextBoolean()) {
            return oneThingChanged(before);
        }
        NodeBuilder node = NodeBuilder.node(name)
                .label("host", name)
                .label("zone", oneOf(random, "x", "y"))
                .allocatable("cpu", oneOf(random, "2", "4"), "pods", oneOf(random, "3", "5"));
        if (random.nextBoolean()) {
            node.label("disk", "ssd");
        }
        if (random.nextInt(4) == 0) {
            node.taint("t", "", TaintEffect.NO_SCHEDULE);
        }
        if (random.nextBoolean()) {
            node.declaredFeatures(List.of("UserNamespacesHostNetworkSupport"));
        }
        return node.unschedulable(random.nextInt(5) == 0).build();
    }

    private Node oneThingChanged(Node before) {
        NodeBuilder node = NodeBuilder.from(before);
        return switch (random.nextInt(7)) {
            case 0 -> node.unschedulable(!before.unschedulable()).build();
            case 1 -> node.withoutTaint("t").build();
            case 2 -> node.taint(new Taint("t", "", TaintEffect.NO_EXECUTE)).build();
            case 3 -> node.label("zone", oneOf(random, "x", "y", "z")).build();
            case 4 -> node.withoutLabel(oneOf(random, "zone", "disk")).build();
            case 5 -> node.allocatable("cpu", oneOf(random, "1", "3", "6")).build();
            default ->
                node.label("disk", "ssd")
                        .declaredFeatures(List.of("UserNamespacesHostNetworkSupport"))
                        .build();
        };
    }

    private Pod assignedPod(String name, Map<String, KubernetesObject> objects) {
        if (objects.get("Pod default/" + name) instanceof Pod before) {
            PodBuilder pod = PodBuilder.from(before);
            return switch (random.nextInt(6)) {
                case 0, 1 -> pod.terminating(true).build();
                case 2 -> pod.label("app", oneOf(random, APPS)).build();
                case 3 -> pod.podRequests("cpu", oneOf(random, "0", "1")).build();
                case 4 -> pod.nodeName("n" + random.nextInt(5)).build();
                default -> pod.phase("Succeeded").build();
            };
        }
        PodBuilder pod = PodBuilder.pod(name).nodeName("n" + random.nextInt(5)).label("app", oneOf(random, APPS));
        pod.container("cpu", oneOf(random, "0", "1", "2")).priority(random.nextInt(priorities));
        if (random.nextInt(3) == 0) {
            pod.hostPort(80);
        }
        if (random.nextInt(4) == 0) {
            pod.podAffinity(new PodAffinity(List.of(), List.of(), List.of(term()), List.of()));
        }
        return pod.build();
    }

    private Namespace namespace() {
        ObjectMeta meta = ObjectMeta.named("", oneOf(random, "default", "other"));
        return new Namespace(meta.withLabels(Labels.of("team", oneOf(random, "red", "blue"))));
    }

    private Service service() {
        return new Service(
                ObjectMeta.named(oneOf(random, "default", "other"), oneOf(random, "s", "t")),
                Labels.of("app", oneOf(random, APPS)));
    }

    private void addSpread(PodBuilder pod) {
        for (int i = random.nextInt(2); i >= 0; i--) {
            pod.spread(new TopologySpreadConstraint(
                    1,
                    KEYS[i],
                    WhenUnsatisfiable.DO_NOT_SCHEDULE,
                    selector(),
                    1 + random.nextInt(3),
                    oneOf(random, NodeInclusionPolicy.values()),
                    oneOf(random, NodeInclusionPolicy.values()),
                    List.of()));
        }
    }

    private PodAffinity affinity() {
        List<PodAffinityTerm> none = List.of();
        return switch (random.nextInt(4)) {
            case 0 -> new PodAffinity(List.of(term()), List.of(), none, List.of());
            case 1 -> new PodAffinity(List.of(term(), term()), List.of(), none, List.of());
            case 2 -> new PodAffinity(none, List.of(), List.of(term(), term()), List.of());
            default -> new PodAffinity(List.of(term()), List.of(), List.of(term()), List.of());
        };
    }

    private PodAffinityTerm term() {
        LabelSelector teams = random.nextInt(3) == 0
                ? LabelSelector.matchingLabels(Labels.of("team", oneOf(random, "red", "blue")))
                : LabelSelector.NOTHING;
        return new PodAffinityTerm(
                selector(), oneOf(random, KEYS), random.nextBoolean() ? List.of("default") : List.of(), teams);
    }

    private LabelSelector selector() {
        return LabelSelector.matchingLabels(Labels.of("app", oneOf(random, APPS)));
    }
}
