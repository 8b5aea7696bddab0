package io.evenkeel.app.live;

import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Those that are told of each turn of the engine, one by the other, as the options have it.
 *
 * @param rehearsal the one that compares, in a dry run
 * @param questions the one that keeps a copy for questions, where these are answered
 * @param first is told, and tells the others
 */
record TurnObservers(Optional<Rehearsal> rehearsal, Optional<Questions> questions, EngineLoop.LoopObserver first) {

    static TurnObservers of(LiveOptions options, EngineLoop.LoopObserver given, LongSupplier nanos) {
        EngineLoop.LoopObserver first = options.audit() ? new TurnAudit(given) : given;
        Optional<Rehearsal> rehearsal = options.dryRun() ? Optional.of(new Rehearsal(first, nanos)) : Optional.empty();
        first = rehearsal.<EngineLoop.LoopObserver>map(each -> each).orElse(first);
        Optional<Questions> questions = options.answersWhy() ? Optional.of(new Questions(first)) : Optional.empty();
        first = questions.<EngineLoop.LoopObserver>map(each -> each).orElse(first);
        return new TurnObservers(rehearsal, questions, first);
    }
}
