package io.evenkeel.app.dump;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds in a text what looks like an address of a network, whatever parts its numbers: {@code 10.1.2.3:80},
 * {@code ip-10-1-2-3}, {@code 10_1_2_3}, {@code 2001:db8::1} and {@code 2001-db8--1}; or like a UID.
 */
final class Addresses {
    private static final String HEX = "[0-9a-fA-F]";
    private static final String GROUP = HEX + "{1,4}";

    /** Letters may stand before the first number and after the last. */
    private static final String FOUR_NUMBERS = "\\d+(?:" + Pseudonyms.PARTING + "+\\d+){3,}";

    private static final String TWO_COLONS = "HEX{0,4}(?::HEX{0,4}){2,}".replace("HEX", HEX);

    private static final String UID = "HEX{8}(?:-HEX{4}){3}-HEX{12}";

    /** Those of groups that are whole words. */
    private static final String OF_WORDS = Stream.of(
                    "GROUP(?:[-.]GROUP){7}",
                    "GROUP(?:_GROUP){7}", "GROUP(?:-GROUP)*--(?:GROUP(?:-GROUP)*)?", "HEX{2}(?:-HEX{2}){5}", UID)
            .map(form -> form.replace("GROUP", GROUP).replace("HEX", HEX))
            .collect(Collectors.joining("|", "(?<![0-9a-zA-Z])(?:", ")(?![0-9a-zA-Z])"));

    private static final Pattern ADDRESS = Pattern.compile(String.join("|", TWO_COLONS, FOUR_NUMBERS, OF_WORDS));

    private final List<MatchResult> found;

    private Addresses(List<MatchResult> found) {
        this.found = found;
    }

    static Addresses in(String text) {
        return new Addresses(ADDRESS.matcher(text).results().toList());
    }

    /** Whether any of the characters in between belongs to one. */
    boolean touch(int begin, int end) {
        return found.stream().anyMatch(address -> begin < address.end() && end > address.start());
    }
}
