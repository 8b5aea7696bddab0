package io.evenkeel.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.ObjectPatch;
import io.evenkeel.api.ObjectPatch.Form;
import io.evenkeel.api.Preparation;
import io.evenkeel.api.Preparation.ObjectName;
import io.evenkeel.api.Preparation.Progress;
import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.engine.CommandResult.WriteFailure;
import io.evenkeel.framework.ReversiblePreparation;
import io.evenkeel.model.Namespace;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.queue.SchedulingQueue.QueueState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A pod needs an object written and awaited before it is bound, at second 0: what may come of that. */
class PreparationsTest {
    private static final Namespace AWAITED = new Namespace(ObjectMeta.named("", "awaited"));
    private static final Namespace OTHER = new Namespace(ObjectMeta.named("", "other"));
    private static final ObjectPatch PATCH =
            new ObjectPatch(Kinds.NAMESPACE, AWAITED.meta(), Map.of("spec", Map.of("for", "p")));
    private static final ObjectPatch OTHER_PATCH =
            new ObjectPatch(Kinds.NAMESPACE, OTHER.meta(), Map.of("spec", Map.of("for", "p")));
    private static final ObjectPatch FROM_3 =
            new ObjectPatch(Kinds.NAMESPACE, AWAITED.meta().withVersion("3", 0), Map.of("spec", Map.of("for", "p")));
    private static final Progress WAITING = new Progress.Waiting(Set.of(new ObjectName("Namespace", "awaited")));

    private final PlayedScheduler test = new PlayedScheduler().withNodes("n1", "n2");
    private final Pod pod = ScriptedPlugin.pod("p");
    private List<ObjectPatch> writes = List.of(PATCH);
    private Supplier<Progress> progress = () -> WAITING;
    private int asked;

    private class Scripted implements Preparation {
        @Override
        public List<ObjectPatch> writes() {
            return writes;
        }

        @Override
        public Duration timeLimit() {
            return Duration.ofSeconds(10);
        }

        @Override
        public String lateness() {
            return "it took too long";
        }

        @Override
        public Progress progress() {
            asked++;
            return progress.get();
        }
    }

    private final class Reversible extends Scripted implements ReversiblePreparation {
        private final List<ObjectPatch> wrote = new ArrayList<>();

        @Override
        public void wrote(ObjectPatch write, String uid, String version, long at) {
            wrote.add(write);
        }

        @Override
        public String refusal(ObjectPatch write, String why) {
            return "write " + write.object().name() + ": " + why;
        }

        @Override
        public Optional<Notice> notice() {
            return Optional.of(new Notice("Pending", "waiting for devices"));
        }

        @Override
        public List<ObjectPatch> undo() {
            return wrote.isEmpty() ? List.of() : List.of(OTHER_PATCH);
        }

        @Override
        public Set<String> drivers() {
            return Set.of("a.example.com");
        }
    }

    @BeforeEach
    void isToBeWritten() {
        test.preparation = Optional.of(new Scripted());
        test.put(pod);
        test.schedule();
        assertThat(test.commands).contains(new Command.WriteObject(pod, PATCH));
        assertStage("WRITE");
        test.commands.clear();
    }

    @AfterEach
    void theCountsAreRight() {
        assertThat(ClusterAudit.differences(test.scheduler.cluster())).isEmpty();
    }

    private void written() {
        test.scheduler.handle(new CommandResult.Written(pod));
    }

    private void notWritten(WriteFailure failure) {
        test.scheduler.handle(new CommandResult.NotWritten(pod, failure, "said so"));
    }

    private void assertStage(String stage) {
        assertThat(test.scheduler.onTheirWay())
                .extracting(Scheduler.OnItsWay::waitingFor)
                .containsExactly(stage);
    }

    private void assertPlaceIsFree() {
        assertThat(test.scheduler.onTheirWay()).isEmpty();
        assertThat(test.scheduler.cluster().pods().count()).isZero();
        assertThat(test.plugin.reserved).isEmpty();
        assertThat(test.bindings()).isEmpty();
    }

    private void assertFailed(String message) {
        assertPlaceIsFree();
        assertThat(test.conditions()).containsExactly("SchedulerError " + message);
        assertThat(test.stateOf(pod)).isEqualTo(QueueState.ERROR_BACKOFF);
    }

