package io.evenkeel.app.http.auth;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Who asks, as the API server knows them. */
public record User(String name, String uid, List<String> groups, Map<String, List<String>> extra) {
    private static final String AUTHENTICATED = "system:authenticated";
    private static final String UNAUTHENTICATED = "system:unauthenticated";
    static final User ANONYMOUS = new User("system:anonymous", "", List.of(UNAUTHENTICATED), Map.of());
    private static final String MASTERS = "system:masters";

    /** The same in the group of all who are known; who is in one of the two already stays as they are. */
    User authenticated() {
        boolean told =
                name.equals(ANONYMOUS.name) || groups.contains(AUTHENTICATED) || groups.contains(UNAUTHENTICATED);
        return told
                ? this
                : new User(
                        name,
                        uid,
                        Stream.concat(groups.stream(), Stream.of(AUTHENTICATED)).toList(),
                        extra);
    }

    /** Whoever is in this group may do anything, whatever the API server says. */
    boolean isMaster() {
        return groups.contains(MASTERS);
    }
}
