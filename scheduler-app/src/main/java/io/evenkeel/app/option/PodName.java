package io.evenkeel.app.option;

import io.evenkeel.model.decode.cursor.Excerpt;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A pod as a user names it: {@code web-6} or {@code shop/web-6}.
 *
 * @param namespace none where it was left out
 */
public record PodName(Optional<String> namespace, String name) {
    private static final Pattern FORM =
            Pattern.compile("(?:([a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?)/)?([a-z0-9](?:[-.a-z0-9]{0,251}[a-z0-9])?)");

    /**
     * Reads what a user wrote.
     *
     * @throws IllegalArgumentException if no pod can have that name; the message is for the user
     */
    public static PodName parse(String text) {
        Matcher parts = FORM.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException(
                    "expected [NAMESPACE/]NAME of a pod, as in shop/web-6, got " + Excerpt.quoted(text));
        }
        return new PodName(Optional.ofNullable(parts.group(1)), parts.group(2));
    }

    /** As {@code namespace/name}. */
    public String in(String usualNamespace) {
        return namespace.orElse(usualNamespace) + "/" + name;
    }

    /** The value of an option. */
    public static final class Converter implements ITypeConverter<PodName> {
        @Override
        public PodName convert(String value) {
            try {
                return parse(value);
            } catch (IllegalArgumentException noName) {
                throw new TypeConversionException(noName.getMessage());
            }
        }
    }
}