    @Test
    void itIsWrittenThenAwaitedThenBound() {
        written();
        assertStage("AWAIT");
        assertThat(test.bindings()).isEmpty();

        progress = () -> Progress.DONE;
        test.put(AWAITED);

        assertThat(test.bindings()).extracting(Command.Bind::node).containsExactly("n1");
        assertStage("ANSWER");
        test.bindLast();
        assertThat(test.attempts).hasSize(1).first().asString().startsWith("scheduled");
    }

    @Test
    void whatIsDoneAtOnceIsBoundAtOnce() {
        progress = () -> Progress.DONE;
        written();
        assertThat(test.bindings()).hasSize(1);
    }

    @Test
    void thoseThatAwaitTheSameAreBoundInTheOrderInWhichTheyBeganTo() {
        written();
        List<String> inOrder = new ArrayList<>(List.of("p"));
        for (int i = 0; i < 20; i++) {
            Pod next = ScriptedPlugin.pod("p" + i);
            inOrder.add(next.meta().name());
            test.put(next);
            test.schedule();
            test.scheduler.handle(new CommandResult.Written(next));
        }

        progress = () -> Progress.DONE;
        test.put(AWAITED);

        assertThat(test.bindings()).extracting(bind -> bind.pod().meta().name()).containsExactlyElementsOf(inOrder);
    }

    @Test
    void itCountsOnItsNodeMeanwhile() {
        assertThat(test.scheduler.cluster().isAssumed(pod.key())).isTrue();
        written();
        assertThat(test.scheduler.cluster().isAssumed(pod.key())).isTrue();
        test.put(pod);
        assertThat(test.scheduler.cluster().isAssumed(pod.key()))
                .as("old news of it")
                .isTrue();
    }

    @Test
    void whatIsOnlySaidIsTakenAsGiven() {
        test.scheduler.handle(new CommandResult.OnlySaid(pod));
        assertThat(asked).isZero();
        assertThat(test.bindings()).hasSize(1);
    }

    @Test
    void aRefusedWriteFreesThePlace() {
        notWritten(WriteFailure.FAILED);
        assertFailed("running PreBind plugin \"Preparing\": said so");
    }

    @Test
    void aFormerLeaderSaysNothingToThePodsUser() {
        notWritten(WriteFailure.NOT_LEADING);
        assertPlaceIsFree();
        assertThat(test.commands).isEmpty();
        assertThat(test.stateOf(pod)).isEqualTo(QueueState.ERROR_BACKOFF);
    }

    @Test
    void whereNothingWillComeOfItThePlaceIsFree() {
        written();
        progress = () -> new Progress.Failed("nothing will come of it");
        test.put(AWAITED);
        assertFailed("running PreBind plugin \"Preparing\": nothing will come of it");
    }

    @Test
    void aPluginThatFailsFreesThePlace() {
        progress = () -> {
            throw new IllegalStateException("no luck");
        };
        written();
        assertFailed("running PreBind plugin \"Preparing\": java.lang.IllegalStateException: no luck");
    }

    @Test
    void timeIsUpSoLongAfterTheWrite() {
        test.is(5);
        written();
        test.at(14.5);
        assertStage("AWAIT");

        test.at(15.5);

        assertFailed("running PreBind plugin \"Preparing\": it took too long");
    }

    @Test
    void newsOfWhatIsAwaitedIsLookedAtAtOnceAndOtherNewsNot() {
        written();
        assertThat(asked).isEqualTo(1);
        test.put(OTHER);
        assertThat(asked).isEqualTo(1);
        test.put(AWAITED);
        assertThat(asked).isEqualTo(2);
        test.remove(AWAITED);
        assertThat(asked).as("that it is gone is news, too").isEqualTo(3);
    }

    @Test
    void otherwiseItIsLookedAtEachSecond() {
        written();
        assertThat(test.nextDeadline()).isEqualTo(1);
        test.at(0.5);
        assertThat(asked).isEqualTo(1);
        test.at(1);
        assertThat(asked).isEqualTo(2);
        assertThat(test.nextDeadline()).isEqualTo(2);
    }

    @Test
    void whatWaitsForNothingThatHasANameIsLookedAtEachSecond() {
        progress = () -> new Progress.Waiting(Set.of());
        written();
        assertStage("AWAIT");

        progress = () -> Progress.DONE;
        test.at(1);
        assertThat(test.bindings()).hasSize(1);
    }

