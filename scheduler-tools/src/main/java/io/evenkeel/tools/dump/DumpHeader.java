package io.evenkeel.tools.dump;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import io.evenkeel.model.write.Tree;
import io.evenkeel.problem.UserProblem;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The first line of a dump.
 *
 * @param program that made it, and its version
 * @param time as RFC 3339 has it
 * @param source the API server or the scheduler that it is from; empty where names were replaced
 * @param leftOut by kind: why there is nothing of it
 */
public record DumpHeader(String program, String time, String source, boolean anonymised, Map<String, String> leftOut) {
    static final int VERSION = 1;

    private static final String DUMP = "dump";
    private static final String NAME = "evenkeel";
    private static final String NOT_SAID = "why is not said, as there could be names in it";

    /** Where it is from and why something is missing may have names in it. */
    public DumpHeader {
        if (anonymised) {
            source = "";
            leftOut = leftOut.keySet().stream().collect(Collectors.toMap(kind -> kind, _ -> NOT_SAID));
        }
    }

    /** Of a dump that this program, of that version, makes now. */
    public static DumpHeader now(String version, String source, boolean anonymised, Map<String, String> leftOut) {
        return new DumpHeader(
                "evenkeel " + version,
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                source,
                anonymised,
                leftOut);
    }

    String json() {
        Tree tree = new Tree()
                .put(DUMP, NAME)
                .put("version", VERSION)
                .put("program", program)
                .put("time", time)
                .put("source", source)
                .put("anonymised", anonymised);
        if (!leftOut.isEmpty()) {
            tree.put("leftOut", new TreeMap<>(leftOut));
        }
        return tree.json();
    }

    /** Reads the header in a line; empty where it is not the first line of a dump. */
    static Optional<DumpHeader> of(String line, String file) {
        if (!line.startsWith("{\"" + DUMP + "\"")) {
            return Optional.empty();
        }
        try {
            JsonObject json = JsonParser.parseString(line).getAsJsonObject();
            String version = text(json, "version");
            if (!version.equals(String.valueOf(VERSION))) {
                throw new UserProblem(file + ":1: version: this is a dump of version " + version
                        + ", and this program reads version " + VERSION);
            }
            Map<String, String> leftOut = new TreeMap<>();
            if (json.get("leftOut") instanceof JsonObject kinds) {
                kinds.keySet().forEach(kind -> leftOut.put(kind, text(kinds, kind)));
            }
            return Optional.of(new DumpHeader(
                    text(json, "program"),
                    text(json, "time"),
                    text(json, "source"),
                    text(json, "anonymised").equals("true"),
                    leftOut));
        } catch (JsonParseException | IllegalStateException malformed) {
            throw new UserProblem(file + ":1: no valid JSON");
        }
    }

    private static String text(JsonObject json, String member) {
        return json.get(member) instanceof JsonPrimitive text ? text.getAsString() : "";
    }
}
