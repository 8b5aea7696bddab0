package io.evenkeel.cel;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Functions of strings: the standard ones, the extensions of version 2, and regular expressions. */
final class Strings {
    private static final int MOST_DIGITS = 100;

    private Strings() {}

    static void declare() {
        Library.define(".startsWith(string,string) bool", Library.reading(1), (_, a, b, _, _) -> {
            return ((String) a).startsWith((String) b);
        });
        Library.define(".endsWith(string,string) bool", Library.reading(1), (_, a, b, _, _) -> {
            return ((String) a).endsWith((String) b);
        });
        Library.define(
                ".contains(string,string) bool",
                (a, b) -> Library.traversal(Values.size(a)) * Library.traversal(Values.size(b)),
                (_, a, b, _, _) -> ((String) a).contains((String) b));
        for (String form : List.of("matches(string,string) bool", ".matches(string,string) bool")) {
            regular(form, "", (f, regex, text, _) -> regex.find(f, text));
        }
        regular(".find(string,string) string", "Illegal regex: ", (f, regex, text, _) -> regex.first(f, text));
        regular(".findAll(string,string) list(string)", "Illegal regex: ", (f, regex, text, _) -> {
            return regex.all(f, text, Long.MAX_VALUE);
        });
        regular(".findAll(string,string,int) list(string)", "Illegal regex: ", (f, regex, text, most) -> {
            return regex.all(f, text, most < 0 ? Long.MAX_VALUE : most);
        });

        Library.define(".charAt(string,int) string", Library.ONE, (f, a, b, _, _) -> {
            String text = (String) a;
            long at = (Long) b;
            long size = size(f, text);
            if (at < 0 || at > size) {
                throw outOfRange(at);
            }
            return at == size ? "" : part(text, at, at + 1);
        });
        Library.traversing(".indexOf(string,string) int", (f, a, b, _, _) -> {
            return position(f, String::indexOf, a, b, 0, 0);
        });
        Library.traversing(".indexOf(string,string,int) int", (f, a, b, c, _) -> {
            return position(f, String::indexOf, a, b, (Long) c, (Long) c);
        });
        Library.traversing(".lastIndexOf(string,string) int", (f, a, b, _, _) -> {
            long size = size(f, (String) a);
            return size == 0 && !((String) b).isEmpty()
                    ? -1L
                    : position(f, String::lastIndexOf, a, b, Math.max(0, size - 1), size);
        });
        Library.traversing(".lastIndexOf(string,string,int) int", (f, a, b, c, _) -> {
            return position(f, String::lastIndexOf, a, b, (Long) c, (Long) c);
        });
        Library.define(".lowerAscii(string) string", Library.reading(1), (f, a, _, _, _) -> ascii(f, a, 'A', 32));
        Library.define(".upperAscii(string) string", Library.reading(1), (f, a, _, _, _) -> ascii(f, a, 'a', -32));
        Library.define(".trim(string) string", Library.reading(1), (f, a, _, _, _) -> trim(f, (String) a));
        Library.define(".replace(string,string,string) string", Library.reading(2), (f, a, b, c, _) -> {
            return replace(f, (String) a, (String) b, (String) c, -1);
        });
        Library.define(".replace(string,string,string,int) string", Library.reading(2), (f, a, b, c, d) -> {
            return replace(f, (String) a, (String) b, (String) c, (Long) d);
        });
        Library.define(".split(string,string) list(string)", Library.reading(2), (f, a, b, _, _) -> {
            return split(f, (String) a, (String) b, -1);
        });
        Library.define(".split(string,string,int) list(string)", Library.reading(2), (f, a, b, c, _) -> {
            return split(f, (String) a, (String) b, (Long) c);
        });
        Library.define(".substring(string,int) string", Library.reading(1), (f, a, b, _, _) -> {
            return substring(f, (String) a, (Long) b, size(f, (String) a), false);
        });
        Library.define(".substring(string,int,int) string", Library.reading(1), (f, a, b, c, _) -> {
            return substring(f, (String) a, (Long) b, (Long) c, true);
        });
        Library.define(".join(list(string)) string", null, (f, a, _, _, _) -> join(f, (List<?>) a, ""));
        Library.define(".join(list(string),string) string", null, (f, a, b, _, _) -> {
            return join(f, (List<?>) a, (String) b);
        });
        Library.define("strings.quote(string) string", Library.reading(1), (f, a, _, _, _) -> {
            f.work(2L * ((String) a).length());
            return quote((String) a);
        });
        Library.define(".format(string,list(dyn)) string", Library.reading(1), (f, a, b, _, _) -> {
            return format(f, (String) a, (List<?>) b);
        });
    }

