package io.evenkeel.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads a pod's {@code affinity}: {@code {1: nodeAffinity, 2: podAffinity, 3: podAntiAffinity}}. */
final class WireAffinityReader {
    private final WireValues values;
    private final WireSelectorReader selectors;
    private final WireNodeAffinityReader nodeAffinities;

    WireAffinityReader(WireValues values, WireSelectorReader selectors) {
        this.values = values;
        this.selectors = selectors;
        this.nodeAffinities = new WireNodeAffinityReader(values);
    }

    void read(WireCursor in, PodBuilder pod) {
        PodAffinityReader.Terms near = PodAffinityReader.Terms.NONE;
        PodAffinityReader.Terms apart = PodAffinityReader.Terms.NONE;
        while (in.next()) {
            switch (in.field()) {
                case 1 -> pod.nodeAffinity(nodeAffinities.read(in.message()));
                case 2 -> near = readTerms(in.message());
                case 3 -> apart = readTerms(in.message());
                default -> {}
            }
        }
        PodAffinity affinity = new PodAffinity(near.required(), near.preferred(), apart.required(), apart.preferred());
        pod.podAffinity(affinity.isNone() ? PodAffinity.NONE : affinity);
    }

    private PodAffinityReader.Terms readTerms(WireCursor in) {
        List<PodAffinityTerm> required = new ArrayList<>();
        List<WeightedPodAffinityTerm> preferred = new ArrayList<>();
        while (in.next()) {
            switch (in.field()) {
                case 1 -> required.add(readTerm(in.message()));
                case 2 -> preferred.add(readWeighted(in.message()));
                default -> {}
            }
        }
        return new PodAffinityReader.Terms(List.copyOf(required), List.copyOf(preferred));
    }

    private WeightedPodAffinityTerm readWeighted(WireCursor in) {
        int weight = 0;
        Optional<PodAffinityTerm> term = Optional.empty();
        while (in.next()) {
            switch (in.field()) {
                case 1 -> weight = in.int32();
                case 2 -> term = Optional.of(readTerm(in.message()));
                default -> {}
            }
        }
        return new WeightedPodAffinityTerm(weight, term.orElseThrow(() -> WireValues.missing("podAffinityTerm")));
    }

    private PodAffinityTerm readTerm(WireCursor in) {
        LabelSelector labelSelector = LabelSelector.NOTHING;
        String topologyKey = "";
        List<String> namespaces = new ArrayList<>();
        LabelSelector namespaceSelector = LabelSelector.NOTHING;
        while (in.next()) {
            switch (in.field()) {
                case 1 -> labelSelector = selectors.read(in.message());
                case 2 -> namespaces.add(values.string(in));
                case 3 -> topologyKey = values.string(in);
                case 4 -> namespaceSelector = selectors.read(in.message());
                default -> {}
            }
        }
        if (topologyKey.isEmpty()) {
            throw WireValues.missing("topologyKey");
        }
        List<String> distinct = namespaces.stream().sorted().distinct().toList();
        return new PodAffinityTerm(labelSelector, topologyKey, distinct, namespaceSelector);
    }
}
