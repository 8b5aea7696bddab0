package io.evenkeel.app.dump;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Words in the place of words, the same ones for the same, numbered. A name is replaced part by part, and what parts
 * it stays: so that a claim still has its pod's name in it, a StatefulSet's pod its ordinal, an image its repository.
 *
 * <p>Words of names that are known beforehand are in the order of the alphabet still, and so are objects that are listed by
 * name, of which the first may be preferred. Words that every cluster has stay, and so do short numbers, as ordinals and sizes are, but not those of an IP address.
 */
final class Pseudonyms {
    private static final String PARTING = "-._/:@=,+ ";
    private static final int LONGEST_NUMBER = 7;
    private static final int NUMBERS_OF_ADDRESS = 4;
    private static final Set<String> KEPT = Set.of(
            "",
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
            "scheduler",
            "evenkeel");

    private final Map<String, String> words = new HashMap<>();

    /** @param names of objects, and what their labels say */
    Pseudonyms(Collection<String> names) {
        SortedSet<String> known = new TreeSet<>();
        for (String name : names) {
            boolean hidesNumbers = numbersIn(name) >= NUMBERS_OF_ADDRESS;
            for (String word : name.split("[" + Pattern.quote(PARTING) + "]", -1)) {
                if (!stays(word, hidesNumbers)) {
                    known.add(word);
                }
            }
        }
        known.forEach(this::numbered);
    }

    String of(String name) {
        StringBuilder replaced = new StringBuilder(name.length());
        boolean hidesNumbers = numbersIn(name) >= NUMBERS_OF_ADDRESS;
        int begin = 0;
        for (int i = 0; i <= name.length(); i++) {
            if (i == name.length() || PARTING.indexOf(name.charAt(i)) >= 0) {
                replaced.append(word(name.substring(begin, i), hidesNumbers));
                if (i < name.length()) {
                    replaced.append(name.charAt(i));
                }
                begin = i + 1;
            }
        }
        return replaced.toString();
    }

    private static int numbersIn(String name) {
        int numbers = 0;
        for (String part : name.split("[-.]", -1)) {
            numbers += isNumber(part) ? 1 : 0;
        }
        return numbers;
    }

    private String word(String word, boolean hidesNumbers) {
        return stays(word, hidesNumbers) ? word : numbered(word);
    }

    private static boolean stays(String word, boolean hidesNumbers) {
        return KEPT.contains(word) || (isNumber(word) && word.length() <= LONGEST_NUMBER && !hidesNumbers);
    }

    private String numbered(String word) {
        return words.computeIfAbsent(word, _ -> "n%06d".formatted(words.size() + 1));
    }

    private static boolean isNumber(String word) {
        return !word.isEmpty() && word.chars().allMatch(c -> c >= '0' && c <= '9');
    }
}
