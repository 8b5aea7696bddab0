package io.evenkeel.chart.docs;

import com.google.gson.JsonObject;
import io.evenkeel.chart.helm.Chart;
import io.evenkeel.chart.helm.Manifest;
import io.evenkeel.chart.helm.Yaml;
import io.evenkeel.model.json.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The table of rights in docs/security.md: what the chart's rules give, and why, as a comment above each rule says. */
final class RightsTable {
    private static final Path FILE = Path.of("../..", "docs", "security.md");
    private static final String HEADING = "| resource | verbs | where | why |\n|---|---|---|---|\n";
    private static final String OF_THE_LEASE = "leases";
    private static final Pattern ROWS = Pattern.compile("(?:\\|.*\n)*");
    private static final Pattern ROLE = Pattern.compile("(?m)^kind: (?:Cluster)?Role$");
    private static final Pattern REASON = Pattern.compile("(?m)^# (.+)\n- ");

    private RightsTable() {}

    static String committed() throws IOException {
        return Files.readString(FILE);
    }

    /** The document as it should be. */
    static String generated() throws IOException {
        String text = committed();
        int heading = text.indexOf(HEADING);
        if (heading < 0) {
            throw new AssertionError(FILE + " has no table of rights");
        }
        int rows = heading + HEADING.length();
        String below = ROWS.matcher(text.substring(rows)).replaceFirst("");
        String rendered = Chart.text(
                "{policies: {enabled: true, podDeletionCost: true}, rebalance: {enabled: true, evictionRequests: true, surge: true},"
                        + " config: {leaderElection: {resourceNamespace: %s}}}".formatted(OF_THE_LEASE));
        return text.substring(0, rows) + rows(rendered).collect(Collectors.joining()) + below;
    }

    /** A row for each resource of the roles among rendered manifests. */
    static Stream<String> rows(String rendered) {
        return Yaml.texts(rendered).filter(text -> ROLE.matcher(text).find()).flatMap(RightsTable::rowsOfRole);
    }

    private static Stream<String> rowsOfRole(String text) {
        Manifest role = new Manifest(Yaml.document(text));
        List<JsonObject> rules = role.objects("rules");
        List<String> reasons = REASON.matcher(text)
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList();
        if (reasons.size() != rules.size()) {
            throw new AssertionError(role + " needs a reason above each rule, a comment of one line");
        }
        String rest = " | " + where(role.namespace()) + " | ";
        return IntStream.range(0, rules.size())
                .boxed()
                .flatMap(rule -> resources(rules.get(rule))
                        .map(resource -> "| " + resource + rest + reasons.get(rule) + " |\n"));
    }

    private static Stream<String> resources(JsonObject rule) {
        String verbs = String.join(", ", Trees.texts(rule, "verbs"));
        String names = Trees.texts(rule, "resourceNames").stream()
                .map(name -> " `" + name + "`")
                .collect(Collectors.joining(","));
        return Trees.texts(rule, "apiGroups").stream()
                .flatMap(group -> Trees.texts(rule, "resources").stream()
                        .map(resource -> resource + (group.isEmpty() ? "" : "." + group) + names + " | " + verbs));
    }

    private static String where(String namespace) {
        return switch (namespace) {
            case "" -> "cluster";
            case OF_THE_LEASE -> "the Lease's namespace";
            default -> namespace;
        };
    }

    static void write() throws IOException {
        Files.writeString(FILE, generated());
    }
}
