package io.evenkeel.hollow.rest;

import com.google.gson.JsonObject;

/** The server's word on itself. */
final class ServerVersion {

    private ServerVersion() {}

    public static JsonObject answer() {
        JsonObject version = new JsonObject();
        version.addProperty("major", "1");
        version.addProperty("minor", "36");
        version.addProperty("emulationMajor", "1");
        version.addProperty("emulationMinor", "36");
        version.addProperty("minCompatibilityMajor", "1");
        version.addProperty("minCompatibilityMinor", "35");
        version.addProperty("gitVersion", "v1.36.0+hollow");
        version.addProperty("gitCommit", "");
        version.addProperty("gitTreeState", "");
        version.addProperty("buildDate", "1970-01-01T00:00:00Z");
        version.addProperty("goVersion", "");
        version.addProperty("compiler", "");
        version.addProperty("platform", "linux/amd64");
        return version;
    }
}
