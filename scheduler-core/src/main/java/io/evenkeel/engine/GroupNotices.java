package io.evenkeel.engine;

import io.evenkeel.engine.group.GroupReports;
import io.evenkeel.model.CoschedulingPodGroup;
import io.evenkeel.model.GroupCondition;
import io.evenkeel.model.GroupObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodGroup;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Reports of groups to their users: events about the object that declares one and, where its kind has them, conditions. That it
 * was scheduled is never taken back; that pods of it are missing is a condition of its own.
 */
record GroupNotices(Consumer<? super Command> commands) implements GroupReports {
    @Override
    public void scheduled(GroupObject object, Pod member) {
        say(object, member, GroupCondition.INITIALLY_SCHEDULED, "True", "Scheduled", "");
    }

    @Override
    public void unschedulable(GroupObject object, Pod member, String message) {
        say(object, member, GroupCondition.INITIALLY_SCHEDULED, "False", GroupCondition.UNSCHEDULABLE, message);
        record(object, member, ObjectEvent.failedScheduling(message, schedulerOf(member)));
    }

    @Override
    public void failed(GroupObject object, Pod member, String message) {
        say(object, member, GroupCondition.INITIALLY_SCHEDULED, "False", GroupCondition.SCHEDULER_ERROR, message);
        record(object, member, ObjectEvent.failedScheduling(message, schedulerOf(member)));
    }

    @Override
    public void degraded(GroupObject object, Pod member, int inPlace, int needed) {
        String message = inPlace + " of " + needed + " pods that are needed are in place";
        say(object, member, GroupCondition.DEGRADED, "True", "PodsMissing", message);
        record(
                object,
                member,
                new ObjectEvent(ObjectEvent.Type.WARNING, "Degraded", "Scheduling", message, schedulerOf(member)));
    }

    @Override
    public void recovered(GroupObject object, Pod member, int inPlace) {
        String message = inPlace == 0 ? "no pod of it is in place any more" : inPlace + " pods are in place";
        say(object, member, GroupCondition.DEGRADED, "False", inPlace == 0 ? "Ended" : "Recovered", message);
        record(
                object,
                member,
                new ObjectEvent(ObjectEvent.Type.NORMAL, "Recovered", "Scheduling", message, schedulerOf(member)));
    }

    private void say(GroupObject object, Pod member, String type, String status, String reason, String message) {
        if (!(object instanceof PodGroup group)) {
            return;
        }
        Optional<GroupCondition> before = group.condition(type);
        boolean isFinal = type.equals(GroupCondition.INITIALLY_SCHEDULED)
                && before.filter(GroupCondition::isTrue).isPresent();
        GroupCondition now = new GroupCondition(
                        type, status, reason, message, "", group.meta().generation())
                .after(before);
        if (!isFinal && !before.equals(Optional.of(now))) {
            commands.accept(new Command.PatchGroup(member, Kinds.POD_GROUP, group.meta(), now));
        }
    }

    private void record(GroupObject object, Pod member, ObjectEvent event) {
        commands.accept(new Command.RecordGroupEvent(member, kindOf(object), object.meta(), event));
    }

    private static Kind<?> kindOf(GroupObject object) {
        return switch (object) {
            case PodGroup _ -> Kinds.POD_GROUP;
            case CoschedulingPodGroup _ -> Kinds.COSCHEDULING_POD_GROUP;
        };
    }

    private static String schedulerOf(Pod member) {
        return member.spec().schedulerName();
    }
}
