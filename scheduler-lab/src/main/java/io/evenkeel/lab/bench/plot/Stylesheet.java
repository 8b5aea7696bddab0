package io.evenkeel.lab.bench.plot;

/**
 * Colours and fonts of all drawings, for a light and a dark page. The drawing brings its own background, so that it can be read even
 * where the page is dark and its reader's machine is not.
 */
final class Stylesheet {
    /** So many lines have a colour of their own: {@code line0}, {@code dot0}, {@code name0} and so on. */
    static final int COLOURS = 10;

    /** With {@code dashed1} and {@code dashed2} for those that share a colour. */
    static final int DASHES = 3;

    private static final String[] LIGHT = {
        "#0969da", "#bc4c00", "#1a7f37", "#8250df", "#cf222e", "#0b7285", "#8a6100", "#bf3989", "#57606a", "#7a4b2a"
    };
    private static final String[] DARK = {
        "#58a6ff", "#f0883e", "#3fb950", "#bc8cff", "#ff7b72", "#39c5cf", "#d9b23c", "#f778ba", "#a8b1bb", "#c69a78"
    };

    static final String CSS = """
        text{font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Helvetica,Arial,sans-serif}
        .title{font-weight:600}
        .number{font-variant-numeric:tabular-nums}
        .series,.leader{fill:none;stroke-linejoin:round;stroke-linecap:round}
        .series{stroke-width:2}
        circle{stroke-width:1}
        .leader{stroke-width:1;stroke-opacity:.55}
        .dashed1{stroke-dasharray:7 4}
        .dashed2{stroke-dasharray:2 4}
        """
            + colours("#ffffff", "#1f2328", "#59636e", "#e4e7eb", "#8c959f", "#0969da", "#b6bec8", LIGHT)
            + "@media (prefers-color-scheme:dark){\n"
            + colours("#0d1117", "#e6edf3", "#9198a1", "#262c36", "#6e7681", "#4493f8", "#4d5663", DARK)
            + "}\n";

    private Stylesheet() {}

    private static String colours(
            String page, String ink, String quiet, String grid, String axis, String now, String then, String[] lines) {
        StringBuilder css = new StringBuilder("""
            .page{fill:%1$s}
            circle{stroke:%1$s}
            text{fill:%2$s}
            .quiet{fill:%3$s}
            .grid{stroke:%4$s}
            .axis{stroke:%5$s}
            .now{fill:%6$s}
            .then{fill:%7$s}
            """.formatted(page, ink, quiet, grid, axis, now, then));
        for (int i = 0; i < COLOURS; i++) {
            css.append(".line%1$d{stroke:%2$s}.dot%1$d,.name%1$d{fill:%2$s}\n".formatted(i, lines[i]));
        }
        return css.toString();
    }
}
