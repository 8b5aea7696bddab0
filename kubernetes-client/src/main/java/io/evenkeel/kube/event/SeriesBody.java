package io.evenkeel.kube.event;

import io.evenkeel.kube.api.ApiTime;
import io.evenkeel.kube.api.JsonText;

/** The patch that tells an Event how often it has happened. */
final class SeriesBody {
    private SeriesBody() {}

    static String write(Series series) {
        return JsonText.object(json -> {
            json.writeObjectFieldStart("series");
            json.writeNumberField("count", series.count());
            json.writeStringField("lastObservedTime", ApiTime.micros(series.lastObserved()));
            json.writeEndObject();
        });
    }
}
