package io.evenkeel.hollow.kind;

import com.google.gson.JsonObject;

/** Kinds with a spec by users and a status by a controller: created without a status, and each change of the spec is counted. */
abstract class ReconciledStrategy extends Strategy {

    @Override
    public void prepareForCreate(JsonObject tree) {
        tree.remove("status");
    }

    @Override
    protected final boolean hasStatus() {
        return true;
    }

    @Override
    public final boolean tracksGeneration() {
        return true;
    }
}
