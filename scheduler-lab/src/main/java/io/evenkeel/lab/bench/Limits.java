package io.evenkeel.lab.bench;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Whole numbers that options of one command take. Most would be taken, and then no memory would do. */
public record Limits(CommandSpec spec) {
    public int between(int least, int most, String option, int value) {
        if (value < least) {
            throw mistake(option + " must be at least " + least + ", got " + value);
        }
        if (value > most) {
            throw mistake(option + " must be at most " + most + ", got " + value);
        }
        return value;
    }

    public ParameterException mistake(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
