package io.evenkeel.groups.turn;

import io.evenkeel.engine.group.GangQuestions;
import io.evenkeel.engine.group.GroupObserver;
import io.evenkeel.engine.group.GroupParts;
import io.evenkeel.engine.group.GroupReports;
import io.evenkeel.engine.group.GroupTurns;
import io.evenkeel.engine.group.Groups;
import io.evenkeel.engine.group.MemberOutcomes;
import io.evenkeel.model.Pod;
import io.evenkeel.queue.SchedulingQueue;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/** Places gangs all or none, and looks ahead for other groups. */
public final class GroupService implements Groups {

    @Override
    public GroupTurns turns(
            GroupParts engine,
            SchedulingQueue queue,
            MemberOutcomes outcomes,
            GroupReports reports,
            GroupObserver observer,
            LongSupplier clock) {
        return new AllTurns(GroupEngine.of(engine), queue, outcomes, reports, observer, clock);
    }

    @Override
    public GangQuestions questions(GroupParts engine, Predicate<Pod> needsExtenders) {
        return new GangAnswers(GroupEngine.of(engine), needsExtenders);
    }
}
