package io.evenkeel.app.hollow.kind;

/** Kinds whose deletion is answered with what was deleted. */
final class ReturningStrategy extends Strategy {

    private final boolean status;

    ReturningStrategy(boolean status) {
        this.status = status;
    }

    @Override
    protected boolean hasStatus() {
        return status;
    }

    @Override
    public boolean returnsDeleted() {
        return true;
    }
}
