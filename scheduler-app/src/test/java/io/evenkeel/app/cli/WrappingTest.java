package io.evenkeel.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WrappingTest {

    @Test
    void linesBreakBetweenWords() {
        assertThat(Wrapping.wrap("one two three", 7)).containsExactly("one two", "three");
    }

    @Test
    void aWordThatIsTooLongStandsAlone() {
        assertThat(Wrapping.wrap("a NodeResourcesFit b", 5)).containsExactly("a", "NodeResourcesFit", "b");
    }

    @Test
    void linesAfterTheFirstMayHang() {
        assertThat(Wrapping.hanging("one two three four", 8, "  ")).containsExactly("one two", "  three", "  four");
    }
}
