package io.evenkeel.plugins.volumes.binding;

import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.model.storage.PersistentVolume;
import io.evenkeel.model.storage.PersistentVolumeClaim;

/** Is told which volumes {@link NodesSearch} finds where. */
interface Findings {
    Findings NOT_TOLD = new Findings() {
        @Override
        public void found(PersistentVolumeClaim claim, PersistentVolume volume, NodeSetView nodes) {}

        @Override
        public void toBeMade(PersistentVolumeClaim claim, NodeSetView nodes) {}
    };

    /** The claim gets this volume on these nodes. */
    void found(PersistentVolumeClaim claim, PersistentVolume volume, NodeSetView nodes);

    /** One is to be made for the claim near these nodes, for which there has to be room. */
    void toBeMade(PersistentVolumeClaim claim, NodeSetView nodes);
}
