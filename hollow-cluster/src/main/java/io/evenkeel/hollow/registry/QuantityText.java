package io.evenkeel.hollow.registry;

import io.evenkeel.model.value.Quantity;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text of an amount, and why it is none. A real server takes a suffix without a number, such as {@code Gi}, for zero:
 * then so is the text here.
 */
record QuantityText(String text, Optional<String> problem) {

    private static final Pattern FORM =
            Pattern.compile("[+-]?(?<number>[0-9]*(\\.[0-9]*)?)(?<suffix>[eEinumkKMGTP]*[-+]?[0-9]*)");
    private static final Pattern SUFFIX = Pattern.compile("[numkMGTPE]?|[KMGTPE]i|[eE][-+]?[0-9]+");

    private static final String OTHER_FORM =
            "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
    private static final String OTHER_SUFFIX = "unable to parse quantity's suffix";

    static QuantityText of(String sent) {
        String text = sent.strip();
        try {
            Quantity.parse(text);
            return new QuantityText(text, Optional.empty());
        } catch (IllegalArgumentException malformed) {
            return otherwise(text);
        }
    }

    private static QuantityText otherwise(String text) {
        Matcher parts = FORM.matcher(text);
        if (text.isEmpty() || !parts.matches()) {
            return new QuantityText(text, Optional.of(OTHER_FORM));
        }
        boolean withoutNumber = parts.group("number").replace(".", "").isEmpty();
        return withoutNumber && SUFFIX.matcher(parts.group("suffix")).matches()
                ? new QuantityText("0", Optional.empty())
                : new QuantityText(text, Optional.of(OTHER_SUFFIX));
    }
}
