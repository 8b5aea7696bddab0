package io.evenkeel.lab.bench.plot;

/** How much room a text takes in whichever font a reader's machine has for it: none is embedded, so the widest of the usual ones counts. */
final class TextSize {
    /** Of the height of the font; DejaVu Sans, wider than Segoe UI, Helvetica and Arial, needs less for all but rows of capitals. */
    private static final double WIDTH_OF_A_CHARACTER = 0.64;

    private TextSize() {}

    static double width(String text, double fontSize) {
        return text.codePointCount(0, text.length()) * fontSize * WIDTH_OF_A_CHARACTER;
    }

    /** The end left out, where it is too long to be a name. */
    static String shortened(String text, int mostCharacters) {
        int[] characters = text.codePoints().toArray();
        return characters.length <= mostCharacters ? text : new String(characters, 0, mostCharacters - 1) + "…";
    }
}
