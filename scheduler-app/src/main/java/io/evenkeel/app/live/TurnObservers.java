package io.evenkeel.app.live;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Those that are told of each turn of the engine, as the options have it.
 *
 * @param rehearsal the one that compares, in a dry run
 * @param questions the one that keeps a copy for questions, where these are answered
 * @param all tells each of them
 */
record TurnObservers(Optional<Rehearsal> rehearsal, Optional<Questions> questions, EngineLoop.LoopObserver all) {

    /** With those that are given, which are told first. */
    static TurnObservers of(LiveOptions options, List<EngineLoop.LoopObserver> given, LongSupplier nanos) {
        List<EngineLoop.LoopObserver> all = new ArrayList<>(given);
        if (options.audit()) {
            all.add(new TurnAudit());
        }
        Optional<Rehearsal> rehearsal = options.dryRun() ? Optional.of(new Rehearsal(nanos)) : Optional.empty();
        rehearsal.ifPresent(all::add);
        Optional<Questions> questions = options.answersWhy() ? Optional.of(new Questions()) : Optional.empty();
        questions.ifPresent(all::add);
        return new TurnObservers(rehearsal, questions, EngineLoop.LoopObserver.all(all));
    }
}
