package io.evenkeel.app.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.app.demo.TextTable.Cell;
import java.util.List;
import org.junit.jupiter.api.Test;

class TextTableTest {

    @Test
    void columnsAreAsWideAsTheirWidestCell() {
        TextTable table = TextTable.withHeads("", "pods", "skew")
                .rule()
                .row("zone-a", "1", "0")
                .row("zone-b", "1000000", "0");

        assertThat(table.draw())
                .containsExactly(
                        "          │ pods    │ skew",
                        "   ───────┼─────────┼─────",
                        "   zone-a │ 1       │ 0",
                        "   zone-b │ 1000000 │ 0");
    }

    @Test
    void paintDoesNotCountAsWidth() {
        TextTable table = TextTable.withHeads("pod", "node")
                .row(List.of(new Cell("web", Palette.COLOURED::good), Cell.of("node1")));

        assertThat(table.draw()).containsExactly("   pod │ node", "   \u001b[32mweb\u001b[0m │ node1");
    }

    @Test
    void aRowWithTooFewCellsIsRefused() {
        TextTable table = TextTable.withHeads("pod", "node");

        assertThatThrownBy(() -> table.row("web")).hasMessage("a row of 1 cells in a table of 2");
    }
}
