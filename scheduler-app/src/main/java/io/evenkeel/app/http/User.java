package io.evenkeel.app.http;

import java.util.List;
import java.util.Map;

/** Who asks, as the API server knows them. */
record User(String name, String uid, List<String> groups, Map<String, List<String>> extra) {
    static final User ANONYMOUS = new User("system:anonymous", "", List.of("system:unauthenticated"), Map.of());
    private static final String MASTERS = "system:masters";

    /** Whoever is in this group may do anything, whatever the API server says. */
    boolean isMaster() {
        return groups.contains(MASTERS);
    }
}
