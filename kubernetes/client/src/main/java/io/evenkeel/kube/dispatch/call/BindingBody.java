package io.evenkeel.kube.dispatch.call;

import io.evenkeel.kube.api.JsonText;
import io.evenkeel.model.Pod;

/** A Binding. Its UID makes the server refuse if another pod has taken the name. */
final class BindingBody {
    private BindingBody() {}

    static String write(Pod pod, String node) {
        return JsonText.object(json -> {
            json.writeStringField("apiVersion", "v1");
            json.writeStringField("kind", "Binding");
            json.writeObjectFieldStart("metadata");
            json.writeStringField("name", pod.name());
            json.writeStringField("namespace", pod.namespace());
            if (!pod.meta().uid().isEmpty()) {
                json.writeStringField("uid", pod.meta().uid());
            }
            json.writeEndObject();
            json.writeObjectFieldStart("target");
            json.writeStringField("apiVersion", "v1");
            json.writeStringField("kind", "Node");
            json.writeStringField("name", node);
            json.writeEndObject();
        });
    }
}
