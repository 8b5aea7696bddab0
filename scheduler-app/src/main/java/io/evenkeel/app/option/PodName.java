package io.evenkeel.app.option;

import io.evenkeel.model.decode.cursor.Excerpt;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A pod as a user names it: {@code web-6} or {@code shop/web-6}. */
public record PodName(Optional<String> namespace, String name) {
    private static final Pattern FORM =
            Pattern.compile("(?:([a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?)/)?([a-z0-9](?:[-.a-z0-9]{0,251}[a-z0-9])?)");

    /** Reads what a user wrote; {@code mistake} makes an exception of a message where no pod can have that name. */
    public static <E extends RuntimeException> PodName parse(String text, Function<String, E> mistake) {
        Matcher parts = FORM.matcher(text);
        if (!parts.matches()) {
            throw mistake.apply("expected [NAMESPACE/]NAME of a pod, as in shop/web-6, got " + Excerpt.quoted(text));
        }
        return new PodName(Optional.ofNullable(parts.group(1)), parts.group(2));
    }

    /** Whether a pod can have the name. */
    public static boolean isOne(String text) {
        return FORM.matcher(text).matches();
    }

    public String in(String usualNamespace) {
        return namespace.orElse(usualNamespace) + "/" + name;
    }

    public static final class Converter implements ITypeConverter<PodName> {
        @Override
        public PodName convert(String value) {
            return parse(value, TypeConversionException::new);
        }
    }
}
