package io.evenkeel.cel;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/** A semantic version; versions that differ in their build alone are equal. */
public final class CelSemver implements Comparable<CelSemver> {
    private static final String LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-0123456789";
    private static final BigInteger MOST = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);

    private final long[] numbers;
    private final List<String> labels;
    private final String text;

    private CelSemver(long[] numbers, List<String> labels, String text) {
        this.numbers = numbers;
        this.labels = labels;
        this.text = text;
    }

    static void declare() {
        Function.Price reading = Library.reading(1);
        Library.define("semver(string) kubernetes.Semver", reading, (_, a, _, _, _) -> parse((String) a));
        Library.define("semver(string,bool) kubernetes.Semver", reading, (_, a, b, _, _) -> {
            return parse((String) a, (Boolean) b);
        });
        Library.define("isSemver(string) bool", reading, (_, a, _, _, _) -> is((String) a, false));
        Library.define("isSemver(string,bool) bool", reading, (_, a, b, _, _) -> is((String) a, (Boolean) b));
        String two = "(kubernetes.Semver,kubernetes.Semver) ";
        Library.define(".isGreaterThan" + two + "bool", Library.ONE, (_, a, b, _, _) -> compare(a, b) > 0);
        Library.define(".isLessThan" + two + "bool", Library.ONE, (_, a, b, _, _) -> compare(a, b) < 0);
        Library.define(".compareTo" + two + "int", Library.ONE, (_, a, b, _, _) -> (long) compare(a, b));
        String[] parts = {"major", "minor", "patch"};
        for (int i = 0; i < parts.length; i++) {
            int part = i;
            Library.define("." + parts[i] + "(kubernetes.Semver) int", Library.ONE, (_, a, _, _, _) -> {
                return ((CelSemver) a).numbers[part];
            });
        }
    }

    /** Reads a version, strictly. */
    public static CelSemver parse(String text) {
        int plus = text.indexOf('+');
        String version = plus < 0 ? text : text.substring(0, plus);
        int minus = version.indexOf('-');
        String core = minus < 0 ? version : version.substring(0, minus);
        String[] parts = core.split("\\.", -1);
        if (text.isEmpty()) {
            throw new CelProblem("Version string empty");
        }
        if (parts.length != 3) {
            // the third part ends where labels begin
            throw new CelProblem(
                    parts.length < 3
                            ? "No Major.Minor.Patch elements found"
                            : "Invalid character(s) found in patch number \""
                                    + core.substring(parts[0].length() + parts[1].length() + 2) + "\"");
        }
        long[] numbers = new long[3];
        String[] names = {"major", "minor", "patch"};
        for (int i = 0; i < 3; i++) {
            numbers[i] = number(parts[i], names[i]);
        }
        List<String> labels = new ArrayList<>();
        if (minus >= 0) {
            for (String label : version.substring(minus + 1).split("\\.", -1)) {
                check(label, "Prerelease");
                if (isNumber(label) && label.length() > 1 && label.startsWith("0")) {
                    throw new CelProblem(
                            "Numeric PreRelease version must not contain leading zeroes \"" + label + "\"");
                }
                labels.add(label);
            }
        }
        if (plus >= 0) {
            for (String label : text.substring(plus + 1).split("\\.", -1)) {
                check(label, "Build meta data");
            }
        }
        return new CelSemver(numbers, List.copyOf(labels), text);
    }

    private static void check(String label, String what) {
        if (label.isEmpty()) {
            throw new CelProblem(what + " is empty");
        }
        for (int i = 0; i < label.length(); i++) {
            if (LETTERS.indexOf(label.charAt(i)) < 0) {
                throw new CelProblem("Invalid character(s) found in "
                        + (what.equals("Prerelease") ? "prerelease" : "build meta data") + " \"" + label + "\"");
            }
        }
    }

    private static boolean isNumber(String text) {
        return !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private static long number(String text, String name) {
        if (!isNumber(text)) {
            throw new CelProblem(
                    text.isEmpty() && !name.equals("patch")
                            ? "strconv.ParseUint: parsing \"\": invalid syntax"
                            : "Invalid character(s) found in " + name + " number \"" + text + "\"");
        }
        String title = Character.toUpperCase(name.charAt(0)) + name.substring(1);
        if (text.length() > 1 && text.startsWith("0")) {
            throw new CelProblem(title + " number must not contain leading zeroes \"" + text + "\"");
        }
        if (text.length() > 20 || new BigInteger(text).compareTo(MOST) > 0) {
            throw new CelProblem("strconv.ParseUint: parsing \"" + text + "\": value out of range");
        }
        return Long.parseUnsignedLong(text);
    }

    private static CelSemver parse(String text, boolean relaxed) {
        if (!relaxed) {
            return parse(text);
        }
        String[] parts = (text.startsWith("v") ? text.substring(1) : text).split("\\.", 3);
        StringBuilder whole = new StringBuilder();
        for (int i = 0; i < 3; i++) {
            String part = i < parts.length ? parts[i] : "0";
            if (part.length() > 1) {
                int zeros = 0;
                while (zeros < part.length() && part.charAt(zeros) == '0') {
                    zeros++;
                }
                part = part.substring(zeros);
                if (part.isEmpty() || !Character.isDigit(part.charAt(0))) {
                    part = "0" + part;
                }
            }
            whole.append(i == 0 ? "" : ".").append(part);
        }
        String last = parts[parts.length - 1];
        if (parts.length < 3 && (last.contains("+") || last.contains("-"))) {
            throw new CelProblem("short version cannot contain PreRelease/Build meta data");
        }
        return parse(whole.toString());
    }

    private static boolean is(String text, boolean relaxed) {
        try {
            parse(text, relaxed);
            return true;
        } catch (CelProblem _) {
            return false;
        }
    }

    private static int compare(Object a, Object b) {
        return ((CelSemver) a).compareTo((CelSemver) b);
    }

    @Override
    public int compareTo(CelSemver other) {
        for (int i = 0; i < 3; i++) {
            int order = Long.compareUnsigned(numbers[i], other.numbers[i]);
            if (order != 0) {
                return order;
            }
        }
        if (labels.isEmpty() || other.labels.isEmpty()) {
            return Boolean.compare(labels.isEmpty(), other.labels.isEmpty());
        }
        for (int i = 0; i < Math.min(labels.size(), other.labels.size()); i++) {
            int order = compareLabels(labels.get(i), other.labels.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(labels.size(), other.labels.size());
    }

    private static int compareLabels(String a, String b) {
        boolean number = isNumber(a);
        if (number != isNumber(b)) {
            return number ? -1 : 1;
        }
        int order = number && a.length() != b.length() ? Integer.compare(a.length(), b.length()) : a.compareTo(b);
        return Integer.signum(order);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CelSemver version && compareTo(version) == 0;
    }

    @Override
    public int hashCode() {
        return java.util.Arrays.hashCode(numbers) * 31 + labels.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
