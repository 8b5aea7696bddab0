package io.evenkeel.groups;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.engine.group.GroupObserver.Finding;
import io.evenkeel.engine.group.Seat;
import io.evenkeel.groups.Certificate.Proof;
import io.evenkeel.groups.JointPlacer.Found;
import io.evenkeel.model.build.PodBuilder;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JointPlacementTest {
    private static final List<Seat> TWO = List.of(
            new Seat(PodBuilder.pod("a").build(), "n0"),
            new Seat(PodBuilder.pod("b").build(), "n1"));

    private static final JointPlacement PLACED = new JointPlacement.Placed(TWO, 2);
    private static final JointPlacement IMPOSSIBLE =
            new JointPlacement.Infeasible(new Certificate("too little room", new Proof.Exhausted(9)), 9);

    private static JointPlacement atOnce(boolean orderRuledOut, String reach) {
        return new JointPlacement.EndStateOnly(TWO, orderRuledOut, reach, 3);
    }

    private static JointPlacement unknown(String reach) {
        return new JointPlacement.Unknown(new Budget(50), "no legal order is found yet", reach, 50);
    }

    @Test
    void aShortfallSaysWhyNotAllCanComeAndHowManyCould() {
        assertThat(PLACED.shortfall(2)).isEmpty();
        assertThat(IMPOSSIBLE.shortfall(3)).isEqualTo("too little room");
        assertThat(atOnce(true, "").shortfall(2))
                .isEqualTo(
                        "all 2 fit at once, but there is no order in which they are all allowed one after the other");
        assertThat(atOnce(false, "5 would do").shortfall(2))
                .isEqualTo("all 2 fit at once, but no order was found in which they are allowed one after the other;"
                        + " 5 would do");
        assertThat(unknown("at least 4 can be placed").shortfall(6))
                .isEqualTo(
                        "no legal order is found yet for all 6, and the budget of 50 steps is spent; at least 4 can be"
                                + " placed");
    }

    @Test
    void eachFindingIsReported() {
        assertThat(PLACED.finding()).isEqualTo(Finding.PLACED);
        assertThat(IMPOSSIBLE.finding()).isEqualTo(Finding.INFEASIBLE);
        assertThat(atOnce(true, "").finding()).isEqualTo(Finding.END_STATE_ONLY);
        assertThat(unknown("").finding()).isEqualTo(Finding.UNKNOWN);
    }

    @Test
    void aCertificateWithMoreToTellIsOneSentence() {
        Certificate certificate = new Certificate("no room.", new Proof.Exhausted(1));

        assertThat(certificate.with("5 would do").words()).isEqualTo("no room; 5 would do");
        assertThat(certificate.with("")).isEqualTo(certificate);
        assertThat(new Certificate("no room", new Proof.Exhausted(1))
                        .with("5 would do")
                        .words())
                .isEqualTo("no room; 5 would do");
    }

    @Test
    void soManyAreRuledOutWhereTheMostIsKnownOrAllAreNeeded() {
        assertThat(most(2, IMPOSSIBLE).rulesOut(2, 4)).isFalse();
        assertThat(most(2, IMPOSSIBLE).rulesOut(3, 4)).isTrue();
        assertThat(new Found(IMPOSSIBLE, TWO).rulesOut(4, 4)).isTrue();
        assertThat(new Found(IMPOSSIBLE, TWO).rulesOut(3, 4)).isFalse();
        assertThat(new Found(atOnce(true, ""), TWO).rulesOut(4, 4)).isTrue();
        assertThat(new Found(atOnce(false, ""), TWO).rulesOut(4, 4)).isFalse();
        assertThat(new Found(PLACED, TWO).rulesOut(2, 2)).isFalse();
        assertThat(new Found(unknown(""), TWO).rulesOut(4, 4)).isFalse();
    }

    private static Found most(int seats, JointPlacement placement) {
        return new Found(placement, TWO.subList(0, seats), Optional.empty(), true);
    }

    @Test
    void ofNoPodsAllArePlaced() {
        assertThat(new GroupScene().find(List.of(), JointPlacer.JointTerms.ALL))
                .isEqualTo(new Found(new JointPlacement.Placed(List.of(), 0), List.of()));
    }
}
