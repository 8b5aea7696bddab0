package io.evenkeel.tools.observe;

import io.evenkeel.app.companion.Times;
import io.evenkeel.app.companion.Times.Settling;
import io.evenkeel.app.companion.Times.Settling.News;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.tools.observe.Lint.Finding;
import io.evenkeel.tools.observe.Lint.Linted;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lints and their findings. They go round all workloads again and again, a few at each tick, so that a change of nodes costs no
 * more than any other second. Each finding is said once when it has lasted, and shown until a round does not find it any more.
 */
final class LintBoard {
    private static final Logger log = LoggerFactory.getLogger(LintBoard.class);

    private final ClusterView cluster;
    private final SpreadIndex index;
    private final Times times;
    private final Map<Finding.Key, Settling> settling = new HashMap<>();
    private final ArrayDeque<Replicas> round = new ArrayDeque<>();
    private Map<Finding.Key, Finding> finding = new LinkedHashMap<>();
    private List<Finding> found = List.of();

    LintBoard(ClusterView cluster, SpreadIndex index, Times times) {
        this.cluster = cluster;
        this.index = index;
        this.times = times;
    }

    /**
     * Goes on with a round, or begins one.
     *
     * @param steps how many nodes may be looked at, roughly
     */
    void goOn(long steps) {
        if (round.isEmpty()) {
            round.addAll(index.replicas());
        }
        long left = steps;
        while (left > 0 && !round.isEmpty()) {
            Replicas next = round.poll();
            left -= 1 + (long) next.constraints().size() * cluster.nodes().count();
            check(next).forEach(one -> finding.putIfAbsent(one.key(), one));
        }
        if (round.isEmpty()) {
            conclude();
        }
    }

    /** Checks replicas; findings on replicas that are all gone are of no use. */
    private Stream<Finding> check(Replicas replicas) {
        return replicas.size() == 0 ? Stream.empty() : Lint.all(new Linted(replicas, index.wanted(replicas), cluster));
    }

    private void conclude() {
        Map<Finding.Key, Finding> now = finding;
        finding = new LinkedHashMap<>();
        now.forEach((key, one) -> {
            if (settling.computeIfAbsent(key, _ -> times.settling()).note(true, times.now()) == News.BEGAN) {
                log.atWarn()
                        .setMessage("Spread constraint has a mistake")
                        .addKeyValue("workload", one.constraint().workload())
                        .addKeyValue("topologyKey", one.constraint().topologyKey())
                        .addKeyValue("whenUnsatisfiable", one.constraint().whenUnsatisfiable())
                        .addKeyValue("lint", one.lint())
                        .addKeyValue("wrong", one.wrong())
                        .addKeyValue("remedy", one.remedy())
                        .log();
            }
        });
        Iterator<Map.Entry<Finding.Key, Settling>> each = settling.entrySet().iterator();
        while (each.hasNext()) {
            Map.Entry<Finding.Key, Settling> entry = each.next();
            if (!now.containsKey(entry.getKey())) {
                entry.getValue().note(false, times.now());
                if (entry.getValue().isOver()) {
                    each.remove();
                }
            }
        }
        found = List.copyOf(byText(now).values());
    }

    private static NavigableMap<String, Finding> byText(Map<Finding.Key, Finding> findings) {
        NavigableMap<String, Finding> byText = new TreeMap<>();
        findings.values()
                .forEach(one -> byText.put(
                        one.constraint().workload() + " " + one.constraint().topologyKey() + " " + one.lint() + " "
                                + one.constraint().isHard(),
                        one));
        return byText;
    }

    /** Makes a whole round at once, and logs nothing. */
    List<Finding> findNow() {
        Map<Finding.Key, Finding> now = new LinkedHashMap<>();
        index.replicas().forEach(one -> check(one).forEach(each -> now.putIfAbsent(each.key(), each)));
        return List.copyOf(byText(now).values());
    }

    List<Finding> found() {
        return found;
    }
}
