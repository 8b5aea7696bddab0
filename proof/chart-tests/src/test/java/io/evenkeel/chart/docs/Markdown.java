package io.evenkeel.chart.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The links and headings of a document; what stands in code is neither. */
record Markdown(List<String> links, Set<String> anchors) {
    private static final Pattern BLOCK = Pattern.compile("(?ms)^ *```.*?^ *```$");
    private static final Pattern SPAN = Pattern.compile("`[^`\n]*`");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]*)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.+?) *#*$");
    private static final Pattern NOT_IN_ANCHORS = Pattern.compile("[^\\p{L}\\p{N}\\p{M}_ -]");

    static Markdown read(Path file) throws IOException {
        return parse(Files.readString(file));
    }

    static Markdown parse(String text) {
        String prose = BLOCK.matcher(text).replaceAll("");
        List<String> links = LINK.matcher(SPAN.matcher(prose).replaceAll(""))
                .results()
                .map(link -> link.group(1))
                .toList();
        return new Markdown(links, anchors(prose));
    }

    /** As GitHub makes them: headings of equal words are told apart by a number. */
    private static Set<String> anchors(String prose) {
        Set<String> anchors = new HashSet<>();
        Map<String, Integer> seen = new HashMap<>();
        Matcher heading = HEADING.matcher(prose);
        while (heading.find()) {
            String words = LINK.matcher(heading.group(1)).replaceAll("]").toLowerCase(Locale.ROOT);
            String anchor = NOT_IN_ANCHORS.matcher(words).replaceAll("").replace(' ', '-');
            int before = seen.merge(anchor, 1, Integer::sum) - 1;
            anchors.add(before == 0 ? anchor : anchor + "-" + before);
        }
        return anchors;
    }
}
