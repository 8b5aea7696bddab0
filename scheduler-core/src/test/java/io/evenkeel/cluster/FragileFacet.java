package io.evenkeel.cluster;

import io.evenkeel.cluster.shape.FacetKind;
import io.evenkeel.model.Pod;

/** A plugin's value that throws for some pods: when it is read, hashed, or compared with another of its hash. */
public record FragileFacet(String pod) {
    public static final FragileFacet UNREADABLE = new FragileFacet("unreadable");

    public static final FacetKind<FragileFacet> KIND = FacetKind.of("fragile", UNREADABLE, FragileFacet::of);

    private static FragileFacet of(Pod pod) {
        FragileFacet value = new FragileFacet(pod.name());
        return switch (value.kindOfPod()) {
            case 0 -> throw new IllegalStateException("not to be read");
            case 1 -> throw new NoClassDefFoundError("com/example/Gone");
            default -> value;
        };
    }

    /** One of six, which a pod's name decides. */
    private int kindOfPod() {
        return Math.floorMod(pod.hashCode(), 6);
    }

    @Override
    public int hashCode() {
        if (kindOfPod() == 2) {
            throw new AssertionError("not to be hashed");
        }
        return 0;
    }

    @Override
    public boolean equals(Object other) {
        if (kindOfPod() == 3) {
            throw new StackOverflowError();
        }
        return other instanceof FragileFacet(String name) && name.equals(pod);
    }
}
