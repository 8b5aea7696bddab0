package io.evenkeel.model;

/** Reads PriorityClasses, which have no spec: all fields stand at the top. */
final class PriorityClassReader implements KindReader {
    private int value;
    private boolean globalDefault;
    private boolean preempts = true;

    @Override
    public void field(String name, JsonCursor in) {
        switch (name) {
            case "value" -> value = in.integer();
            case "globalDefault" -> globalDefault = in.bool();
            case "preemptionPolicy" -> preempts = PreemptionPolicyReader.read(in);
            default -> in.skip();
        }
    }

    @Override
    public PriorityClass build(ObjectMeta meta) {
        return new PriorityClass(meta, value, globalDefault, preempts);
    }
}
