package io.evenkeel.cel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The type, size, equality, order and text of values. */
final class Values {
    /** The value {@code null}. */
    static final Object NULL = new Object() {
        @Override
        public String toString() {
            return "null";
        }
    };

    private static final double TWO_63 = 0x1p63;
    private static final double TWO_64 = 0x1p64;

    private Values() {}

    static CelType type(Object value) {
        return switch (value) {
            case Boolean _ -> CelType.BOOL;
            case Long _ -> CelType.INT;
            case CelUint _ -> CelType.UINT;
            case Double _ -> CelType.DOUBLE;
            case String _ -> CelType.STRING;
            case byte[] _ -> CelType.BYTES;
            case List<?> _ -> CelType.LIST;
            case Map<?, ?> _ -> CelType.MAP;
            case Optional<?> _ -> CelType.OPTIONAL;
            case CelType _ -> CelType.TYPE;
            case CelQuantity _ -> CelType.QUANTITY;
            case CelSemver _ -> CelType.SEMVER;
            case Network.Ip _ -> CelType.IP;
            case Network.Cidr _ -> CelType.CIDR;
            case Network.Url _ -> CelType.URL;
            case Formats.Format _ -> CelType.FORMAT;
            default -> CelType.NULL;
        };
    }

    /** The size by which the reference charges. */
    static long size(Object value) {
        return switch (value) {
            case String text -> text.codePointCount(0, text.length());
            case byte[] bytes -> bytes.length;
            case List<?> list -> list.size();
            case Map<?, ?> map -> map.size();
            case Optional<?> optional -> optional.isPresent() ? size(optional.get()) : 1;
            case Network.Ip ip -> ip.size();
            case Network.Cidr cidr -> cidr.size();
            default -> 1;
        };
    }

