package io.evenkeel.benchmarks;

import io.evenkeel.cluster.node.NodeSet;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What filters do with sets of nodes. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class NodeSetBenchmark {

    @Param({"1000", "5000", "50000"})
    private int nodes;

    private final NodeSet candidates = new NodeSet();
    private final NodeSet passing = new NodeSet();
    private final NodeSet scratch = new NodeSet();

    /** All nodes are candidates, about half of them pass. */
    @Setup
    public void fill() {
        SplittableRandom random = new SplittableRandom(1);
        for (int node = 0; node < nodes; node++) {
            candidates.add(node);
            passing.set(node, random.nextBoolean());
        }
    }

    @Benchmark
    public NodeSet copyAndRetain() {
        scratch.copyFrom(candidates);
        scratch.retainAll(passing);
        return scratch;
    }

    @Benchmark
    public boolean containsAll() {
        return candidates.containsAll(passing);
    }

    @Benchmark
    public int size() {
        return passing.size();
    }

    @Benchmark
    public int visitMembers() {
        int sum = 0;
        for (int node = passing.first(); node >= 0; node = passing.next(node + 1)) {
            sum += node;
        }
        return sum;
    }

    @Benchmark
    public int visitWords() {
        int sum = 0;
        for (int word = 0; word < passing.wordCount(); word++) {
            long bits = passing.word(word);
            while (bits != 0) {
                sum += (word << 6) + Long.numberOfTrailingZeros(bits);
                bits &= bits - 1;
            }
        }
        return sum;
    }
}
