package io.evenkeel.cluster.node;

import io.evenkeel.cluster.node.Derivations.Derived;
import io.evenkeel.cluster.node.Derivations.Scratch;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The weighted sum of scores by node, and of each block of 64 nodes the highest sums with the nodes that have them, so
 * that whoever looks for the highest of all looks at one number for 64 nodes, and at nodes only where none of those is
 * wanted. Brought up to date, when it is asked for, at the nodes that changed since.
 *
 * <pre>
 *   a block, two layers            first layer   second
 *   n0 7  n1 5  n2 7  n3 2  n4 3   7: n0, n2     5: n1
 *
 * n0 falls to 5                    7: n2         5: n0, n1
 * n2 falls to 2                    5: n0, n1     unknown     one is left, as long as it has nodes
 * n0, n1 fall to 3                 3: n0, n1, n4 2: n2, n3   none was left: the block is gone through again
 * </pre>
 *
 * <p>Of bounds that many kinds of pods share it adds up the upper ones. Mostly a node's lower bound comes to the same, and is then
 * the sum for each of these kinds; where it does not, the node is vague, and whoever looks for the highest works its sum out.
 */
public final class NodeRanking implements Derived {
    /** A sum for each, and the layers for each block, rounded up. */
    public static final int BYTES_A_NODE = 5;

    private static final int BLOCK = 64;
    private static final int LAYERS = 4;

    /** One block of so many is few. */
    private static final int FEW_OF = 16;

    /**
     * Scores that are added up.
     *
     * @param weight how often they count
     */
    public record Part(ScoreBounds scores, int weight) {}

    private final NodeTable nodes;
    private final ChangeLog log;
    private final ScoreBounds[] scores;
    private final int[] weights;
    private final boolean isExact;
    private final long[] reworked;
    private final Scratch scratch;
    private int[] sums = {};

    /**
     * By layer and block: its sum, falling from layer to layer, and the nodes that have it; none where it is not known. The first
     * layers of all blocks stand side by side, as whoever looks for the highest of all mostly reads nothing else.
     */
    private int[] layerSums = {};

    private long[] layerNodes = {};
    private final NodeSet vague = new NodeSet();
    private int blocks;
    /** The highest sum in any block, as long as there are blocks that have it. */
    private int highest;

    private int blocksWithHighest;
    private long workedOut;
    private long readTo = -1;

    NodeRanking(NodeTable nodes, ChangeLog log, List<Part> parts, Scratch scratch) {
        this.nodes = nodes;
        this.log = log;
        scores = parts.stream().map(Part::scores).toArray(ScoreBounds[]::new);
        weights = parts.stream().mapToInt(Part::weight).toArray();
        isExact = areExact(parts);
        reworked = new long[parts.size()];
        this.scratch = scratch;
    }

    /** Whether they are of one kind of pods. */
    public static boolean areExact(List<Part> parts) {
        return parts.stream().allMatch(part -> part.scores instanceof KeptScores);
    }

    /** Whether it is of one kind of pods, and no node is vague. */
    public boolean isExact() {
        return isExact;
    }

    /** How many nodes have to be looked at to bring it up to date. */
    public long behind() {
        return readTo < 0 ? nodes.count() : Math.min(log.position() - readTo, nodes.count());
    }

    /** This, brought up to date: what is asked for next holds until the cluster changes. */
    @Override
    public NodeRanking current() {
        boolean isKnown = log.reaches(readTo, nodes.count()) && sums.length >= nodes.end();
        for (int i = 0; i < scores.length; i++) {
            long times = scores[i].upToDate().reworked();
            isKnown &= reworked[i] == times;
            reworked[i] = times;
        }
        if (!isKnown) {
            workOut();
        } else if (readTo != log.position()) {
            catchUp();
        }
        readTo = log.position();
        return this;
    }

    /** The sum, or where the node is vague its upper bound. */
    public int of(int node) {
        return sums[node];
    }

    public boolean isVague(int node) {
        return vague.contains(node);
    }

    /** The vague nodes, by their bits in the block. */
    public long vagueIn(int block) {
        return vague.word(block);
    }

    public int blocks() {
        return blocks;
    }

    /** The highest sum in a block, whether at a node that is wanted or not. */
    public int highestIn(int block) {
        return layerSums[block];
    }

    /** The highest sum in any block: looked for again only when the last block that had it has it no longer. */
    public int highest() {
        if (blocksWithHighest == 0) {
            highest = Integer.MIN_VALUE;
            for (int block = 0; block < blocks; block++) {
                countHighest(layerSums[block]);
            }
        }
        return highest;
    }

    private void countHighest(int sum) {
        if (sum > highest) {
            highest = sum;
            blocksWithHighest = 0;
        }
        blocksWithHighest += sum == highest ? 1 : 0;
    }

