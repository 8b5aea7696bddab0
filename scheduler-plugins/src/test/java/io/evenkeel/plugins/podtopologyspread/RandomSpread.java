package io.evenkeel.plugins.podtopologyspread;

import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.TaintEffect;
import io.evenkeel.model.Toleration;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.NodeInclusionPolicy;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.value.LabelRequirement;
import io.evenkeel.model.value.LabelSelector;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** Random nodes in zones and racks, pods of three apps, and newcomers with constraints. */
final class RandomSpread {
    private static final String[] KEYS = {DrawnCluster.ZONE, DrawnCluster.HOSTNAME, "rack"};
    private static final String[] APPS = {"foo", "bar", "baz"};

    private RandomSpread() {}

    static Node node(SplittableRandom random, String name) {
        NodeBuilder node = NodeBuilder.node(name);
        if (random.nextInt(10) > 0) {
            node.hostname(name);
        }
        if (random.nextInt(8) > 0) {
            node.zone("z" + random.nextInt(4));
        }
        if (random.nextInt(4) > 0) {
            node.label("rack", "r" + random.nextInt(70));
        }
        node.label("disk", random.nextBoolean() ? "ssd" : "hdd");
        if (random.nextInt(4) == 0) {
            node.taint(
                    "k",
                    "v",
                    oneOf(random, TaintEffect.NO_SCHEDULE, TaintEffect.PREFER_NO_SCHEDULE, TaintEffect.NO_EXECUTE));
        }
        return node.build();
    }

    static Pod incoming(SplittableRandom random) {
        PodBuilder pod = labelled(random, PodBuilder.pod("new"));
        if (random.nextInt(4) == 0) {
            pod.nodeSelector("disk", "ssd");
        }
        if (random.nextInt(4) == 0) {
            pod.toleration(new Toleration("k", Toleration.Operator.EXISTS, "", Optional.empty()));
        }
        int constraints = 1 + random.nextInt(3);
        for (int i = 0; i < constraints; i++) {
            pod.spread(new TopologySpreadConstraint(
                    1 + random.nextInt(3),
                    oneOf(random, KEYS),
                    oneOf(random, WhenUnsatisfiable.DO_NOT_SCHEDULE, WhenUnsatisfiable.SCHEDULE_ANYWAY),
                    selector(random),
                    1 + random.nextInt(4) * random.nextInt(2),
                    oneOf(random, NodeInclusionPolicy.HONOR, NodeInclusionPolicy.IGNORE),
                    oneOf(random, NodeInclusionPolicy.HONOR, NodeInclusionPolicy.IGNORE),
                    random.nextInt(3) == 0 ? List.of("hash", "absent") : List.of()));
        }
        return pod.build();
    }

    static PodBuilder labelled(SplittableRandom random, PodBuilder pod) {
        return pod.label("app", oneOf(random, APPS)).label("hash", "h" + random.nextInt(2));
    }

    @SafeVarargs
    private static <T> T oneOf(SplittableRandom random, T... values) {
        return values[random.nextInt(values.length)];
    }

    private static LabelSelector selector(SplittableRandom random) {
        String app = oneOf(random, APPS);
        return switch (random.nextInt(6)) {
            case 0 -> LabelSelector.NOTHING;
            case 1 -> LabelSelector.EVERYTHING;
            case 2 ->
                LabelSelector.of(List.of(new LabelRequirement("app", LabelRequirement.Operator.NOT_IN, List.of(app))));
            default -> LabelSelector.of(List.of(LabelRequirement.equalTo("app", app)));
        };
    }
}
