package io.evenkeel.groups;

import io.evenkeel.groups.AlikeModel.KeyLevel;
import io.evenkeel.groups.AlikeModel.SkewRule;
import io.evenkeel.groups.Certificate.Cut;
import io.evenkeel.groups.Certificate.Vertex;
import io.evenkeel.groups.Disproof.MinimaChoices;
import io.evenkeel.groups.FlowNetwork.FlowCost;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;

/** Says why so many cannot be placed: which few of the rules are enough to make it impossible, and what the domains take. */
record CertificateWords(AlikeModel model, int pods, OptionalInt most, LongPredicate effort) {
    private static final int MOST_NAMES = 6;

    /**
     * Why so many cannot be placed. Of what the domains take no number is told that no pods were placed by.
     *
     * @param most the most that can be, where that is known
     * @param effort whether one of this cost may still be made; without, less is said
     */
    @SuppressWarnings("ReferenceEquality") // of rules with equal parts one is left out at a time
    static String of(Disproof disproof, int pods, OptionalInt most, LongPredicate effort) {
        AlikeModel model = disproof.view();
        List<SkewRule> needed = new ArrayList<>();
        model.levels.forEach(level -> needed.addAll(level.rules()));
        for (SkewRule rule : List.copyOf(needed)) {
            List<SkewRule> without =
                    needed.stream().filter(other -> other != rule).toList();
            if (!Disproof.allows(model.keeping(without::contains), pods, effort)) {
                needed.remove(rule);
            }
        }
        return new CertificateWords(model.keeping(needed::contains), pods, most, effort).words(needed);
    }

    private String words(List<SkewRule> needed) {
        String asked = pods + (pods == 1 ? " is asked for" : " are asked for");
        if (needed.isEmpty()) {
            boolean isFilled = most.isPresent() && most.getAsInt() == model.room();
            return "the nodes that come into question have room for " + (isFilled ? "" : "at most ") + model.room()
                    + ", " + asked;
        }
        String rules = needed.stream().map(SkewRule::words).collect(Collectors.joining(" and "));
        String room = taken().map(said -> said + ", " + asked + ": ").orElse(asked + ": ");
        return room
                + rules
                + (needed.size() == 1 ? " and the room there contradict each other" : " contradict each other");
    }

    /** Says how much the domains take together, by the cut that leaves the most. */
    private Optional<String> taken() {
        String said = "";
        long most = -1;
        for (Cut cut : cuts()) {
            CutSums sums = CutSums.of(model, cut);
            if (cut.inside().contains(Vertex.FROM) && !cut.inside().contains(Vertex.TO) && sums.spare() > most) {
                most = sums.spare();
                said = names(sums.limiting()) + " take" + (sums.limiting().size() == 1 ? "s " : " ") + most;
            }
        }
        return this.most.isPresent() && this.most.getAsInt() == most ? Optional.of(said) : Optional.empty();
    }

    private List<Cut> cuts() {
        return MinimaChoices.of(model.minima(pods)).all().stream()
                .takeWhile(_ -> effort.test(FlowCost.of(model, pods)))
                .map(choice -> EndStates.find(model, pods, choice).cut())
                .filter(cut -> !cut.inside().isEmpty())
                .toList();
    }

    /** As in "zones a and b", by key; many as "20 racks". */
    private static String names(Set<Vertex> domains) {
        if (domains.isEmpty()) {
            return "the nodes";
        }
        List<String> byKey = new ArrayList<>();
        for (String key : domains.stream().map(Vertex::key).collect(Collectors.toCollection(LinkedHashSet::new))) {
            List<String> names = domains.stream()
                    .filter(domain -> domain.key().equals(key))
                    .map(Vertex::domain)
                    .sorted()
                    .toList();
            byKey.add(
                    names.size() > MOST_NAMES
                            ? names.size() + " " + plainPlural(key)
                            : (names.size() == 1 ? singular(key) : plainPlural(key)) + " " + listed(names));
        }
        return listed(byKey);
    }

    private static String listed(List<String> names) {
        return names.size() == 1
                ? names.getFirst()
                : String.join(", ", names.subList(0, names.size() - 1)) + " and " + names.getLast();
    }

    /** The key in words, as in "zones (topology.kubernetes.io/zone)". */
    static String plural(String key) {
        String plain = plainPlural(key);
        return plain.equals(key) ? plain : plain + " (" + key + ")";
    }

    /** The key as one word, as in "zones". */
    static String plainPlural(String key) {
        return singular(key) + "s";
    }

    /** The key as one word, as in "zone". */
    static String singular(String key) {
        String last = key.substring(key.lastIndexOf('/') + 1);
        return last.equals("hostname") ? "node" : last;
    }

    /**
     * The bounds of the edges that cross a cut, without the one by which all pods come round.
     *
     * @param spare what may go out less what must come in
     * @param limiting the domains at which it is decided
     */
    private record CutSums(long spare, Set<Vertex> limiting) {

        static CutSums of(AlikeModel model, Cut cut) {
            int[] minima = cut.minima().stream().mapToInt(Integer::intValue).toArray();
            Set<Vertex> inside = new HashSet<>(cut.inside());
            Set<Vertex> limiting = new LinkedHashSet<>();
            long spare = 0;
            for (boolean isFirst : new boolean[] {true, false}) {
                List<KeyLevel> chain = isFirst ? model.chain : model.otherChain;
                for (int i = 0; i < chain.size(); i++) {
                    KeyLevel level = chain.get(i);
                    boolean[] seen = new boolean[level.size()];
                    for (int node = 0; node < model.nodes.length; node++) {
                        int domain = level.domainOf()[node];
                        if (!seen[domain]) {
                            seen[domain] = true;
                            Vertex own = vertex(level, node);
                            Vertex outer =
                                    i == 0 ? (isFirst ? Vertex.FROM : Vertex.TO) : vertex(chain.get(i - 1), node);
                            long crossing = crossing(
                                    inside.contains(isFirst ? outer : own),
                                    inside.contains(isFirst ? own : outer),
                                    level.lower(minima, model.ruleOf(level), domain),
                                    level.upper(minima, model.ruleOf(level), domain));
                            spare += crossing;
                            if (inside.contains(own) != inside.contains(outer)) {
                                limiting.add(own);
                            }
                        }
                    }
                }
            }
            for (int node = 0; node < model.nodes.length; node++) {
                Vertex from = model.chain.isEmpty() ? Vertex.FROM : vertex(model.chain.getLast(), node);
                Vertex to = model.otherChain.isEmpty() ? Vertex.TO : vertex(model.otherChain.getLast(), node);
                spare += crossing(
                        inside.contains(from),
                        inside.contains(to),
                        model.lowerAt(node, minima),
                        model.upperAt(node, minima));
                if (inside.contains(from) != inside.contains(to) && !model.chain.isEmpty()) {
                    limiting.add(from);
                }
            }
            return new CutSums(spare, limiting);
        }

        private static long crossing(boolean fromInside, boolean toInside, int lower, int upper) {
            if (fromInside == toInside) {
                return 0;
            }
            return fromInside ? upper : -(long) lower;
        }

        private static Vertex vertex(KeyLevel level, int node) {
            return new Vertex(level.key(), level.names()[level.domainOf()[node]]);
        }
    }
}
