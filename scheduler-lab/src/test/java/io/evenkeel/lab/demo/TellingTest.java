package io.evenkeel.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.lab.demo.Page.Palette;
import io.evenkeel.lab.demo.Telling.NotAsToldException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TellingTest {
    private final StringWriter text = new StringWriter();
    private final Telling telling = new Telling(new Page(new PrintWriter(text), Palette.PLAIN, 80));

    @Test
    void aPointThatHoldsSaysNoMore() {
        telling.check("zones are even", true, Map.of("zone-a", 1));
        telling.end();

        assertThat(telling.isAsTold()).isTrue();
        assertThat(text.toString().lines()).containsExactly("", " ✓ zones are even");
    }

    @Test
    void aPointThatDoesNotHoldSaysWhatWasSeenInstead() {
        telling.check("zones are even", false, Map.of("zone-a", 3));
        telling.check("all have a node", true, "");
        telling.end();

        assertThat(telling.isAsTold()).isFalse();
        assertThat(text.toString().lines())
                .containsExactly("", " ✗ zones are even: seen instead: {zone-a=3}", " ✓ all have a node");
    }

    @Test
    void aStoryThatBreaksOffIsNotAsTold() {
        telling.breaksOff(new NotAsToldException("no node came"));
        telling.end();

        assertThat(telling.isAsTold()).isFalse();
        assertThat(text.toString().lines()).containsExactly("", " ✗ no node came");
    }

    @Test
    void oneBlankLineStandsBeforeThePointsAlsoAfterATable() {
        telling.draws(TextTable.withHeads("zone"));
        telling.check("drawn", true, "");
        telling.end();

        assertThat(text.toString().lines()).containsExactly("", "   zone", "", " ✓ drawn");
    }
}
