package io.evenkeel.kube.watch;

/** The media types that a watch asks for. Protobuf is preferred: it is read in a fraction of the time. JSON is what every server has. */
final class MediaTypes {
    private static final String JSON = "application/json";
    private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";

    public static final String STREAMS = PROTOBUF + ";stream=watch, " + JSON + ";stream=watch, " + JSON;
    public static final String LISTS = PROTOBUF + ", " + JSON;

    private MediaTypes() {}
}
