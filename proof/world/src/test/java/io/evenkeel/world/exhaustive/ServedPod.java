package io.evenkeel.world.exhaustive;

import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;

/**
 * A pod as the server keeps it.
 *
 * @param node empty where it is on none
 * @param condition whole, in JSON; empty for none
 */
record ServedPod(String name, String uid, String node, String condition, String spec) {
    ServedPod on(String newNode) {
        return new ServedPod(name, uid, newNode, condition, spec);
    }

    ServedPod with(String newCondition) {
        return new ServedPod(name, uid, node, newCondition, spec);
    }

    String json(long version) {
        return """
            {"kind":"Pod","apiVersion":"v1","metadata":{"name":"%s","namespace":"default","uid":"%s",\
            "resourceVersion":"%d","labels":{"app":"small"}},"spec":{"schedulerName":"default-scheduler",%s"containers":\
            [{"name":"main","image":"example.com/main:1","resources":{"requests":{"cpu":"1"}}}]%s},\
            "status":{"phase":"Pending"%s}}\
            """.formatted(
                        name,
                        uid,
                        version,
                        node.isEmpty() ? "" : "\"nodeName\":\"" + node + "\",",
                        spec,
                        condition.isEmpty() ? "" : ",\"conditions\":[" + condition + "]");
    }

    Pod read(long version) {
        KubernetesObject object = Readings.of(json(version));
        return (Pod) object;
    }

    @Override
    public String toString() {
        return name + " " + uid + (node.isEmpty() ? "" : " on " + node) + (condition.isEmpty() ? "" : " " + condition);
    }
}
