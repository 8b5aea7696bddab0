package io.evenkeel.groups;

import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.cluster.shape.PodResources;
import io.evenkeel.cluster.shape.ResourceNames;
import io.evenkeel.engine.decision.NodeVerdicts;
import io.evenkeel.engine.group.Seat;
import io.evenkeel.groups.Certificate.Proof;
import io.evenkeel.groups.JointPlacer.Found;
import io.evenkeel.groups.JointPlacer.JointTerms.OneDomain;
import io.evenkeel.model.Pod;
import io.evenkeel.model.value.Labels;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Places a group in one domain of a topology: looks into one domain after the other, those first that it fills the most, so that the
 * first that takes all is the best. Domains without the room are passed over by counting. Each of the others may spend its
 * share of half of the budget; what then is not known, or is wanted as far as it goes, gets shares of the rest.
 */
final class OneDomainPlacer {
    private static final int A_HALF = 2;
    private static final int ALL = 1;

    private final Board board;
    private final MembersByKind crew;
    private final OneDomain wanted;
    private final int atLeast;
    private final DomainRoom room;

    private record Domain(String name, NodeSet nodes, int score) {}

    OneDomainPlacer(Board board, MembersByKind crew, OneDomain wanted, int atLeast) {
        this.board = board;
        this.crew = crew;
        this.wanted = wanted;
        this.atLeast = atLeast;
        this.room = new DomainRoom(board, crew);
    }

    Found run() {
        List<Domain> domains = domains();
        Map<Domain, Found> found = new LinkedHashMap<>();
        List<Domain> roomy = new ArrayList<>();
        for (Domain domain : domains) {
            Optional<JointPlacement> full = room.tooLittle(domain.nodes());
            full.ifPresentOrElse(
                    placement -> found.put(domain, new Found(placement, List.of())), () -> roomy.add(domain));
        }
        Optional<Found> placed = lookInto(roomy, A_HALF, false, found);
        if (placed.isPresent()) {
            return placed.get();
        }
        boolean most = atLeast < crew.pods();
        List<Domain> again = domains.stream()
                .filter(domain -> most || isUnknown(found.get(domain)))
                .toList();
        placed = lookInto(again, ALL, most, found);
        return placed.orElseGet(() -> new OneDomainAnswer(wanted, board).of(verdicts(domains, found), mostOf(found)));
    }

    /** The best that takes all, if one does; what was found out of the others is kept. */
    private Optional<Found> lookInto(List<Domain> domains, int parts, boolean most, Map<Domain, Found> found) {
        int waiting = domains.size() * parts;
        for (Domain domain : domains) {
            if (board.isAllSpent()) {
                found.putIfAbsent(
                        domain,
                        new Found(
                                new JointPlacement.Unknown(board.budget(), "not looked into yet", "", board.steps()),
                                List.of()));
                continue;
            }
            board.narrowTo(domain.nodes(), waiting--, crew.pods());
            Found here = new GroupAttempt(board, crew.within(domain.nodes()), Integer.MAX_VALUE).run(most);
            board.takeBackTo(0);
            if (here.placement() instanceof JointPlacement.Placed) {
                return Optional.of(new Found(here.placement(), here.most(), Optional.of(domain.name()), false));
            }
            found.merge(domain, here, OneDomainPlacer::surer);
        }
        return Optional.empty();
    }

    private static boolean isUnknown(@Nullable Found found) {
        return found != null && found.placement() instanceof JointPlacement.Unknown;
    }

    private static Found surer(Found before, Found now) {
        return now.placement() instanceof JointPlacement.Unknown
                ? new Found(before.placement(), now.most(), Optional.empty(), now.isMost())
                : now;
    }

    /** Returns the domains that come into question, the fullest first. */
    private List<Domain> domains() {
        NodeTable table = board.view().nodes();
        Map<String, NodeSet> nodes = new TreeMap<>();
        for (int node = table.present().first();
                node >= 0;
                node = table.present().next(node + 1)) {
            Labels labels = table.node(node).labels();
            int label = labels.find(wanted.topologyKey());
            if (label >= 0 && wanted.fixed().map(labels.valueAt(label)::equals).orElse(true)) {
                nodes.computeIfAbsent(labels.valueAt(label), _ -> new NodeSet()).add(node);
            }
        }
        List<Domain> domains = new ArrayList<>();
        nodes.forEach((name, all) -> domains.add(new Domain(name, all, DomainScore.of(table, all, crew.resources()))));
        domains.sort(Comparator.comparingInt(Domain::score).reversed().thenComparing(Domain::name));
        return domains;
    }

