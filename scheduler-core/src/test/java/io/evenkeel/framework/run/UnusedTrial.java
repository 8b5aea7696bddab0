package io.evenkeel.framework.run;

import io.evenkeel.api.Status;
import io.evenkeel.cluster.WhatIf;
import io.evenkeel.framework.cycle.BatchTrial;

/** For plugins that try nothing. */
final class UnusedTrial implements BatchTrial {
    @Override
    public WhatIf whatIf() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Status verdictOn(int node) {
        throw new UnsupportedOperationException();
    }
}
