package io.evenkeel.app.http.serve;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A user as the API server knows it: the subject of an access review. */
record User(String name, String uid, List<String> groups, Map<String, List<String>> extra) {
    private static final String AUTHENTICATED = "system:authenticated";
    private static final String UNAUTHENTICATED = "system:unauthenticated";
    static final User ANONYMOUS = new User("system:anonymous", "", List.of(UNAUTHENTICATED), Map.of());
    private static final String MASTERS = "system:masters";

    /** This user in {@code system:authenticated} too, unless it is in that group or in its opposite already. */
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

    /** Members of {@code system:masters} may do anything; the API server is not asked. */
    boolean isMaster() {
        return groups.contains(MASTERS);
    }
}
