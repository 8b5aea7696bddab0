package io.evenkeel.chart.manifests;

import io.evenkeel.chart.helm.Chart;
import io.evenkeel.chart.helm.Manifests;
import io.evenkeel.chart.helm.Target;

/** Values that people set. What holds of every rendering is tested with each. */
enum ValuesCase {
    DEFAULTS(""),
    ONE_REPLICA("replicas: 1"),
    OBSERVING("{observe: true, replicas: 1, metrics: {prometheusRule: {enabled: true}}}"),
    NO_ELECTION("{replicas: 1, config: {leaderElection: {leaderElect: false}}}"),
    LEASE_ELSEWHERE("config: {leaderElection: {resourceNamespace: leases, resourceName: mine}}"),
    CONFIGURATION_OF_A_KUBE_SCHEDULER("""
        config:
          leaderElection: {resourceName: kube-scheduler, resourceNamespace: kube-system}
          profiles:
          - schedulerName: even
            plugins: {score: {enabled: [{name: PodTopologySpread, weight: 5}], disabled: [{name: ImageLocality}]}}
            pluginConfig:
            - name: NodeResourcesFit
              args: {scoringStrategy: {type: MostAllocated, resources: [{name: cpu, weight: 1}]}}
          - schedulerName: packed
            percentageOfNodesToScore: 50
        """),
    NO_CONFIGURATION("config: null"),
    LARGE_NUMBERS(
            "{terminationGracePeriodSeconds: 3000000, config: {clientConnection: {qps: 2000000, burst: 3000000}}}"),
    OTHER_NAMES("{nameOverride: other, serviceAccount: {name: robot, annotations: {a: b}}}"),
    FULL_NAME("fullnameOverride: the-one"),
    OWN_ACCOUNT("{serviceAccount: {create: false, name: theirs}, rbac: {create: false}}"),
    DIGEST("image: {repository: registry.example/mirror/evenkeel, digest: 'sha256:%s'}"
            .formatted("0123456789abcdef".repeat(4))),
    PRIVATE_IMAGE("{image: {tag: v1, pullPolicy: Always}, imagePullSecrets: [{name: registry}]}"),
    LABELS("""
        commonLabels: {team: platform, app.kubernetes.io/version: override}
        podLabels: {app.kubernetes.io/instance: not-taken, extra: 'true'}
        podAnnotations: {a: b}
        service: {annotations: {c: d}, port: 443}
        """),
    DUAL_STACK("service: {ipFamilyPolicy: PreferDualStack, ipFamilies: [IPv6, IPv4]}"),
    EXTRAS("""
        extraArgs: [--pod-max-in-unschedulable-pods-duration=10m]
        emulatedVersion: "1.38"
        extraEnv: [{name: A, value: b}, {name: C, valueFrom: {fieldRef: {fieldPath: metadata.uid}}}]
        extraEnvFrom: [{configMapRef: {name: env}}]
        extraVolumes: [{name: more, emptyDir: {}}]
        extraVolumeMounts: [{name: more, mountPath: /more}]
        tls: {secretName: certificate}
        """),
    IMAGES_OF_PLUGINS("""
        plugins:
          images:
          - {name: capped, image: 'registry.example/pods-per-node:1.0.0'}
          - {name: tenants, image: 'registry.example/tenants@sha256:%s', pullPolicy: Always, command: [/copy, /to]}
        config: {profiles: [{schedulerName: capped, plugins: {multiPoint: {enabled: [{name: PodsPerNode}]}}}]}
        """.formatted("0123456789abcdef".repeat(4))),
    VOLUME_OF_PLUGINS("plugins: {volume: {persistentVolumeClaim: {claimName: plugins, readOnly: true}}}"),
    POLICIES("policies: {enabled: true}"),
    DELETION_COSTS("policies: {enabled: true, podDeletionCost: true}"),
    REBALANCED(
            "rebalance: {enabled: true, every: 30m, goal: spread, movesPerMinute: 2, coolDown: 1h, evictionRequests: true, surge: true}"),
    RECORDED("record: {enabled: true, limitMebibytes: 4096}"),
    SHARDS("{shards: {count: 4}, metrics: {prometheusRule: {enabled: true}}}"),
    POOLS(
            "{replicas: 3, shards: {nodeLabel: example.com/pool, values: [a, ''], across: Refuse}, metrics: {prometheusRule: {enabled: true}}}"),
    ONE_SHARD("shards: {count: 1}"),
    NO_JAVA_OPTIONS("{javaOptions: '', priorityClassName: '', schedulerName: other-scheduler}"),
    PLACED("""
        podAntiAffinity: hard
        affinity:
          nodeAffinity:
            requiredDuringSchedulingIgnoredDuringExecution:
              nodeSelectorTerms: [{matchExpressions: [{key: role, operator: In, values: [control]}]}]
        topologySpreadConstraints:
        - {maxSkew: 1, topologyKey: kubernetes.io/hostname, whenUnsatisfiable: DoNotSchedule}
        nodeSelector: {role: control}
        tolerations: [{key: node-role.kubernetes.io/control-plane, operator: Exists, effect: NoSchedule}]
        podDisruptionBudget: {maxUnavailable: 50%}
        strategy: {type: Recreate}
        """),
    NOT_PLACED("{podAntiAffinity: none, topologySpreadConstraints: [], podDisruptionBudget: {enabled: false}}"),
    SERVICE_MONITOR("""
        debug:
          readers: [{kind: User, name: 'oidc:jane@example.com'}, {kind: Group, name: 'system:masters'},
                    {kind: ServiceAccount, name: toolbox, namespace: ops}]
        why: {enabled: true, viewers: true, readers: [{kind: Group, name: on-call}], caBundle: bm9uZQ==}
        page: {enabled: true, readers: [{kind: Group, name: on-call}]}
        metrics:
          readers: [{name: prometheus, namespace: monitoring}, {name: other, namespace: monitoring}]
          slis: true
          resources: true
          serviceMonitor:
            enabled: true
            interval: 15s
            scrapeTimeout: 10s
            labels: {release: prometheus}
            relabelings: [{action: labeldrop, regex: endpoint}]
            metricRelabelings: [{action: drop, sourceLabels: [__name__], regex: jvm_.*}]
          prometheusRule: {enabled: true, labels: {release: prometheus}, alertLabels: {team: a, severity: page}}
          dashboard: {enabled: true, annotations: {folder: Kubernetes}}
        """),
    POD_MONITOR("""
        metrics:
          slis: true
          podMonitor: {enabled: true, authorization: {credentials: {name: token, key: token}}}
          prometheusRule: {enabled: true, selector: 'cluster="a"', attemptSeconds: 0.25, unschedulableSpike: 2000000}
        """),
    NETWORK_POLICY("networkPolicy: {enabled: true}"),
    NARROW_NETWORK_POLICY("""
        networkPolicy:
          enabled: true
          ingressFrom: [{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: monitoring}}}]
          egressTo: [{ipBlock: {cidr: 10.0.0.1/32}}]
          apiServerPorts: [16443]
          dnsPorts: [53]
        """);

    private final String values;

    ValuesCase(String values) {
        this.values = values;
    }

    Manifests render() {
        return render(Target.USUAL);
    }

    Manifests render(Target target) {
        return Chart.render(target, values);
    }
}
