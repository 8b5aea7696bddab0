package io.evenkeel.lab.demo;

/** Colours, where the output is a terminal that wants them; plain text otherwise. */
public enum Palette {
    PLAIN,
    COLOURED;

    private static final String BOLD = "1";
    private static final String FAINT = "2";
    private static final String RED = "31";
    private static final String GREEN = "32";

    String heading(String text) {
        return with(BOLD, text);
    }

    public String faint(String text) {
        return with(FAINT, text);
    }

    public String good(String text) {
        return with(GREEN, text);
    }

    public String bad(String text) {
        return with(RED, text);
    }

    private String with(String code, String text) {
        return this == PLAIN || text.isEmpty() ? text : "\u001b[" + code + "m" + text + "\u001b[0m";
    }
}
