package io.evenkeel.hollow.registry;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;

/**
 * Removes nulls and empty lists. A real server loses them between reading and writing, since its types leave out what is
 * empty; without this an untouched field would differ from one that was cleared.
 */
final class EmptyMembers {

    private EmptyMembers() {}

    static void removeFrom(JsonObject tree) {
        tree.entrySet().removeIf(member -> isEmpty(member.getValue()));
        tree.entrySet().forEach(member -> descend(member.getValue()));
    }

    private static void descend(JsonElement element) {
        switch (element) {
            case JsonObject object -> removeFrom(object);
            case JsonArray array -> array.forEach(EmptyMembers::descend);
            default -> {}
        }
    }

    private static boolean isEmpty(JsonElement element) {
        return element instanceof JsonNull || (element instanceof JsonArray array && array.isEmpty());
    }
}
