package io.evenkeel.tools.why;

import io.evenkeel.app.option.PodName;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.framework.why.Change;
import io.evenkeel.framework.why.PodChange.Tolerated;
import io.evenkeel.model.Node;
import io.evenkeel.model.Taint;
import io.evenkeel.model.TaintEffect;
import io.evenkeel.model.Toleration;
import io.evenkeel.model.decode.cursor.Excerpt;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The forms of suppositions, and of remedies that a user may type. */
enum Form {
    NODE("node [ZONE | KEY=VALUE] like NODE", "node (?:(\\S+) )?like (\\S+)"),
    RESOURCE("N more RESOURCE on NODE", "(\\S+) more (\\S+) on (?:node )?(\\S+)"),
    REQUEST("N less RESOURCE", "(\\S+) less (\\S+)"),
    POD_GONE("without pod [NAMESPACE/]NAME", "without pod (\\S+)"),
    TAINT_GONE("without taint KEY on NODE", "without taint (\\S+) on (?:node )?(\\S+)"),
    UNCORDONED("uncordon NODE", "uncordon (?:node )?(\\S+)"),
    TOLERATION("toleration KEY[=VALUE]:EFFECT", "toleration (?:of )?(?:taint )?([^\\s=:]+)(?:=([^\\s:]*))?:(\\S+)"),
    MAX_SKEW("maxSkew=N [over KEY]", "maxSkew[ =]([-+]?\\d+)(?: over (\\S+))?"),
    MIN_DOMAINS("minDomains=N [over KEY]", "minDomains[ =]([-+]?\\d+)(?: over (\\S+))?"),
    PREFERRED("ScheduleAnyway [over KEY]", "ScheduleAnyway(?: over (\\S+))?");

    private final String written;
    private final Pattern pattern;

    Form(String written, String pattern) {
        this.written = written;
        this.pattern = Pattern.compile(pattern);
    }

    static List<String> written() {
        return Arrays.stream(values()).map(form -> form.written).toList();
    }

    Matcher match(String text) {
        return pattern.matcher(text);
    }

    /** @throws SuppositionException if no cluster and no pod is such that it would make sense */
    void requireSense(Matcher parts) {
        switch (this) {
            case RESOURCE -> Amounts.change("more", parts.group(1), parts.group(2));
            case REQUEST -> Amounts.change("less", parts.group(1), parts.group(2));
            case MAX_SKEW -> Amounts.count("maxSkew", parts.group(1));
            case MIN_DOMAINS -> Amounts.count("minDomains", parts.group(1));
            case TOLERATION -> typedTaint(parts);
            case POD_GONE -> podName(parts);
            case NODE, TAINT_GONE, UNCORDONED, PREFERRED -> {}
        }
    }

    List<Change> changes(Matcher parts, Supposed supposed) {
        return switch (this) {
            case NODE -> List.of(supposed.nodeLike(parts.group(2), optional(parts, 1)));
            case RESOURCE -> List.of(supposed.more(parts.group(1), parts.group(2), parts.group(3)));
            case REQUEST -> List.of(supposed.less(parts.group(1), parts.group(2)));
            case POD_GONE -> List.of(supposed.gone(podName(parts)));
            case TAINT_GONE -> supposed.withoutTaint(parts.group(1), parts.group(2));
            case UNCORDONED -> List.of(supposed.uncordoned(parts.group(1)));
            case TOLERATION -> Taints.tolerated(typedTaint(parts), supposed);
            case MAX_SKEW -> supposed.maxSkew(Amounts.count("maxSkew", parts.group(1)), optional(parts, 2));
            case MIN_DOMAINS -> supposed.minDomains(Amounts.count("minDomains", parts.group(1)), optional(parts, 2));
            case PREFERRED -> supposed.preferred(optional(parts, 1));
        };
    }

    private static PodName podName(Matcher parts) {
        return PodName.parse(parts.group(1), SuppositionException::new);
    }

    private static Taint typedTaint(Matcher parts) {
        return Taints.typed(parts.group(1), optional(parts, 2), parts.group(3));
    }

    /** Empty where it was left out. */
    private static String optional(Matcher parts, int group) {
        return Optional.ofNullable(parts.group(group)).orElse("");
    }

    /** Taints that a pod is supposed to tolerate. */
    private static final class Taints {
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
}