    /** How many bytes a text has as UTF-8. */
    static long octets(String text) {
        long octets = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            // each half of a pair stands for two of four
            octets += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
        }
        return octets;
    }

    static boolean isNumber(Object value) {
        return value instanceof Long || value instanceof Double || value instanceof CelUint;
    }

    static boolean equal(Frame frame, Object a, Object b) {
        frame.work(1);
        if (a instanceof Long x && b instanceof Long y) {
            return x.longValue() == y.longValue();
        }
        if (a instanceof String x && b instanceof String y) {
            frame.work(Math.min(x.length(), y.length()) >> 4);
            return x.equals(y);
        }
        if (isNumber(a) && isNumber(b)) {
            Integer order = compareNumbers(a, b);
            return order != null && order == 0;
        }
        if (a instanceof byte[] x && b instanceof byte[] y) {
            frame.work(Math.min(x.length, y.length) >> 4);
            return Arrays.equals(x, y);
        }
        if (a instanceof List<?> x && b instanceof List<?> y) {
            if (x.size() != y.size()) {
                return false;
            }
            for (int i = 0; i < x.size(); i++) {
                if (!equal(frame, x.get(i), y.get(i))) {
                    return false;
                }
            }
            return true;
        }
        if (a instanceof Map<?, ?> x && b instanceof Map<?, ?> y) {
            if (x.size() != y.size()) {
                return false;
            }
            for (Map.Entry<?, ?> entry : x.entrySet()) {
                Object key = key(entry.getKey());
                Object other = key != null && contains(y, key) ? find(y, key) : null;
                if (other == null || !equal(frame, entry.getValue(), other)) {
                    return false;
                }
            }
            return true;
        }
        if (a instanceof Optional<?> x && b instanceof Optional<?> y) {
            return x.isPresent() ? y.isPresent() && equal(frame, x.get(), y.get()) : y.isEmpty();
        }
        return a.equals(b);
    }

    /** The order of two numbers of any types; null where one is not a number. */
    static @Nullable Integer compareNumbers(Object a, Object b) {
        if (a instanceof Double x) {
            if (b instanceof Double y) {
                return x.isNaN() || y.isNaN() ? null : (Integer) order(x, y);
            }
            return compareDouble(x, b);
        }
        if (b instanceof Double y) {
            Integer order = compareDouble(y, a);
            return order == null ? null : (Integer) (-order);
        }
        if (a instanceof Long x) {
            if (b instanceof Long y) {
                return Long.compare(x, y);
            }
            return x < 0 ? -1 : Long.compareUnsigned(x, ((CelUint) b).bits());
        }
        if (b instanceof Long y) {
            return y < 0 ? 1 : Long.compareUnsigned(((CelUint) a).bits(), y);
        }
        return ((CelUint) a).compareTo((CelUint) b);
    }

    private static @Nullable Integer compareDouble(double x, Object whole) {
        if (Double.isNaN(x)) {
            return null;
        }
        // as the reference: within the range of whole numbers they are compared as doubles
        if (whole instanceof Long y) {
            return x < -TWO_63 ? -1 : x > TWO_63 ? 1 : (Integer) order(x, (double) y);
        }
        return x < 0 ? -1 : x > TWO_64 ? 1 : (Integer) order(x, number((CelUint) whole));
    }

    private static int order(double x, double y) {
        return x < y ? -1 : x > y ? 1 : 0;
    }

    static double number(CelUint whole) {
        long bits = whole.bits();
        // the lowest bit stands for all that are cut off
        return bits >= 0 ? bits : (double) ((bits >>> 1) | (bits & 1)) * 2;
    }

    static long unsigned(double x) {
        return x < TWO_63 ? (long) x : (long) (x - TWO_63) + Long.MIN_VALUE;
    }

    static int compareStrings(String a, String b) {
        int end = Math.min(a.length(), b.length());
        for (int i = 0; i < end; i++) {
            char x = a.charAt(i);
            char y = b.charAt(i);
            if (x != y) {
                // a half of a pair stands for a code point above all that need none
                boolean high = Character.isSurrogate(x);
                return high == Character.isSurrogate(y) ? Character.compare(x, y) : high ? 1 : -1;
            }
        }
        return Integer.compare(a.length(), b.length());
    }

    /** The order of two values that have one; else "no such overload". NaN has none, and answers null. */
    static @Nullable Integer compare(Object a, Object b) {
        if (isNumber(a) && isNumber(b)) {
            return compareNumbers(a, b);
        }
        if (a instanceof String x && b instanceof String y) {
            return compareStrings(x, y);
        }
        if (a instanceof Boolean x && b instanceof Boolean y) {
            return Boolean.compare(x, y);
        }
        if (a instanceof byte[] x && b instanceof byte[] y) {
            return Arrays.compareUnsigned(x, y);
        }
        throw CelProblem.noSuchOverload();
    }

    /** How a map holds a key: numbers that are equal are one key. Null where a value can be none. */
    static @Nullable Object key(@Nullable Object value) {
        if (value instanceof CelUint uint) {
            return uint.bits() >= 0 ? (Object) uint.bits() : uint;
        }
        if (value instanceof Double number) {
            double x = number;
            if (x == Math.rint(x) && x >= -TWO_63 && x < TWO_63) {
                return (long) x;
            }
            return x == Math.rint(x) && x >= TWO_63 && x < TWO_64 ? new CelUint(unsigned(x)) : null;
        }
        return value instanceof String || value instanceof Long || value instanceof Boolean ? value : null;
    }

    static boolean contains(Map<?, ?> map, @Nullable Object key) {
        return key != null && (map instanceof Dictionary dictionary ? dictionary.has(key) : map.containsKey(key));
    }

    static @Nullable Object find(Map<?, ?> map, @Nullable Object key) {
        return key == null ? null : map instanceof Dictionary dictionary ? dictionary.at(key) : map.get(key);
    }

    /** A map that an expression makes: it finds by equal numbers, and keeps the keys as they were written. */
    static final class Dictionary extends java.util.AbstractMap<Object, Object> {
        private final Map<Object, Object> values = new LinkedHashMap<>();
        private final Map<Object, Object> written = new LinkedHashMap<>();

        /** False where the key is there already. */
        boolean add(Object key, Object value) {
            Object canonical = key instanceof Double ? null : key(key);
            if (canonical == null) {
                throw new CelProblem("unsupported key type: " + type(key));
            }
            if (values.putIfAbsent(canonical, value) != null) {
                return false;
            }
            written.put(key, value);
            return true;
        }

        boolean has(Object canonical) {
            return values.containsKey(canonical);
        }

        @Nullable
        Object at(Object canonical) {
            return values.get(canonical);
        }

        @Override
        public java.util.Set<Entry<Object, Object>> entrySet() {
            return java.util.Collections.unmodifiableMap(written).entrySet();
        }
    }

    static List<Object> joined(Frame frame, List<?> a, List<?> b) {
        frame.work((long) a.size() + b.size());
        List<Object> all = new ArrayList<>(a.size() + b.size());
        all.addAll(a);
        all.addAll(b);
        return all;
    }

    static String text(Object value) {
        return switch (value) {
            case Double number -> text(number.doubleValue());
            case byte[] bytes -> new String(bytes, java.nio.charset.StandardCharsets.UTF_8);
            case String text -> text;
            case List<?> _, Map<?, ?> _ -> type(value).name();
            default -> value.toString();
        };
    }

    /** A number as short as it can be read again, in the reference's form. */
    static String text(double x) {
        if (Double.isNaN(x)) {
            return "NaN";
        }
        if (Double.isInfinite(x)) {
            return x > 0 ? "+Inf" : "-Inf";
        }
        if (x == 0) {
            return 1 / x < 0 ? "-0" : "0";
        }
        java.math.BigDecimal exact = new java.math.BigDecimal(Double.toString(x)).stripTrailingZeros();
        String digits = exact.unscaledValue().abs().toString();
        int exponent = digits.length() - 1 - exact.scale();
        if (exponent >= -4 && exponent < 6) {
            return exact.toPlainString();
        }
        String sign = x < 0 ? "-" : "";
        String fraction = digits.length() == 1 ? "" : "." + digits.substring(1);
        int size = Math.abs(exponent);
        return sign + digits.charAt(0) + fraction + "e" + (exponent < 0 ? "-" : "+") + (size < 10 ? "0" : "") + size;
    }
}
