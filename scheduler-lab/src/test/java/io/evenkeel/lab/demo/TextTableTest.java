package io.evenkeel.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.lab.demo.Page.Palette;
import io.evenkeel.lab.demo.TextTable.Cell;
import java.util.List;
import org.junit.jupiter.api.Test;

class TextTableTest {

    @Test
    void columnsAreAsWideAsTheirWidestCell() {
        TextTable table = TextTable.withHeads("", "pods", "skew")
                .rule()
                .row("zone-a", "1", "0")
                .row("zone-b", "1000000", "0");

        assertThat(table.draw(80))
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

        assertThat(table.draw(80)).containsExactly("   pod │ node", "   \u001b[32mweb\u001b[0m │ node1");
    }

    @Test
    void whereThereIsNoRoomTheWidestCellsTakeMoreLines() {
        TextTable table = TextTable.withHeads("", "pods", "why it waits")
                .rule()
                .row(List.of(
                        Cell.of("  node1"),
                        new Cell("web-1 web-2", Palette.COLOURED::good),
                        Cell.of("no room for it")));

        assertThat(table.draw(31))
                .containsExactly(
                        "           │ pods    │ why it",
                        "           │         │ waits",
                        "   ────────┼─────────┼─────────",
                        "     node1 │ \u001b[32mweb-1\u001b[0m   │ no room",
                        "           │ \u001b[32mweb-2\u001b[0m   │ for it");
    }

    @Test
    void noWordIsBroken() {
        TextTable table = TextTable.withHeads("zone", "web-1 web-2");

        assertThat(table.draw(5)).containsExactly("   zone │ web-1", "        │ web-2");
    }

    @Test
    void aRowWithTooFewCellsIsRefused() {
        TextTable table = TextTable.withHeads("pod", "node");

        assertThatThrownBy(() -> table.row("web")).hasMessage("a row of 1 cells in a table of 2");
    }
}