    @Test
    void aPodThatIsDeletedMeanwhileIsNotAwaited() {
        written();
        test.remove(pod);
        assertPlaceIsFree();

        progress = () -> Progress.DONE;
        test.put(AWAITED);
        test.at(1);
        assertPlaceIsFree();
    }

    @Test
    void theAnswerForAPodThatIsGoneOnlyFreesWhatWasReserved() {
        test.remove(pod);
        assertThat(test.scheduler.onTheirWay()).isEmpty();
        assertThat(test.plugin.reserved).as("what is written may be the pod's").isNotEmpty();
        written();
        assertPlaceIsFree();
        notWritten(WriteFailure.FAILED);
        assertPlaceIsFree();
        assertThat(test.commands).isEmpty();
    }

    @Test
    void aPodThatSomebodyElseHasBoundCountsThere() {
        written();
        test.put(PodBuilder.from(pod).version("2", 0).nodeName("n2").build());

        assertThat(test.scheduler.onTheirWay()).isEmpty();
        assertThat(test.plugin.reserved).isEmpty();
        progress = () -> Progress.DONE;
        test.put(AWAITED);
        assertThat(test.bindings()).isEmpty();
        assertThat(test.scheduler.cluster().pods().count()).isEqualTo(1);
        assertThat(test.scheduler.cluster().isAssumed(pod.key())).isFalse();
    }

    @Test
    void aNodeThatGoesMeanwhileIsSeenWithinASecond() {
        written();
        progress = () -> new Progress.Failed("the node is gone");
        test.remove(NodeBuilder.node("n1").build());
        test.is(1);
        test.scheduler.tick();
        assertFailed("running PreBind plugin \"Preparing\": the node is gone");
    }

    @Test
    void aPodThatFailedIsTriedAgainAndWritesAgain() {
        notWritten(WriteFailure.FAILED);
        test.commands.clear();
        test.at(2);
        assertThat(test.commands).contains(new Command.WriteObject(pod, PATCH));
    }

    @Test
    void onePatchIsWrittenAfterTheOther() {
        decidedAnewWith(PATCH, OTHER_PATCH);
        assertThat(writes()).containsExactly(PATCH);

        written();
        assertStage("WRITE");
        assertThat(writes()).containsExactly(PATCH, OTHER_PATCH);

        written();
        assertStage("AWAIT");
        assertThat(writes()).hasSize(2);
    }

    @Test
    void afterOneThatIsRefusedNoneIsWritten() {
        decidedAnewWith(PATCH, OTHER_PATCH);
        notWritten(WriteFailure.FAILED);
        assertPlaceIsFree();
        assertThat(writes()).containsExactly(PATCH);
    }

    @Test
    void allThatWouldBeWrittenIsSaid() {
        decidedAnewWith(PATCH, OTHER_PATCH);
        test.scheduler.handle(new CommandResult.OnlySaid(pod));
        assertThat(writes()).containsExactly(PATCH, OTHER_PATCH);
        assertThat(test.bindings()).isEmpty();
        test.scheduler.handle(new CommandResult.OnlySaid(pod));
        assertThat(test.bindings()).hasSize(1);
    }

    @Test
    void whatIsWrittenAlreadyIsAwaitedAtOnce() {
        decidedAnewWith();
        assertStage("AWAIT");
        progress = () -> Progress.DONE;
        test.scheduler.tick();
        assertThat(test.bindings()).hasSize(1);
        assertThat(writes()).isEmpty();
    }

    @Test
    void aLaterPatchIsOfTheObjectAsAnEarlierOneLeftIt() {
        ObjectPatch later = new ObjectPatch(Kinds.NAMESPACE, AWAITED.meta(), Map.of("status", Map.of()), Form.STATUS);
        decidedAnewWith(PATCH, OTHER_PATCH, later);
        test.scheduler.handle(new CommandResult.Written(pod, "u", "7", 0));
        test.scheduler.handle(new CommandResult.Written(pod, "other", "8", 0));

        assertThat(writes()).hasSize(3).startsWith(PATCH, OTHER_PATCH);
        assertThat(writes().getLast().object().resourceVersion()).isEqualTo("7");
        assertThat(writes().getLast().object().uid()).isEqualTo("u");
        assertThat(writes().getLast().form()).isEqualTo(Form.STATUS);
    }

    @Test
    void withoutAnAnswerItIsWrittenOnceMore() {
        isUnanswered();
        test.at(3);
        assertStage("WRITE");
        assertThat(writes()).hasSize(2).containsOnly(FROM_3);

        written();
        assertStage("AWAIT");
        progress = () -> Progress.DONE;
        test.put(AWAITED);
        assertThat(test.bindings()).hasSize(1);
    }

