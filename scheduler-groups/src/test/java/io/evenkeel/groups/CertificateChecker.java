package io.evenkeel.groups;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.groups.Certificate.Cut;
import io.evenkeel.groups.Certificate.Proof;
import io.evenkeel.groups.Certificate.Vertex;
import io.evenkeel.groups.SmallCase.Member;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Checks a certificate by the numbers of the case alone, and knows nothing of how it was found: for each choice of what the
 * emptiest domains hold in the end there must be a contradiction, and the sums of each cut are added up again.
 */
final class CertificateChecker {
    private static final int HIGHEST_MINIMUM = 20;

    private final SmallCase small;
    private final Proof.Cuts proof;
    private final List<Member> members;
    private final List<Integer> nodes = new ArrayList<>();
    private final int[] room;
    private final List<Rule> rules = new ArrayList<>();

    /** @param maxSkew or 0 where the domains take one each */
    private record Rule(String key, int maxSkew) {}

    private record Bounds(int lower, int upper) {
        Bounds and(Bounds other) {
            return new Bounds(Math.max(lower, other.lower), Math.min(upper, other.upper));
        }
    }

    private CertificateChecker(SmallCase small, Proof.Cuts proof) {
        this.small = small;
        this.proof = proof;
        members = proof.pods().stream()
                .map(pod -> small.group().get(Integer.parseInt(pod.substring("default/p".length()))))
                .toList();
        room = new int[small.nodes()];
    }

    static void check(String about, SmallCase small, Proof proof) {
        switch (proof) {
            case Proof.Cuts cuts -> new CertificateChecker(small, cuts).check(about);
            case Proof.FitsNowhere(String pod) -> {
                Member member = small.group().get(Integer.parseInt(pod.substring("default/p".length())));
                for (int node = 0; node < small.nodes(); node++) {
                    assertThat(mayFit(small, member, node)).as(about).isFalse();
                }
            }
            case Proof.TooLittleRoom(long room, long asked) -> {
                assertThat(asked).as(about).isEqualTo(small.group().size()).isGreaterThan(room);
                int least = small.group().stream().mapToInt(Member::cpu).min().orElseThrow();
                int sum = 0;
                for (int node = 0; node < small.nodes(); node++) {
                    sum += (small.cpu()[node] - used(small, node)) / least;
                }
                assertThat(sum).as(about).isEqualTo(room);
            }
            case Proof.NoDomain(String key, Map<String, Certificate> byDomain) -> {
                assertThat(byDomain.keySet()).as(about).isEqualTo(small.domainsOf(key));
                byDomain.forEach((domain, certificate) ->
                        check(about + " in " + domain, small.within(key, domain), certificate.proof()));
            }
            // that everything was gone through is checked by going through everything
            case Proof.Exhausted _ -> {}
        }
    }

    private void check(String about) {
        assertThat(members)
                .as(about)
                .allMatch(member -> member.skews().equals(members.getFirst().skews()));
        boolean spreads = members.getFirst().skews().stream().anyMatch(skew -> skew > 0);
        assertThat(!spreads || members.size() == small.group().size()).as(about).isTrue();
        int least = members.stream().mapToInt(Member::cpu).min().orElseThrow();
        for (int node = 0; node < small.nodes(); node++) {
            int here = node;
            if (members.stream().anyMatch(member -> mayFit(small, member, here))) {
                nodes.add(node);
                room[node] = (small.cpu()[node] - used(small, node)) / least;
            }
        }
        List<String> keys = new ArrayList<>(proof.chain());
        keys.addAll(proof.otherChain());
        keys.addAll(proof.perNode());
        for (String key : keys) {
            int index = Arrays.asList(SmallCase.KEYS).indexOf(key);
            if (members.getFirst().skews().get(index) > 0) {
                rules.add(new Rule(key, members.getFirst().skews().get(index)));
            }
            if (members.stream().allMatch(members.getFirst()::equals)
                    && members.getFirst().shard() >= 0
                    && members.getFirst().aloneOver() == index) {
                rules.add(new Rule(key, 0));
            }
        }
        assertThat(rules).as(about).hasSameSizeAs(proof.rules());
        choose(about, new ArrayList<>());
    }

    private void choose(String about, List<Integer> minima) {
        if (minima.size() == rules.size()) {
            if (total(room) >= members.size()) {
                assertThat(proof.cuts())
                        .as("%s lacks a cut for the minima %s", about, minima)
                        .anyMatch(cut -> cut.minima().equals(minima) && contradicts(cut));
            }
            return;
        }
        Rule rule = rules.get(minima.size());
        for (int minimum = 0; minimum < (rule.maxSkew() == 0 ? 1 : HIGHEST_MINIMUM); minimum++) {
            if (isPossibleByItself(rule, minimum)) {
                minima.add(minimum);
                choose(about, minima);
                minima.removeLast();
            }
        }
    }

