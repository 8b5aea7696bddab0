package io.evenkeel.app.cli;

import io.evenkeel.model.decode.cursor.Excerpt;
import java.util.ArrayList;
import java.util.List;

/** Breaks text into lines between words, and nowhere else: names in it may hold anything, also what ends a line or steers a terminal. */
public final class Wrapping {
    private Wrapping() {}

    /** Lines of at most this width, where no single word is longer. */
    public static List<String> wrap(String text, int width) {
        return hanging(text, width, "");
    }

    /** Wraps lines so that all but the first begin with the indent, which counts. */
    public static List<String> hanging(String text, int width, String indent) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        boolean isEmpty = true;
        for (String word : Excerpt.oneLine(text).split(" ", -1)) {
            if (!isEmpty && line.length() + 1 + word.length() > width) {
                lines.add(line.toString());
                line.setLength(0);
                line.append(indent);
                isEmpty = true;
            }
            line.append(isEmpty ? "" : " ").append(word);
            isEmpty = line.isEmpty();
        }
        lines.add(line.toString());
        return lines;
    }
}
