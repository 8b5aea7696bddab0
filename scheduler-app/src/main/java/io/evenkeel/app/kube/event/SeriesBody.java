package io.evenkeel.app.kube.event;

import io.evenkeel.app.kube.wire.ApiTime;
import io.evenkeel.app.kube.wire.JsonText;

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
