package io.evenkeel.whatif.goal;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.cluster.shape.ResourceNames;
import io.evenkeel.cluster.shape.ResourceVector;
import io.evenkeel.model.Node;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.whatif.ClusterSnapshot.Transaction;
import io.evenkeel.whatif.SchedulingOptions;
import io.evenkeel.whatif.Verdict;
import io.evenkeel.whatif.drain.Consolidation;
import io.evenkeel.whatif.rebalance.Move;
import io.evenkeel.whatif.rebalance.MovePlan.Bound;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** As few nodes as possible have pods of some sort. Pods that belong to their node are of no account, nor are those on their way out. */
final class FreeNodes implements Aim {
    private final MoveTrial trial;
    private final Set<String> nodes;
    private final boolean areAll;
    private final Predicate<Pod> isOfSort;
    private final Function<FreeNodes, List<Move>> suggesting;
    private final Bound least;

    private FreeNodes(
            MoveTrial trial, Set<String> nodes, Predicate<Pod> isOfSort, Function<FreeNodes, List<Move>> suggesting) {
        this.trial = trial;
        this.isOfSort = isOfSort;
        this.suggesting = suggesting;
        areAll = nodes.isEmpty();
        this.nodes = areAll
                ? trial.snapshot.nodes().stream().map(Node::name).collect(Collectors.toCollection(LinkedHashSet::new))
                : new TreeSet<>(nodes);
        // of the nodes that can be free, how many pods must go from each
        List<Integer> toGo = this.nodes.stream()
                .map(this::podsOn)
                .filter(pods -> !pods.isEmpty() && pods.stream().allMatch(trial::mayMove))
                .map(List::size)
                .sorted()
                .toList();
        int before = against();
        int fewest = Math.max(before - toGo.size(), areAll ? fewestThatTakeAll() : 0);
        least = new Bound(
                fewest,
                toGo.stream().limit(before - fewest).mapToInt(Integer::intValue).sum());
    }

    /** The nodes of these that have pods. */
    static FreeNodes empty(MoveTrial trial, Set<String> nodes) {
        return new FreeNodes(trial, nodes, _ -> true, FreeNodes::consolidated);
    }

    /** The nodes whose devices, or extended resources, are in use. */
    static FreeNodes ofDevices(MoveTrial trial) {
        return new FreeNodes(trial, Set.of(), pod -> hasDevices(trial.view, pod), FreeNodes::oneAfterTheOther);
    }

    private static boolean hasDevices(ClusterView view, Pod pod) {
        ResourceVector requests = requests(view, view.pods().find(pod.key()));
        for (int i = 0; i < requests.size(); i++) {
            if (ResourceNames.isExtended(view.resources().nameOf(requests.resourceAt(i)))) {
                return true;
            }
        }
        return view.needsDevices(pod);
    }

    private static ResourceVector requests(ClusterView view, int row) {
        return view.pods().shape(row).value().resources().value().requests();
    }

    @Override
    public boolean moves(Pod pod) {
        return isOfSort.test(pod);
    }

    private boolean counts(Pod pod) {
        return !pod.meta().terminating()
                && pod.meta()
                        .controller()
                        .filter(OwnerReference::keepsPodsOnNodes)
                        .isEmpty()
                && isOfSort.test(pod);
    }

    private List<Pod> podsOn(String node) {
        return trial.snapshot.podsOn(node).stream().filter(this::counts).toList();
    }

    @Override
    public int against() {
        return occupied().size();
    }

    /** The nodes that have such pods. */
    List<String> occupied() {
        PodTable pods = trial.view.pods();
        List<String> names = new ArrayList<>();
        for (String name : nodes) {
            int row = pods.firstOnNode(trial.view.nodes().findPresent(name));
            while (row != PodTable.NONE && !counts(pods.pod(row))) {
                row = pods.nextOnNode(row);
            }
            if (row != PodTable.NONE) {
                names.add(name);
            }
        }
        return names;
    }

    @Override
    public Bound least() {
        return least;
    }

