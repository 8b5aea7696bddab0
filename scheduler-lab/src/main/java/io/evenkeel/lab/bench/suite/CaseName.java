package io.evenkeel.lab.bench.suite;

/** Tells whether two measurements are of one case: an equal workload at an equal size. */
record CaseName(String workload, int nodes, int fill, int pods) {}
