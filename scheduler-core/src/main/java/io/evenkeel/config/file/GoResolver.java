package io.evenkeel.config.file;

import java.math.BigInteger;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.nodes.NodeId;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.resolver.Resolver;

/**
 * Gives plain scalars the types that Go's sigs.k8s.io/yaml gives them: YAML 1.1, but without base 60 numbers and
 * timestamps, and with Go's integer literals.
 */
final class GoResolver extends Resolver {
    private static final Set<String> NULLS = Set.of("", "~", "null", "Null", "NULL");
    private static final Set<String> TRUTHS = Set.of("true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON");
    private static final Set<String> FALSEHOODS =
            Set.of("false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF");
    private static final Pattern INTEGER =
            Pattern.compile("[-+]?(0|[1-9][0-9]*|0[xX][0-9a-fA-F]+|0[oO]?[0-7]+|0[bB][01]+)");
    private static final Pattern FLOAT = Pattern.compile("[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?");
    private static final Pattern NOT_FINITE = Pattern.compile("[-+]?\\.(inf|Inf|INF)|\\.(nan|NaN|NAN)");
    /** More than those of 64 bits: to read a number takes the square of its length. */
    static final int MOST_DIGITS = 100;

    private static final BigInteger MIN = BigInteger.valueOf(Long.MIN_VALUE);
    private static final BigInteger MAX = BigInteger.TWO.pow(64).subtract(BigInteger.ONE);

    @Override
    public Tag resolve(NodeId kind, String value, boolean implicit) {
        return kind == NodeId.scalar && implicit ? tagOf(value) : super.resolve(kind, value, implicit);
    }

    private static Tag tagOf(String value) {
        if (NULLS.contains(value)) {
            return Tag.NULL;
        }
        if (TRUTHS.contains(value) || FALSEHOODS.contains(value)) {
            return Tag.BOOL;
        }
        if ("<<".equals(value)) {
            return Tag.MERGE;
        }
        if (integer(value).isPresent()) {
            return Tag.INT;
        }
        String digits = value.replace("_", "");
        boolean number = FLOAT.matcher(digits).matches() && !value.startsWith("_");
        return number || NOT_FINITE.matcher(value).matches() ? Tag.FLOAT : Tag.STR;
    }

    static boolean isTrue(String value) {
        return TRUTHS.contains(value);
    }

    /** The number written by a Go integer literal that fits 64 bits. */
    static Optional<BigInteger> integer(String value) {
        String digits = value.replace("_", "");
        if (value.startsWith("_")
                || digits.length() > MOST_DIGITS
                || !INTEGER.matcher(digits).matches()) {
            return Optional.empty();
        }
        boolean negative = digits.startsWith("-");
        String magnitude = negative || digits.startsWith("+") ? digits.substring(1) : digits;
        BigInteger unsigned = magnitude(magnitude);
        BigInteger number = negative ? unsigned.negate() : unsigned;
        boolean fits = number.compareTo(MIN) >= 0 && number.compareTo(MAX) <= 0;
        return fits ? Optional.of(number) : Optional.empty();
    }

    private static BigInteger magnitude(String digits) {
        if (digits.length() < 2 || digits.charAt(0) != '0') {
            return new BigInteger(digits);
        }
        return switch (digits.charAt(1)) {
            case 'x', 'X' -> new BigInteger(digits.substring(2), 16);
            case 'o', 'O' -> new BigInteger(digits.substring(2), 8);
            case 'b', 'B' -> new BigInteger(digits.substring(2), 2);
            default -> new BigInteger(digits, 8);
        };
    }
}
