package io.evenkeel.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.build.PodBuilder;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RelistSweepTest {
    private static final ObjectMeta A = meta("a", "a-uid");
    private static final ObjectMeta B = meta("b", "b-uid");

    private final RelistSweep sweep = new RelistSweep(Set.of("Pod"));

    @Test
    void whatDoesNotComeIsGone() {
        sweep.began("Pod");
        sweep.saw(PodBuilder.pod("a").build());

        assertThat(sweep.ended("Pod")).accepts(B).rejects(A);
        assertThat(sweep.isComplete()).isTrue();
    }

    @Test
    void whatCannotBeReadIsNotGone() {
        sweep.began("Pod");
        sweep.sawUnreadable("Pod", Optional.of(A));

        assertThat(sweep.ended("Pod")).accepts(B).rejects(A);
    }

    @Test
    void anotherOneOfTheNameOfWhatCannotBeReadIsGone() {
        sweep.began("Pod");
        sweep.sawUnreadable("Pod", Optional.of(meta("a", "next-uid")));

        assertThat(sweep.ended("Pod")).accepts(A).rejects(meta("a", "next-uid"));
    }

    private static ObjectMeta meta(String name, String uid) {
        return PodBuilder.pod(name).uid(uid).build().meta();
    }

    @Test
    void whereSomethingHasNoNameNothingIsSurelyGone() {
        sweep.began("Pod");
        sweep.sawUnreadable("Pod", Optional.empty());
        assertThat(sweep.ended("Pod")).rejects(A, B);

        sweep.began("Pod");
        assertThat(sweep.ended("Pod")).accepts(A);
    }

    @Test
    void aListingThatBeginsAgainForgetsWhatCameBefore() {
        sweep.began("Pod");
        sweep.saw(PodBuilder.pod("a").build());
        sweep.sawUnreadable("Pod", Optional.empty());
        sweep.began("Pod");

        assertThat(sweep.ended("Pod")).accepts(A);
    }

    @Test
    void whereNothingWasKnownNothingIsGone() {
        sweep.began("Pod", false);
        sweep.saw(PodBuilder.pod("a").build());
        assertThat(sweep.ended("Pod")).rejects(A, B);
        assertThat(sweep.isComplete()).isTrue();

        sweep.began("Pod", true);
        assertThat(sweep.ended("Pod")).accepts(A);
    }

    @Test
    void outsideAListingNothingIsNoted() {
        sweep.sawUnreadable("Pod", Optional.of(A));
        sweep.began("Node");

        assertThat(sweep.isUnderway("Pod")).isFalse();
        assertThat(sweep.ended("Pod")).rejects(A);
    }
}
