package io.evenkeel.plugins;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.PluginFactory;
import io.evenkeel.api.ScorePlugin;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.NodeImages;
import io.evenkeel.cluster.node.NodeRanking.KeptScores;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.shape.FacetCache;
import io.evenkeel.cluster.shape.PodImages;
import io.evenkeel.config.Difference;
import io.evenkeel.framework.BatchScorePlugin;
import io.evenkeel.framework.TreeContext;
import io.evenkeel.framework.cycle.NodeScores;
import java.util.Arrays;
import java.util.Optional;

/**
 * Prefers nodes that hold the pod's images already, the more the larger they are and the more nodes hold them.
 *
 * <p>Score: 100·(s − 23 MiB) / (k·1000 MiB − 23 MiB), with s first brought into 23 MiB to k·1000 MiB. k is the number of
 * init containers and containers, and s the sum of size · (nodes that hold it / all nodes), cut to whole bytes, over
 * the images of these and of image volumes that the node holds, each as often as it is used. Image volumes add to s,
 * and to k by a {@link Difference}. The score is not normalised.
 */
final class ImageLocality implements BatchScorePlugin {
    public static final String NAME = "ImageLocality";
    public static final PluginFactory FACTORY = TreeContext.factory(NAME, ImageLocality.class, ImageLocality::new);

    private final FacetCache<PodImages, ImageColumn> columns;

    public ImageLocality(TreeContext context) {
        ClusterView cluster = context.cluster();
        boolean volumesCount = context.featureGates().has(Difference.IMAGE_VOLUMES_COUNT);
        columns = new FacetCache<>(
                cluster.shapes().images(),
                cluster::columnsWorthKeeping,
                facet -> new ImageColumn(cluster, facet.value(), volumesCount),
                ImageColumn::drop);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void scoreAll(CycleState state, PodInfo pod, NodeSet feasible, NodeScores scores) {
        columns.get(pod.shape().images()).scoreAll(scores);
    }

    /**
     * The scores of one list of images by node. Any node that comes, goes or changes its images changes the worth of an
     * image on all nodes, so the column is then worked out again; that costs a step for each node that holds one of them.
     */
    private static final class ImageColumn implements KeptScores {
        private static final long MIB = 1024 * 1024;
        private static final long LEAST = 23 * MIB;
        private static final long MOST_PER_CONTAINER = 1000 * MIB;
        private static final long NEVER = -1;

        private final ClusterView cluster;
        private final PodImages images;
        private final long most;
        private long version = NEVER;
        private long reworked;
        private boolean dropped;
        private boolean allZero;
        private long[] bytes = {};
        private int[] scores = {};

        ImageColumn(ClusterView cluster, PodImages images, boolean volumesCount) {
            this.cluster = cluster;
            this.images = images;
            this.most = MOST_PER_CONTAINER
                    * (images.ofContainers().size()
                            + (volumesCount ? images.ofVolumes().size() : 0));
        }

        void scoreAll(NodeScores out) {
            if (version != cluster.images().version()
                    || scores.length < cluster.nodes().end()) {
                version = cluster.images().version();
                workOut(cluster.nodes().end());
            }
            if (allZero) {
                out.uniform(0);
            } else {
                out.kept(this);
            }
        }

        /** Scores stay as of the last pod that was scored; there are only more of them. */
        @Override
        public ImageColumn upToDate() {
            if (scores.length < cluster.nodes().end()) {
                workOut(cluster.nodes().end());
            }
            return this;
        }

        @Override
        public int of(int node) {
            return scores[node];
        }

        @Override
        public int[] column() {
            return scores;
        }

        @Override
        public long reworked() {
            return reworked;
        }

        @Override
        public boolean isDropped() {
            return dropped;
        }

        void drop() {
            dropped = true;
        }

        private void workOut(int end) {
            reworked++;
            if (scores.length < end) {
                scores = new int[end + (end >> 2)];
            }
            allZero = images.ofContainers().stream().allMatch(this::isNowhere)
                    && images.ofVolumes().stream().allMatch(this::isNowhere);
            if (allZero) {
                Arrays.fill(scores, 0);
                return;
            }
            if (bytes.length < scores.length) {
                bytes = new long[scores.length];
            } else {
                Arrays.fill(bytes, 0);
            }
            images.ofContainers().forEach(this::add);
            images.ofVolumes().forEach(this::add);
            allZero = true;
            for (int node = 0; node < end; node++) {
                scores[node] = score(bytes[node]);
                allZero &= scores[node] == 0;
            }
        }

        private boolean isNowhere(String name) {
            return cluster.images().find(name).isEmpty();
        }

        private void add(String name) {
            Optional<NodeImages.Image> found = cluster.images().find(name);
            if (found.isEmpty()) {
                return;
            }
            NodeImages.Image image = found.get();
            double spread = (double) image.nodeCount() / cluster.nodes().count();
            long worth = (long) (image.sizeBytes() * spread);
            image.forEachNode(node -> bytes[node] += worth);
        }

        private int score(long sum) {
            long limited = sum < LEAST ? LEAST : Math.min(sum, most);
            return (int) (ScorePlugin.MAX_SCORE * (limited - LEAST) / (most - LEAST));
        }
    }
}
