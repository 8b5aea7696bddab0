package io.evenkeel.lab.cli;

import com.google.gson.JsonParseException;
import io.evenkeel.app.cli.usage.FailureException;
import io.evenkeel.hollow.HollowObjects;
import io.evenkeel.hollow.status.ApiException;
import java.nio.file.Path;

/** An object that a file has for a new cluster. */
record LoadedObject(Path file, String json) {
    /** @throws FailureException if the cluster would refuse it, or has no such kind */
    void create(HollowObjects objects) {
        try {
            objects.create(json);
        } catch (ApiException | IllegalArgumentException refused) {
            throw failure(String.valueOf(refused.getMessage()), refused);
        } catch (JsonParseException noObject) {
            throw failure("expected an object, got " + json, noObject);
        }
    }

    private FailureException failure(String reason, RuntimeException cause) {
        return new FailureException(file + ": " + reason.lines().findFirst().orElse(""), cause);
    }
}
