package io.evenkeel.kube.election;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;

/**
 * A replica's claim as it stands in the Lease; an empty holder gives it up.
 *
 * @param acquireTime as the API writes it
 */
record LeaseClaim(String holder, int durationSeconds, String acquireTime, String renewTime, int transitions) {

    static boolean writes(String field) {
        return switch (field) {
            case "holderIdentity", "leaseDurationSeconds", "acquireTime", "renewTime", "leaseTransitions" -> true;
            default -> false;
        };
    }

    void writeFields(JsonGenerator json) throws IOException {
        json.writeStringField("holderIdentity", holder);
        json.writeNumberField("leaseDurationSeconds", durationSeconds);
        json.writeStringField("acquireTime", acquireTime);
        json.writeStringField("renewTime", renewTime);
        json.writeNumberField("leaseTransitions", transitions);
    }
}