    private boolean isPossibleByItself(Rule rule, int minimum) {
        int atLeast = 0;
        int atMost = 0;
        for (String domain : domains(rule.key())) {
            Bounds bounds = bounds(rule, minimum, domain);
            int place = roomIn(rule.key(), domain);
            if (bounds.lower() > place) {
                return false;
            }
            atLeast += bounds.lower();
            atMost += Math.min(bounds.upper(), place);
        }
        return atLeast <= members.size() && members.size() <= atMost;
    }

    private boolean contradicts(Cut cut) {
        Set<Vertex> inside = new HashSet<>(cut.inside());
        long mustComeIn = 0;
        long mayGoOut = 0;
        boolean clashes = false;
        for (Edge edge : edges(cut.minima())) {
            clashes |= edge.bounds().lower() > edge.bounds().upper();
            if (inside.contains(edge.to()) && !inside.contains(edge.from())) {
                mustComeIn += edge.bounds().lower();
            }
            if (inside.contains(edge.from()) && !inside.contains(edge.to())) {
                mayGoOut += edge.bounds().upper();
            }
        }
        return inside.isEmpty() ? clashes : mustComeIn > mayGoOut;
    }

    private record Edge(Vertex from, Vertex to, Bounds bounds) {}

    /** All pods go through the domains of one chain, a node, the domains of the other chain, and round. */
    private List<Edge> edges(List<Integer> minima) {
        List<Edge> edges = new ArrayList<>();
        edges.add(new Edge(Vertex.TO, Vertex.FROM, new Bounds(members.size(), members.size())));
        Set<Vertex> seen = new HashSet<>();
        for (int node : nodes) {
            Vertex from = Vertex.FROM;
            for (String key : proof.chain()) {
                Vertex own = new Vertex(key, domain(key, node));
                if (seen.add(own)) {
                    edges.add(new Edge(from, own, bounds(key, node, minima)));
                }
                from = own;
            }
            Vertex to = Vertex.TO;
            for (String key : proof.otherChain()) {
                Vertex own = new Vertex(key, domain(key, node));
                if (seen.add(own)) {
                    edges.add(new Edge(own, to, bounds(key, node, minima)));
                }
                to = own;
            }
            Bounds own = new Bounds(0, room[node]);
            for (String key : proof.perNode()) {
                own = own.and(bounds(key, node, minima));
            }
            edges.add(new Edge(from, to, own));
        }
        return edges;
    }

    private Bounds bounds(String key, int node, List<Integer> minima) {
        Bounds all = new Bounds(0, roomIn(key, domain(key, node)));
        for (int i = 0; i < rules.size(); i++) {
            if (rules.get(i).key().equals(key)) {
                all = all.and(bounds(rules.get(i), minima.get(i), domain(key, node)));
            }
        }
        return all;
    }

    private Bounds bounds(Rule rule, int minimum, String domain) {
        if (rule.maxSkew() == 0) {
            return new Bounds(0, 1);
        }
        int there = 0;
        for (int node = 0; node < small.nodes(); node++) {
            there += domain(rule.key(), node).equals(domain)
                    ? small.there().get(node).size()
                    : 0;
        }
        return new Bounds(Math.max(0, minimum - there), Math.max(0, minimum + rule.maxSkew() - there));
    }

    private Set<String> domains(String key) {
        Set<String> domains = new HashSet<>();
        for (int node = 0; node < small.nodes(); node++) {
            domains.add(domain(key, node));
        }
        return domains;
    }

    private String domain(String key, int node) {
        int index = Arrays.asList(SmallCase.KEYS).indexOf(key);
        return (index == 3 ? "n" : "d") + small.domains()[index][node];
    }

    private int roomIn(String key, String domain) {
        return nodes.stream()
                .filter(node -> domain(key, node).equals(domain))
                .mapToInt(node -> room[node])
                .sum();
    }

    private int total(int[] numbers) {
        return Arrays.stream(numbers).sum();
    }

    private static int used(SmallCase small, int node) {
        return small.there().get(node).stream().mapToInt(Member::cpu).sum();
    }

    /** As far as room and pods in place go, which keep nobody away themselves. */
    private static boolean mayFit(SmallCase small, Member member, int node) {
        if (used(small, node) + member.cpu() > small.cpu()[node]) {
            return false;
        }
        for (int other = 0; other < small.nodes() && member.shard() >= 0 && member.aloneOver() >= 0; other++) {
            int[] domains = small.domains()[member.aloneOver()];
            if (domains[other] == domains[node]
                    && small.there().get(other).stream().anyMatch(placed -> placed.shard() == member.shard())) {
                return false;
            }
        }
        return true;
    }
}
