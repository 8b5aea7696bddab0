package io.evenkeel.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIndexOutOfBoundsException;

import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class NodeSetTest {

    private static NodeSet of(int... nodes) {
        NodeSet set = new NodeSet();
        for (int node : nodes) {
            set.add(node);
        }
        return set;
    }

    @Test
    void growsWithItsMembersAndListsThemInOrder() {
        NodeSet set = of(200, 0, 64, 63);

        assertThat(set).hasToString("{0, 63, 64, 200}");
        assertThat(set.size()).isEqualTo(4);
        assertThat(set.next(64)).isEqualTo(64);
        assertThat(set.next(201)).isEqualTo(-1);
        assertThat(set.contains(100_000)).isFalse();
    }

    @Test
    void isEqualWhateverRoomItHas() {
        NodeSet roomy = new NodeSet(1000);
        roomy.add(5);

        assertThat(roomy).isEqualTo(of(5)).hasSameHashCodeAs(of(5));
        assertThat(of(5)).isEqualTo(roomy);
        assertThat(of(5, 700)).isNotEqualTo(of(5));
    }

    @Test
    void pairsHaveHashesOfTheirOwn() {
        Set<Integer> hashes = new TreeSet<>();
        for (int node = 0; node < 20; node++) {
            for (int other = 0; other < node; other++) {
                hashes.add(of(node, other).hashCode());
            }
        }

        assertThat(hashes).hasSize(20 * 19 / 2);
    }

    @Test
    void aCopyIsItsOwn() {
        NodeSet set = of(1, 100);
        NodeSet copy = set.copy();
        copy.remove(100);

        assertThat(set).isEqualTo(of(1, 100));
        assertThat(copy).isEqualTo(of(1));
    }

    @Test
    void aFrozenSetStaysAsItWasAndCannotBeChanged() {
        NodeSet set = of(1, 100);
        NodeSetView frozen = set.frozen();
        set.remove(100);

        assertThat(frozen).isEqualTo(of(1, 100)).isNotInstanceOf(NodeSet.class);
    }

    @Test
    void copyingAShorterSetForgetsWhatLayBeyondIt() {
        NodeSet set = of(1, 500);
        set.copyFrom(of(2));

        assertThat(set).isEqualTo(of(2));
    }

    @Test
    void aWholeWordIsSetAtOnce() {
        NodeSet set = of(1);
        set.setWord(1, 0b101);

        assertThat(set).isEqualTo(of(1, 64, 66));
        assertThat(set.wordCount()).isEqualTo(2);
        assertThat(set.word(set.wordCount())).isZero();
    }

    @Test
    void findsAMemberByHowManyComeBefore() {
        SplittableRandom random = new SplittableRandom(3);
        NodeSet set = new NodeSet();
        for (int node = 0; node < 5_000; node += 1 + random.nextInt(400)) {
            set.add(node);
        }

        int before = 0;
        for (int node = set.first(); node >= 0; node = set.next(node + 1)) {
            assertThat(set.nth(before++)).isEqualTo(node);
        }
        assertThatIndexOutOfBoundsException().isThrownBy(() -> set.nth(set.size()));
    }

    @Test
    void combinesLikeASetOfAnyOtherKind() {
        SplittableRandom random = new SplittableRandom(1);
        for (int round = 0; round < 2000; round++) {
            Set<Integer> a = random(random);
            Set<Integer> b = random(random);
            NodeSet first = nodeSet(a);
            NodeSet second = nodeSet(b);

            assertThat(first.containsAll(second)).isEqualTo(a.containsAll(b));
            assertThat(first.intersects(second)).isEqualTo(a.stream().anyMatch(b::contains));
            assertThat(first.isEmpty()).isEqualTo(a.isEmpty());
            assertThat(first.size()).isEqualTo(a.size());
            switch (round % 4) {
                case 0 -> {
                    first.retainAll(second);
                    a.retainAll(b);
                }
                case 1 -> {
                    first.removeAll(second);
                    a.removeAll(b);
                }
                case 2 -> {
                    NodeSet taken = nodeSet(random(random));
                    taken.takeCommon(first, second);
                    assertThat(taken)
                            .isEqualTo(nodeSet(a.stream().filter(b::contains).collect(Collectors.toSet())));
                    a.removeAll(b);
                }
                default -> {
                    first.addAll(second);
                    a.addAll(b);
                }
            }
            assertThat(first).isEqualTo(nodeSet(a));
        }
    }

    @Test
    void combinesThreeAndFour() {
        SplittableRandom random = new SplittableRandom(7);
        for (int round = 0; round < 2_000; round++) {
            Set<Integer> a = random(random);
            Set<Integer> b = random(random);
            Set<Integer> c = random(random);
            Set<Integer> without = random(random);
            Set<Integer> common = new TreeSet<>(b);
            common.retainAll(c);
            a.addAll(common);

            NodeSet grown = nodeSet(without);
            Set<Integer> all = new TreeSet<>(common);
            all.retainAll(without);
            assertThat(grown.intersectsBoth(nodeSet(b), nodeSet(c))).isEqualTo(!all.isEmpty());
            grown.addCommon(nodeSet(a), nodeSet(b), nodeSet(c), nodeSet(without));
            Set<Integer> added = new TreeSet<>(common);
            added.removeAll(without);
            assertThat(nodeSet(b).intersects(nodeSet(c), nodeSet(without))).isEqualTo(!added.isEmpty());
            NodeSet copied = nodeSet(random(random));
            copied.copyCommon(nodeSet(a), nodeSet(b), nodeSet(c), nodeSet(without));
            assertThat(copied).isEqualTo(nodeSet(added));
            added.addAll(without);
            assertThat(grown).isEqualTo(nodeSet(added));
        }
    }

    private static Set<Integer> random(SplittableRandom random) {
        Set<Integer> set = new TreeSet<>();
        int bound = 1 + random.nextInt(300);
        random.ints(random.nextInt(6), 0, bound).forEach(set::add);
        return set;
    }

    private static NodeSet nodeSet(Set<Integer> nodes) {
        return of(nodes.stream().mapToInt(Integer::intValue).toArray());
    }
}
