package io.evenkeel.lab.bench;

import io.evenkeel.model.Annotations;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.model.WorkloadOwner;
import io.evenkeel.model.build.ContainerBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.NodeSelector;
import io.evenkeel.model.constraint.NodeSelectorRequirement;
import io.evenkeel.model.constraint.NodeSelectorTerm;
import io.evenkeel.model.constraint.PodAffinity;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.policy.PlacementPolicy;
import io.evenkeel.model.policy.PolicyRule;
import io.evenkeel.model.policy.PolicySpec;
import io.evenkeel.model.storage.PersistentVolume;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.model.storage.StorageClass;
import io.evenkeel.model.storage.VolumeSource;
import io.evenkeel.model.storage.VolumeTerms;
import io.evenkeel.model.value.LabelRequirement;
import io.evenkeel.model.value.LabelRequirement.Operator;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.model.value.Quantity;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The objects of a tenant who means harm, each as large as an API server takes it. */
final class HostileObjects {
    private static final String NAMESPACE = "hostile";
    private static final String APP = "app";
    private static final String HOSTNAME = "kubernetes.io/hostname";
    private static final String ZONE = "topology.kubernetes.io/zone";

    private static final int PODS_WITH_VALUES = 150;
    private static final int VALUES = 10_000;
    private static final String ENDING = "-of-a-label-value-that-is-as-long-as-it-may-be";

    private static final int PODS_WITH_TERMS = 10_000;
    private static final int TERMS = 20;

    private static final int MOST_RESOURCES = 12_000;
    private static final int PODS_WITH_RESOURCES = 1_000;
    private static final int RESOURCES = 12;

    private static final int LARGE_PODS = 68;
    private static final int MANY_TERMS = 4_000;

    private static final int POLICIES = 2_000;
    private static final int PODS_WITH_POLICIES = 300;

    private static final int GANGS = 20;
    private static final int PODS_A_GANG = 100;
    private static final int[] PODS_OF_A_COLOUR = {3, 7, 11};

    private static final int CLAIMS_A_POD = 500;
    private static final String LOCAL_DISKS = "local-disks";

    private static final int WORKLOADS_A_NODE = 2;
    private static final int PODS_A_WORKLOAD = 2;

    private HostileObjects() {}

    static boolean areOf(Workload workload) {
        return workload.id().startsWith("hostile-");
    }

    /**
     * Made one by one, as they would come, so that only those are in memory that the scheduler keeps. Where they get
     * nodes there are as many as the others leave room for.
     */
    static Stream<? extends KubernetesObject> of(BenchCase benchCase) {
        return switch (benchCase.workload()) {
            case HOSTILE_VALUES -> IntStream.range(0, PODS_WITH_VALUES).mapToObj(HostileObjects::withValues);
            case HOSTILE_TERMS -> IntStream.range(0, PODS_WITH_TERMS).mapToObj(HostileObjects::withTerms);
            case HOSTILE_RESOURCES ->
                IntStream.rangeClosed(0, PODS_WITH_RESOURCES + 1).mapToObj(HostileObjects::withResources);
            case HOSTILE_HOSTNAMES ->
                IntStream.range(0, benchCase.nodes() * WORKLOADS_A_NODE * PODS_A_WORKLOAD)
                        .mapToObj(HostileObjects::byHost);
            case HOSTILE_KEYS -> IntStream.range(0, LARGE_PODS).mapToObj(HostileObjects::withKeys);
            case HOSTILE_AFFINITY -> IntStream.range(0, LARGE_PODS).mapToObj(HostileObjects::withManyTerms);
            case HOSTILE_POLICIES ->
                Stream.concat(
                        IntStream.range(0, POLICIES).mapToObj(HostileObjects::policy),
                        IntStream.range(0, PODS_WITH_POLICIES)
                                .mapToObj(index -> pod(index)
                                        .label("pod", "hostile-" + index)
                                        .build()));
            case HOSTILE_GROUPS ->
                Stream.concat(
                        IntStream.range(0, GANGS).mapToObj(HostileObjects::gang),
                        IntStream.range(0, GANGS * PODS_A_GANG).mapToObj(HostileObjects::ofGang));
            case HOSTILE_CLAIMS -> claims(benchCase.nodes());
            default -> throw new IllegalArgumentException(benchCase.workload().id() + " has no hostile tenant");
        };
    }

