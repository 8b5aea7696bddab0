package io.evenkeel.kube.watch.frame;

import io.evenkeel.kube.api.ApiAnswer;

/** What a watch asks for. Protobuf is preferred: it is read in a fraction of the time. JSON is what every server has. */
public final class MediaTypes {
    private static final String JSON = "application/json";
    private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";

    public static final String STREAMS = PROTOBUF + ";stream=watch, " + JSON + ";stream=watch, " + JSON;
    public static final String LISTS = PROTOBUF + ", " + JSON;

    private MediaTypes() {}

    /** Whether the server chose protobuf; whatever else it says is taken for JSON. */
    static boolean isProtobuf(ApiAnswer answer) {
        return answer.contentType().startsWith(PROTOBUF);
    }
}
