package io.evenkeel.cel;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Map;

/** An amount such as {@code 1Gi}. */
public final class CelQuantity implements Comparable<CelQuantity> {
    private static final String WRONG_FORM =
            "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
    private static final String WRONG_NUMBER = "unable to parse numeric part of quantity";
    private static final String WRONG_SUFFIX = "unable to parse quantity's suffix";
    private static final Map<String, Integer> BINARY =
            Map.of("Ki", 10, "Mi", 20, "Gi", 30, "Ti", 40, "Pi", 50, "Ei", 60);
    private static final Map<String, Integer> DECIMAL =
            Map.of("n", -9, "u", -6, "m", -3, "", 0, "k", 3, "M", 6, "G", 9, "T", 12, "P", 15, "E", 18);
    private static final BigDecimal MOST = new BigDecimal(Long.MAX_VALUE);
    private static final int FINEST = 9;
    private static final int LONGEST = 1000;
    private static final int SHORT = 18;

    private final BigDecimal value;

    private CelQuantity(BigDecimal value) {
        this.value = value;
    }

    public static CelQuantity of(BigDecimal value) {
        return new CelQuantity(value);
    }

    static void declare() {
        Function.Price reading = Library.reading(1);
        String one = "(kubernetes.Quantity) ";
        String two = "(kubernetes.Quantity,kubernetes.Quantity) ";
        Library.define("quantity(string) kubernetes.Quantity", reading, (_, a, _, _, _) -> parse((String) a));
        Library.define("isQuantity(string) bool", reading, (_, a, _, _, _) -> {
            try {
                parse((String) a);
                return true;
            } catch (CelProblem _) {
                return false;
            }
        });
        Library.define("sign" + one + "int", Library.ONE, (_, a, _, _, _) -> (long) value(a).signum());
        Library.define(".sign" + one + "int", Library.ONE, (_, a, _, _, _) -> (long) value(a).signum());
        Library.define(".isGreaterThan" + two + "bool", Library.ONE, (_, a, b, _, _) -> compare(a, b) > 0);
        Library.define(".isLessThan" + two + "bool", Library.ONE, (_, a, b, _, _) -> compare(a, b) < 0);
        Library.define(".compareTo" + two + "int", Library.ONE, (_, a, b, _, _) -> (long) compare(a, b));
        Library.define(".asApproximateFloat" + one + "double", Library.ONE, (_, a, _, _, _) -> value(a).doubleValue());
        Library.define(".isInteger" + one + "bool", Library.ONE, (_, a, _, _, _) -> isInteger(value(a)));
        Library.define(".asInteger" + one + "int", Library.ONE, (_, a, _, _, _) -> {
            if (!isInteger(value(a))) {
                throw new CelProblem("cannot convert value to integer");
            }
            return value(a).longValueExact();
        });
        String number = "(kubernetes.Quantity,int) kubernetes.Quantity";
        Library.define(
                ".add" + two + "kubernetes.Quantity", Library.ONE, (_, a, b, _, _) -> of(value(a).add(value(b))));
        Library.define(".add" + number, Library.ONE, (_, a, b, _, _) -> of(value(a).add(new BigDecimal((Long) b))));
        Library.define(".sub" + two + "kubernetes.Quantity", Library.ONE, (_, a, b, _, _) -> {
            return of(value(a).subtract(value(b)));
        });
        Library.define(".sub" + number, Library.ONE, (_, a, b, _, _) -> {
            return of(value(a).subtract(new BigDecimal((Long) b)));
        });
    }

    private static BigDecimal value(Object quantity) {
        return ((CelQuantity) quantity).value;
    }

    private static boolean isInteger(BigDecimal value) {
        return value.stripTrailingZeros().scale() <= 0 && value.abs().compareTo(MOST) <= 0;
    }

    private static int compare(Object a, Object b) {
        return value(a).compareTo(value(b));
    }

    /** Reads an amount as Kubernetes does: no finer than nano. */
    public static CelQuantity parse(String text) {
        if (text.isEmpty() || text.length() > LONGEST) {
            throw new CelProblem(WRONG_FORM);
        }
        int at = text.charAt(0) == '+' || text.charAt(0) == '-' ? 1 : 0;
        int start = at;
        int dots = 0;
        while (at < text.length() && (isDigit(text.charAt(at)) || (text.charAt(at) == '.' && dots == 0))) {
            dots += text.charAt(at) == '.' ? 1 : 0;
            at++;
        }
        String number = text.substring(start, at);
        String suffix = text.substring(at);
        if (!suffix.chars().allMatch(c -> "eEinumkKMGTP+-0123456789".indexOf(c) >= 0)
                || (number.equals(".") && suffix.isEmpty())) {
            throw new CelProblem(WRONG_FORM);
        }
        if (number.isEmpty() || number.equals(".")) {
            throw new CelProblem(number.isEmpty() ? WRONG_FORM : WRONG_NUMBER);
        }
        BigDecimal digits = new BigDecimal(number.startsWith(".") ? "0" + number : number);
        BigDecimal value = digits;
        Integer binary = BINARY.get(suffix);
        if (binary != null) {
            value = value.multiply(new BigDecimal(BigInteger.ONE.shiftLeft(binary)));
        } else {
            value = value.scaleByPowerOfTen(exponent(suffix));
        }
        value = value.setScale(FINEST, RoundingMode.UP);
        // the reference keeps what is short and decimal as it is
        boolean kept = binary == null && digits.precision() <= SHORT;
        if (!kept && value.compareTo(MOST) > 0) {
            value = MOST;
        }
        return new CelQuantity(text.charAt(0) == '-' ? value.negate() : value);
    }

    private static int exponent(String suffix) {
        Integer known = DECIMAL.get(suffix);
        if (known != null) {
            return known;
        }
        boolean exponent = suffix.length() > 1 && (suffix.charAt(0) == 'e' || suffix.charAt(0) == 'E');
        try {
            int value = exponent ? Integer.parseInt(suffix.substring(1)) : LONGEST + 1;
            if (Math.abs(value) <= LONGEST) {
                return value;
            }
        } catch (NumberFormatException _) {
            // as what is no suffix at all
        }
        throw new CelProblem(WRONG_SUFFIX);
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    @Override
    public int compareTo(CelQuantity other) {
        return value.compareTo(other.value);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CelQuantity quantity && value.compareTo(quantity.value) == 0;
    }

    @Override
    public int hashCode() {
        return value.stripTrailingZeros().hashCode();
    }

    @Override
    public String toString() {
        return value.stripTrailingZeros().toPlainString();
    }
}