    /** In turn: kept away from any of many apps, spread among them, spread among all others. */
    private static Pod withValues(int index) {
        Operator operator = index % 3 == 2 ? Operator.NOT_IN : Operator.IN;
        List<String> values = IntStream.range(0, VALUES)
                .mapToObj(value -> index + "-" + value + ENDING)
                .toList();
        LabelSelector many = LabelSelector.of(List.of(new LabelRequirement(APP, operator, values)));
        PodBuilder pod = pod(index);
        return (index % 3 == 0
                        ? pod.podAffinity(new PodAffinity(List.of(), List.of(), List.of(term(ZONE, many)), List.of()))
                        : pod.spread(TopologySpreadConstraint.of(1, ZONE, WhenUnsatisfiable.DO_NOT_SCHEDULE, many)))
                .build();
    }

    /** Waits for company that never comes. */
    private static Pod withTerms(int index) {
        List<PodAffinityTerm> terms = IntStream.range(0, TERMS)
                .mapToObj(term ->
                        term(ZONE, LabelSelector.matchingLabels(Labels.of(APP, "absent-" + index + "-" + term))))
                .toList();
        return pod(index)
                .podAffinity(new PodAffinity(terms, List.of(), List.of(), List.of()))
                .build();
    }

    /** One in place with very many made-up resources, a thousand in place with some each, and one that waits for very many. */
    private static Pod withResources(int index) {
        boolean isLarge = index == 0 || index > PODS_WITH_RESOURCES;
        int count = isLarge ? MOST_RESOURCES : RESOURCES;
        Map<String, Quantity> requests = new HashMap<>();
        for (int i = 0; i < count; i++) {
            requests.put("hostile.example.com/of-" + index + "-" + i, Quantity.of(1));
        }
        PodBuilder pod = pod(index)
                .container(ContainerBuilder.container("c").requests(requests).build());
        return (index > PODS_WITH_RESOURCES ? pod : pod.nodeName("node-0")).build();
    }

    /** Small workloads that keep their pods on different hosts, in turn by spread and by anti-affinity. */
    private static Pod byHost(int index) {
        int workload = index / PODS_A_WORKLOAD;
        String app = "hostile-" + workload;
        LabelSelector peers = LabelSelector.matchingLabels(Labels.of(APP, app));
        PodBuilder pod = pod(index).label(APP, app);
        return (workload % 2 == 0
                        ? pod.spread(TopologySpreadConstraint.of(1, HOSTNAME, WhenUnsatisfiable.DO_NOT_SCHEDULE, peers))
                        : pod.podAffinity(
                                new PodAffinity(List.of(), List.of(), List.of(term(HOSTNAME, peers)), List.of())))
                .build();
    }

    /** Of thousands of labels that no node has: it waits, and would rather be spread over all of them. */
    private static Pod withKeys(int index) {
        PodBuilder pod = pod(index);
        for (int key = 0; key < MANY_TERMS; key++) {
            String own = "key-" + index + "-" + key;
            pod.spread(TopologySpreadConstraint.of(
                    1,
                    own,
                    WhenUnsatisfiable.SCHEDULE_ANYWAY,
                    LabelSelector.matchingLabels(Labels.of(own, "hostile"))));
        }
        return pod.container("cpu", "1000").build();
    }

    /** Waits for company that never comes, and shuns thousands of kinds of pods, also the others' pods. */
    private static Pod withManyTerms(int index) {
        List<PodAffinityTerm> shunned = IntStream.range(0, MANY_TERMS)
                .mapToObj(term -> term(
                        ZONE,
                        LabelSelector.of(List.of(new LabelRequirement(
                                APP, Operator.NOT_IN, List.of("hostile", "own-" + index + "-" + term))))))
                .toList();
        PodAffinityTerm absent = term(ZONE, LabelSelector.matchingLabels(Labels.of(APP, "absent-" + index)));
        return pod(index)
                .podAffinity(new PodAffinity(List.of(absent), List.of(), shunned, List.of()))
                .build();
    }

