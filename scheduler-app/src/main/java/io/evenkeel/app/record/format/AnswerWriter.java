package io.evenkeel.app.record.format;

import io.evenkeel.api.PreemptionCandidate;
import io.evenkeel.api.Status;
import io.evenkeel.engine.decision.Question.Answer;
import java.util.List;
import java.util.TreeMap;

/** Writes what extenders have answered. */
final class AnswerWriter {
    static final int ADVISED = 0;
    static final int VICTIMS = 1;
    static final int FAILED = 2;

    private final ByteWriter out;
    private final EntryWriter entries;

    AnswerWriter(ByteWriter out, EntryWriter entries) {
        this.out = out;
        this.entries = entries;
    }

    void write(Answer answer) {
        switch (answer) {
            case Answer.Advised(var advice) -> {
                out.tag(ADVISED);
                words(advice.left().stream().sorted().toList());
                out.number(advice.turnedAway().size());
                new TreeMap<>(advice.turnedAway()).forEach(this::status);
                out.number(advice.scores().size());
                new TreeMap<>(advice.scores()).forEach((node, score) -> {
                    entries.word(node);
                    out.signed(score);
                });
            }
            case Answer.VictimsChosen(var left) -> {
                out.tag(VICTIMS);
                out.number(left.size());
                left.forEach(this::candidate);
            }
            case Answer.Failed(String message) -> {
                out.tag(FAILED);
                out.text(message);
            }
        }
    }

    private void status(String node, Status status) {
        entries.word(node);
        entries.word(status.code().name());
        words(status.reasons());
    }

    private void candidate(PreemptionCandidate candidate) {
        entries.word(candidate.node());
        out.number(candidate.victims().size());
        candidate.victims().forEach(entries::object);
        out.signed(candidate.violations());
    }

    private void words(List<String> words) {
        out.number(words.size());
        words.forEach(entries::word);
    }
}