    private static Map<String, Found> verdicts(List<Domain> domains, Map<Domain, Found> found) {
        Map<String, Found> verdicts = new LinkedHashMap<>();
        for (Domain domain : domains) {
            Found verdict = found.get(domain);
            if (verdict != null) {
                verdicts.put(domain.name(), verdict);
            }
        }
        return verdicts;
    }

    /** Of the domains that take enough the best, else the one that takes the most. */
    private Optional<Found> mostOf(Map<Domain, Found> found) {
        if (atLeast >= crew.pods()) {
            return Optional.empty();
        }
        int most = found.values().stream()
                .mapToInt(each -> each.most().size())
                .max()
                .orElse(0);
        Map<Pod, PodInfo> pods = new HashMap<>();
        crew.kinds().forEach(kind -> kind.pods().forEach(pod -> pods.put(pod.pod(), pod)));
        return found.entrySet().stream()
                .filter(entry -> !entry.getValue().most().isEmpty()
                        && entry.getValue().most().size() >= Math.min(atLeast, most))
                .min(Comparator.comparingInt((Map.Entry<Domain, Found> entry) ->
                                scoreOf(entry.getKey(), entry.getValue().most(), most, pods))
                        .reversed()
                        .thenComparing(entry -> entry.getKey().name()))
                .map(entry -> new Found(
                        entry.getValue().placement(),
                        entry.getValue().most(),
                        Optional.of(entry.getKey().name()),
                        false));
    }

    private int scoreOf(Domain domain, List<Seat> seats, int most, Map<Pod, PodInfo> pods) {
        return DomainScore.ofCount(seats.size(), most)
                + DomainScore.of(
                        board.view().nodes(),
                        domain.nodes(),
                        seats.stream()
                                .flatMap(seat -> Stream.ofNullable(pods.get(seat.pod())))
                                .map(pod -> pod.shape().resources().value())
                                .toList());
    }

    /**
     * How full a domain is with pods of a group in place, from 0 to 100: NodeResourcesFit's MostAllocated over all of its nodes
     * taken together, so that a group goes where it leaves whole domains for others. Which nodes of the domain they are on makes
     * no difference, so it is known before they are placed.
     */
    private static final class DomainScore {
        private static final int HIGHEST = 100;

        private DomainScore() {}

        /** Scores with these pods beside the ones that are there. */
        static int of(NodeTable table, NodeSetView nodes, List<PodResources> pods) {
            long cpu = 0;
            long memory = 0;
            for (PodResources pod : pods) {
                cpu += pod.nonZeroCpu();
                memory += pod.nonZeroMemory();
            }
            long cpuOffered = 0;
            long memoryOffered = 0;
            for (int node = nodes.first(); node >= 0; node = nodes.next(node + 1)) {
                cpu += table.nonZeroCpu(node);
                memory += table.nonZeroMemory(node);
                cpuOffered += table.allocatable(ResourceNames.CPU, node);
                memoryOffered += table.allocatable(ResourceNames.MEMORY, node);
            }
            int resources = (cpuOffered > 0 ? 1 : 0) + (memoryOffered > 0 ? 1 : 0);
            return resources == 0 ? 0 : (share(cpu, cpuOffered) + share(memory, memoryOffered)) / resources;
        }

        private static int share(long taken, long offered) {
            return offered == 0
                    ? 0
                    : (int) Math.min(
                            HIGHEST,
                            Math.multiplyHigh(taken, HIGHEST) == 0
                                    ? taken * HIGHEST / offered
                                    : taken / Math.max(1, offered / HIGHEST));
        }

        /** How many there are beside the most that any domain takes. */
        static int ofCount(int count, int most) {
            return most == 0 ? 0 : (int) ((long) count * HIGHEST / most);
        }
    }

    /**
     * For how many pods of the group some nodes have room at most: what is left on each of them by the least that a pod asks for. Only
     * what NodeResourcesFit enforces for all of them is counted, so where it is too little, no order helps.
     */
    private static final class DomainRoom {
        private static final int[] COUNTED = {ResourceNames.CPU, ResourceNames.MEMORY};

        private final NodeTable table;
        private final int pods;
        private final boolean isEnforced;
        private final long[] least = new long[COUNTED.length];
        private final Board board;

