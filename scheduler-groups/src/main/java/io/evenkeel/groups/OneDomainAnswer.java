package io.evenkeel.groups;

import io.evenkeel.engine.group.Seat;
import io.evenkeel.groups.Certificate.Proof;
import io.evenkeel.groups.JointPlacer.Found;
import io.evenkeel.groups.JointTerms.OneDomain;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Explains a group for which no domain takes all one by one. */
record OneDomainAnswer(OneDomain wanted, Board board) {
    /**
     * The whole of it.
     *
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
                .map(entry -> nameOf(entry.getKey()) + ": " + entry.getValue().words())
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
