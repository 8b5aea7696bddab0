package io.evenkeel.serve;

import io.grpc.Context;
import java.util.function.BooleanSupplier;

/**
 * Who calls.
 *
 * @param user by name; empty where nobody is asked for it
 * @param isStillAllowed whether the call would be admitted now, too
 * @param leave closes its connection
 */
record Client(String user, BooleanSupplier isStillAllowed, Runnable leave) {
    static final Client ANYBODY = new Client("", () -> true, () -> {});

    private static final Context.Key<Client> KEY = Context.keyWithDefault("client", ANYBODY);

    static Client current() {
        return KEY.get();
    }

    Context inContext() {
        return Context.current().withValue(KEY, this);
    }
}
