package io.evenkeel.app.hollow.auth;

import java.util.List;

/** Who calls. */
public record User(String name, List<String> groups) {

    public static final User ANONYMOUS = new User("system:anonymous", List.of("system:unauthenticated"));

    public User {
        groups = List.copyOf(groups);
    }

    /** A user in the groups given and in that of all authenticated users. */
    public static User named(String name, String... groups) {
        return new User(
                name,
                java.util.stream.Stream.concat(List.of(groups).stream(), List.of("system:authenticated").stream())
                        .toList());
    }
}
