package io.evenkeel.kube.event;

import io.evenkeel.engine.ObjectEvent;
import io.evenkeel.kube.api.ApiTime;
import io.evenkeel.kube.api.JsonText;
import io.evenkeel.kube.event.EventTask.Occurrence;
import java.nio.charset.StandardCharsets;

/** A new Event of events.k8s.io/v1. */
final class EventBody {
    /** In bytes, as the server counts them. */
    private static final int LONGEST_NOTE = 1024;

    private static final String CUT = " ...";
    private static final int LONGEST_INSTANCE = 128;

    private EventBody() {}

    static String write(Occurrence occurrence, String name, String namespace, String identity) {
        ObjectEvent said = occurrence.event();
        Regarding regarding = occurrence.regarding();
        return JsonText.object(json -> {
            json.writeStringField("apiVersion", "events.k8s.io/v1");
            json.writeStringField("kind", "Event");
            json.writeObjectFieldStart("metadata");
            json.writeStringField("name", name);
            json.writeStringField("namespace", namespace);
            json.writeEndObject();
            json.writeStringField("eventTime", ApiTime.micros(occurrence.time()));
            json.writeStringField("reportingController", said.reportingController());
            json.writeStringField("reportingInstance", instance(said.reportingController(), identity));
            json.writeStringField("action", said.action());
            json.writeStringField("reason", said.reason());
            json.writeObjectFieldStart("regarding");
            json.writeStringField("kind", regarding.kind());
            json.writeStringField("namespace", regarding.namespace());
            json.writeStringField("name", regarding.name());
            if (!regarding.uid().isEmpty()) {
                json.writeStringField("uid", regarding.uid());
            }
            json.writeStringField("apiVersion", regarding.apiVersion());
            if (!regarding.resourceVersion().isEmpty()) {
                json.writeStringField("resourceVersion", regarding.resourceVersion());
            }
            json.writeEndObject();
            json.writeStringField("note", cut(said.note()));
            json.writeStringField("type", said.type().apiName());
        });
    }

    /** Cut at its beginning where it is too long: the end tells replicas on one host apart. */
    private static String instance(String controller, String identity) {
        String instance = controller + "-" + identity;
        return instance.substring(Math.max(0, instance.length() - LONGEST_INSTANCE));
    }

    static String cut(String note) {
        byte[] bytes = note.getBytes(StandardCharsets.UTF_8);
        if (bytes.length <= LONGEST_NOTE) {
            return note;
        }
        int end = LONGEST_NOTE - CUT.length();
        while ((bytes[end] & 0xC0) == 0x80) {
            end--; // not within a character
        }
        return new String(bytes, 0, end, StandardCharsets.UTF_8) + CUT;
    }
}