    @Test
    void withoutAnAnswerItIsWrittenOnceTheLeaseIsHeldAgain() {
        isUnanswered();
        test.at(3);
        notWritten(WriteFailure.NOT_LEADING);
        assertStage("AWAIT");
        test.at(5);
        notWritten(WriteFailure.NOT_LEADING);
        test.at(7);
        assertThat(writes()).hasSize(4).containsOnly(FROM_3);

        written();
        progress = () -> Progress.DONE;
        test.put(AWAITED);
        assertThat(test.bindings()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"FAILED", "OVERTAKEN"})
    void withoutAnAnswerThePlaceIsNotFreeBeforeTheObjectHasChanged(WriteFailure later) {
        isUnanswered();
        test.at(3);
        notWritten(later);
        progress = () -> Progress.DONE;
        test.put(new Namespace(AWAITED.meta().withVersion("3", 0)));
        test.at(30);
        assertStage("AWAIT");

        test.put(new Namespace(AWAITED.meta().withVersion("4", 0)));

        assertFailed("running PreBind plugin \"Preparing\": said so");
        assertThat(writes()).hasSize(2);
    }

    @Test
    void newsTellThatAnUnansweredWriteWasMade() {
        isUnanswered();
        test.put(new Namespace(AWAITED.meta().withVersion("4", 0)));
        assertFailed("running PreBind plugin \"Preparing\": said so");
    }

    @Test
    void withoutAnAnswerAndWithoutNewsThePlaceIsFreeInTheEnd() {
        isUnanswered();
        test.at(3);
        notWritten(WriteFailure.FAILED);
        test.at(62);
        assertStage("AWAIT");
        test.is(64);
        test.scheduler.tick();
        assertFailed("running PreBind plugin \"Preparing\": said so");
    }

    @Test
    void whatWasReservedForAPodThatIsGoneIsFreeOnceItIsKnownWhatWasWritten() {
        isUnanswered();
        test.remove(pod);
        assertThat(test.scheduler.onTheirWay()).isEmpty();
        assertThat(test.plugin.reserved).isNotEmpty();
        test.at(3);
        assertThat(writes()).as("not once more").hasSize(1);

        test.put(new Namespace(AWAITED.meta().withVersion("4", 0)));
        assertPlaceIsFree();
    }

    private void isUnanswered() {
        test.put(new Namespace(AWAITED.meta().withVersion("3", 0)));
        decidedAnewWith(FROM_3);
        notWritten(WriteFailure.UNKNOWN);
        assertStage("AWAIT");
    }

    @Test
    void whatWasWrittenIsTakenBackWhereNothingComesOfIt() {
        Reversible reversible = decidedAnewReversibly();
        written();
        assertThat(reversible.wrote).containsExactly(PATCH);
        assertThat(test.commands)
                .contains(new Command.RecordEvent(
                        pod,
                        new ObjectEvent(
                                ObjectEvent.Type.NORMAL,
                                "Pending",
                                "Scheduling",
                                "waiting for devices",
                                pod.spec().schedulerName())));

        progress = () -> new Progress.Failed("nothing will come of it");
        test.put(AWAITED);

        assertThat(test.commands).contains(new Command.WriteObject(pod, OTHER_PATCH, false));
        assertThat(test.waits).containsExactly("a.example.com FAILURE");
    }

    @Test
    void whatWasWrittenIsTakenBackWhereThePodIsNotBound() {
        decidedAnewReversibly();
        progress = () -> Progress.DONE;
        written();
        assertThat(test.waits).containsExactly("a.example.com SUCCESS");
        test.scheduler.handle(new CommandResult.NotBound(pod, "n1", CommandResult.BindFailure.FAILED, "no"));
        assertThat(test.commands).contains(new Command.WriteObject(pod, OTHER_PATCH, false));
    }

    @Test
    void nothingIsTakenBackFromAPodThatSomebodyElseHasBound() {
        decidedAnewReversibly();
        written();
        test.put(PodBuilder.from(pod).version("2", 0).nodeName("n2").build());
        assertThat(writes()).containsExactly(PATCH);
    }