    private interface Regular {
        Object of(Frame frame, Regex regex, String text, long most);
    }

    /** The pattern of the last call is kept: mostly it is written in the expression. */
    private static void regular(String form, String prefix, Regular function) {
        Library.define(form, Library.matching(), (f, a, b, c, _) -> {
            Regex regex;
            try {
                regex = f.regex((String) b);
            } catch (CelProblem problem) {
                throw prefix.isEmpty() ? problem : new CelProblem(prefix + problem.getMessage());
            }
            return function.of(f, regex, (String) a, c instanceof Long most ? most : -1);
        });
    }

    private static CelProblem outOfRange(long at) {
        return new CelProblem("index out of range: " + at);
    }

    private static long size(Frame frame, String text) {
        frame.work(text.length() >> 4);
        return text.codePointCount(0, text.length());
    }

    private static String part(String text, long start, long end) {
        int from = text.offsetByCodePoints(0, (int) start);
        return text.substring(from, text.offsetByCodePoints(from, (int) (end - start)));
    }

    /** At worst each letter of the text is the first of many that are alike. */
    private static void search(Frame frame, String text, String sought) {
        frame.work(((long) text.length() * sought.length()) >> 4);
    }

    private interface Search {
        int from(String text, String sought, int at);
    }

    /** @param ofNothing where an empty text is found */
    private static Object position(Frame frame, Search search, Object a, Object b, long from, long ofNothing) {
        String text = (String) a;
        String sought = (String) b;
        long size = size(frame, text);
        if (from < 0) {
            throw outOfRange(from);
        }
        if (sought.isEmpty()) {
            return Math.min(ofNothing, size);
        }
        if (from >= size) {
            return -1L;
        }
        search(frame, text, sought);
        int found = search.from(text, sought, text.offsetByCodePoints(0, (int) from));
        return found < 0 ? -1L : text.codePointCount(0, found);
    }

