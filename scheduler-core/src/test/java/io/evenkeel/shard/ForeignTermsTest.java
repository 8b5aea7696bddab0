package io.evenkeel.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.counting.Namespaces;
import io.evenkeel.config.ShardSettings;
import io.evenkeel.model.Namespace;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.PodAffinity;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.shard.ForeignTerms.Change;
import io.evenkeel.shard.ForeignTerms.Term;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ForeignTermsTest {
    private static final ShardMap POOLS =
            new ShardMap(new ShardSettings("example.com/pool", List.of("a", "b"), 1, false));
    private static final LabelSelector WEB = app("web");

    private final Namespaces.Writer namespaces = Namespaces.create();
    private final ForeignTerms terms = new ForeignTerms(POOLS, namespaces.namespaces());

    @Test
    void aTermMatchesWhileAPodCarriesIt() {
        assertThat(terms.put(shunning("shop", "p0", term(WEB, "zone"))).added()).hasSize(1);
        assertThat(terms.put(shunning("shop", "p1", term(WEB, "zone"))).added()).isEmpty();
        assertThat(terms.matching(labelled("shop", "web"))).contains("zone");
        assertThat(terms.matching(labelled("shop", "db"))).isEmpty();
        assertThat(terms.matching(labelled("bank", "web"))).isEmpty();

        assertThat(terms.remove("shop/p0").gone()).as("p1 carries it").isEmpty();
        assertThat(terms.remove("shop/p0").gone()).isEmpty();
        assertThat(terms.matching(labelled("shop", "web"))).contains("zone");
        assertThat(terms.remove("shop/p1").gone()).hasSize(1);
        assertThat(terms.matching(labelled("shop", "web"))).isEmpty();
        assertThat(terms.put(shunning("shop", "p2", term(WEB, "zone"))).added()).hasSize(1);
    }

    @Test
    void termsWhoseDomainsLieInOneShardDoNotCount() {
        assertThat(terms.put(shunning("shop", "p0", term(WEB, "kubernetes.io/hostname"), term(WEB, "example.com/pool")))
                        .added())
                .isEmpty();
        assertThat(terms.matching(labelled("shop", "web"))).isEmpty();
    }

    @Test
    void whatIsHeardOfAPodAgainTakesThePlaceOfTheFormer() {
        terms.put(shunning("shop", "p0", term(WEB, "zone")));
        assertThat(terms.put(shunning("shop", "p0", term(WEB, "zone")))).isEqualTo(Change.NONE);
        assertThat(terms.put(shunning("shop", "p0", term(WEB, "rack"), term(WEB, "zone")))
                        .added())
                .extracting(Term::topologyKey)
                .containsExactly("rack");
        assertThat(terms.put(PodBuilder.pod("shop", "p0").build()).gone())
                .extracting(Term::topologyKey)
                .containsExactlyInAnyOrder("rack", "zone");
        assertThat(terms.matching(labelled("shop", "web"))).isEmpty();
    }

    @Test
    void aTermOfOtherNamespacesIsReadAsItIsForANewcomer() {
        terms.put(shunning("shop", "p0", new PodAffinityTerm(WEB, "zone", List.of("bank"), LabelSelector.NOTHING)));
        assertThat(terms.matching(labelled("bank", "web"))).contains("zone");
        assertThat(terms.matching(labelled("shop", "web"))).isEmpty();

        terms.put(shunning("shop", "p1", new PodAffinityTerm(WEB, "rack", List.of(), app("team"))));
        assertThat(terms.matching(labelled("till", "web"))).isEmpty();
        namespaces.objectChanged(
                Optional.empty(),
                Optional.of(new Namespace(ObjectMeta.named("", "till").withLabels(Labels.of("app", "team")))));
        assertThat(terms.matching(labelled("till", "web"))).contains("rack");
    }

    @Test
    void itMatchesAsALookAtEachPodDoes() {
        for (int seed = 0; seed < 200; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            ForeignTerms kept = new ForeignTerms(POOLS, namespaces.namespaces());
            Map<String, Pod> pods = new HashMap<>();
            for (int step = 0; step < 60; step++) {
                String name = "p" + random.nextInt(8);
                if (random.nextInt(3) == 0) {
                    kept.remove("shop/" + name);
                    pods.remove(name);
                } else {
                    PodAffinityTerm[] shunned = new PodAffinityTerm[random.nextInt(3)];
                    for (int i = 0; i < shunned.length; i++) {
                        shunned[i] = term(
                                app(List.of("web", "db").get(random.nextInt(2))),
                                List.of("zone", "rack", "kubernetes.io/hostname")
                                        .get(random.nextInt(3)));
                    }
                    Pod pod = shunning("shop", name, shunned);
                    kept.put(pod);
                    pods.put(name, pod);
                }
                for (String app : List.of("web", "db")) {
                    Pod newcomer = labelled("shop", app);
                    assertThat(kept.matching(newcomer).isPresent())
                            .as("seed %d, step %d, %s", seed, step, app)
                            .isEqualTo(pods.values().stream()
                                    .flatMap(pod -> pod.spec().podAffinity().requiredAntiAffinity().stream())
                                    .anyMatch(term -> !POOLS.keepsWhole(term.topologyKey())
                                            && term.labelSelector().matches(newcomer.labels())));
                }
            }
        }
    }

    private static LabelSelector app(String name) {
        return LabelSelector.matchingLabels(Map.of("app", name));
    }

    private static PodAffinityTerm term(LabelSelector selector, String key) {
        return new PodAffinityTerm(selector, key, List.of(), LabelSelector.NOTHING);
    }

    private static Pod shunning(String namespace, String name, PodAffinityTerm... shunned) {
        return PodBuilder.pod(namespace, name)
                .podAffinity(new PodAffinity(List.of(), List.of(), List.of(shunned), List.of()))
                .build();
    }

    private static Pod labelled(String namespace, String app) {
        return PodBuilder.pod(namespace, "newcomer").label("app", app).build();
    }
}
