package io.evenkeel.tools.simulate;

import io.evenkeel.app.terminal.Wrapping;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.Collectors;

/** The skews, two lines each: the constraint, and what is counted before and after. */
record SkewTable(int columns) {
    private static final int MOST = 12;
    private static final int MOST_DOMAINS = 8;

    List<String> lines(Answer answer) {
        List<String> lines = new ArrayList<>();
        if (answer.skews().isEmpty()) {
            return lines;
        }
        lines.add("");
        lines.add("Spread");
        List<SkewChange> told =
                answer.skews().stream().filter(SkewTable::isWorthTelling).toList();
        told.stream().limit(MOST).forEach(skew -> {
            wrap("  ", skew.workload().title() + ", " + constraint(skew) + ": " + change(skew), lines);
            wrap("    ", domains(skew.before(), skew.after()), lines);
        });
        if (told.size() > MOST) {
            lines.add("  and " + (told.size() - MOST) + " constraints more");
        }
        if (told.size() < answer.skews().size()) {
            lines.add("  " + count(answer.skews().size() - told.size()) + " as before");
        }
        return lines;
    }

    private static String count(int constraints) {
        return constraints + (constraints == 1 ? " constraint" : " constraints");
    }

    /** Whether something has changed, or is not as it should be. */
    private static boolean isWorthTelling(SkewChange skew) {
        return !skew.before().equals(skew.after())
                || skew.skewAfter() > skew.constraint().maxSkew();
    }

    static String constraint(SkewChange skew) {
        return "maxSkew " + skew.constraint().maxSkew() + " over "
                + skew.constraint().topologyKey() + ", "
                + (skew.constraint().isHard() ? "required" : "preferred");
    }

    private static String change(SkewChange skew) {
        String after = "skew "
                + (skew.skewBefore() == skew.skewAfter()
                        ? String.valueOf(skew.skewAfter())
                        : skew.skewBefore() + " → " + skew.skewAfter());
        return after + (skew.skewAfter() > skew.constraint().maxSkew() ? ", too much" : "");
    }

    private static String domains(SortedMap<String, Integer> before, SortedMap<String, Integer> after) {
        List<String> all = new ArrayList<>();
        before.keySet().stream()
                .filter(domain -> !after.containsKey(domain))
                .forEach(domain -> all.add(domain + ": " + before.get(domain) + " → no domain any more"));
        after.forEach((domain, count) -> {
            int was = before.getOrDefault(domain, 0);
            all.add(domain + ": " + (was == count ? String.valueOf(count) : was + " → " + count));
        });
        return all.isEmpty()
                ? "no domains"
                : all.stream().limit(MOST_DOMAINS).collect(Collectors.joining(", "))
                        + (all.size() > MOST_DOMAINS ? " and " + (all.size() - MOST_DOMAINS) + " domains more" : "");
    }

    private void wrap(String indent, String text, List<String> lines) {
        Wrapping.hanging(text, columns - indent.length(), "  ").forEach(line -> lines.add(indent + line));
    }
}
