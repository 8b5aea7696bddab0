package io.evenkeel.tools.dump;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Words in the place of words, the same ones for the same. A name is replaced part by part, and what parts them stays: so that a
 * claim still has its pod's name in it, and an image its repository. Numbers are words as others are, but the ordinal at the end
 * of a name that a StatefulSet makes.
 */
final class Pseudonyms {
    private static final Pattern WORD = Pattern.compile("[^-._/:@=,+ ]+");

    /** A name with an ordinal, as a StatefulSet gives its pods. */
    private static final Pattern ORDINAL = Pattern.compile("(.+)(-(?:0|[1-9][0-9]{0,4}))");

    private final UnaryOperator<String> words;
    private final Set<String> sets = new HashSet<>();
    private final Map<String, String> joined = new HashMap<>();

    /** @param words gives the word in the place of another */
    Pseudonyms(UnaryOperator<String> words) {
        this.words = words;
    }

    static Stream<String> wordsOf(String name) {
        return WORD.matcher(name).results().map(MatchResult::group);
    }

    /** Of a StatefulSet of this name the pods and their claims have an ordinal. */
    void makesOrdinals(String set) {
        sets.add(set);
    }

    /** Makes what others join of two names the two pseudonyms joined. */
    void join(String first, String second) {
        joined.put(first + "-" + second, of(first) + "-" + of(second));
    }

    String of(String name) {
        String known = joined.get(name);
        return known == null ? withOrdinal(name).orElseGet(() -> replaced(name, Set.of())) : known;
    }

    /** The same, but of these words, which stay. */
    String ofAllBut(Set<String> kept, String name) {
        return replaced(name, kept);
    }

    /** Where the name before the ordinal is a set's, or ends in one's behind the name of a claim. */
    private Optional<String> withOrdinal(String name) {
        Matcher parts = ORDINAL.matcher(name);
        if (sets.isEmpty() || !parts.matches()) {
            return Optional.empty();
        }
        String before = parts.group(1);
        boolean isMade = sets.contains(before);
        for (int dash = before.indexOf('-'); !isMade && dash >= 0; dash = before.indexOf('-', dash + 1)) {
            isMade = sets.contains(before.substring(dash + 1));
        }
        return isMade ? Optional.of(replaced(before, Set.of()) + parts.group(2)) : Optional.empty();
    }

    private String replaced(String name, Set<String> kept) {
        return WORD.matcher(name).replaceAll(found -> {
            String word = found.group();
            return Matcher.quoteReplacement(kept.contains(word) ? word : words.apply(word));
        });
    }
}