    /**
     * Of each resource, the fewest nodes that together have as much as all the pods ask for, with those among them that have pods
     * anyway; the most of any.
     */
    private int fewestThatTakeAll() {
        ClusterView view = trial.view;
        int fewest = against() == 0 ? 0 : 1;
        Map<String, Pod> ofEachScheduler = new HashMap<>();
        trial.snapshot
                .pods()
                .forEach(pod -> ofEachScheduler.putIfAbsent(pod.spec().schedulerName(), pod));
        for (int resource = 0; resource < view.resources().end(); resource++) {
            String name = view.resources().nameOf(resource);
            if (!name.isEmpty() && isLimited(name, ofEachScheduler.values())) {
                fewest = Math.max(fewest, fewestFor(resource));
            }
        }
        return fewest;
    }

    private boolean isLimited(String resource, Collection<Pod> ofEachScheduler) {
        return ofEachScheduler.stream().allMatch(pod -> trial.snapshot.ask(pod, (judge, _) -> judge.limit(resource)));
    }

    private int fewestFor(int resource) {
        ClusterView view = trial.view;
        NodeSetView present = view.nodes().present();
        long asked = 0;
        long offeredByKept = 0;
        int kept = 0;
        List<Long> offers = new ArrayList<>();
        for (int node = present.first(); node >= 0; node = present.next(node + 1)) {
            long itsPods = 0;
            boolean isKept = false;
            for (int row = view.pods().firstOnNode(node);
                    row != PodTable.NONE;
                    row = view.pods().nextOnNode(row)) {
                if (counts(view.pods().pod(row))) {
                    itsPods += requests(view, row).amountOf(resource);
                    isKept |= !trial.mayMove(view.pods().pod(row));
                }
            }
            asked += itsPods;
            long requested = view.nodes().requested(resource, node);
            // a node that is overfull may stay so
            long offer = Math.max(view.nodes().allocatable(resource, node), requested) - (requested - itsPods);
            if (isKept) {
                offeredByKept += offer;
                kept++;
            } else {
                offers.add(offer);
            }
        }
        long[] largestFirst = offers.stream()
                .sorted(Comparator.reverseOrder())
                .mapToLong(Long::longValue)
                .toArray();
        int more = 0;
        for (long sum = offeredByKept; sum < asked; more++) {
            sum += largestFirst[more];
        }
        return kept + more;
    }

    @Override
    public List<Move> suggestion() {
        return suggesting.apply(this);
    }

    /** As the scan finds them; a pod that would move twice goes at once where it ends. */
    private List<Move> consolidated() {
        Map<String, Move> moves = new LinkedHashMap<>();
        try (Consolidation scan = new Consolidation(trial.snapshot)) {
            scan.together(List.copyOf(nodes)).go().forEach(goes -> goes.moves().forEach(move -> add(moves, move)));
        }
        return List.copyOf(moves.values());
    }

    private void add(Map<String, Move> moves, Move move) {
        moves.merge(
                trial.successor(move.pod()).key(),
                move,
                (first, last) -> new Move(first.pod(), first.from(), last.to()));
    }

    /** Those with the fewest pods first, where the pods find room on nodes that have some already. */
    private List<Move> oneAfterTheOther() {
        Map<String, Move> moves = new LinkedHashMap<>();
        List<String> fewestFirst = nodes.stream()
                .filter(node -> !podsOn(node).isEmpty())
                .sorted(Comparator.comparing(node -> podsOn(node).size()))
                .toList();
        Set<String> others = new LinkedHashSet<>(fewestFirst);
        try (Transaction _ = trial.snapshot.begin()) {
            for (String node : fewestFirst) {
                others.remove(node);
                try (Transaction freed = trial.snapshot.begin()) {
                    List<Move> its = moved(node, others);
                    if (its.isEmpty()) {
                        others.add(node);
                    } else {
                        its.forEach(move -> add(moves, move));
                        freed.commit();
                    }
                }
            }
        }
        return List.copyOf(moves.values());
    }

    /** Moves of all pods that are on the node now; none where not all can go. */
    private List<Move> moved(String node, Set<String> others) {
        List<Pod> pods = podsOn(node);
        if (!pods.stream().allMatch(trial::mayMove)) {
            return List.of();
        }
        trial.snapshot.preemptPods(pods);
        List<Move> its = new ArrayList<>();
        for (Pod pod : pods) {
            if (!(trial.snapshot.schedulePod(trial.successor(pod), SchedulingOptions.USUAL.among(others))
                    instanceof Verdict.Placed(Pod _, String to))) {
                return List.of();
            }
            its.add(new Move(pod, node, to));
        }
        return its;
    }
}
