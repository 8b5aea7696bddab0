package io.evenkeel.cel;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayList;
import java.util.List;

/** Regular expressions in time that is linear in the text; what repeats would make of them is bounded first. */
record Regex(Pattern pattern, long size) {
    /** How large a program may become when its repeats are written out. */
    private static final long LARGEST = 10_000;

    static Regex of(String expression) {
        long size = size(expression);
        if (size > LARGEST) {
            throw new CelProblem("error parsing regexp: expression too large");
        }
        try {
            return new Regex(Pattern.compile(expression), size);
        } catch (PatternSyntaxException problem) {
            throw new CelProblem("error parsing regexp: " + problem.getDescription()
                    + (problem.getPattern() == null ? "" : ": `" + problem.getPattern() + "`"));
        } catch (RuntimeException | StackOverflowError _) {
            throw new CelProblem("error parsing regexp: expression not understood");
        }
    }

    boolean find(Frame frame, String text) {
        work(frame, text);
        return pattern.matcher(text).find();
    }

    String first(Frame frame, String text) {
        work(frame, text);
        Matcher matcher = pattern.matcher(text);
        return matcher.find() ? matcher.group() : "";
    }

    List<Object> all(Frame frame, String text, long most) {
        List<Object> found = new ArrayList<>();
        Matcher matcher = pattern.matcher(text);
        work(frame, text);
        int previous = -1;
        while (found.size() < most && matcher.find()) {
            frame.work(1 + matcher.end() - matcher.start());
            // an empty match that touches the one before is none
            if (matcher.end() > matcher.start() || matcher.start() != previous) {
                found.add(matcher.group());
            }
            previous = matcher.end();
        }
        return found;
    }

    private void work(Frame frame, String text) {
        frame.work(1 + size + text.length() * size / 4);
    }

    /** An upper bound: each repeat multiplies what stands before it in its group. */
    private static long size(String expression) {
        long[] sizes = new long[1002];
        long[] last = new long[1002];
        int depth = 0;
        int at = 0;
        while (at < expression.length()) {
            char c = expression.charAt(at);
            switch (c) {
                case '\\' -> {
                    at++;
                    // a class such as \pL is many ranges
                    last[depth] = 2;
                    sizes[depth] = Math.min(sizes[depth] + 2, LARGEST + 1);
                }
                case '(' -> {
                    if (++depth > 1000) {
                        return LARGEST + 1;
                    }
                    sizes[depth] = 2;
                    last[depth] = 0;
                }
                case ')' -> {
                    if (depth > 0) {
                        depth--;
                        last[depth] = sizes[depth + 1];
                        sizes[depth] = Math.min(sizes[depth] + last[depth], LARGEST + 1);
                    }
                }
                case '{' -> {
                    int close = expression.indexOf('}', at);
                    long times = close < 0 ? 0 : times(expression.substring(at + 1, close));
                    if (times > 0) {
                        long more = Math.min(LARGEST + 1, last[depth] * times);
                        sizes[depth] = Math.min(LARGEST + 1, sizes[depth] + more);
                        last[depth] = Math.min(LARGEST + 1, last[depth] + more);
                        at = close;
                    } else {
                        last[depth] = 1;
                        sizes[depth]++;
                    }
                }
                default -> {
                    last[depth] = "*+?".indexOf(c) >= 0 ? last[depth] + 1 : 1;
                    sizes[depth] = Math.min(LARGEST + 1, sizes[depth] + 1);
                }
            }
            at++;
        }
        long all = 0;
        for (int i = 0; i <= depth; i++) {
            all += sizes[i];
        }
        return all;
    }

    private static long times(String counts) {
        long most = 0;
        for (String count : counts.split(",", -1)) {
            if (count.length() > 9 || !count.chars().allMatch(c -> c >= '0' && c <= '9')) {
                return 0;
            }
            most = count.isEmpty() ? most : Math.max(most, Long.parseLong(count));
        }
        return most + 1;
    }
}
