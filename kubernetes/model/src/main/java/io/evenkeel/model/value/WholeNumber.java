package io.evenkeel.model.value;

import java.util.OptionalLong;

/**
 * Whole numbers of 64 bits in text that anybody may have written. What is none costs no exception: a pod may compare ten
 * thousand of its own with a label of every node.
 */
public final class WholeNumber {
    private WholeNumber() {}

    /** Digits from 0 to 9, after a sign if there is one; empty if it is anything else or too great. */
    public static OptionalLong parse(String text) {
        boolean signed = !text.isEmpty() && (text.charAt(0) == '-' || text.charAt(0) == '+');
        boolean negative = signed && text.charAt(0) == '-';
        int first = signed ? 1 : 0;
        if (first == text.length()) {
            return OptionalLong.empty();
        }
        // below zero there is one number more than above
        long limit = negative ? Long.MIN_VALUE : -Long.MAX_VALUE;
        long below = 0;
        for (int i = first; i < text.length(); i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9 || below < limit / 10 || below * 10 < limit + digit) {
                return OptionalLong.empty();
            }
            below = below * 10 - digit;
        }
        return OptionalLong.of(negative ? below : -below);
    }
}
