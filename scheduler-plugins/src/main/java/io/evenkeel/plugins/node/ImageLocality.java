package io.evenkeel.plugins.node;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.PluginFactory;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.shape.FacetCache;
import io.evenkeel.cluster.shape.PodImages;
import io.evenkeel.framework.BatchScorePlugin;
import io.evenkeel.framework.TreeContext;
import io.evenkeel.framework.cycle.NodeScores;

/**
 * Prefers nodes that hold the pod's images already, the more the larger they are and the more nodes hold them.
 *
 * <p>Score: 100·(s − 23 MiB) / (k·1000 MiB − 23 MiB), with s first brought into 23 MiB to k·1000 MiB. k is the number of
 * init containers and containers, and s the sum of size · (nodes that hold it / all nodes), cut to whole bytes, over
 * the images of these and of image volumes that the node holds, each as often as it is used. Image volumes add to s
 * but not to k. The score is not normalised.
 */
public final class ImageLocality implements BatchScorePlugin {
    public static final String NAME = "ImageLocality";
    public static final PluginFactory FACTORY = TreeContext.factory(NAME, ImageLocality.class, ImageLocality::new);

    private final FacetCache<PodImages, ImageColumn> columns;

    public ImageLocality(TreeContext context) {
        ClusterView cluster = context.cluster();
        columns = new FacetCache<>(
                cluster.shapes().images(),
                cluster::columnsWorthKeeping,
                facet -> new ImageColumn(cluster, facet.value()),
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
}
