package io.evenkeel.groups;

import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.PodAffinity;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;

/** A small cluster and group in numbers, for whoever wants to go through all that may be. */
final class SmallCase {
    private final int[][] domains;
    private final int[] cpu;
    private final List<List<Member>> there;
    private final List<Member> group;

    private SmallCase(int[][] domains, int[] cpu, List<List<Member>> there, List<Member> group) {
        this.domains = domains;
        this.cpu = cpu;
        this.there = there;
        this.group = group;
    }

    /** By key and node. */
    int[][] domains() {
        return domains;
    }

    /** By node. */
    int[] cpu() {
        return cpu;
    }

    /** Pods in place before, by node. */
    List<List<Member>> there() {
        return there;
    }

    List<Member> group() {
        return group;
    }

    static final long SEED_OF_A_HARD_ONE = 1587;

    static final String[] KEYS = {"zone", "rack", "row", "kubernetes.io/hostname"};

    /**
     * A pod: all carry app=web, which the constraints count.
     *
     * @param skews by key, 0 where it has no constraint over it
     * @param shard a label, -1 for none
     * @param aloneOver the key in whose domains it keeps away from others of its shard, -1 for none
     * @param near the shard that it needs in its zone, -1 for none
     */
    record Member(int cpu, List<Integer> skews, int shard, int aloneOver, int near) {}

    int nodes() {
        return cpu.length;
    }

    /** One of up to 8 pods and 8 nodes. */
    static SmallCase random(Random random) {
        int nodes = 2 + random.nextInt(7);
        int[][] domains = new int[KEYS.length][nodes];
        int[] sizes = {1 + random.nextInt(3), 2 + random.nextInt(3), 2 + random.nextInt(2)};
        int[] cpu = new int[nodes];
        boolean roomy = random.nextBoolean();
        for (int node = 0; node < nodes; node++) {
            for (int key = 0; key < sizes.length; key++) {
                domains[key][node] = random.nextInt(sizes[key]);
            }
            domains[3][node] = node;
            cpu[node] = roomy ? 8 : 1 + random.nextInt(4);
        }
        List<Integer> common = skews(random);
        int shards = random.nextInt(4);
        int aloneOver = random.nextInt(4);
        boolean mixed = random.nextBoolean();
        boolean someDiffer = random.nextInt(4) == 0;
        boolean someNear = shards > 0 && random.nextInt(6) == 0;
        List<Member> group = new ArrayList<>();
        int pods = 2 + random.nextInt(7);
        for (int pod = 0; pod < pods; pod++) {
            int shard = shards == 0 ? -1 : pod % shards;
            group.add(new Member(
                    mixed ? 1 + random.nextInt(2) : 1,
                    someDiffer && random.nextInt(3) == 0 ? skews(random) : common,
                    shard,
                    shards > 0 && random.nextInt(8) > 0 ? aloneOver : -1,
                    someNear && random.nextInt(3) == 0 ? random.nextInt(shards) : -1));
        }
        List<List<Member>> there = new ArrayList<>();
        boolean isEmpty = random.nextInt(3) > 0;
        for (int node = 0; node < nodes; node++) {
            there.add(
                    isEmpty || random.nextInt(4) > 0
                            ? List.of()
                            : List.of(new Member(1, List.of(0, 0, 0, 0), random.nextInt(3) - 1, -1, -1)));
        }
        return new SmallCase(domains, cpu, there, group);
    }

    /** The names of the key's domains. */
    Set<String> domainsOf(String key) {
        int[] of = domains[List.of(KEYS).indexOf(key)];
        return Arrays.stream(of).mapToObj(domain -> "d" + domain).collect(Collectors.toUnmodifiableSet());
    }

    /** The same where only nodes of the domain have any room left. */
    SmallCase within(String key, String domain) {
        int[] of = domains[List.of(KEYS).indexOf(key)];
        int[] room = cpu.clone();
        for (int node = 0; node < room.length; node++) {
            if (!domain.equals("d" + of[node])) {
                room[node] = there.get(node).stream().mapToInt(Member::cpu).sum();
            }
        }
        return new SmallCase(domains, room, there, group);
    }

    /** How full the domain is with so many of CPU more, from 0 to 100. */
    int fullness(String key, String domain, int more) {
        int[] of = domains[List.of(KEYS).indexOf(key)];
        int taken = more;
        int offered = 0;
        for (int node = 0; node < cpu.length; node++) {
            if (domain.equals("d" + of[node])) {
                taken += there.get(node).stream().mapToInt(Member::cpu).sum();
                offered += cpu[node];
            }
        }
        return Math.min(100, 100 * taken / offered);
    }

    private static List<Integer> skews(Random random) {
        List<Integer> skews = new ArrayList<>();
        for (int key = 0; key < KEYS.length; key++) {
            skews.add(random.nextInt(2) == 0 ? 0 : 1 + random.nextInt(4) / 3);
        }
        return skews;
    }

    GroupScene scene() {
        return fill(new GroupScene());
    }

    /** Another cluster with its nodes and pods in place. */
    GroupScene fill(GroupScene scene) {
        for (int node = 0; node < nodes(); node++) {
            var builder =
                    GroupScene.node("n" + node, 110).allocatable("cpu", Integer.toString(cpu[node]), "pods", "110");
            for (int key = 0; key < 3; key++) {
                builder.label(KEYS[key], "d" + domains[key][node]);
            }
            scene.with(builder.build());
            for (Member member : there.get(node)) {
                scene.engine.put(
                        pod("there-" + node, member).nodeName("n" + node).build());
            }
        }
        return scene;
    }

    List<Pod> pods() {
        List<Pod> pods = new ArrayList<>();
        for (int pod = 0; pod < group.size(); pod++) {
            pods.add(pod("p" + pod, group.get(pod)).build());
        }
        return pods;
    }

    private static PodBuilder pod(String name, Member member) {
        PodBuilder pod = PodBuilder.pod(name).label("app", "web").container("cpu", Integer.toString(member.cpu()));
        if (member.shard() >= 0) {
            pod.label("shard", "s" + member.shard());
        }
        for (int key = 0; key < KEYS.length; key++) {
            if (member.skews().get(key) > 0) {
                pod.spread(GroupScene.spread(member.skews().get(key), KEYS[key]));
            }
        }
        List<PodAffinityTerm> near = member.near() < 0 ? List.of() : List.of(term(member.near(), KEYS[0]));
        List<PodAffinityTerm> alone = member.aloneOver() < 0 || member.shard() < 0
                ? List.of()
                : List.of(term(member.shard(), KEYS[member.aloneOver()]));
        return pod.podAffinity(new PodAffinity(near, List.of(), alone, List.of()));
    }

    private static PodAffinityTerm term(int shard, String key) {
        return new PodAffinityTerm(
                LabelSelector.matchingLabels(Labels.of("shard", "s" + shard)), key, List.of(), LabelSelector.NOTHING);
    }
}
