package io.evenkeel.tools.why;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class KnownPodsTest {
    private final KnownPods pods = new KnownPods();

    private static Pod pod(String name) {
        return PodBuilder.pod("shop", name).uid(name).build();
    }

    private void put(Pod... all) {
        for (Pod pod : all) {
            pods.follow(new ClusterEvent.Put(pod));
        }
    }

    @Test
    void areThoseThatHaveNotFinished() {
        put(pod("b"), pod("a"), pod("c"));
        put(PodBuilder.from(pod("b")).phase("Succeeded").build());
        pods.follow(new ClusterEvent.Removed(pod("c")));
        pods.follow(new ClusterEvent.Put(NodeBuilder.node("n1").build()));

        assertThat(pods.all()).extracting(Pod::key).containsExactly("shop/a");
        assertThat(pods.find("shop/a")).contains(pod("a"));
        assertThat(pods.find("shop/b")).isEmpty();
    }

    @Test
    void whatANewListingLeavesOutIsGone() {
        put(pod("a"), pod("b"), pod("unreadable"));

        pods.follow(new Relist.Began("Pod"));
        put(pod("a"));
        pods.follow(new Relist.Began("Node"));
        pods.follow(new Relist.Present("Pod", Optional.of(pod("unreadable").meta())));
        pods.follow(new Relist.Ended("Node"));

        assertThat(pods.all()).as("while it is listed").hasSize(3);
        pods.follow(new Relist.Ended("Pod"));
        assertThat(pods.all()).extracting(Pod::key).containsExactly("shop/a", "shop/unreadable");
    }
}
