package io.evenkeel.kube.dispatch.call;

import io.evenkeel.kube.api.JsonText;
import io.evenkeel.model.Pod;

/** DeleteOptions. Their UID makes the server refuse if another pod has taken the name. */
final class DeletionBody {
    private DeletionBody() {}

    static String write(Pod pod) {
        return JsonText.object(json -> {
            json.writeStringField("apiVersion", "v1");
            json.writeStringField("kind", "DeleteOptions");
            if (!pod.meta().uid().isEmpty()) {
                json.writeObjectFieldStart("preconditions");
                json.writeStringField("uid", pod.meta().uid());
                json.writeEndObject();
            }
        });
    }
}
