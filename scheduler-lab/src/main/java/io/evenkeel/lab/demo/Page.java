package io.evenkeel.lab.demo;

import io.evenkeel.app.cli.Wrapping;
import java.io.PrintWriter;

/**
 * The paper of the demo.
 *
 * @param width in columns: no line is longer, but for lines to be copied, and lines of files
 */
record Page(PrintWriter out, Palette palette, int width) {
    static final String MARGIN = "   ";

    void heading(String text) {
        Wrapping.wrap(text, width).forEach(line -> out.println(palette.heading(line)));
    }

    /** Lines as they are where they fit, else broken where they must be; each behind a margin. */
    void paragraph(String margin, String text) {
        int most = width - margin.length();
        if (text.lines().allMatch(line -> line.length() <= most)) {
            text.lines().forEach(line -> out.println(margin + line));
        } else {
            Wrapping.wrap(String.join(" ", text.lines().toList()), most).forEach(line -> out.println(margin + line));
        }
    }

    /** A rule over the whole width, with a title in it. */
    void rule(String title) {
        String start = title.isEmpty() ? "" : "━━ " + title + " ";
        String rule = start + "━".repeat(Math.max(0, width - start.length()));
        out.println(palette.heading(rule.stripTrailing()));
    }

    /** Colours, where the output is a terminal that wants them; plain text otherwise. */
    enum Palette {
        PLAIN,
        COLOURED;

        private static final String BOLD = "1";
        private static final String FAINT = "2";
        private static final String RED = "31";
        private static final String GREEN = "32";

        String heading(String text) {
            return with(BOLD, text);
        }

        String faint(String text) {
            return with(FAINT, text);
        }

        String good(String text) {
            return with(GREEN, text);
        }

        String bad(String text) {
            return with(RED, text);
        }

        private String with(String code, String text) {
            return this == PLAIN || text.isEmpty() ? text : "\u001b[" + code + "m" + text + "\u001b[0m";
        }
    }
}
