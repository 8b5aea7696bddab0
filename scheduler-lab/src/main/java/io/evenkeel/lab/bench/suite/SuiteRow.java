package io.evenkeel.lab.bench.suite;

import io.evenkeel.lab.bench.Figures;

/** What a case took. */
public record SuiteRow(CaseName name, Figures figures) {}
