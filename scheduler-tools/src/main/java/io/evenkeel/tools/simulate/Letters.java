package io.evenkeel.tools.simulate;

/** Words of letters that names may hold, as controllers make them: without vowels, so that they are no words at all. */
final class Letters {
    private static final String LETTERS = "bcdfghjklmnpqrstvwxz2456789";
    private static final int SUFFIX_LENGTH = 5;
    private static final long SUFFIXES = 14_348_907; // 27⁵
    private static final long STRIDE = 5_915_587; // a prime, so that no suffix comes again before all have been
    private static final int LONGEST_BASE = 58;

    private Letters() {}

    /** A word for a text: equal texts have equal words. */
    static String wordFor(String text) {
        StringBuilder word = new StringBuilder();
        Integer.toUnsignedString(fnv(text))
                .chars()
                .forEach(digit -> word.append(LETTERS.charAt((digit - '0' + 3) % LETTERS.length())));
        return word.toString();
    }

    /** The nth name that begins with the base, as {@code generateName} makes them; of n below 14 million no two are equal. */
    static String name(String base, int nth) {
        long rest = Math.floorMod(Integer.toUnsignedLong(fnv(base)) + nth * STRIDE, SUFFIXES);
        StringBuilder name = new StringBuilder(base.substring(0, Math.min(LONGEST_BASE, base.length())));
        for (int i = 0; i < SUFFIX_LENGTH; i++) {
            name.append(LETTERS.charAt((int) (rest % LETTERS.length())));
            rest /= LETTERS.length();
        }
        return name.toString();
    }

    /** FNV-1a of 32 bits. */
    private static int fnv(String text) {
        int hash = 0x811c9dc5;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * 0x01000193;
        }
        return hash;
    }
}
