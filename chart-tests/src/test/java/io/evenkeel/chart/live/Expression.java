package io.evenkeel.chart.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** A PromQL expression of the chart: which metrics it asks for, by which labels. All of its metrics have matchers. */
record Expression(String text) {
    private static final Pattern SELECTOR = Pattern.compile("(\\w+)\\{([^}]*)}");
    private static final Pattern MATCHER = Pattern.compile("(\\w+)\\s*=~?\\s*\"([^\"]*)\"");
    private static final Pattern GROUPING = Pattern.compile("\\b(?:by|on) \\(([^)]*)\\)");
    /** What Prometheus adds to each sample. A label of that name becomes exported_…. */
    private static final Set<String> OF_THE_TARGET = Set.of("job", "namespace", "pod");

    /** That all it asks for is there. */
    void check(Scrape scrape) {
        Set<String> labels = new HashSet<>(OF_THE_TARGET);
        List<MatchResult> selectors = SELECTOR.matcher(text).results().toList();
        assertThat(selectors).as(text).isNotEmpty();
        for (MatchResult selector : selectors) {
            String metric = selector.group(1);
            assertThat(scrape.has(metric)).as("metric %s in %s", metric, text).isTrue();
            scrape.labels(metric)
                    .forEach(label -> labels.add(OF_THE_TARGET.contains(label) ? "exported_" + label : label));
            MATCHER.matcher(selector.group(2))
                    .results()
                    .filter(matcher -> !OF_THE_TARGET.contains(matcher.group(1)))
                    .forEach(matcher -> assertThat(scrape.values(metric, matcher.group(1)))
                            .as("values of %s of %s in %s", matcher.group(1), metric, text)
                            .contains(matcher.group(2)));
        }
        GROUPING.matcher(text)
                .results()
                .flatMap(grouping -> List.of(grouping.group(1).split(",")).stream())
                .forEach(label -> assertThat(labels).as(text).contains(label.strip()));
    }
}
