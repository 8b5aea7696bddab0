package io.evenkeel.app.option;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import io.evenkeel.config.CompatibilityLevel;
import io.evenkeel.kube.api.ApiAnswer;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.client.ApiObserver;
import io.evenkeel.kube.client.ConnectionOptions;
import io.evenkeel.kube.client.HttpTransport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The release of an API server, such as 1.37, which tells whose answers its users expect. */
public record ServerRelease(int major, int minor) implements Comparable<ServerRelease> {
    private static final int LONGEST = 64 * 1024;
    private static final Pattern NUMBER = Pattern.compile("(\\d{1,4})(\\D.*)?");

    /** Asks the server; empty where it does not say. */
    public static Optional<ServerRelease> of(ApiTransport server) {
        try (ApiAnswer answer = server.call(ApiCall.get("/version"))) {
            String text = new String(answer.body().readNBytes(LONGEST), StandardCharsets.UTF_8);
            return answer.code() == 200 ? parse(text) : Optional.empty();
        } catch (IOException unanswered) {
            return Optional.empty();
        }
    }

    /** Asks the server there once. */
    public static Optional<ServerRelease> at(ConnectionOptions server, String version) {
        try (HttpTransport transport = HttpTransport.open(server, version, ApiObserver.NONE)) {
            return of(transport);
        }
    }

    /** Distributions write a minor release as {@code 37+}. */
    static Optional<ServerRelease> parse(String text) {
        try {
            if (JsonParser.parseString(text) instanceof JsonObject version
                    && version.get("major") instanceof JsonPrimitive major
                    && version.get("minor") instanceof JsonPrimitive minor) {
                Matcher first = NUMBER.matcher(major.getAsString());
                Matcher second = NUMBER.matcher(minor.getAsString());
                return first.matches() && second.matches()
                        ? Optional.of(
                                new ServerRelease(Integer.parseInt(first.group(1)), Integer.parseInt(second.group(1))))
                        : Optional.empty();
            }
            return Optional.empty();
        } catch (JsonParseException noJson) {
            return Optional.empty();
        }
    }

    /** The newest level that is not newer than the server, of those that are proved; the first for older servers. */
    public CompatibilityLevel level() {
        CompatibilityLevel found = CompatibilityLevel.FIRST;
        for (CompatibilityLevel level : CompatibilityLevel.values()) {
            found = level.compareTo(CompatibilityLevel.PROVED) <= 0 && of(level).compareTo(this) <= 0 ? level : found;
        }
        return found;
    }

    /** Whether no level that is proved is as new. */
    public boolean isNewer() {
        return of(CompatibilityLevel.PROVED).compareTo(this) < 0;
    }

    private static ServerRelease of(CompatibilityLevel level) {
        return new ServerRelease(Integer.parseInt(level.major()), Integer.parseInt(level.minor()));
    }

    @Override
    public int compareTo(ServerRelease other) {
        return major == other.major ? Integer.compare(minor, other.minor) : Integer.compare(major, other.major);
    }

    @Override
    public String toString() {
        return major + "." + minor;
    }
}
