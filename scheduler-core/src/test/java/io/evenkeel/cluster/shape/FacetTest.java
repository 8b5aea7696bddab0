package io.evenkeel.cluster.shape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@link FacetTable}, and {@link FacetCache} on top of it. */
class FacetTest {
    private final FacetTable<String> table = FacetTable.weighing(256, _ -> 1);
    private final List<String> discarded = new ArrayList<>();
    private final List<String> compiled = new ArrayList<>();

    private FacetCache<String, String> cache(int capacity) {
        return new FacetCache<>(
                table,
                capacity,
                facet -> {
                    compiled.add(facet.value());
                    return facet.value();
                },
                discarded::add);
    }

    @Test
    void equalValuesAreOneFacet() {
        assertThat(table.acquire("a")).isSameAs(table.acquire("a")).isNotSameAs(table.acquire("b"));
    }

    @Test
    void aFacetWithoutUsersWaitsForTheNextOne() {
        Facet<String> facet = table.acquire("a");
        table.release(facet);

        assertThat(table.acquire("a")).isSameAs(facet);
        table.dropIdle();
        assertThat(table.size()).isOne();
    }

    @Test
    void ofTooManyThatWaitTheOneThatWaitedLongestGoes() {
        List<String> dropped = new ArrayList<>();
        table.onDrop(facet -> dropped.add(facet.value()));
        List<Facet<String>> facets = new ArrayList<>();
        for (int i = 0; i < 257; i++) {
            facets.add(table.acquire("v" + i));
        }
        facets.forEach(table::release);

        assertThat(dropped).containsExactly("v0");
        assertThat(table.acquire("new").id()).isEqualTo(facets.getFirst().id());
    }

    @Test
    void largeOnesWeighMoreAndThoseThatAreTooLargeGoAtOnce() {
        FacetTable<String> weighing = FacetTable.weighing(256, String::length);
        List<Integer> dropped = new ArrayList<>();
        weighing.onDrop(facet -> dropped.add(facet.value().length()));
        Facet<String> small = weighing.acquire("a");
        weighing.release(small);
        weighing.release(weighing.acquire("b".repeat(17)));
        assertThat(dropped).containsExactly(17);

        for (char other = 'a'; other < 'p'; other++) {
            weighing.release(weighing.acquire(String.valueOf(other).repeat(16)));
        }
        assertThat(dropped).containsExactly(17);
        weighing.release(weighing.acquire("z".repeat(16)));
        assertThat(dropped).containsExactly(17, 1);
    }

    @Test
    void releasingMoreOftenThanAcquiringIsAMistake() {
        Facet<String> facet = table.acquire("a");
        table.release(facet);

        assertThatThrownBy(() -> table.release(facet)).hasMessageContaining("released more often than acquired");
    }

    @Test
    void aFacetThatWasDroppedCannotBeAcquiredAgain() {
        Facet<String> facet = table.acquire("a");
        table.release(facet);
        table.dropIdle();

        assertThatThrownBy(() -> table.acquire(facet)).hasMessageContaining("dropped already");
    }

    @Test
    void whatIsCachedIsWorkedOutOnceAndGoesWithItsFacet() {
        FacetCache<String, String> cache = cache(10);
        Facet<String> facet = table.acquire("a");
        cache.get(facet);
        cache.get(facet);
        assertThat(compiled).containsExactly("a");

        table.release(facet);
        assertThat(discarded).isEmpty();
        table.dropIdle();
        assertThat(discarded).containsExactly("a");
    }

    @Test
    void anIdThatIsUsedAgainFindsNothingOfTheFacetBefore() {
        FacetCache<String, String> cache = cache(10);
        Facet<String> before = table.acquire("a");
        cache.get(before);
        table.release(before);
        table.dropIdle();
        Facet<String> after = table.acquire("b");

        assertThat(after.id()).isEqualTo(before.id());
        assertThat(cache.get(after)).isEqualTo("b");
    }

    @Test
    void beyondItsCapacityACacheForgetsWhatWasNotAskedForLongest() {
        FacetCache<String, String> cache = cache(2);
        Facet<String> a = table.acquire("a");
        Facet<String> b = table.acquire("b");
        cache.get(a);
        cache.get(b);
        cache.get(a);
        cache.get(table.acquire("c"));

        assertThat(discarded).containsExactly("b");
    }

    @Test
    void aFloodOfOthersDoesNotMakeWhatIsAskedForAgainBeWorkedOutAnew() {
        FacetCache<String, String> cache = cache(100);
        Facet<String> usual = table.acquire("usual");
        for (int i = 0; i < 5_000; i++) {
            cache.get(table.acquire("unique " + i));
            if (i % 50 == 0) {
                cache.get(usual);
            }
        }

        assertThat(compiled).hasSize(5_001).containsOnlyOnce("usual");
    }

    @Test
    void aClearedCacheWorksEverythingOutAgain() {
        FacetCache<String, String> cache = cache(10);
        Facet<String> facet = table.acquire("a");
        cache.get(facet);
        cache.clear();
        cache.get(facet);

        assertThat(discarded).containsExactly("a");
        assertThat(compiled).containsExactly("a", "a");
    }
}
