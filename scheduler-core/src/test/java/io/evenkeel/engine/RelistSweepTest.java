package io.evenkeel.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.build.PodBuilder;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RelistSweepTest {
    private final RelistSweep sweep = new RelistSweep(Set.of("Pod"));

    @Test
    void whatDoesNotComeIsGone() {
        sweep.began("Pod");
        sweep.saw(PodBuilder.pod("a").build());

        assertThat(sweep.ended("Pod")).accepts("default/b").rejects("default/a");
        assertThat(sweep.isComplete()).isTrue();
    }

    @Test
    void whatCannotBeReadIsNotGone() {
        sweep.began("Pod");
        sweep.sawUnreadable("Pod", Optional.of("default/a"));

        assertThat(sweep.ended("Pod")).accepts("default/b").rejects("default/a");
    }

    @Test
    void whereSomethingHasNoNameNothingIsSurelyGone() {
        sweep.began("Pod");
        sweep.sawUnreadable("Pod", Optional.empty());
        assertThat(sweep.ended("Pod")).rejects("default/a", "default/b");

        sweep.began("Pod");
        assertThat(sweep.ended("Pod")).accepts("default/a");
    }

    @Test
    void aListingThatBeginsAgainForgetsWhatCameBefore() {
        sweep.began("Pod");
        sweep.saw(PodBuilder.pod("a").build());
        sweep.sawUnreadable("Pod", Optional.empty());
        sweep.began("Pod");

        assertThat(sweep.ended("Pod")).accepts("default/a");
    }

    @Test
    void outsideAListingNothingIsNoted() {
        sweep.sawUnreadable("Pod", Optional.of("default/a"));
        sweep.began("Node");

        assertThat(sweep.isUnderway("Pod")).isFalse();
        assertThat(sweep.ended("Pod")).rejects("default/a");
    }
}
