package io.evenkeel.cluster.counting;

import io.evenkeel.cluster.index.ShrinkingMap;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The label keys that live selectors mention: they alone tell pods apart. A key that is mentioned no more is stale and
 * stays, as the next selector often mentions it again, until they are more than a few and more than the others, or long: then all
 * of them go. So a thousand selectors that go one after the other make pods be told apart again a few times, not a thousand.
 */
final class MentionedKeys {
    private static final int STALE_TOLERATED = 8;

    /** Characters of all stale keys; the longest has 317 where an API server has seen it. */
    private static final int LENGTH_TOLERATED = 1 << 20;

    private final Map<String, Integer> selectorsByKey = new ShrinkingMap<>();
    private int stale;
    private long staleLength;

    /** Counts one selector more; the keys that it is the first to mention. */
    List<String> add(LabelSelector selector) {
        List<String> added = List.of();
        for (String key : selector.keys()) {
            Integer selectors = selectorsByKey.get(key);
            if (selectors == null) {
                added = added.isEmpty() ? new ArrayList<>() : added;
                added.add(key);
            } else if (selectors == 0) {
                stale--;
                staleLength -= key.length();
            }
            selectorsByKey.merge(key, 1, Integer::sum);
        }
        return added;
    }

    /** Counts one selector less; the stale keys, where they have gone by it. */
    List<String> remove(LabelSelector selector) {
        for (String key : selector.keys()) {
            if (selectorsByKey.merge(key, -1, Integer::sum) == 0) {
                stale++;
                staleLength += key.length();
            }
        }
        if (stale <= Math.max(STALE_TOLERATED, selectorsByKey.size() - stale) && staleLength <= LENGTH_TOLERATED) {
            return List.of();
        }
        List<String> gone = selectorsByKey.entrySet().stream()
                .filter(entry -> entry.getValue() == 0)
                .map(Map.Entry::getKey)
                .toList();
        gone.forEach(selectorsByKey::remove);
        stale = 0;
        staleLength = 0;
        return gone;
    }

    /** Returns the labels that may tell their pod from others. */
    Labels among(Labels labels) {
        return labels.retain(selectorsByKey::containsKey);
    }

    /** Each key with the number of live selectors that mention it. */
    Map<String, Integer> selectorsByKey() {
        return selectorsByKey;
    }

    int stale() {
        return stale;
    }
}
