package io.evenkeel.model;

/** Reads Pods. */
final class PodReader implements KindReader {
    private final PodBuilder pod = PodBuilder.pod("");

    @Override
    public void field(String name, JsonCursor in) {
        switch (name) {
            case "spec" -> PodSpecReader.read(in, pod);
            case "status" -> pod.status(PodStatusReader.read(in));
            default -> in.skip();
        }
    }

    @Override
    public Pod build(ObjectMeta meta) {
        return pod.meta(meta).build();
    }
}