    /**
     * Those of some nodes that have the highest sum in an exact ranking, kept from one question to the next: then only blocks are
     * looked at with nodes that changed since, or that came to those asked about, or went. Mostly that is one or two, as the pods of
     * an app come in a row. Where that was in vain it is tried again a question later, then three later, at last every 32nd time.
     */
    public static final class Highest {
        private static final long NONE = Long.MIN_VALUE;
        private static final int LONGEST_PAUSE = 31;

        private final NodeSet found = new NodeSet();
        private final NodeSet asked = new NodeSet();
        private @Nullable NodeRanking of;
        private long workedOut;
        private long readTo;
        private int end;
        private int count;
        private int pause;
        private int untilKept;
        private long sum = NONE;

        /** Looks for them; the ranking is up to date. */
        public void find(NodeSetView among, NodeRanking ranking) {
            if (of != null) {
                if (isKnown(among, ranking) && catchUp(among, ranking)) {
                    pause = 0;
                    readTo = ranking.readTo;
                    return;
                }
                of = null;
                pause = Math.min(2 * pause + 1, LONGEST_PAUSE);
                untilKept = pause;
            }
            end = Math.min(among.wordCount(), ranking.blocks);
            sum = ranking.findHighest(among, found, end);
            if (--untilKept < 0) {
                keep(among, ranking);
            }
        }

        private void keep(NodeSetView among, NodeRanking ranking) {
            of = ranking;
            workedOut = ranking.workedOut;
            readTo = ranking.readTo;
            asked.copyFrom(among);
            count = found.size();
        }

        /** Whether there is one at least. */
        public boolean isAny() {
            return sum != NONE;
        }

        public int sum() {
            return (int) sum;
        }

        /** To be read only, until the next question. */
        public NodeSet nodes() {
            return found;
        }

        private boolean isKnown(NodeSetView among, NodeRanking ranking) {
            return of == ranking
                    && workedOut == ranking.workedOut
                    && end == Math.min(among.wordCount(), ranking.blocks)
                    && ranking.log.hasFewSince(readTo, end / FEW_OF);
        }

        /** Whether that was possible: where much is different, or another sum is the highest, all blocks are looked at. */
        private boolean catchUp(NodeSetView among, NodeRanking ranking) {
            int left = end / FEW_OF;
            for (int block = asked.differenceFrom(0, end, among);
                    block >= 0;
                    block = asked.differenceFrom(block + 1, end, among)) {
                if (left-- == 0 || !update(block, among, ranking)) {
                    return false;
                }
            }
            for (long i = readTo; i < ranking.readTo; i++) {
                int block = ranking.log.at(i) / BLOCK;
                if (block < end && !update(block, among, ranking)) {
                    return false;
                }
            }
            return count > 0;
        }

        /** Whether the highest sum is still as high at most. */
        private boolean update(int block, NodeSetView among, NodeRanking ranking) {
            long bits = among.words[block];
            asked.words[block] = bits;
            long having = ranking.havingHighest(block, bits);
            long now = having == 0 ? NONE : ranking.highestOf(block, having);
            if (now > sum) {
                return false;
            }
            long kept = now == sum ? having : 0;
            count += Long.bitCount(kept) - Long.bitCount(found.words[block]);
            found.words[block] = kept;
            return true;
        }
    }

    /** Fills in those that have the highest sum, and returns it. */
    private long findHighest(NodeSetView among, NodeSet best, int end) {
        long highest = Highest.NONE;
        best.ensureWord(end - 1);
        long[] wanted = among.words;
        long[] found = best.words;
        int second = blocks;
        int[] ofLayer = layerSums;
        long[] inLayer = layerNodes;
        for (int block = 0; block < end; block++) {
            int sum = ofLayer[block];
            long having = 0;
            if (sum >= highest) {
                long bits = wanted[block];
                having = bits & inLayer[block];
                if (having == 0) {
                    sum = ofLayer[block + second];
                    having = bits & inLayer[block + second];
                }
                if (having == 0 && bits != 0) {
                    having = havingHighest(block, bits);
                    sum = highestOf(block, having);
                }
                if (having != 0 && sum > highest) {
                    Arrays.fill(found, 0, block, 0);
                    highest = sum;
                } else if (sum < highest) {
                    having = 0;
                }
            }
            found[block] = having;
        }
        Arrays.fill(found, end, found.length, 0);
        return highest;
    }

    /** Those of a block's nodes with a bit set that have the highest sum of these. */
    private long havingHighest(int block, long bits) {
        int layer = layerOf(block, bits);
        return layer < 0 ? havingSum(highestOneByOne(bits, block), block) & bits : layerNodes[layer] & bits;
    }

