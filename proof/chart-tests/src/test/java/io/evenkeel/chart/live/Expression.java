package io.evenkeel.chart.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** A PromQL expression: which metrics it asks for, by which labels. All of its metrics have matchers. */
record Expression(String text) {
    private static final Pattern SELECTOR = Pattern.compile("(\\w+)\\{([^}]*)}");
    private static final Pattern MATCHER = Pattern.compile("(\\w+)\\s*(=~?)\\s*\"([^\"]*)\"");
    private static final Pattern GROUPING = Pattern.compile("\\b(?:by|on|without) ?\\(([^)]*)\\)");
    /** What Prometheus adds to each sample. A label of that name becomes exported_…. */
    private static final Set<String> OF_THE_TARGET = Set.of("job", "namespace", "pod", "instance", "cluster");
    /** What Prometheus itself knows of a target. */
    private static final String REACHED = "up";
    /** Only there where several engines share a cluster; each series of an engine has the label then. */
    private static final String SHARD_HELD = "evenkeel_shard_held";

    private static final String SHARD = "shard";

    /** That all it asks for is there. */
    void check(Scrape scrape) {
        check(scrape, "");
    }

    /** Whether none of the metrics that it asks for are there. */
    boolean asksInVainOf(Scrape scrape) {
        return SELECTOR.matcher(text).results().noneMatch(selector -> scrape.has(selector.group(1)));
    }

    /** The same, but that of this label the value has not been seen yet. */
    void check(Scrape scrape, String rare) {
        Set<String> labels = new HashSet<>(OF_THE_TARGET);
        labels.add(SHARD);
        List<MatchResult> selectors = SELECTOR.matcher(text).results().toList();
        assertThat(selectors).as(text).isNotEmpty();
        for (MatchResult selector : selectors) {
            String metric = selector.group(1);
            if (metric.equals(REACHED) || metric.equals(SHARD_HELD)) {
                continue;
            }
            assertThat(scrape.has(metric)).as("metric %s in %s", metric, text).isTrue();
            scrape.labels(metric)
                    .forEach(label -> labels.add(OF_THE_TARGET.contains(label) ? "exported_" + label : label));
            MATCHER.matcher(selector.group(2))
                    .results()
                    .filter(matcher -> !OF_THE_TARGET.contains(matcher.group(1)))
                    .forEach(matcher -> assertThat(scrape.values(metric, matcher.group(1)))
                            .as("values of %s of %s in %s", matcher.group(1), metric, text)
                            .anyMatch(value -> matcher.group(1).equals(rare) || isMatch(matcher, value)));
            if (metric.endsWith("_bucket")) {
                assertThat(scrape.values(metric, "le"))
                        .as(metric)
                        .contains("+Inf")
                        .hasSizeGreaterThan(2);
            }
        }
        GROUPING.matcher(text)
                .results()
                .flatMap(grouping -> List.of(grouping.group(1).split(",")).stream())
                .forEach(label -> assertThat(labels).as(text).contains(label.strip()));
    }

    private static boolean isMatch(MatchResult matcher, String value) {
        return matcher.group(2).equals("=") ? value.equals(matcher.group(3)) : value.matches(matcher.group(3));
    }
}
