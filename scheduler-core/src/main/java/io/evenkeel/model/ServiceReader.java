package io.evenkeel.model;

/** Reads Services. */
final class ServiceReader implements KindReader {
    private Labels selector = Labels.EMPTY;

    @Override
    public void field(String name, JsonCursor in) {
        if (!name.equals("spec")) {
            in.skip();
            return;
        }
        in.enterObject();
        while (in.nextField()) {
            if (in.field().equals("selector")) {
                selector = in.labels();
            } else {
                in.skip();
            }
        }
    }

    @Override
    public Service build(ObjectMeta meta) {
        return new Service(meta, selector);
    }
}
