package io.evenkeel.lab.demo;

import io.evenkeel.app.cli.Wrapping;
import java.io.PrintWriter;

/**
 * The paper of the demo.
 *
 * @param width in columns: no line is longer, but for lines to be copied, and lines of files
 */
public record Page(PrintWriter out, Palette palette, int width) {
    public static final String MARGIN = "   ";

    public void heading(String text) {
        Wrapping.wrap(text, width).forEach(line -> out.println(palette.heading(line)));
    }

    /** Lines as they are where they fit, else broken where they must be; each behind a margin. */
    public void paragraph(String margin, String text) {
        int most = width - margin.length();
        if (text.lines().allMatch(line -> line.length() <= most)) {
            text.lines().forEach(line -> out.println(margin + line));
        } else {
            Wrapping.wrap(String.join(" ", text.lines().toList()), most).forEach(line -> out.println(margin + line));
        }
    }

    /** A rule over the whole width, with a title in it. */
    public void rule(String title) {
        String start = title.isEmpty() ? "" : "━━ " + title + " ";
        String rule = start + "━".repeat(Math.max(0, width - start.length()));
        out.println(palette.heading(rule.stripTrailing()));
    }
}
