package io.evenkeel.tools.simulate;

import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;

/** The last verdict on each pod, in the order in which they came. */
final class Verdicts {
    private final SequencedMap<String, Verdict> last = new LinkedHashMap<>();

    void say(String pod, Verdict verdict) {
        last.putLast(pod, verdict);
    }

    /** Another of the same name has come. */
    void forget(String pod) {
        last.remove(pod);
    }

    Optional<Verdict> of(String pod) {
        return Optional.ofNullable(last.get(pod));
    }

    Set<String> pods() {
        return last.keySet();
    }
}
