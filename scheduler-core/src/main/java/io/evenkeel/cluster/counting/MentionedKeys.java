package io.evenkeel.cluster.counting;

import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import java.util.HashMap;
import java.util.Map;

/**
 * The label keys that live selectors mention: they alone tell pods apart. A key that is mentioned no more is stale and
 * stays, as the next selector often mentions it again, until they are more than a few and more than the others: then all of
 * them go. So a thousand selectors that go one after the other make pods be told apart anew a few times, not a thousand.
 */
final class MentionedKeys {
    private static final int STALE_TOLERATED = 8;

    private final Map<String, Integer> selectorsByKey = new HashMap<>();
    private int stale;

    /** Counts one selector more; whether it mentions a key that is new. */
    boolean add(LabelSelector selector) {
        boolean isNew = false;
        for (String key : selector.keys()) {
            Integer selectors = selectorsByKey.get(key);
            isNew |= selectors == null;
            if (selectors != null && selectors == 0) {
                stale--;
            }
            selectorsByKey.merge(key, 1, Integer::sum);
        }
        return isNew;
    }

    /** Counts one selector less; whether the stale keys have gone by it. */
    boolean remove(LabelSelector selector) {
        for (String key : selector.keys()) {
            if (selectorsByKey.merge(key, -1, Integer::sum) == 0) {
                stale++;
            }
        }
        if (stale <= Math.max(STALE_TOLERATED, selectorsByKey.size() - stale)) {
            return false;
        }
        selectorsByKey.values().removeIf(selectors -> selectors == 0);
        stale = 0;
        return true;
    }

    /** Of these labels those that may tell their pod from others. */
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
