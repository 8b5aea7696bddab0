package io.evenkeel.tools.output;

import java.util.List;

/**
 * How text for people is laid out.
 *
 * @param columns how long lines may be
 * @param colours whether the terminal shows them
 * @param kubectl options for kubectl by which the commands of the text are about the same cluster, as they are typed but not quoted
 */
public record Layout(int columns, boolean colours, List<String> kubectl) {
    /** Plain text, with commands for the usual cluster. */
    public static Layout of(int columns) {
        return new Layout(columns, false, List.of());
    }

    /** What a line is for, and how a terminal shows it. */
    public enum Ink {
        CAUSE("1"),
        COMMAND("36"),
        REMARK("2");

        private final String code;

        Ink(String code) {
            this.code = code;
        }
    }

    /** A line that is as long as it will be. */
    public String inked(Ink ink, String line) {
        return colours ? "\033[" + ink.code + "m" + line + "\033[0m" : line;
    }
}