    /** The sum that these nodes of a block have, one at least. */
    private int highestOf(int block, long having) {
        return sums[block * BLOCK + Long.numberOfTrailingZeros(having)];
    }

    private int highestOneByOne(long bits, int block) {
        int highest = Integer.MIN_VALUE;
        for (long rest = bits; rest != 0; rest &= rest - 1) {
            highest = Math.max(highest, sums[block * BLOCK + Long.numberOfTrailingZeros(rest)]);
        }
        return highest;
    }

    /** Returns the layer of the highest of the block's nodes with a bit set, or a negative number if none has. */
    public int layerOf(int block, long bits) {
        for (int layer = block; layer < layerNodes.length && layerNodes[layer] != 0; layer += blocks) {
            if ((layerNodes[layer] & bits) != 0) {
                return layer;
            }
        }
        return -1;
    }

    public int sumOf(int layer) {
        return layerSums[layer];
    }

    /** The nodes of a layer, by their bits in the block. */
    public long nodesOf(int layer) {
        return layerNodes[layer];
    }

    private long havingSum(int sum, int block) {
        int first = block * BLOCK;
        long having = 0;
        for (int i = 0; i < BLOCK; i++) {
            having |= (sums[first + i] == sum ? 1L : 0L) << i;
        }
        return having;
    }

    private void workOut() {
        workedOut++;
        if (sums.length < nodes.end()) {
            blocks = nodes.end() / BLOCK + 1;
            blocks += blocks / 4;
            sums = new int[blocks * BLOCK];
            layerSums = new int[blocks * LAYERS];
            layerNodes = new long[blocks * LAYERS];
        }
        for (int node = 0; node < nodes.end(); node++) {
            sums[node] = sum(node);
            if (!isExact) {
                vague.set(node, isBelow(node, sums[node]));
            }
        }
        highest = Integer.MIN_VALUE;
        blocksWithHighest = 0;
        for (int block = 0; block < blocks; block++) {
            findLayers(block);
            countHighest(layerSums[block]);
        }
    }

    /**
     * Works all sums out before it looks at those that were kept. After a thousand pods of other kinds these are in no cache, and a
     * processor waits for several of them at once where nothing but comparing lies between.
     */
    private void catchUp() {
        int count = log.countSince(readTo);
        int[] changed = scratch.ofAtLeast(count);
        for (int i = 0; i < count; i++) {
            changed[i] = sum(log.at(readTo + i));
        }
        for (int i = 0; i < count; i++) {
            set(log.at(readTo + i), changed[i]);
        }
    }

    private void set(int node, int now) {
        int before = sums[node];
        if (!isExact) {
            vague.set(node, isBelow(node, now));
        }
        if (now == before) {
            return;
        }
        sums[node] = now;
        int block = node / BLOCK;
        blocksWithHighest -= layerSums[block] == highest ? 1 : 0;
        leave(block, before, 1L << node);
        enter(block, now, 1L << node, false);
        if (layerNodes[block] == 0) {
            findLayers(block);
        }
        countHighest(layerSums[block]);
    }

    private void leave(int block, int sum, long bit) {
        for (int layer = block; layer < layerNodes.length && layerNodes[layer] != 0; layer += blocks) {
            if (layerSums[layer] == sum) {
                layerNodes[layer] &= ~bit;
                if (layerNodes[layer] == 0) {
                    close(layer);
                }
                return;
            }
        }
    }

    /** Those below come one up. */
    private void close(int gap) {
        int layer = gap;
        for (; layer + blocks < layerNodes.length; layer += blocks) {
            layerSums[layer] = layerSums[layer + blocks];
            layerNodes[layer] = layerNodes[layer + blocks];
        }
        layerNodes[layer] = 0;
    }

    /**
     * A sum below the last layer stays unknown.
     *
     * @param opensLayers whether a sum below all layers gets one of its own: not while others may lie between
     */
    private void enter(int block, int sum, long bit, boolean opensLayers) {
        for (int layer = block; layer < layerNodes.length; layer += blocks) {
            if (layerNodes[layer] == 0) {
                if (opensLayers) {
                    layerSums[layer] = sum;
                    layerNodes[layer] = bit;
                }
                return;
            }
            if (layerSums[layer] == sum) {
                layerNodes[layer] |= bit;
                return;
            }
            if (layerSums[layer] < sum) {
                insert(layer, block, sum, bit);
                return;
            }
        }
    }

    /** Those below go one down, and the last is not known of any more. */
    private void insert(int at, int block, int sum, long bit) {
        for (int layer = block + (LAYERS - 1) * blocks; layer > at; layer -= blocks) {
            layerSums[layer] = layerSums[layer - blocks];
            layerNodes[layer] = layerNodes[layer - blocks];
        }
        layerSums[at] = sum;
        layerNodes[at] = bit;
    }

