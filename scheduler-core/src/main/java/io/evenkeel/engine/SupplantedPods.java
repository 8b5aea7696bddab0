package io.evenkeel.engine;

import io.evenkeel.model.Pod;
import java.util.HashMap;
import java.util.Map;

/**
 * Pods of which a look-up has told that another has their name by now, as long as the watches are behind: what they still tell
 * of them is old. For example, of a pod that was to be bound, by its UID:
 *
 * <pre>
 *   look-up    web is u2, on n1       u2 counts on n1
 *   watch      web is u1, a label     old: u2 stays
 *   watch      web, u1, is gone       the watch has caught up
 *   watch      web is u2, on n1
 * </pre>
 */
public final class SupplantedPods {
    /** UIDs by key. */
    private final Map<String, String> uids = new HashMap<>();

    /** A look-up for the one pod has found the other. */
    public void found(Pod asked, Pod found) {
        if (!asked.meta().uid().equals(found.meta().uid())) {
            uids.put(asked.key(), asked.meta().uid());
        }
    }

    /** A watch tells this of a pod; whether that is old. */
    public boolean isOld(Pod news) {
        if (news.meta().uid().equals(uids.get(news.key()))) {
            return true;
        }
        uids.remove(news.key());
        return false;
    }

    /** A watch tells that a pod of this key is gone. */
    public void sawGone(String key) {
        uids.remove(key);
    }

    /** The watch has told everything again. */
    public void forgetAll() {
        uids.clear();
    }
}
