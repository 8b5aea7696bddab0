package io.evenkeel.model;

/** Reads Pods: {@code {1: metadata, 2: spec, 3: status}}. */
final class WirePodReader implements WireKindReader {
    private final WirePodSpecReader specs;
    private final WirePodStatusReader statuses;

    WirePodReader(WireValues values) {
        specs = new WirePodSpecReader(values);
        statuses = new WirePodStatusReader(values);
    }

    @Override
    public Pod read(ObjectMeta meta, WireCursor in) {
        PodSpec spec = specs.absent();
        PodStatus status = PodStatus.PENDING;
        while (in.next()) {
            switch (in.field()) {
                case 2 -> spec = specs.read(in.message());
                case 3 -> status = statuses.read(in.message());
                default -> {}
            }
        }
        return new Pod(meta, spec, status);
    }
}
