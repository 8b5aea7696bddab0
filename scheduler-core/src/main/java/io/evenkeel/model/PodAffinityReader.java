package io.evenkeel.model;

import java.util.List;
import java.util.Optional;

/**
 * Reads {@code affinity.podAffinity} and {@code affinity.podAntiAffinity}. Their {@code matchLabelKeys} and {@code
 * mismatchLabelKeys} are not read: the API server has already merged them into the labelSelector.
 */
final class PodAffinityReader {

    /** What the two fields have in common. */
    record Terms(List<PodAffinityTerm> required, List<WeightedPodAffinityTerm> preferred) {
        static final Terms NONE = new Terms(List.of(), List.of());
    }

    private PodAffinityReader() {}

    static Terms read(JsonCursor in) {
        List<PodAffinityTerm> required = List.of();
        List<WeightedPodAffinityTerm> preferred = List.of();
        in.enterObject();
        while (in.nextField()) {
            switch (in.field()) {
                case "requiredDuringSchedulingIgnoredDuringExecution" ->
                    required = in.list(PodAffinityReader::readTerm);
                case "preferredDuringSchedulingIgnoredDuringExecution" ->
                    preferred = in.list(PodAffinityReader::readWeighted);
                default -> in.skip();
            }
        }
        return new Terms(required, preferred);
    }

    private static WeightedPodAffinityTerm readWeighted(JsonCursor in) {
        int weight = 0;
        Optional<PodAffinityTerm> term = Optional.empty();
        in.enterObject();
        while (in.nextField()) {
            switch (in.field()) {
                case "weight" -> weight = in.integer();
                case "podAffinityTerm" -> term = Optional.of(readTerm(in));
                default -> in.skip();
            }
        }
        return new WeightedPodAffinityTerm(weight, term.orElseThrow(() -> in.missing("podAffinityTerm")));
    }

    private static PodAffinityTerm readTerm(JsonCursor in) {
        LabelSelector labelSelector = LabelSelector.NOTHING;
        String topologyKey = "";
        List<String> namespaces = List.of();
        LabelSelector namespaceSelector = LabelSelector.NOTHING;
        in.enterObject();
        while (in.nextField()) {
            switch (in.field()) {
                case "labelSelector" -> labelSelector = LabelSelectorReader.read(in);
                case "topologyKey" -> topologyKey = in.sharedString();
                case "namespaces" ->
                    namespaces = in.strings().stream().sorted().distinct().toList();
                case "namespaceSelector" -> namespaceSelector = LabelSelectorReader.read(in);
                default -> in.skip();
            }
        }
        if (topologyKey.isEmpty()) {
            throw in.missing("topologyKey");
        }
        return new PodAffinityTerm(labelSelector, topologyKey, namespaces, namespaceSelector);
    }
}
