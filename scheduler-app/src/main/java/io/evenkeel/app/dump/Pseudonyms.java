package io.evenkeel.app.dump;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Words in the place of words, the same ones for the same, numbered. A name is replaced part by part, and what parts
 * it stays: so that a claim still has its pod's name in it, a StatefulSet's pod its ordinal, an image its repository.
 *
 * <p>Words of names that are known beforehand are in the order of the alphabet still, and so are objects that are listed by
 * name, of which the first may be preferred. Words that every cluster has stay, and so do short numbers, as ordinals and
 * sizes are, but not those of an address.
 */
final class Pseudonyms {
    /** A character that parts words. */
    static final String PARTING = "[-._/:@=,+ ]";

    private static final Pattern WORD = Pattern.compile("[^" + PARTING.substring(1) + "+");
    private static final int LONGEST_NUMBER = 7;

    /** Beside what every cluster has there are the words by which names of disks are understood. */
    private static final Set<String> KEPT = Set.of(
            "default",
            "kube",
            "system",
            "latest",
            "true",
            "false",
            "linux",
            "windows",
            "amd64",
            "arm64",
            "arm",
            "ppc64le",
            "s390x",
            "riscv64",
            "aws",
            "vol",
            "projects",
            "zones",
            "regions",
            "disks",
            "UNSPECIFIED");

    private final Map<String, String> words = new HashMap<>();
    private final Map<String, String> joined = new HashMap<>();

    /** @param names of objects, and what their labels say */
    Pseudonyms(Collection<String> names) {
        SortedSet<String> known = new TreeSet<>();
        names.forEach(name -> replaced(name, word -> {
            known.add(word);
            return word;
        }));
        known.forEach(this::numbered);
    }

    /** Makes what others join of two names the two pseudonyms joined, also where the whole looks like an address and none of both does. */
    void join(String first, String second) {
        String whole = first + "-" + second;
        String apart = of(first) + "-" + of(second);
        if (!of(whole).equals(apart)) {
            joined.put(whole, apart);
        }
    }

    String of(String name) {
        String known = joined.get(name);
        return known == null ? replaced(name, this::numbered) : known;
    }

    private static String replaced(String name, UnaryOperator<String> replacement) {
        Addresses addresses = Addresses.in(name);
        return WORD.matcher(name).replaceAll(found -> {
            String word = found.group();
            boolean stays =
                    KEPT.contains(word) || (isShortNumber(word) && !addresses.touch(found.start(), found.end()));
            return Matcher.quoteReplacement(stays ? word : replacement.apply(word));
        });
    }

    private String numbered(String word) {
        return words.computeIfAbsent(word, _ -> "n%06d".formatted(words.size() + 1));
    }

    private static boolean isShortNumber(String word) {
        return word.length() <= LONGEST_NUMBER && word.chars().allMatch(c -> c >= '0' && c <= '9');
    }
}