    @Test
    void aRefusalIsToldInThePluginsWords() {
        decidedAnewReversibly();
        notWritten(WriteFailure.FAILED);
        assertThat(test.conditions())
                .last()
                .isEqualTo("SchedulerError running PreBind plugin \"Preparing\": write awaited: said so");
        assertThat(writes()).containsExactly(PATCH);
        assertThat(test.waits).isEmpty();
    }

    @Test
    void whatTakesTooLongCountsAsSuch() {
        decidedAnewReversibly();
        written();
        test.at(12.5);
        assertThat(test.waits).containsExactly("a.example.com TIMEOUT");
    }

    private static final ObjectPatch THEN_FROM_3 =
            new ObjectPatch(Kinds.NAMESPACE, FROM_3.object(), Map.of("status", Map.of()), Form.STATUS);

    /** Such as an entry in a claim that has its devices by the earlier pod's decision. */
    private Pod nextWith(ObjectPatch... patches) {
        Pod next = ScriptedPlugin.pod("q");
        writes = List.of(patches);
        test.put(next);
        test.schedule();
        return next;
    }

    private void assertStages(String... stages) {
        assertThat(test.scheduler.onTheirWay())
                .extracting(Scheduler.OnItsWay::waitingFor)
                .containsExactly(stages);
    }

    @Test
    void whatIsWrittenInWhateverVersionComesAfterWhatAnEarlierPodWrites() {
        decidedAnewWith(FROM_3, THEN_FROM_3);
        Pod next = nextWith(PATCH);
        assertStages("WRITE", "AWAIT");
        assertThat(writes()).containsExactly(FROM_3);

        written();
        test.put(new Namespace(AWAITED.meta().withVersion("4", 0)));
        test.at(4);
        assertThat(writes()).as("of the earlier pod alone").hasSize(2).doesNotContain(PATCH);

        written();
        assertStages("AWAIT", "WRITE");
        assertThat(writes()).hasSize(3).last().isEqualTo(PATCH);
        progress = () -> Progress.DONE;
        test.scheduler.handle(new CommandResult.Written(next));
        assertThat(test.bindings()).extracting(Command.Bind::pod).containsExactly(next);
    }

    @Test
    void whatAnEarlierPodDoesNotWriteAfterAllIsNotAwaited() {
        decidedAnewWith(FROM_3, THEN_FROM_3);
        nextWith(PATCH);
        notWritten(WriteFailure.FAILED);
        assertThat(writes()).containsExactly(FROM_3, PATCH);
    }

    @Test
    void whatAPodThatIsGoneWroteIsAwaitedToTheAnswer() {
        decidedAnewWith(FROM_3, THEN_FROM_3);
        nextWith(PATCH);
        test.remove(pod);
        assertThat(writes()).containsExactly(FROM_3);
        written();
        assertThat(writes()).containsExactly(FROM_3, PATCH);
    }

    @Test
    void whatAnEarlierPodWouldWriteIsSaidFirst() {
        decidedAnewWith(FROM_3);
        Pod next = nextWith(PATCH);
        test.scheduler.handle(new CommandResult.OnlySaid(pod));
        assertThat(writes()).containsExactly(FROM_3, PATCH);
        test.scheduler.handle(new CommandResult.OnlySaid(next));
        assertThat(test.bindings()).hasSize(2);
    }

    @Test
    void aPodThatIsGoneWhileItMayNotWriteWritesNothing() {
        decidedAnewWith(FROM_3);
        Pod next = nextWith(PATCH);
        test.remove(next);
        written();
        assertThat(writes()).containsExactly(FROM_3);
        assertStages("AWAIT");
    }

    /** Each could wait for the other otherwise. */
    @Test
    void noPodWaitsForWhatALaterOneWrites() {
        decidedAnewWith(OTHER_PATCH, PATCH);
        nextWith(FROM_3);
        written();
        assertThat(writes()).containsExactly(OTHER_PATCH, FROM_3, PATCH);
    }

    private Reversible decidedAnewReversibly() {
        Reversible reversible = new Reversible();
        test.preparation = Optional.of(reversible);
        decidedAnewWith(PATCH);
        return reversible;
    }

    private void decidedAnewWith(ObjectPatch... patches) {
        notWritten(WriteFailure.FAILED);
        writes = List.of(patches);
        test.commands.clear();
        test.at(2);
    }

    private List<ObjectPatch> writes() {
        return test.commands.stream()
                .filter(Command.WriteObject.class::isInstance)
                .map(command -> ((Command.WriteObject) command).patch())
                .toList();
    }
}
