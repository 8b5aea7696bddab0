package io.evenkeel.world.check;

import com.google.gson.JsonParser;
import io.evenkeel.hollow.json.Trees;
import io.evenkeel.kube.api.ApiCall;
import java.util.HashSet;
import java.util.Set;

/** Of which pods somebody has tried to tell by an event; whether it came through is not known, as nobody reads them again. */
public final class Reports {
    private final Set<String> told = new HashSet<>();

    /** A request goes out now. */
    public void sends(ApiCall call) {
        if (call.path().endsWith("/events")) {
            call.body()
                    .map(body -> JsonParser.parseString(body.content()).getAsJsonObject())
                    .ifPresent(event -> told.add(Trees.text(event, "regarding", "uid")));
        }
    }

    boolean haveToldOf(String uid) {
        return told.contains(uid);
    }
}
