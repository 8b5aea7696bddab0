package io.evenkeel.cluster.node;

import static io.evenkeel.cluster.ClusterDrawing.cluster;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.cluster.ClusterState;
import io.evenkeel.cluster.ClusterView;
import org.junit.jupiter.api.Test;

/** What is derived from more than its node goes stale, as nobody tells it of changes; the audit does. */
class DerivedAuditTest {
    private final ClusterState cluster = cluster("a: n1[] n2[]");
    private final ClusterView view = cluster.view();
    private int favourite = view.nodes().find("n1");

    private int isFavourite(int node) {
        return node == favourite ? 1 : 0;
    }

    private void anotherIsTheFavourite() {
        favourite = view.nodes().find("n2");
    }

    @Test
    void aStaleMaskIsTold() {
        view.derivations().maskOverNodes(node -> isFavourite(node) == 1).current();
        anotherIsTheFavourite();

        assertThat(ClusterAudit.differences(view)).containsExactly("mask kept {0}, recounted {1}");
    }

    @Test
    void aStaleColumnIsTold() {
        view.derivations().columnOverUsage(this::isFavourite).current();
        anotherIsTheFavourite();

        assertThat(ClusterAudit.differences(view)).containsExactly("column at node n1 kept 1, recounted 0");
    }

    @Test
    void staleGroupsAreTold() {
        view.derivations().groupsOverUsage(this::isFavourite).current();
        anotherIsTheFavourite();

        assertThat(ClusterAudit.differences(view)).containsExactly("group 0 kept {1}, node n1 recounted into 0");
    }

    @Test
    void aNodeThatIsInNoGroupIsTold() {
        DerivedGroups groups = view.derivations().groupsOverUsage(node -> favourite);
        ((NodeSet) groups.current().getFirst()).clear();
        favourite = 1;

        assertThat(ClusterAudit.differences(view)).containsExactly("group 1 kept {}, node n1 recounted into 1");
    }

    @Test
    void whatWasDroppedMayGoStale() {
        DerivedMask mask = view.derivations().maskOverUsage(node -> isFavourite(node) == 1);
        mask.current();
        view.derivations().drop(mask);
        anotherIsTheFavourite();

        assertThat(ClusterAudit.differences(view)).isEmpty();
    }
}
