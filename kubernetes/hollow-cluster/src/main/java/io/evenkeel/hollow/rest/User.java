package io.evenkeel.hollow.rest;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The user that a request is of. */
public record User(String name, List<String> groups) {

    public static final User ANONYMOUS = new User("system:anonymous", List.of("system:unauthenticated"));

    /** The group of all who are known. */
    public static final String AUTHENTICATED = "system:authenticated";

    private static final String SERVICE_ACCOUNT = "system:serviceaccount:";
    private static final String SERVICE_ACCOUNTS = "system:serviceaccounts";

    private static final int PARTS = 4;

    public User {
        groups = List.copyOf(groups);
    }

    /** A user in the groups given and in that of all authenticated users. */
    public static User named(String name, String... groups) {
        return new User(
                name,
                Stream.concat(List.of(groups).stream(), Stream.of(AUTHENTICATED))
                        .toList());
    }

    public static User serviceAccount(String namespace, String name) {
        return named(SERVICE_ACCOUNT + namespace + ":" + name, SERVICE_ACCOUNTS, SERVICE_ACCOUNTS + ":" + namespace);
    }

    public boolean isServiceAccount() {
        return name.startsWith(SERVICE_ACCOUNT);
    }

    /** The service account of this user name, if it is one's. */
    public static Optional<User> serviceAccount(String userName) {
        String[] parts = userName.split(":", -1);
        return userName.startsWith(SERVICE_ACCOUNT) && parts.length == PARTS
                ? Optional.of(serviceAccount(parts[2], parts[3]))
                : Optional.empty();
    }
}
