package io.evenkeel.app.option;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * The commit that this program was built from, by a file that the build writes, or by the launcher of a checkout: a commit of what
 * has been built already needs no other build. It is empty outside a git repository.
 *
 * @param id with {@code -dirty} at its end where the sources were changed since
 */
public record Commit(String id, String date) {
    public static final Commit OF_BUILD = read();

    private static Commit read() {
        String ofCheckout = System.getProperty("evenkeel.commit");
        if (ofCheckout != null) {
            return of(ofCheckout);
        }
        try (InputStream in = Commit.class.getResourceAsStream("commit.txt")) {
            return of(in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    static Commit of(String line) {
        String[] words = line.strip().split(" ", -1);
        return words.length == 2 ? new Commit(words[0], words[1]) : new Commit("", "");
    }

    @Override
    public String toString() {
        return id.isEmpty() ? "not built from a git repository" : "commit " + id + " of " + date;
    }
}