    /** Each is about all of the tenant's pods, and counts pods of all namespaces. */
    private static KubernetesObject policy(int index) {
        return new PlacementPolicy(
                ObjectMeta.named(NAMESPACE, "hostile-" + index),
                PolicySpec.of(
                                LabelSelector.EVERYTHING,
                                List.of(PolicyRule.over(ZONE).withMaxPods(index == 0 ? 1 : 1_000_000 + index)))
                        .over(LabelSelector.EVERYTHING));
    }

    private static KubernetesObject gang(int index) {
        String name = "gang-" + index;
        return new WorkloadOwner(
                WorkloadOwner.Kind.REPLICA_SET,
                new ObjectMeta(NAMESPACE, name, name, Labels.EMPTY, Labels.EMPTY, Optional.empty(), false, "1", 1),
                LabelSelector.matchingLabels(Labels.of("gang", name)),
                PODS_A_GANG);
    }

    /** Has pods of different colours, each to be spread by itself, and too large for all of its gang to fit. */
    private static Pod ofGang(int index) {
        String gang = "gang-" + index / PODS_A_GANG;
        PodBuilder pod = pod(index)
                .label("gang", gang)
                .annotation(Annotations.GROUP_PLACEMENT, "gang")
                .controller(new OwnerReference("apps/v1", "ReplicaSet", gang, gang))
                .container("cpu", index % 2 == 0 ? "1" : "1000");
        for (int key = 0; key < PODS_OF_A_COLOUR.length; key++) {
            String colour = "colour-" + key;
            String value = Integer.toString(index % PODS_OF_A_COLOUR[key]);
            pod.label(colour, value);
            pod.spread(TopologySpreadConstraint.of(
                    1,
                    key == 0 ? ZONE : HOSTNAME,
                    WhenUnsatisfiable.DO_NOT_SCHEDULE,
                    LabelSelector.matchingLabels(Labels.of(colour, value, "gang", gang))));
        }
        return pod.build();
    }

    /** Disks of all nodes, each too small for any of the claims that all the pods have. */
    private static Stream<KubernetesObject> claims(int nodes) {
        VolumeTerms terms = new VolumeTerms(LOCAL_DISKS, Set.of("ReadWriteOnce"), VolumeTerms.FILESYSTEM, "");
        Stream<KubernetesObject> disks = IntStream.range(0, nodes)
                .mapToObj(node -> new PersistentVolume(
                        ObjectMeta.named("", "disk-" + node),
                        new VolumeSource.Other(),
                        terms,
                        Quantity.parse("1Gi"),
                        Optional.empty(),
                        Optional.of(new NodeSelector(List.of(new NodeSelectorTerm(
                                List.of(new NodeSelectorRequirement(
                                        HOSTNAME, NodeSelectorRequirement.Operator.IN, List.of("node-" + node))),
                                List.of())))),
                        false));
        Stream<KubernetesObject> claims = IntStream.range(0, CLAIMS_A_POD)
                .mapToObj(claim -> new PersistentVolumeClaim(
                        ObjectMeta.named(NAMESPACE, "claim-" + claim),
                        terms,
                        Optional.of(Quantity.parse("10Gi")),
                        Optional.empty(),
                        "",
                        false));
        Stream<KubernetesObject> pods = IntStream.range(0, LARGE_PODS).mapToObj(HostileObjects::withClaims);
        StorageClass local = new StorageClass(
                ObjectMeta.named("", LOCAL_DISKS),
                "kubernetes.io/no-provisioner",
                Optional.of(StorageClass.BindingMode.WAIT_FOR_FIRST_CONSUMER),
                List.of());
        return Stream.of(Stream.of(local), disks, claims, pods).flatMap(each -> each);
    }

    private static Pod withClaims(int index) {
        PodBuilder pod = pod(index);
        IntStream.range(0, CLAIMS_A_POD).forEach(claim -> pod.claim("claim-" + claim));
        return pod.build();
    }

    private static PodBuilder pod(int index) {
        return PodBuilder.pod("hostile-" + index)
                .namespace(NAMESPACE)
                .uid("hostile-" + index)
                .label(APP, "hostile")
                .container("cpu", "1m");
    }

    private static PodAffinityTerm term(String topologyKey, LabelSelector selector) {
        return new PodAffinityTerm(selector, topologyKey, List.of(), LabelSelector.NOTHING);
    }
}
