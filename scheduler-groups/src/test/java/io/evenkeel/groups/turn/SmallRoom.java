package io.evenkeel.groups.turn;

import io.evenkeel.groups.turn.GangPreemption.Gang;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.build.PodStatusBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * A small cluster in numbers, with pods in place and a gang that waits.
 *
 * @param zones by node
 * @param cpus by node
 * @param occupants by number, as pod {@code p0} and so on
 * @param waiting cpus of each pod that waits
 * @param priority of the gang
 * @param skews maxSkew over zones and over hosts, 0 for none
 * @param countsOthers whether pods in place may carry the label that the gang's constraints count
 * @param budgets by label, how many may be disturbed; -1 where there is no budget
 */
record SmallRoom(
        List<Integer> zones,
        List<Integer> cpus,
        List<Occupant> occupants,
        List<Integer> waiting,
        int priority,
        List<Integer> skews,
        boolean countsOthers,
        List<Integer> budgets) {

    static final List<String> KEYS = List.of(RoomScene.ZONE, "kubernetes.io/hostname");

    /**
     * @param app its label: 0 is what the gang's constraints count
     * @param start the month in which it started
     * @param unit the gang with which it goes, -1 for none
     */
    record Occupant(int node, int cpu, int priority, int app, int start, boolean leaving, int unit) {}

    static SmallRoom random(Random random) {
        int nodes = 1 + random.nextInt(6);
        List<Integer> zones = new ArrayList<>();
        List<Integer> cpus = new ArrayList<>();
        for (int node = 0; node < nodes; node++) {
            zones.add(random.nextInt(3));
            cpus.add(2 + random.nextInt(4));
        }
        boolean countsOthers = random.nextInt(3) == 0;
        boolean hasUnits = random.nextInt(3) == 0;
        List<Occupant> occupants = new ArrayList<>();
        int[] free = cpus.stream().mapToInt(Integer::intValue).toArray();
        for (int i = 0; i < 10; i++) {
            int node = random.nextInt(nodes);
            int cpu = 1 + random.nextInt(3);
            if (cpu <= free[node]) {
                free[node] -= cpu;
                occupants.add(new Occupant(
                        node,
                        cpu,
                        random.nextInt(8) == 0 ? 9 : random.nextInt(4),
                        countsOthers && random.nextBoolean() ? 0 : 1 + random.nextInt(2),
                        1 + random.nextInt(3),
                        random.nextInt(10) == 0,
                        hasUnits && random.nextBoolean() ? random.nextInt(2) : -1));
            }
        }
        List<Integer> gang = new ArrayList<>();
        boolean alike = random.nextBoolean();
        int first = 1 + random.nextInt(3);
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            gang.add(alike ? first : 1 + random.nextInt(3));
        }
        boolean spreads = countsOthers || random.nextBoolean();
        return new SmallRoom(
                zones,
                cpus,
                occupants,
                gang,
                3,
                spreads ? List.of(random.nextInt(3), random.nextInt(2)) : List.of(0, 0),
                countsOthers,
                List.of(random.nextInt(4) - 1, random.nextInt(4) - 1, random.nextInt(4) - 1));
    }

    RoomScene scene() {
        RoomScene scene = new RoomScene();
        for (int node = 0; node < cpus.size(); node++) {
            scene.node("n" + node, "z" + zones.get(node), cpus.get(node));
        }
        for (int i = 0; i < occupants.size(); i++) {
            scene.put(pod(i));
        }
        for (int app = 0; app < budgets.size(); app++) {
            if (budgets.get(app) >= 0) {
                scene.put(RoomScene.budget("app" + app, budgets.get(app)));
            }
        }
        return scene;
    }

    private Pod pod(int number) {
        Occupant occupant = occupants.get(number);
        return PodBuilder.pod("p" + number)
                .label("app", "app" + occupant.app())
                .nodeName("n" + occupant.node())
                .priority(occupant.priority())
                .container("cpu", Integer.toString(occupant.cpu()))
                .terminating(occupant.leaving())
                .status(PodStatusBuilder.running()
                        .startTime("2026-0" + occupant.start() + "-01T00:00:00Z")
                        .build())
                .build();
    }

    List<Pod> leaving() {
        List<Pod> leaving = new ArrayList<>();
        for (int i = 0; i < occupants.size(); i++) {
            if (occupants.get(i).leaving() && occupants.get(i).priority() < priority) {
                leaving.add(pod(i));
            }
        }
        return leaving;
    }

    Gang gang() {
        List<Pod> pods = new ArrayList<>();
        for (int i = 0; i < waiting.size(); i++) {
            PodBuilder pod = PodBuilder.pod("g" + i)
                    .label("app", "app0")
                    .priority(priority)
                    .container("cpu", Integer.toString(waiting.get(i)));
            for (int key = 0; key < KEYS.size(); key++) {
                if (skews.get(key) > 0) {
                    pod.spread(RoomScene.spread(skews.get(key), "app0", KEYS.get(key)));
                }
            }
            pods.add(pod.build());
        }
        return RoomScene.inUnits(pods, this::unitOf);
    }

    private Optional<String> unitOf(Pod pod) {
        int unit = occupants.get(Integer.parseInt(pod.name().substring(1))).unit();
        return unit < 0 ? Optional.empty() : Optional.of("unit-" + unit);
    }
}
