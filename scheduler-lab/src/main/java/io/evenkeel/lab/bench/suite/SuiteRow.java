package io.evenkeel.lab.bench.suite;

import io.evenkeel.lab.bench.Figures;

/** The figures of a case. */
public record SuiteRow(CaseName name, Figures figures) {}
