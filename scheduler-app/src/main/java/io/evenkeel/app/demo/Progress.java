package io.evenkeel.app.demo;

import java.io.PrintWriter;

/** A line that shows how pods come in, on a terminal that can take it back; elsewhere nothing. */
final class Progress {
    private static final int WIDTH = 40;
    private static final String BACK_AND_ERASE = "\r\u001b[K";

    private final PrintWriter out;
    private final Palette palette;
    private String shown = "";

    Progress(PrintWriter out, Palette palette) {
        this.out = out;
        this.palette = palette;
    }

    void show(Cluster cluster) {
        if (palette == Palette.PLAIN || cluster.pods().isEmpty()) {
            return;
        }
        int pods = cluster.pods().size();
        int placed = pods - cluster.waiting().size();
        int full = WIDTH * placed / pods;
        String line = "█".repeat(full) + "░".repeat(WIDTH - full) + " " + placed + " of " + pods + " pods have a node";
        if (!line.equals(shown)) {
            out.print(BACK_AND_ERASE + "   " + line);
            out.flush();
            shown = line;
        }
    }

    void clear() {
        if (!shown.isEmpty()) {
            out.print(BACK_AND_ERASE);
            out.flush();
            shown = "";
        }
    }
}
