package io.evenkeel.model;

/** Reads PriorityClasses, which have no spec: {@code {2: value, 3: globalDefault, 5: preemptionPolicy}}. */
final class WirePriorityClassReader implements WireKindReader {
    private final WireValues values;

    WirePriorityClassReader(WireValues values) {
        this.values = values;
    }

    @Override
    public PriorityClass read(ObjectMeta meta, WireCursor in) {
        int value = 0;
        boolean globalDefault = false;
        boolean preempts = true;
        while (in.next()) {
            switch (in.field()) {
                case 2 -> value = in.int32();
                case 3 -> globalDefault = in.bool();
                case 5 -> preempts = values.oneOf(PreemptionPolicyReader.POLICIES, in, "preemptionPolicy");
                default -> {}
            }
        }
        return new PriorityClass(meta, value, globalDefault, preempts);
    }
}
