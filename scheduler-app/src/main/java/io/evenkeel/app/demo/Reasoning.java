package io.evenkeel.app.demo;

import static java.util.stream.Collectors.joining;

import io.evenkeel.cluster.NodeSet;
import io.evenkeel.cluster.NodeTable;
import io.evenkeel.engine.Decision;
import io.evenkeel.framework.Diagnosis;
import io.evenkeel.framework.Rejections;
import io.evenkeel.framework.SchedulingProfile;
import io.evenkeel.framework.ScoreRunner.WeightedScore;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Puts into words why the engine decided as it just did. To be asked before it decides anything else. */
final class Reasoning {
    private final SchedulingProfile profile;
    private final NodeTable nodes;

    Reasoning(SchedulingProfile profile, NodeTable nodes) {
        this.profile = profile;
        this.nodes = nodes;
    }

    String of(Decision decision) {
        List<String> sentences = new ArrayList<>(turnedAway());
        if (decision instanceof Decision.Placed placed) {
            sentences.add(whyThisNode(placed.node()));
        }
        return String.join(" ", sentences);
    }

    private List<String> turnedAway() {
        Map<String, Set<String>> namesByPlugin = new LinkedHashMap<>();
        for (Rejections.Rejection rejection : diagnosis().rejections().all()) {
            namesByPlugin
                    .computeIfAbsent(rejection.plugin().name(), plugin -> new TreeSet<>())
                    .addAll(names(rejection.nodes()));
        }
        List<String> sentences = new ArrayList<>();
        namesByPlugin.forEach(
                (plugin, names) -> sentences.add(plugin + " turns away " + String.join(", ", names) + "."));
        return sentences;
    }

    private String whyThisNode(int winner) {
        return runnerUp(winner).map(second -> compare(winner, second)).orElse(nodes.name(winner) + " is what is left.");
    }

    private String compare(int winner, int second) {
        String names = nodes.name(winner) + " wins over " + nodes.name(second);
        if (total(winner) == total(second)) {
            return names + ", which has " + total(second) + " points too, by its name.";
        }
        return names + " with " + total(winner) + " points to " + total(second) + ": " + differences(winner, second)
                + ".";
    }

    /** The plugins that do not see the two alike, the one with the greatest difference first. */
    private String differences(int winner, int second) {
        return asked().stream()
                .filter(score -> score.weightedScoreOf(winner) != score.weightedScoreOf(second))
                .sorted(Comparator.comparingLong(
                        score -> -Math.abs(score.weightedScoreOf(winner) - score.weightedScoreOf(second))))
                .map(score -> score.plugin().name() + " " + score.weightedScoreOf(winner) + " to "
                        + score.weightedScoreOf(second))
                .collect(joining(", "));
    }

    private Optional<Integer> runnerUp(int winner) {
        NodeSet others = nodes.present().copy();
        others.removeAll(diagnosis().excluded());
        diagnosis().rejections().all().forEach(rejection -> others.removeAll(rejection.nodes()));
        others.remove(winner);
        return ids(others).stream()
                .min(Comparator.comparingLong((Integer node) -> -total(node)).thenComparing(nodes::name));
    }

    private long total(int node) {
        return asked().stream().mapToLong(score -> score.weightedScoreOf(node)).sum();
    }

    private List<WeightedScore> asked() {
        return profile.scores().scores().stream()
                .filter(score -> !score.isSkipped())
                .toList();
    }

    private Diagnosis diagnosis() {
        return profile.filters().diagnosis();
    }

    private List<String> names(NodeSet set) {
        return ids(set).stream().map(nodes::name).toList();
    }

    private static List<Integer> ids(NodeSet set) {
        List<Integer> ids = new ArrayList<>();
        for (int node = set.first(); node >= 0; node = set.next(node + 1)) {
            ids.add(node);
        }
        return ids;
    }
}
