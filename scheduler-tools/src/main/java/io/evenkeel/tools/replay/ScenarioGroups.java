package io.evenkeel.tools.replay;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.evenkeel.model.Pod;
import io.evenkeel.model.decode.cursor.JsonCursor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The groups of a scenario: how they are placed, and which pods are in which. Pods that name no group are one together.
 *
 * @param pods by the name of their group, in the order of the scenario
 */
record ScenarioGroups(GroupMode mode, Map<String, List<Pod>> pods) {
    private static final String GROUP_NAME = "groupName";

    /** Of a scenario that has been read; the names stand beside the pods' own fields, where readers of pods pass them over. */
    static ScenarioGroups of(GroupMode mode, List<Pod> pods, String line, JsonFactory json) throws IOException {
        List<String> names = names(line, json);
        Map<String, Integer> keys = new LinkedHashMap<>();
        Map<String, List<Pod>> byName = new LinkedHashMap<>();
        for (int i = 0; i < pods.size(); i++) {
            if (keys.putIfAbsent(pods.get(i).key(), i) != null) {
                throw new ScenarioException("pods[" + i + "]: a second Pod "
                        + pods.get(i).key() + "; pods that are placed together need names of their own");
            }
            byName.computeIfAbsent(names.get(i), _ -> new ArrayList<>()).add(pods.get(i));
        }
        return new ScenarioGroups(mode, byName.isEmpty() ? Map.of("", List.of()) : byName);
    }

    private static List<String> names(String line, JsonFactory json) throws IOException {
        List<String> names = new ArrayList<>();
        try (JsonParser parser = json.createParser(line)) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                boolean arePods = parser.currentName().equals("pods");
                parser.nextToken();
                if (!arePods || parser.currentToken() != JsonToken.START_ARRAY) {
                    parser.skipChildren();
                    continue;
                }
                names.clear();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    names.add(nameOfOne(parser, names.size()));
                }
            }
        }
        return names;
    }

    private static String nameOfOne(JsonParser parser, int pod) throws IOException {
        String name = "";
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            boolean isName = parser.currentName().equals(GROUP_NAME);
            JsonToken value = parser.nextToken();
            if (isName && value == JsonToken.VALUE_STRING) {
                name = parser.getText();
            } else if (isName && value != JsonToken.VALUE_NULL) {
                throw new ScenarioException(
                        "pods[" + pod + "]." + GROUP_NAME + ": expected a string, got " + JsonCursor.describe(parser));
            }
            parser.skipChildren();
        }
        return name;
    }

    /** Whether a path within a pod's entry is that of its group's name, which Kubernetes does not know. */
    static boolean isGroupName(String path) {
        return path.equals(GROUP_NAME);
    }
}
