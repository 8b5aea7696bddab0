package io.evenkeel.tools.why;

import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.framework.why.Change;
import io.evenkeel.framework.why.Tolerated;
import io.evenkeel.model.Node;
import io.evenkeel.model.Taint;
import io.evenkeel.model.TaintEffect;
import io.evenkeel.model.Toleration;
import io.evenkeel.model.decode.cursor.Excerpt;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Taints that a pod is supposed to tolerate. */
final class Taints {
    private Taints() {}

    static Taint typed(String key, String value, String effect) {
        return Arrays.stream(TaintEffect.values())
                .filter(known -> known.apiName().equals(effect))
                .map(known -> new Taint(key, value, known))
                .findFirst()
                .orElseThrow(() -> new SuppositionException(Excerpt.quoted(effect) + " is no effect of a taint"));
    }

    /** The toleration; none where the pod tolerates already all taints of that kind that there are. */
    static List<Change> tolerated(Taint taint, Supposed supposed) {
        Tolerated change = new Tolerated(taint);
        List<Taint> meant = of(supposed.cluster().nodes())
                .filter(change.toleration()::tolerates)
                .toList();
        if (meant.isEmpty()) {
            throw new SuppositionException("no node has a taint " + Excerpt.of(taint.text()));
        }
        List<Toleration> there = Stream.concat(
                        supposed.pod().spec().tolerations().stream().filter(toleration -> !toleration.compares()),
                        supposed.before().stream()
                                .filter(other -> other instanceof Tolerated && !other.equals(change))
                                .map(other -> ((Tolerated) other).toleration()))
                .toList();
        boolean isNew =
                meant.stream().anyMatch(each -> there.stream().noneMatch(toleration -> toleration.tolerates(each)));
        return isNew ? List.of(change) : List.of();
    }

    private static Stream<Taint> of(NodeTable nodes) {
        return IntStream.range(0, nodes.end())
                .filter(nodes::isPresent)
                .mapToObj(nodes::node)
                .flatMap(Taints::of);
    }

    /** A cordoned node is as if it had that taint, whether or not it has. */
    private static Stream<Taint> of(Node node) {
        return node.unschedulable()
                ? Stream.concat(node.taints().stream(), Stream.of(Taint.CORDON))
                : node.taints().stream();
    }
}
