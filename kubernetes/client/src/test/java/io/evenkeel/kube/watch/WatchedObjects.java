package io.evenkeel.kube.watch;

import io.evenkeel.kube.watch.Watches.WatchStatus;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import java.util.HashMap;
import java.util.Map;

/** An object of each watched kind, as people and kubelets write them. */
final class WatchedObjects {
    private static final String TEMPLATE = """
        "replicas":3,"template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"c","image":"web"}]}}\
        """;

    private static final Map<String, String> FIELDS = fields();

    private WatchedObjects() {}

    /** Whether all that there is of every kind has been handed over once. */
    static boolean allSynced(Watches watches) {
        return watches.statuses().stream().allMatch(WatchStatus::synced);
    }

    private static Map<String, String> fields() {
        Map<String, String> fields = new HashMap<>(Map.of(
                "Pod", """
                "spec":{"priority":0,"nodeSelector":{"disk":"ssd"},"hostNetwork":false,"terminationGracePeriodSeconds":30,
                 "containers":[{"name":"web","image":"registry.example/web:1.2","args":["--port","8080"],
                   "ports":[{"name":"http","containerPort":8080,"hostPort":8080,"protocol":"TCP"}],
                   "env":[{"name":"POD","valueFrom":{"fieldRef":{"fieldPath":"metadata.name"}}}],
                   "resources":{"requests":{"cpu":"250m","memory":"64Mi"},"limits":{"memory":"128Mi"}},
                   "readinessProbe":{"httpGet":{"path":"/","port":"http"},"periodSeconds":5},
                   "volumeMounts":[{"name":"data","mountPath":"/data"}]}],
                 "initContainers":[{"name":"proxy","image":"proxy","restartPolicy":"Always"}],
                 "volumes":[{"name":"data","emptyDir":{"sizeLimit":"1Gi"}}],
                 "tolerations":[{"key":"gpu","operator":"Exists","effect":"NoSchedule"}],
                 "topologySpreadConstraints":[{"maxSkew":1,"topologyKey":"topology.kubernetes.io/zone",
                   "whenUnsatisfiable":"DoNotSchedule","labelSelector":{"matchLabels":{"app":"web"}},"minDomains":2}],
                 "affinity":{
                   "nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[
                     {"matchExpressions":[{"key":"arch","operator":"In","values":["amd64","arm64"]}]}]}},
                   "podAntiAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":10,"podAffinityTerm":
                     {"topologyKey":"kubernetes.io/hostname","labelSelector":{"matchLabels":{"app":"web"}}}}]}}}\
                """,
                "Node", """
                "spec":{"podCIDR":"10.0.0.0/24","taints":[{"key":"gpu","value":"yes","effect":"NoSchedule"}]},
                 "status":{"capacity":{"cpu":"8","memory":"32Gi","pods":"110"},
                   "allocatable":{"cpu":"7800m","memory":"30Gi","pods":"110"},
                   "conditions":[{"type":"Ready","status":"True","lastHeartbeatTime":"2026-01-02T03:04:05Z"}],
                   "images":[{"names":["web:1","web@sha256:0"],"sizeBytes":123456789}],
                   "nodeInfo":{"kubeletVersion":"v1.36.0","architecture":"amd64"},
                   "daemonEndpoints":{"kubeletEndpoint":{"Port":10250}}}\
                """,
                "Namespace", "\"spec\":{}",
                "PriorityClass", "\"value\":1000,\"preemptionPolicy\":\"Never\"",
                "PodDisruptionBudget", """
                "spec":{"minAvailable":"50%","selector":{"matchLabels":{"app":"web"}}},
                 "status":{"disruptionsAllowed":2,"currentHealthy":4,"desiredHealthy":2,"expectedPods":4,
                   "disruptedPods":{"web-1":"2026-01-02T03:04:05Z"}}\
                """,
                "Service", """
                "spec":{"selector":{"app":"web"},"ports":[{"port":80,"targetPort":"http"},{"name":"n","port":81,"targetPort":9}]}\
                """,
                "ReplicationController", "\"spec\":{\"selector\":{\"app\":\"web\"}," + TEMPLATE + "}",
                "ReplicaSet", "\"spec\":{\"selector\":{\"matchLabels\":{\"app\":\"web\"}}," + TEMPLATE + "}",
                "StatefulSet", """
                    "spec":{"serviceName":"web","selector":{"matchExpressions":[{"key":"app","operator":"In","values":["web"]}]},\
                    """ + TEMPLATE + "}"));
        fields.putAll(Map.of(
                "StorageClass", """
                "provisioner":"disk.example.com","volumeBindingMode":"WaitForFirstConsumer",
                 "parameters":{"type":"fast"},
                 "allowedTopologies":[{"matchLabelExpressions":[{"key":"topology.kubernetes.io/zone","values":["a","b"]}]}]\
                """,
                "CSINode", """
                "spec":{"drivers":[{"name":"disk.example.com","nodeID":"n1","topologyKeys":["zone"],
                 "allocatable":{"count":16}},{"name":"share.example.com","nodeID":"n1","topologyKeys":null}]}\
                """,
                "CSIDriver", "\"spec\":{\"attachRequired\":true,\"storageCapacity\":true}",
                "CSIStorageCapacity", """
                "storageClassName":"fast","nodeTopology":{"matchLabels":{"zone":"a"}},
                 "capacity":"100Gi","maximumVolumeSize":"10Gi\"\
                """,
                "VolumeAttachment", """
                "spec":{"attacher":"disk.example.com","nodeName":"n1","source":{"persistentVolumeName":"v1"}},
                 "status":{"attached":true}\
                """,
                "PersistentVolume", """
                "spec":{"capacity":{"storage":"10Gi"},"accessModes":["ReadWriteOnce"],"storageClassName":"kept",
                 "persistentVolumeReclaimPolicy":"Retain","volumeMode":"Filesystem",
                 "csi":{"driver":"disk.example.com","volumeHandle":"vol-1","volumeAttributes":{"a":"b"}},
                 "nodeAffinity":{"required":{"nodeSelectorTerms":[
                   {"matchExpressions":[{"key":"zone","operator":"In","values":["a"]}]}]}}}\
                """,
                "PersistentVolumeClaim", """
                "spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"5Gi"}},
                 "storageClassName":"none-of-those","selector":{"matchLabels":{"tier":"fast"}}}\
                """));
        fields.put("PodGroup", """
            "spec":{"schedulingPolicy":{"gang":{"minCount":4}},"schedulingConstraints":{"topology":[{"key":"rack"}]},
             "disruptionMode":{"all":{}},"resourceClaims":[{"name":"c","resourceClaimName":"net"}]},
             "status":{"conditions":[{"type":"PodGroupInitiallyScheduled","status":"False","reason":"Unschedulable",
               "message":"","lastTransitionTime":"2026-01-02T03:04:05Z"}]}\
            """);
        fields.put("PodGroup.scheduling.x-k8s.io", """
            "spec":{"minMember":3,"minResources":{"cpu":"4"},"scheduleTimeoutSeconds":10}\
            """);
        fields.put("DeviceClass", """
            "spec":{"selectors":[{"cel":{"expression":"device.driver == \\"gpu.example.com\\""}}],
             "config":[{"opaque":{"driver":"gpu.example.com","parameters":{"a":1}}}],"extendedResourceName":"example.com/gpu"}\
            """);
        fields.put("ResourceSlice", """
            "spec":{"driver":"gpu.example.com","pool":{"name":"n1","generation":1,"resourceSliceCount":2},"nodeName":"n1",
             "devices":[{"name":"gpu-0","attributes":{"model":{"string":"l4"},"driverVersion":{"version":"1.0.0"},
               "index":{"int":0},"ecc":{"bool":true}},"capacity":{"memory":{"value":"80Gi"}},
              "taints":[{"key":"reserved","value":"a","effect":"NoExecute"}],
              "consumesCounters":[{"counterSet":"card","counters":{"memory":{"value":"80Gi"}}}]}]}\
            """);
        fields.put("ResourceClaim", """
            "spec":{"devices":{"requests":[{"name":"r0","exactly":{"deviceClassName":"gpu","allocationMode":"ExactCount","count":1}}],
              "config":[{"requests":["r0"],"opaque":{"driver":"gpu.example.com","parameters":{"a":1}}}]}},
             "status":{"allocation":{"devices":{"results":[
                {"request":"r0","driver":"gpu.example.com","pool":"n1","device":"gpu-0"}]},
               "nodeSelector":{"nodeSelectorTerms":[{"matchFields":[
                {"key":"metadata.name","operator":"In","values":["n1"]}]}]}},
              "reservedFor":[{"resource":"pods","name":"p","uid":"u"}]}\
            """);
        fields.put("ResourceClaimTemplate", """
            "spec":{"spec":{"devices":{"requests":[{"name":"r0","exactly":{"deviceClassName":"gpu","allocationMode":"ExactCount","count":1}}]}}}\
            """);
        fields.put("DeviceTaintRule", """
            "spec":{"deviceSelector":{"driver":"gpu.example.com","pool":"n1"},"taint":{"key":"broken","effect":"NoSchedule"}}\
            """);
        String policy = """
            "spec":{"selector":{"matchLabels":{"app":"web"}},"namespaceSelector":{},"leavingPods":"Ignore",
             "podDeletionCost":"Managed",
             "rules":[{"topologyKey":"zone","maxPercent":40,"mustUse":["a"],"weights":[{"domain":"a","weight":7}]},
              {"topologyKey":"zone","maxSkew":1,"matchLabelKeys":["hash"],
               "knownDomains":["b"],"relaxAfterSeconds":60,"rememberDomainsSeconds":3600},
              {"topologyKey":"zone","maxSkew":1,"whenUnsatisfiable":"ScheduleAnyway"}]},
             "status":{"relaxed":[{"topologyKey":"zone","domain":"b","reason":"NoRoom","since":"2026-01-02T03:04:05Z"}],
              "remembered":[{"topologyKey":"zone","domain":"c","goneSince":"2026-01-02T03:04:05Z"}]}\
            """;
        fields.put("PlacementPolicy", policy);
        fields.put(
                "ClusterPlacementPolicy",
                policy.replace("\"leavingPods\"", "\"countNamespaces\":\"Separately\",\"leavingPods\""));
        return fields;
    }

    static String json(String kind, String name, int app) {
        Kind<?> row = Kinds.IN_TREE.all().stream()
                .filter(each -> each.name().equals(kind))
                .findFirst()
                .orElseThrow();
        return """
            {"apiVersion":"%s","kind":"%s","metadata":{"name":"%s","labels":{"app":"web","n":"%d"},
             "annotations":{"note":"äöü \\"quoted\\""}},%s}\
            """.formatted(row.apiVersion(), row.objectKind(), name, app, FIELDS.get(kind));
    }
}
