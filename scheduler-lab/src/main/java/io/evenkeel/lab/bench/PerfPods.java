package io.evenkeel.lab.bench;

import io.evenkeel.lab.bench.PerfWorkload.PerfRow;
import io.evenkeel.model.Pod;
import java.util.ArrayList;
import java.util.List;

/** The pods of the reference's workloads. */
final class PerfPods {
    static final String RESIDENTS = "sched-0";
    static final String MEASURED = "sched-1";

    private PerfPods() {}

    /** The pods in place before the first is measured; each form after the other, as the reference creates them. */
    static List<Pod> residents(PerfCase perfCase) {
        PerfRow row = perfCase.workload().row();
        int forms = row.residentsOf().size();
        List<Pod> pods = new ArrayList<>(perfCase.residents());
        for (int form = 0; form < forms; form++) {
            for (int index = form; index < perfCase.residents(); index += forms) {
                String namespace = row.namespaces() == 0 ? RESIDENTS : namespaceOfResidents(index % row.namespaces());
                pods.add(row.residentsOf()
                        .get(form)
                        .pod(namespace, "resident-" + index)
                        .build());
            }
        }
        return pods;
    }

    /** The pods to be measured, and the pods that come among them. */
    static List<Pod> newcomers(PerfCase perfCase) {
        PerfRow row = perfCase.workload().row();
        List<Pod> pods = new ArrayList<>(perfCase.pods());
        for (int index = 0; index < perfCase.pods(); index++) {
            pods.add(row.podsOf().pod(MEASURED, "pod-" + index).build());
            int number = index + 1;
            row.intruders()
                    .filter(intruders -> number % intruders.every() == 0)
                    .ifPresent(intruders -> pods.add(
                            intruders.of().pod(MEASURED, "other-" + number).build()));
        }
        return pods;
    }

    static String namespaceOfResidents(int index) {
        return "init-ns-" + index;
    }
}
