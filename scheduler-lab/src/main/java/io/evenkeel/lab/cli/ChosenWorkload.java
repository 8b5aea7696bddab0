package io.evenkeel.lab.cli;

import io.evenkeel.lab.bench.GroupCase;
import io.evenkeel.lab.bench.PerfWorkload;
import io.evenkeel.lab.bench.Workload;

/** The workload named on the command line. */
sealed interface ChosenWorkload {
    String id();

    /** One of our own. */
    record Own(Workload workload) implements ChosenWorkload {
        @Override
        public String id() {
            return workload.id();
        }
    }

    /** Groups of so many pods. */
    record Group(int size) implements ChosenWorkload {
        @Override
        public String id() {
            return GroupCase.PREFIX + size;
        }
    }

    /** One of the reference's. */
    record Reference(PerfWorkload workload) implements ChosenWorkload {
        @Override
        public String id() {
            return workload.id();
        }
    }
}
