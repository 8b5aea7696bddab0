package io.evenkeel.hollow.kind;

/** Leases are only ever replaced by who has seen their latest version. */
final class LeaseStrategy extends Strategy {

    @Override
    public boolean allowsUnconditionalUpdate() {
        return false;
    }

    @Override
    public boolean allowsCreateOnUpdate() {
        return true;
    }
}
