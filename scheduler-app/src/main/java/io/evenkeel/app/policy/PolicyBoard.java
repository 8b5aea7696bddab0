package io.evenkeel.app.policy;

import io.evenkeel.app.companion.Times;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.model.Pod;
import io.evenkeel.model.policy.PolicyObject;
import io.evenkeel.plugins.placementpolicy.PolicyReadings;
import io.evenkeel.plugins.placementpolicy.ReadablePolicy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All policies, each read again when its counts have changed, as many a tick as the budget allows: the next tick goes on where this one
 * ended.
 */
final class PolicyBoard {
    /** So many domains are named in a status; more would make it large, and nobody reads them. */
    private static final int MOST_DOMAINS = 50;

    private final PolicyReadings readings;
    private final WaitingByLabels waiting;
    private final Times times;
    private final PolicyNews news;
    private final StatusWrites writes;
    private final Map<String, PolicyRow> rows = new LinkedHashMap<>();
    private final Map<String, Long> readAt = new LinkedHashMap<>();
    private final Set<String> moving = new LinkedHashSet<>();
    private List<String> keys = List.of();
    private long policiesAt = -1;
    private int next;
    private boolean isNews;

    PolicyBoard(PolicyReadings readings, WaitingByLabels waiting, Times times, PolicyNews news, StatusWrites writes) {
        this.readings = readings;
        this.waiting = waiting;
        this.times = times;
        this.news = news;
        this.writes = writes;
    }

    /** @param budget how many domains and kinds of waiting pods may be looked at, roughly */
    void tick(Scheduler scheduler, long budget) {
        if (policiesAt != readings.changes()) {
            policiesAt = readings.changes();
            takeStock();
        }
        List<Pod> onTheirWay =
                scheduler.onTheirWay().stream().map(Scheduler.OnItsWay::pod).toList();
        long left = budget;
        for (int i = 0; i < keys.size() && left > 0; i++) {
            next = next + 1 < keys.size() ? next + 1 : 0;
            left -= readIfChanged(keys.get(next), onTheirWay);
        }
        for (String key : List.copyOf(moving)) {
            judge(key, rows.get(key));
        }
        writes.send();
    }

    private void takeStock() {
        Map<String, PolicyRow> before = new LinkedHashMap<>(rows);
        rows.clear();
        for (ReadablePolicy policy : readings.all()) {
            String key = keyOf(policy.policy());
            PolicyRow row = before.remove(key);
            rows.put(key, row != null && row.policy().equals(policy) ? row : anew(key, policy, row));
        }
        before.keySet().forEach(this::forget);
        keys = List.copyOf(rows.keySet());
        isNews = true;
    }

    private PolicyRow anew(String key, ReadablePolicy policy, @Nullable PolicyRow before) {
        readAt.remove(key);
        boolean isTheSame = before != null
                && before.policy()
                        .policy()
                        .meta()
                        .uid()
                        .equals(policy.policy().meta().uid());
        return new PolicyRow(policy, isTheSame ? before.said() : policy.policy().status(), times);
    }

    private void forget(String key) {
        readAt.remove(key);
        moving.remove(key);
        writes.forget(key);
    }

    private static String keyOf(PolicyObject policy) {
        return policy.kindName() + " " + policy.meta().key();
    }

    private long readIfChanged(String key, List<Pod> onTheirWay) {
        PolicyRow row = rows.get(key);
        ReadablePolicy policy = row.policy();
        String namespace = policy.policy().meta().namespace();
        long now = policy.changes()
                + waiting.changes(namespace)
                + policy.policy().meta().generation();
        if (Long.valueOf(now).equals(readAt.put(key, now))) {
            writes.look(key, row);
            return 1;
        }
        row.read(policy.read(waiting.of(policy, onTheirWay), MOST_DOMAINS));
        judge(key, row);
        return policy.cost() + waiting.cost(namespace);
    }

    private void judge(String key, PolicyRow row) {
        boolean isAtRest =
                row.judge((finding, before) -> news.turned(row.policy().policy(), finding, before));
        if (isAtRest) {
            moving.remove(key);
        } else {
            moving.add(key);
        }
        writes.look(key, row);
        isNews = true;
    }

    /** All that there are to be shown, if any is another than was shown last. */
    void show(PolicyMetrics metrics) {
        if (isNews) {
            isNews = false;
            List<PolicyMetrics.Shown> all = new ArrayList<>(rows.size());
            rows.values().forEach(row -> all.add(PolicyMetrics.Shown.of(row)));
            all.sort(Comparator.comparing(PolicyMetrics.Shown::isAsItShouldBe)
                    .thenComparing(one -> keyOf(one.policy())));
            metrics.show(List.copyOf(all.subList(0, Math.min(PolicyMetrics.MOST_POLICIES, all.size()))), all.size());
        }
    }
}