        DomainRoom(Board board, MembersByKind crew) {
            this.board = board;
            this.table = board.view().nodes();
            this.pods = crew.pods();
            this.isEnforced = crew.kinds().stream()
                    .allMatch(kind -> board.judge(kind.first()).askPlugin(NodeVerdicts.RESOURCES));
            List<PodResources> requests = crew.resources();
            for (int i = 0; i < COUNTED.length; i++) {
                int resource = COUNTED[i];
                boolean limited = isEnforced
                        && crew.kinds().stream()
                                .allMatch(kind -> board.judge(kind.first())
                                        .limit(board.view().resources().nameOf(resource)));
                least[i] = limited
                        ? requests.stream()
                                .mapToLong(pod -> pod.requests().amountOf(resource))
                                .min()
                                .orElse(0)
                        : 0;
            }
        }

        /** That the nodes have too little room for all of the group, if that is so. */
        Optional<JointPlacement> tooLittle(NodeSetView nodes) {
            long room = 0;
            for (int node = nodes.first(); node >= 0; node = nodes.next(node + 1)) {
                room += roomOn(node);
                if (room >= pods) {
                    return Optional.empty();
                }
            }
            String words = "its nodes have room for at most " + room + ", " + pods + (pods == 1 ? " is" : " are")
                    + " asked for";
            return Optional.of(new JointPlacement.Infeasible(
                    new Certificate(words, new Proof.TooLittleRoom(room, pods)), board.steps()));
        }

        private long roomOn(int node) {
            if (!isEnforced) {
                return pods;
            }
            long room = (long) table.allowedPods(node) - table.podCount(node);
            for (int i = 0; i < COUNTED.length; i++) {
                if (least[i] > 0) {
                    room = Math.min(
                            room, (table.allocatable(COUNTED[i], node) - table.requested(COUNTED[i], node)) / least[i]);
                }
            }
            return Math.max(0, room);
        }
    }

    /** Explains a group for which no domain takes all one by one. */
    private record OneDomainAnswer(OneDomain wanted, Board board) {
        /**
         * @param byDomain what was found of each, in the order in which they were preferred
         * @param most where as many as possible are wanted, those
         */
        Found of(Map<String, Found> byDomain, Optional<Found> most) {
            for (Map.Entry<String, Found> entry : byDomain.entrySet()) {
                if (entry.getValue().placement()
                        instanceof JointPlacement.EndStateOnly(List<Seat> seats, boolean _, String reach, long _)) {
                    return new Found(
                            new JointPlacement.EndStateOnly(seats, isOrderRuledOut(byDomain), reach, board.steps()),
                            most.map(Found::most).orElse(List.of()),
                            most.map(Found::domain).orElse(Optional.of(entry.getKey())),
                            areMost(byDomain));
                }
            }
            return new Found(
                    none(byDomain),
                    most.map(Found::most).orElse(List.of()),
                    most.flatMap(Found::domain),
                    areMost(byDomain));
        }

        private static boolean areMost(Map<String, Found> byDomain) {
            return byDomain.values().stream().allMatch(Found::isMost);
        }

        private static boolean isOrderRuledOut(Map<String, Found> byDomain) {
            return byDomain.values().stream().allMatch(found -> switch (found.placement()) {
                case JointPlacement.Infeasible _ -> true;
                case JointPlacement.EndStateOnly other -> other.orderRuledOut();
                default -> false;
            });
        }

        private JointPlacement none(Map<String, Found> byDomain) {
            Map<String, Certificate> certificates = new LinkedHashMap<>();
            for (Map.Entry<String, Found> entry : byDomain.entrySet()) {
                switch (entry.getValue().placement()) {
                    case JointPlacement.Infeasible(Certificate certificate, long _) ->
                        certificates.put(entry.getKey(), certificate);
                    case JointPlacement.Unknown(Budget _, String soFar, String reach, long _) -> {
                        return new JointPlacement.Unknown(
                                board.budget(), nameOf(entry.getKey()) + ": " + soFar, reach, board.steps());
                    }
                    default -> throw new IllegalStateException(entry + " is no reason why none takes all");
                }
            }
            String reason = certificates.entrySet().stream()
                    .findFirst()
                    .map(entry ->
                            nameOf(entry.getKey()) + ": " + entry.getValue().words())
                    .orElse("no node has the label"
                            + wanted.fixed().map(domain -> " with " + domain).orElse(""));
            String words = "0/" + byDomain.size() + " " + CertificateWords.plainPlural(wanted.topologyKey())
                    + " are available (" + wanted.topologyKey() + "): " + reason;
            return new JointPlacement.Infeasible(
                    new Certificate(words, new Proof.NoDomain(wanted.topologyKey(), certificates)), board.steps());
        }

        private String nameOf(String domain) {
            return CertificateWords.singular(wanted.topologyKey()) + " " + domain;
        }
    }
}
