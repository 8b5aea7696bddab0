package io.evenkeel.plugins;

import io.evenkeel.model.Node;
import io.evenkeel.model.build.NodeBuilder;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/**
 * Property tests on clusters whose nodes come, change and go between the questions, so that what plugins keep has to be
 * brought up to date. A failure names the seed; hand it to {@link #of} to see it again.
 */
public final class RandomCluster {
    private static final int NODES = 70;

    private final long seed;
    private final SplittableRandom random;
    private final PluginHarness harness = PluginHarness.cluster();
    private final BiConsumer<SplittableRandom, NodeBuilder> decorate;

    private RandomCluster(long seed, BiConsumer<SplittableRandom, NodeBuilder> decorate) {
        this.seed = seed;
        this.random = new SplittableRandom(seed);
        this.decorate = decorate;
    }

    /** @param decorate gives a new node what the plugin under test reads of it */
    public static RandomCluster of(long seed, BiConsumer<SplittableRandom, NodeBuilder> decorate) {
        return new RandomCluster(seed, decorate);
    }

    public static RandomCluster withTheSeed(BiConsumer<SplittableRandom, NodeBuilder> decorate) {
        return of(Long.getLong("evenkeel.seed", 1), decorate);
    }

    public PluginHarness harness() {
        return harness;
    }

    public SplittableRandom random() {
        return random;
    }

    /** Changes some nodes, then asks; and again, many times. */
    public void rounds(int count, Runnable question) {
        for (int round = 0; round < count; round++) {
            try {
                changeNodes();
                question.run();
            } catch (Throwable failure) {
                throw new AssertionError("seed " + seed + "L, round " + round, failure);
            }
        }
    }

    @SafeVarargs
    public static <T> T oneOf(SplittableRandom random, T... choices) {
        return choices[random.nextInt(choices.length)];
    }

    /** A node of the cluster, which has at least one. */
    public String anyNode() {
        return oneOf(random, harness.names().toArray(String[]::new));
    }

    /** Some of the nodes, at least one. */
    public Set<String> someNodes() {
        Set<String> some = new TreeSet<>(List.of(anyNode()));
        int sparseness = 1 + random.nextInt(5);
        harness.names().stream().filter(name -> random.nextInt(sparseness) == 0).forEach(some::add);
        return some;
    }

    private void changeNodes() {
        int changes = switch (random.nextInt(8)) {
            case 0 -> 200;
            case 1, 2 -> 0;
            default -> 1 + random.nextInt(4);
        };
        for (int i = 0; i < changes || harness.names().isEmpty(); i++) {
            Node node = nextNode();
            if (random.nextInt(4) == 0) {
                harness.remove(node);
            } else {
                harness.put(node);
            }
        }
    }

    private Node nextNode() {
        NodeBuilder node = NodeBuilder.node("n" + random.nextInt(NODES));
        decorate.accept(random, node);
        return node.build();
    }
}
