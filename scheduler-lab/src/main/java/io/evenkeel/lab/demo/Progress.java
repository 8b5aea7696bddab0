package io.evenkeel.lab.demo;

import io.evenkeel.lab.demo.Page.Palette;
import java.io.PrintWriter;

/** A line that shows how pods come in, on a terminal that can take it back; elsewhere nothing. */
final class Progress {
    private static final int WIDEST = 40;
    private static final int BESIDE = " 1000 of 1000 pods have a node".length() + Page.MARGIN.length() + 1;
    private static final String BACK_AND_ERASE = "\r\u001b[K";

    private final Page page;
    private final PrintWriter out;
    private String shown = "";

    public Progress(Page page) {
        this.page = page;
        this.out = page.out();
    }

    public void show(Cluster cluster) {
        int width = Math.min(WIDEST, page.width() - BESIDE);
        if (page.palette() == Palette.PLAIN || width <= 0 || cluster.pods().isEmpty()) {
            return;
        }
        int pods = cluster.pods().size();
        int placed = pods - cluster.waiting().size();
        int full = width * placed / pods;
        String line = "█".repeat(full) + "░".repeat(width - full) + " " + placed + " of " + pods + " pods have a node";
        if (!line.equals(shown)) {
            out.print(BACK_AND_ERASE + Page.MARGIN + line);
            out.flush();
            shown = line;
        }
    }

    public void clear() {
        if (!shown.isEmpty()) {
            out.print(BACK_AND_ERASE);
            out.flush();
            shown = "";
        }
    }
}
