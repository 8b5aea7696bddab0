package io.evenkeel.engine.decision;

import io.evenkeel.framework.run.BindingSteps;
import io.evenkeel.framework.run.BindingSteps.Permission;
import io.evenkeel.framework.run.Objection;
import java.util.List;

/** The outcome for a pod that was to be counted on the node chosen for it. */
public sealed interface Commitment {

    /** It counts there and may be bound. */
    record Ready(BindingSteps steps) implements Commitment {}

    /** It counts there, and plugins make it wait for their permits, at least one. */
    record Waiting(BindingSteps steps, List<Permission.Delay> delays) implements Commitment {}

    /** A plugin objects at Reserve or Permit, or fails; the cluster is as it was. */
    record Refused(Objection objection) implements Commitment {}
}
