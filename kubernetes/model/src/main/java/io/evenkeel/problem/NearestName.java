package io.evenkeel.problem;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** The known name nearest to a misspelt one. */
public final class NearestName {
    private record Candidate(String name, int distance) {}

    /** Of a label's key; longer text is no name, and to compare it takes long. */
    private static final int LONGEST = 317;

    private NearestName() {}

    /** {@code ; did you mean "x"?}, or nothing where no known name is near. */
    public static String hint(String written, Collection<String> known) {
        return written.length() > LONGEST
                ? ""
                : nearest(written, known)
                        .map(name -> "; did you mean \"" + name + "\"?")
                        .orElse("");
    }

    private static Optional<String> nearest(String written, Collection<String> known) {
        int tolerated = Math.max(1, written.length() / 3);
        return known.stream()
                .map(name -> new Candidate(name, distance(lower(written), lower(name))))
                .filter(candidate -> candidate.distance() <= tolerated)
                .min(Comparator.comparingInt(Candidate::distance).thenComparing(Candidate::name))
                .map(Candidate::name);
    }

    private static String lower(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    /** How many letters to insert, drop, replace or swap with the next one, row by row. */
    private static int distance(String from, String to) {
        int[] beforeLast = new int[to.length() + 1];
        int[] last = new int[to.length() + 1];
        int[] row = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int[] next = beforeLast;
            beforeLast = last;
            last = row;
            row = next;
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                boolean isSame = from.charAt(i - 1) == to.charAt(j - 1);
                row[j] = Math.min(last[j - 1] + (isSame ? 0 : 1), 1 + Math.min(last[j], row[j - 1]));
                if (i > 1
                        && j > 1
                        && from.charAt(i - 1) == to.charAt(j - 2)
                        && from.charAt(i - 2) == to.charAt(j - 1)) {
                    row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
                }
            }
        }
        return row[to.length()];
    }
}
