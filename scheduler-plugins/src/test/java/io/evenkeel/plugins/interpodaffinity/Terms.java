package io.evenkeel.plugins.interpodaffinity;

import io.evenkeel.model.constraint.PodAffinity;
import io.evenkeel.model.constraint.PodAffinity.WeightedPodAffinityTerm;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import java.util.List;

/** Affinity in a few words. */
final class Terms {
    static final String ZONE = "zone";
    static final String HOST = "host";

    private Terms() {}

    static PodAffinityTerm app(String app, String key) {
        return term(selector("app", app), key);
    }

    static LabelSelector selector(String key, String value) {
        return LabelSelector.matchingLabels(Labels.of(key, value));
    }

    static PodAffinityTerm term(LabelSelector selector, String key) {
        return new PodAffinityTerm(selector, key, List.of(), LabelSelector.NOTHING);
    }

    static PodAffinityTerm in(LabelSelector namespaces, PodAffinityTerm term) {
        return new PodAffinityTerm(term.labelSelector(), term.topologyKey(), term.namespaces(), namespaces);
    }

    static PodAffinityTerm in(String namespace, PodAffinityTerm term) {
        return new PodAffinityTerm(
                term.labelSelector(), term.topologyKey(), List.of(namespace), term.namespaceSelector());
    }

    static PodAffinity near(PodAffinityTerm... terms) {
        return new PodAffinity(List.of(terms), List.of(), List.of(), List.of());
    }

    static PodAffinity apart(PodAffinityTerm... terms) {
        return new PodAffinity(List.of(), List.of(), List.of(terms), List.of());
    }

    static PodAffinity ratherNear(int weight, PodAffinityTerm term) {
        return new PodAffinity(List.of(), List.of(new WeightedPodAffinityTerm(weight, term)), List.of(), List.of());
    }

    static PodAffinity ratherApart(int weight, PodAffinityTerm term) {
        return new PodAffinity(List.of(), List.of(), List.of(), List.of(new WeightedPodAffinityTerm(weight, term)));
    }
}
