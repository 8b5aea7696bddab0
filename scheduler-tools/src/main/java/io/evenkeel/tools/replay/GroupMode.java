package io.evenkeel.tools.replay;

import io.evenkeel.problem.NearestName;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;

enum GroupMode {
    /** In a legal order, each beside those before it; as many as possible where not all can be. */
    LOOK_AHEAD("lookAhead"),
    /** In a legal order, all or none. */
    GANG("gang"),
    /** All or none, and all at once where no order is legal but the end is. */
    END_STATE("endState");

    private final String written;

    GroupMode(String written) {
        this.written = written;
    }

    static GroupMode of(String text) {
        Set<String> known =
                Arrays.stream(values()).map(mode -> mode.written).collect(Collectors.toCollection(LinkedHashSet::new));
        return Arrays.stream(values())
                .filter(mode -> mode.written.equals(text))
                .findFirst()
                .orElseThrow(() -> new ScenarioException("group: expected one of " + String.join(", ", known)
                        + ", got \"" + text + "\"" + NearestName.hint(text, known)));
    }
}
