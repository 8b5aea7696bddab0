package io.evenkeel.lab.bench.plot;

/**
 * A text in a drawing.
 *
 * @param baseline of its letters, from above
 * @param style a class of {@link Stylesheet}
 */
record Label(String text, double x, double baseline, double size, Anchor anchor, String style) {
    /** Heights of fonts. */
    static final double TITLE = 18;

    static final double TEXT = 13;
    static final double SMALL = 12;

    /** From the middle of a line of text to its baseline, as part of the height of the font. */
    private static final double MIDDLE_TO_BASELINE = 0.35;

    /** Which part of the text stands at its place. */
    enum Anchor {
        START,
        MIDDLE,
        END
    }

    /** One that stands beside something, at half its height. */
    static Label beside(String text, double x, double middle, double size, Anchor anchor, String style) {
        return new Label(text, x, middle + size * MIDDLE_TO_BASELINE, size, anchor, style);
    }
}
