package io.evenkeel.app.cli;

import io.evenkeel.app.replay.AnswerFormat;

/** Formats of where pods go. */
final class AnswerFormats extends OutputFormats<AnswerFormat> {
    AnswerFormats() {
        super(AnswerFormat.JSON, AnswerFormat::text);
    }
}