    private int sum(int node) {
        int sum = 0;
        if (nodes.isPresent(node)) {
            for (int i = 0; i < scores.length; i++) {
                int score = weights[i] < 0 ? scores[i].lowest(node) : scores[i].highest(node);
                if (score == ScoreBounds.NONE) {
                    return Integer.MAX_VALUE;
                }
                sum += score * weights[i];
            }
        }
        return sum;
    }

    private boolean isBelow(int node, int highest) {
        if (isExact || !nodes.isPresent(node)) {
            return false;
        }
        if (highest == Integer.MAX_VALUE) {
            return true;
        }
        int lowest = 0;
        for (int i = 0; i < scores.length; i++) {
            lowest += (weights[i] < 0 ? scores[i].highest(node) : scores[i].lowest(node)) * weights[i];
        }
        return lowest != highest;
    }

    /** Node by node, as most have a sum that was met before. */
    private void findLayers(int block) {
        for (int layer = block; layer < layerNodes.length; layer += blocks) {
            layerSums[layer] = 0;
            layerNodes[layer] = 0;
        }
        for (int i = 0; i < BLOCK; i++) {
            enter(block, sums[block * BLOCK + i], 1L << i, true);
        }
    }

    @Override
    public String differenceFromRecount() {
        current();
        for (int node = nodes.present().first();
                node >= 0;
                node = nodes.present().next(node + 1)) {
            if (sums[node] != sum(node)) {
                return "ranking at node " + nodes.name(node) + " kept " + sums[node] + ", recounted " + sum(node);
            }
            if (vague.contains(node) != isBelow(node, sums[node])) {
                return "ranking at node " + nodes.name(node)
                        + " is vague where it should not be, or the other way round";
            }
        }
        int[] keptSums = layerSums.clone();
        long[] keptNodes = layerNodes.clone();
        int keptHighest = highest();
        blocksWithHighest = 0;
        if (keptHighest != highest()) {
            return "highest sum of ranking kept " + keptHighest + ", recounted " + highest();
        }
        for (int block = 0; block < blocks; block++) {
            findLayers(block);
            for (int layer = block;
                    layer < layerSums.length && (layer == block || keptNodes[layer] != 0);
                    layer += blocks) {
                if (keptSums[layer] != layerSums[layer] || keptNodes[layer] != layerNodes[layer]) {
                    return "layer " + layer / blocks + " of block " + block + " of ranking kept " + keptSums[layer]
                            + " at " + Long.toBinaryString(keptNodes[layer]) + ", recounted " + layerSums[layer]
                            + " at "
                            + Long.toBinaryString(layerNodes[layer]);
                }
            }
        }
        return "";
    }

    @Override
    public String description(IntFunction<String> nameOf) {
        current();
        return "ranking " + Arrays.toString(Arrays.copyOf(sums, nodes.end())) + ", vague " + vague;
    }

    /** Between which scores a node is for each of many kinds of pods: what a {@link NodeRanking} adds up. */
    public interface ScoreBounds {
        /** Either bound, where nothing can be said of the node. */
        int NONE = Integer.MAX_VALUE;

        /** These, brought up to date: what is asked of them next holds until the cluster changes. */
        ScoreBounds upToDate();

        /** No kind's score of a node that is present is lower. */
        int lowest(int node);

        /** No kind's score of a node that is present is higher. */
        int highest(int node);

        /**
         * Differs from what it was before whenever scores changed at other nodes than those that are in the log of changed
         * nodes, as of when they were last brought up to date.
         */
        long reworked();
    }

    /**
     * A score for each node that is the same for all pods of a kind. A ranking asks for the score of one node at a time, of those
     * that changed; whoever wants all asks for the column.
     */
    public interface KeptScores extends ScoreBounds {

        @Override
        KeptScores upToDate();

        /** The score of a node that is present. */
        int of(int node);

        @Override
        default int lowest(int node) {
            return of(node);
        }

        @Override
        default int highest(int node) {
            return of(node);
        }

        /**
         * Equal for all kinds whose pods ask for nearly the same; these scores themselves where nothing is known of others.
         *
         * @param bits how many leading bits the amounts have in common that the pods ask for
         */
        default ScoreBounds bounds(int bits) {
            return this;
        }

        /**
         * By node, at least as long as the node table's {@code end}; to be read only, and only until the cluster changes. What
         * stands at rows without a node means nothing.
         */
        int[] column();

        /** Whether they were given back, so that no pod will come with them again. */
        boolean isDropped();
    }
}