    private static String ascii(Frame frame, Object a, char first, int shift) {
        String text = (String) a;
        frame.work(text.length());
        StringBuilder changed = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            changed.append(c >= first && c < first + 26 ? (char) (c + shift) : c);
        }
        return changed.toString();
    }

    private static String trim(Frame frame, String text) {
        frame.work(text.length());
        int start = 0;
        int end = text.length();
        while (start < end && isSpace(text.charAt(start))) {
            start++;
        }
        while (end > start && isSpace(text.charAt(end - 1))) {
            end--;
        }
        return text.substring(start, end);
    }

    private static boolean isSpace(char c) {
        return (c >= '\t' && c <= '\r') || c == '\u0085' || Character.isSpaceChar(c);
    }

    private static String replace(Frame frame, String text, String sought, String by, long most) {
        StringBuilder made = new StringBuilder();
        search(frame, text, sought);
        int at = 0;
        for (long count = 0; most < 0 || count < most; count++) {
            int found;
            if (sought.isEmpty()) {
                found = count == 0 ? 0 : at < text.length() ? text.offsetByCodePoints(at, 1) : -1;
            } else {
                found = text.indexOf(sought, at);
            }
            if (found < 0) {
                break;
            }
            frame.work((long) found - at + by.length() + 1);
            made.append(text, at, found).append(by);
            at = found + sought.length();
        }
        frame.work(text.length() - at);
        return made.append(text, at, text.length()).toString();
    }

    private static List<Object> split(Frame frame, String text, String by, long most) {
        List<Object> parts = new ArrayList<>();
        frame.work(text.length());
        search(frame, text, by);
        if (most == 0) {
            return parts;
        }
        int at = 0;
        while (most < 0 || parts.size() < most - 1) {
            int found = by.isEmpty()
                    ? at < text.length() ? text.offsetByCodePoints(at, 1) : text.length()
                    : text.indexOf(by, at);
            if (found < 0 || (by.isEmpty() && found >= text.length())) {
                break;
            }
            frame.work(1);
            parts.add(text.substring(at, found));
            at = found + by.length();
        }
        if (!by.isEmpty() || !text.isEmpty()) {
            parts.add(text.substring(at));
        }
        return parts;
    }

    private static String substring(Frame frame, String text, long start, long end, boolean both) {
        long size = size(frame, text);
        if (both && start > end) {
            throw new CelProblem("invalid substring range. start: " + start + ", end: " + end);
        }
        if (start < 0 || start > size) {
            throw outOfRange(start);
        }
        if (end < 0 || end > size) {
            throw outOfRange(end);
        }
        frame.work(end - start);
        return part(text, start, end);
    }

    private static String join(Frame frame, List<?> list, String by) {
        StringBuilder joined = new StringBuilder();
        boolean first = true;
        for (Object element : list) {
            if (!(element instanceof String text)) {
                throw new CelProblem("join: invalid input: " + Values.text(element));
            }
            frame.work((long) text.length() + by.length() + 1);
            joined.append(first ? "" : by).append(text);
            first = false;
        }
        String all = joined.toString();
        frame.pay(Library.traversal(2.0 * Values.size(all)));
        return all;
    }

    /** In quotes, with what cannot be seen as escapes. */
    static String quote(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            int plain = "\u0007\b\f\n\r\t\u000b\\\"".indexOf(c);
            if (plain >= 0) {
                quoted.append('\\').append("abfnrtv\\\"".charAt(plain));
            } else if (Character.isSurrogate(c) && Character.charCount(text.codePointAt(i)) == 1) {
                quoted.append('\ufffd');
            } else if (Character.isSurrogate(c)) {
                quoted.append(c).append(text.charAt(++i));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }

    // ---- format

    private static String format(Frame frame, String pattern, List<?> arguments) {
        StringBuilder made = new StringBuilder();
        frame.work(pattern.length());
        int next = 0;
        int at = 0;
        while (at < pattern.length()) {
            char c = pattern.charAt(at++);
            if (c != '%') {
                made.append(c);
                continue;
            }
            if (at >= pattern.length()) {
                throw new CelProblem("unexpected end of string");
            }
            if (pattern.charAt(at) == '%') {
                made.append('%');
                at++;
                continue;
            }
            int digits = 6;
            if (pattern.charAt(at) == '.') {
                int start = ++at;
                while (at < pattern.length() && Character.digit(pattern.charAt(at), 10) >= 0 && at - start < 6) {
                    at++;
                }
                if (at == start || at >= pattern.length()) {
                    throw new CelProblem("could not find end of precision specifier");
                }
                digits = Integer.parseInt(pattern.substring(start, at));
                if (digits > MOST_DIGITS) {
                    throw new CelProblem("precision " + digits + " exceeds maximum allowed precision " + MOST_DIGITS);
                }
            }
            if (next >= arguments.size()) {
                throw new CelProblem("index " + next + " out of range");
            }
            Object argument = arguments.get(next++);
            int clause = pattern.codePointAt(at);
            at += Character.charCount(clause);
            int before = made.length();
            append(frame, made, clause, digits, argument);
            frame.work((long) made.length() - before);
        }
        return made.toString();
    }

    private static void append(Frame frame, StringBuilder made, int clause, int digits, Object value) {
        switch (clause) {
            case 's' -> text(frame, made, value);
            case 'd' -> {
                if (value instanceof Double number) {
                    made.append(special(number).orElseThrow(() -> wrong("decimal", value)));
                } else if (!Values.isNumber(value)) {
                    throw wrong("decimal", value);
                } else {
                    made.append(value);
                }
            }
            case 'f', 'e' -> {
                Double number = number(value, clause);
                made.append(special(number)
                        .orElseGet(() -> clause == 'f' ? fixed(number, digits) : scientific(number, digits)));
            }
            case 'b' ->
                made.append(
                        switch (value) {
                            case Boolean truth -> truth ? "1" : "0";
                            case Long number -> signed(number, 2);
                            case CelUint number -> Long.toUnsignedString(number.bits(), 2);
                            default -> throw wrong("binary", value);
                        });
            case 'o' ->
                made.append(
                        switch (value) {
                            case Long number -> signed(number, 8);
                            case CelUint number -> Long.toUnsignedString(number.bits(), 8);
                            default -> throw wrong("octal", value);
                        });
            case 'x', 'X' -> {
                String hex = switch (value) {
                    case Long number -> signed(number, 16);
                    case CelUint number -> Long.toUnsignedString(number.bits(), 16);
                    case String text -> HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
                    case byte[] bytes -> HexFormat.of().formatHex(bytes);
                    default -> throw wrong("hex", value);
                };
                made.append(clause == 'X' ? hex.toUpperCase(Locale.ROOT) : hex);
            }
            default ->
                throw new CelProblem("could not parse formatting clause: unrecognized formatting clause \""
                        + Character.toString(clause) + "\"");
        }
    }

    private static String signed(long value, int radix) {
        return Long.toString(value, radix);
    }

    private static Optional<String> special(double number) {
        return Double.isNaN(number)
                ? Optional.of("NaN")
                : Double.isInfinite(number) ? Optional.of(number > 0 ? "Infinity" : "-Infinity") : Optional.empty();
    }

    private static Double number(Object value, int clause) {
        return switch (value) {
            case Double number -> number;
            case Long number -> (double) number;
            case CelUint number -> Values.number(number);
            default -> throw wrong(clause == 'f' ? "fixed-point" : "scientific", value);
        };
    }

    private static String fixed(double number, int digits) {
        String plain =
                new BigDecimal(number).setScale(digits, RoundingMode.HALF_EVEN).toPlainString();
        return (plain.startsWith("-") || !isNegative(number) ? "" : "-") + plain;
    }

    private static boolean isNegative(double number) {
        return number < 0 || 1 / number < 0;
    }

    private static String scientific(double number, int digits) {
        BigDecimal exact = new BigDecimal(number);
        if (number == 0) {
            return (isNegative(number) ? "-0" : "0") + (digits > 0 ? "." + "0".repeat(digits) : "") + "e+00";
        }
        BigDecimal rounded = exact.round(new java.math.MathContext(digits + 1, RoundingMode.HALF_EVEN));
        String all = rounded.unscaledValue().abs().toString();
        int exponent = all.length() - 1 - rounded.scale();
        all = (all + "0".repeat(digits + 1)).substring(0, digits + 1);
        int size = Math.abs(exponent);
        return (number < 0 ? "-" : "")
                + all.charAt(0)
                + (digits > 0 ? "." + all.substring(1) : "")
                + (exponent < 0 ? "e-" : "e+")
                + (size < 10 ? "0" : "")
                + size;
    }

    private static CelProblem wrong(String clause, Object value) {
        return new CelProblem("error during formatting: " + clause + " clause can only be used on "
                + switch (clause) {
                    case "decimal" -> "integers";
                    case "fixed-point", "scientific" -> "doubles";
                    case "binary" -> "integers and bools";
                    case "octal" -> "integers";
                    default -> "integers, byte buffers, and strings";
                }
                + ", was given " + Values.type(value).name());
    }

    private static void text(Frame frame, StringBuilder made, Object value) {
        frame.work(1);
        switch (value) {
            case List<?> list -> {
                String between = "[";
                for (Object element : list) {
                    made.append(between);
                    text(frame, made, element);
                    between = ", ";
                }
                made.append(list.isEmpty() ? "[]" : "]");
            }
            case Map<?, ?> map -> {
                java.util.TreeMap<String, Object> sorted = new java.util.TreeMap<>();
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    StringBuilder key = new StringBuilder();
                    text(frame, key, entry.getKey());
                    frame.work(key.length());
                    sorted.put(key.toString(), entry.getValue());
                }
                String between = "{";
                for (Map.Entry<String, Object> entry : sorted.entrySet()) {
                    made.append(between).append(entry.getKey()).append(": ");
                    text(frame, made, entry.getValue());
                    between = ", ";
                }
                made.append(sorted.isEmpty() ? "{}" : "}");
            }
            case String text -> {
                frame.work(text.length());
                made.append(text);
            }
            case Double number -> made.append(special(number).orElseGet(() -> Values.text(number)));
            case Boolean _, Long _, CelUint _, CelType _, byte[] _ -> made.append(Values.text(value));
            default -> {
                if (!value.equals(Values.NULL)) {
                    throw new CelProblem("error during formatting: string clause can only be used on strings, bools, "
                            + "bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given "
                            + Values.type(value).name());
                }
                made.append("null");
            }
        }
    }
}
