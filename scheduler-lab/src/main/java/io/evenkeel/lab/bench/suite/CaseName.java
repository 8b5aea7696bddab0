package io.evenkeel.lab.bench.suite;

/** What makes two measurements of one case: the same workload at the same size. */
record CaseName(String workload, int nodes, int fill, int pods) {}
