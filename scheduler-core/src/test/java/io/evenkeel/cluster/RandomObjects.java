package io.evenkeel.cluster;

import io.evenkeel.model.Container;
import io.evenkeel.model.HostPort;
import io.evenkeel.model.Namespace;
import io.evenkeel.model.Node;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.model.Service;
import io.evenkeel.model.Taint;
import io.evenkeel.model.TaintEffect;
import io.evenkeel.model.WorkloadOwner;
import io.evenkeel.model.build.ContainerBuilder;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.value.Labels;
import java.util.List;

/**
 * Random nodes, pods and what belongs to them. Pods are made from a few templates with a few label sets, so that many
 * are alike, as in life, and that an update often changes one thing only.
 */
final class RandomObjects {
    private final Pick pick;
    private final RandomSelectors selectors;
    private final int nodeNames;
    private final int podNames;
    private List<Pod> templates = List.of();
    private List<Labels> labelSets = List.of();

    RandomObjects(Pick pick, RandomSelectors selectors, int nodeNames, int podNames) {
        this.pick = pick;
        this.selectors = selectors;
        this.nodeNames = nodeNames;
        this.podNames = podNames;
        newTemplates();
    }

    void newTemplates() {
        templates = pick.exactly(8, this::template);
        labelSets = pick.exactly(8, selectors::labels);
    }

    String nodeName() {
        return "n" + pick.below(nodeNames);
    }

    String podName() {
        return "p" + pick.below(podNames);
    }

    /** With a host of its own, so that there are as many domains as nodes. */
    Node node() {
        String name = nodeName();
        NodeBuilder node = NodeBuilder.node(name).labels(pick.oneIn(2) ? selectors.labels() : Labels.EMPTY);
        if (!pick.oneIn(5)) {
            node.label("zone", pick.of("a", "b", "c", ""));
        }
        if (!pick.oneIn(8)) {
            node.label("host", pick.oneIn(10) ? "h" : name);
        }
        if (pick.oneIn(2)) {
            node.label("rack", pick.of("a", "b"));
        }
        pick.some(2, () -> new Taint(pick.of("k", "m"), "", pick.of(TaintEffect.values())))
                .forEach(node::taint);
        node.allocatable("cpu", pick.of("1", "2500m"), "memory", pick.of("1", "7"), "pods", pick.of("3", "110"));
        if (pick.oneIn(3)) {
            node.allocatable("example.com/r" + pick.below(4), "4");
        }
        pick.some(2, () -> node.image(1 + pick.below(3), "i" + pick.below(4), "j" + pick.below(2)));
        return node.unschedulable(pick.oneIn(5)).build();
    }

    private Pod template() {
        PodBuilder pod = PodBuilder.pod("template")
                .podAffinity(selectors.podAffinity())
                .nodeAffinity(selectors.nodeAffinity())
                .nodeSelector(selectors.nodeSelector());
        pick.some(2, this::container).forEach(pod::container);
        if (pick.oneIn(3)) {
            pod.sidecar("cpu", "30m");
        }
        if (pick.oneIn(4)) {
            pod.initContainer("memory", "3");
        }
        selectors.tolerations().forEach(pod::toleration);
        selectors.spread().forEach(pod::spread);
        return pod.build();
    }

    private Container container() {
        ContainerBuilder container = ContainerBuilder.container("c" + pick.below(100));
        if (pick.oneIn(2)) {
            container.requests("cpu", pick.of("100m", "1"), "memory", "2");
        } else if (pick.oneIn(2)) {
            container.requests("example.com/r" + pick.below(4), "1");
        }
        pick.some(2, () -> new HostPort(pick.of("0.0.0.0", "10.0.0.1"), "TCP", 80 + pick.below(2)))
                .forEach(container::hostPort);
        return container.image(pick.of("i0", "i1:v")).build();
    }

    private PodBuilder podNamed() {
        PodBuilder pod = PodBuilder.from(pick.of(templates))
                .namespace(selectors.namespace())
                .name(podName())
                .uid(pick.oneIn(8) ? "2" : "1")
                .labels(pick.of(labelSets))
                .terminating(pick.oneIn(6));
        if (pick.oneIn(3)) {
            pod.controller(new OwnerReference("apps/v1", pick.of("ReplicaSet", "StatefulSet", "Job"), ownerName(), ""));
        }
        return pod;
    }

    /** On a node that may be there or not, or on none. */
    Pod pod() {
        PodBuilder pod = podNamed().phase(pick.oneIn(12) ? pick.of("Succeeded", "Failed") : "Running");
        return switch (pick.below(8)) {
            case 0 -> pod.build();
            case 1 -> pod.nodeName("ghost" + pick.below(2)).build();
            default -> pod.nodeName(nodeName()).build();
        };
    }

    Pod pendingPod() {
        return podNamed().build();
    }

    Namespace namespace() {
        Labels labels = pick.of(Labels.EMPTY, Labels.of("env", "prod"), Labels.of("env", "test"));
        return new Namespace(ObjectMeta.named("", selectors.namespace()).withLabels(labels));
    }

    Service service() {
        return new Service(
                ObjectMeta.named(selectors.namespace(), "s" + pick.below(4)),
                Labels.of(
                        pick.oneIn(3)
                                ? Labels.EMPTY.asMap()
                                : selectors.labels().asMap()));
    }

    WorkloadOwner owner() {
        return new WorkloadOwner(
                pick.of(WorkloadOwner.Kind.values()),
                ObjectMeta.named(selectors.namespace(), ownerName()),
                selectors.selector(),
                pick.below(5));
    }

    private String ownerName() {
        return "o" + pick.below(2);
    }
}
