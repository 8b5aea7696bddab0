package io.evenkeel.tools.replay;

import java.util.List;
import java.util.SplittableRandom;
import java.util.StringJoiner;

/** Scenarios of some pods under policies that are in the way of a part of them, on nodes some of which lack the label. */
final class RandomPolicies {
    private static final List<String> KEYS = List.of("kubernetes.io/hostname", "topology.kubernetes.io/zone");

    private final SplittableRandom random;

    RandomPolicies(long seed) {
        random = new SplittableRandom(seed);
    }

    String next(int number) {
        StringJoiner objects = new StringJoiner(",");
        int nodes = random.nextInt(2, 6);
        for (int node = 0; node < nodes; node++) {
            String zone =
                    random.nextInt(6) == 0 ? "" : ",'topology.kubernetes.io/zone':'" + "abc".charAt(node % 3) + "'";
            objects.add(
                    ("{'apiVersion':'v1','kind':'Node','metadata':{'name':'n%d','labels':{'kubernetes.io/hostname':'n%d'%s}},"
                                    + "'status':{'allocatable':{'cpu':'%d','memory':'16Gi','pods':'110'}}}")
                            .formatted(node, node, zone, random.nextInt(1, 6)));
        }
        for (int policy = 0; policy < random.nextInt(1, 3); policy++) {
            String kind = random.nextBoolean()
                    ? "'kind':'PlacementPolicy','metadata':{'name':'p%d','namespace':'default'},'spec':{"
                    : "'kind':'ClusterPlacementPolicy','metadata':{'name':'p%d'},'spec':{'namespaceSelector':{},";
            objects.add(("{'apiVersion':'evenkeel.io/v1alpha1'," + kind + "'selector':{},'rules':[%s]}}")
                    .formatted(policy, rules()));
        }
        StringJoiner pods = new StringJoiner(",");
        for (int pod = 0; pod < random.nextInt(3, 12); pod++) {
            pods.add(
                    ("{'metadata':{'name':'web-%d','namespace':'default'},'spec':{'containers':[{'name':'c','resources':"
                                    + "{'requests':{'cpu':'%dm'}}}]}}")
                            .formatted(pod, random.nextInt(1, 8) * 100));
        }
        return ("{'name':'policies/%d','config':{'apiVersion':'kubescheduler.config.k8s.io/v1','kind':'KubeSchedulerConfiguration',"
                        + "'profiles':[{'plugins':{'multiPoint':{'enabled':[{'name':'PlacementPolicy'}]}}}]},"
                        + "'objects':[%s],'pods':[%s]}")
                .formatted(number, objects, pods)
                .replace('\'', '"');
    }

    private String rules() {
        StringJoiner rules = new StringJoiner(",");
        for (int rule = 0; rule < random.nextInt(1, 3); rule++) {
            StringJoiner terms = new StringJoiner(",", "{", "}");
            terms.add("'topologyKey':'" + KEYS.get(random.nextInt(KEYS.size())) + "'");
            int limits = random.nextInt(1, 16);
            if ((limits & 1) != 0) {
                terms.add("'maxPods':" + random.nextInt(1, 4));
            }
            if ((limits & 2) != 0) {
                terms.add("'maxPercent':" + random.nextInt(20, 101));
            }
            if ((limits & 4) != 0) {
                terms.add("'maxDomains':" + random.nextInt(1, 4));
            }
            if ((limits & 8) != 0) {
                terms.add("'maxSkew':" + random.nextInt(1, 3));
            }
            rules.add(terms.toString());
        }
        return rules.toString();
    }
}
