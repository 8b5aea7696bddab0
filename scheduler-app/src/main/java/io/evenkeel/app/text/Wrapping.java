package io.evenkeel.app.text;

import java.util.ArrayList;
import java.util.List;

/** Breaks text into lines between words. */
public final class Wrapping {
    private Wrapping() {}

    /** Lines of at most this width, where no single word is longer. */
    public static List<String> wrap(String text, int width) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ", -1)) {
            if (!line.isEmpty() && line.length() + 1 + word.length() > width) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }
}
