package io.evenkeel.app.dump;

import java.math.BigInteger;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/**
 * Numbered words. Those of names that are known beforehand are in the order of the alphabet still, and so are objects that are
 * listed by name, of which the first may be preferred.
 */
final class InOrder implements UnaryOperator<String> {
    /** Of as many digits as all others. */
    private static final int FIRST_NUMBER = 1_000_000;

    private final Map<String, String> words = new HashMap<>();

    InOrder(Collection<String> names) {
        NavigableSet<String> known = new TreeSet<>();
        names.forEach(name -> Pseudonyms.wordsOf(name).forEach(known::add));
        known.forEach(this::apply);
    }

    @Override
    public String apply(String word) {
        return words.computeIfAbsent(word, _ -> "n%06d".formatted(words.size() + 1));
    }

    /** Numbers in the place of these, of which {@code Gt} and {@code Lt} say the same. */
    static Map<String, String> numbers(Collection<String> numbers) {
        NavigableSet<String> known = new TreeSet<>(
                Comparator.comparing((String text) -> new BigInteger(text)).thenComparing(text -> text));
        known.addAll(numbers);
        Map<String, String> replaced = new HashMap<>();
        known.forEach(number -> replaced.put(number, Integer.toString(FIRST_NUMBER + replaced.size())));
        return replaced;
    }
}
