package io.evenkeel.model.value;

/** A number of things, or so many hundredths of them, as the API has it in an {@code IntOrString}. */
public record IntOrPercent(int number, boolean isPercent) {
    public static IntOrPercent of(int number) {
        return new IntOrPercent(number, false);
    }

    /**
     * Parses {@code 25%}.
     *
     * @throws IllegalArgumentException if the text is no percentage
     */
    public static IntOrPercent parse(String text) {
        if (!text.matches("[0-9]{1,9}%")) {
            throw new IllegalArgumentException('"' + text + "\" is not a percentage such as 25%");
        }
        return new IntOrPercent(Integer.parseInt(text, 0, text.length() - 1, 10), true);
    }

    /** Of so many, rounded up. */
    public int of(long total) {
        return isPercent ? Math.toIntExact(Math.ceilDiv(number * total, 100L)) : number;
    }

    @Override
    public String toString() {
        return isPercent ? number + "%" : Integer.toString(number);
    }
}
