package io.evenkeel.chart.manifests;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.chart.helm.Chart;
import io.evenkeel.chart.helm.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Values that make no sense, and what is said of them. */
class RefusalTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    replica: 3                                    | replica
                    replicas: two                                 | /replicas
                    replicas: -1                                  | /replicas
                    image: {name: x}                              | name
                    image: {digest: 'sha256:abc'}                 | /image/digest
                    image: {pullPolicy: Sometimes}                | /image/pullPolicy
                    image: {repository: 'a@sha256:abc'}           | /image/repository
                    imagePullSecrets: [registry]                  | /imagePullSecrets/0
                    config: []                                    | /config
                    config: {kind: Deployment}                    | /config/kind
                    config: {profiles: []}                        | /config/profiles
                    config: {profiles: [{schedulerName: 1}]}      | /config/profiles/0/schedulerName
                    config: {leaderElection: {leaderElect: 'false'}}    | /config/leaderElection/leaderElect
                    config: {leaderElection: {leaseDuration: 15}}       | /config/leaderElection/leaseDuration
                    config: {leaderElection: {renewDeadline: 10 s}}     | /config/leaderElection/renewDeadline
                    config: {leaderElection: {retryPeriod: often}}      | /config/leaderElection/retryPeriod
                    config: {leaderElection: {resourceLock: [leases]}}  | /config/leaderElection/resourceLock
                    config: {leaderElection: {resourceName: ''}}        | /config/leaderElection/resourceName
                    config: {leaderElection: {resourceNamespace: a.b}}  | /config/leaderElection/resourceNamespace
                    config: {leaderElection: {leaderElected: true}}     | leaderElected
                    config: {clientConnection: {qps: '200'}}            | /config/clientConnection/qps
                    config: {clientConnection: {burst: 1.5}}            | /config/clientConnection/burst
                    config: {clientConnection: {contentType: 1}}        | /config/clientConnection/contentType
                    config: {clientConnection: {kubeConfig: /x}}        | kubeConfig
                    nameOverride: a.b                             | /nameOverride
                    nameOverride: a234567890123456789012345678901234567890123456789012345678901234 | /nameOverride
                    fullnameOverride: Evenkeel                    | /fullnameOverride
                    fullnameOverride: 1st                         | /fullnameOverride
                    fullnameOverride: ends-                       | /fullnameOverride
                    fullnameOverride: a234567890123456789012345678901234567890123456789012345678901234 | /fullnameOverride
                    podSecurityContext: {runAsNonroot: true}      | runAsNonroot
                    podSecurityContext: {runAsUser: nobody}       | /podSecurityContext/runAsUser
                    podSecurityContext: {capabilities: {}}        | capabilities
                    securityContext: {readOnlyRootFileSystem: true} | readOnlyRootFileSystem
                    securityContext: {privileged: 'no'}           | /securityContext/privileged
                    securityContext: {capabilities: {dropped: [ALL]}} | dropped
                    emulatedVersion: '1.35'                       | /emulatedVersion
                    emulatedVersion: 1.37                         | /emulatedVersion
                    logging: {format: xml}                        | /logging/format
                    logging: {verbosity: high}                    | /logging/verbosity
                    shutdownGrace: 20                             | /shutdownGrace
                    extraArgs: --dry-run                          | /extraArgs
                    extraArgs: [dry-run]                          | /extraArgs/0
                    extraEnv: [{value: x}]                        | /extraEnv/0
                    serviceAccount: {create: 'yes'}               | /serviceAccount/create
                    podAntiAffinity: sometimes                    | /podAntiAffinity
                    topologySpreadConstraints: [{maxSkew: 1}]     | /topologySpreadConstraints/0
                    tolerations: [{effect: Never}]                | /tolerations/0/effect
                    podDisruptionBudget: {maxUnavailable: some}   | /podDisruptionBudget/maxUnavailable
                    podDisruptionBudget: {maxUnavailable: 101%}   | /podDisruptionBudget/maxUnavailable
                    strategy: {rollingUpdate: {maxUnavailable: 08%}} | /strategy/rollingUpdate/maxUnavailable
                    config: {leaderElection: {leaderElect: null}} | /config/leaderElection/leaderElect
                    config: {leaderElection: {resourceName: a..b}} | /config/leaderElection/resourceName
                    livenessProbe: {successThreshold: 2}          | /livenessProbe/successThreshold
                    startupProbe: {successThreshold: 2}           | /startupProbe/successThreshold
                    readinessProbe: {terminationGracePeriodSeconds: 5} | terminationGracePeriodSeconds
                    commonLabels: {'a b': c}                      | /commonLabels
                    commonLabels: {Example.com/a: b}              | /commonLabels
                    commonLabels: {a: b c}                        | /commonLabels/a
                    podLabels: {/a: b}                            | /podLabels
                    podLabels: {a: -b}                            | /podLabels/a
                    podLabels: {a: a234567890123456789012345678901234567890123456789012345678901234} | /podLabels/a
                    podAnnotations: {'a b': c}                    | /podAnnotations
                    nodeSelector: {a/b/c: d}                      | /nodeSelector
                    metrics: {serviceMonitor: {labels: {a: 'b,c'}}}     | /metrics/serviceMonitor/labels/a
                    metrics: {dashboard: {labels: {a: 'b,c'}}}          | /metrics/dashboard/labels/a
                    metrics: {prometheusRule: {alertLabels: {a-b: c}}}  | /metrics/prometheusRule/alertLabels
                    extraVolumes: [{name: a.b, emptyDir: {}}]     | /extraVolumes/0/name
                    plugins: {image: x}                           | image
                    plugins: {images: [x]}                        | /plugins/images/0
                    plugins: {images: [{image: x}]}               | /plugins/images/0
                    plugins: {images: [{name: A, image: x}]}      | /plugins/images/0/name
                    plugins: {images: [{name: a, image: x y}]}    | /plugins/images/0/image
                    plugins: {images: [{name: a, image: x, command: cp}]} | /plugins/images/0/command
                    plugins: {volume: {name: x}}                  | /plugins/volume
                    plugins: {volume: {emptyDir: {}, secret: {}}} | /plugins/volume
                    extraVolumeMounts: [{name: a, mountPath: ''}] | /extraVolumeMounts/0/mountPath
                    topologySpreadConstraints: [{maxSkew: 1, topologyKey: a, whenUnsatisfiable: ScheduleAnyway, minDomains: 2}] | /topologySpreadConstraints/0/whenUnsatisfiable
                    topologySpreadConstraints: [{maxSkew: 1, topologyKey: a b, whenUnsatisfiable: DoNotSchedule}] | /topologySpreadConstraints/0/topologyKey
                    topologySpreadConstraints: [{maxSkew: 1, topologyKey: a, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabel: {}}}] | matchLabel
                    networkPolicy: {ingressFrom: [{namespaceSelector: {matchLabels: {a: b c}}}]} | /networkPolicy/ingressFrom/0/namespaceSelector/matchLabels/a
                    networkPolicy: {egressTo: [{}]}               | /networkPolicy/egressTo/0
                    networkPolicy: {egressTo: [{ipBlock: {}}]}    | /networkPolicy/egressTo/0/ipBlock
                    image: {repository: 'registry.example/evenkeel:1'}  | /image/repository
                    image: {repository: 'https://registry.example/a'}   | /image/repository
                    image: {repository: registry.example/Evenkeel}      | /image/repository
                    replicas: 67                                  | /replicas
                    shards: {count: 0}                            | /shards/count
                    shards: {count: 65}                           | /shards/count
                    shards: {counts: 2}                           | counts
                    shards: {nodeLabel: a b, values: [c]}         | /shards/nodeLabel
                    shards: {nodeLabel: pool}                     | /shards
                    shards: {nodeLabel: pool, values: []}         | /shards/values
                    shards: {nodeLabel: pool, values: [a, a]}     | /shards/values
                    shards: {nodeLabel: pool, values: [a/b]}      | /shards/values/0
                    shards: {count: 2, across: Wait}              | /shards/across
                    resources: {requests: {cpu: lots}}            | /resources/requests/cpu
                    resources: {limits: {memory: 1GB}}            | /resources/limits/memory
                    resources: {limits: {memory: -1}}             | /resources/limits/memory
                    resources: {limits: {mem: 1Gi}}               | /resources/limits
                    metrics: {readers: [{name: p, namespace: a.b}]}     | /metrics/readers/0/namespace
                    metrics: {readers: [{name: 'system:p', namespace: a}]} | /metrics/readers/0/name
                    resources: {request: {cpu: 1}}                | request
                    livenessProbe: {httpGet: {}}                  | httpGet
                    service: {port: 0}                            | /service/port
                    service: {ipFamilyPolicy: DualStack}          | /service/ipFamilyPolicy
                    service: {ipFamilies: [IPv5]}                 | /service/ipFamilies/0
                    service: {ipFamilies: [IPv6, IPv6]}           | /service/ipFamilies
                    debug: {readers: [{kind: Role, name: a}]}     | /debug/readers/0/kind
                    debug: {readers: [{name: a, namespace: b}]}   | /debug/readers/0
                    debug: {readers: [{kind: ServiceAccount, name: a}]}  | /debug/readers/0
                    debug: {readers: [{kind: Group, name: a, namespace: b}]} | /debug/readers/0
                    debug: {reader: []}                           | /debug
                    why: {enabled: true, caBundle: '-----BEGIN'}  | /why/caBundle
                    why: {readers: [{kind: Role, name: a}]}       | /why/readers/0/kind
                    page: {enabled: true, readers: [jane]}        | /page/readers/0
                    page: {enable: true}                          | /page
                    record: {limitMebibytes: 15}                  | /record/limitMebibytes
                    metrics: {readers: [prometheus]}              | /metrics/readers/0
                    metrics: {prometheusRule: {errorRatio: 5}}    | /metrics/prometheusRule/errorRatio
                    metrics: {prometheusRule: {skewFor: a while}} | /metrics/prometheusRule/skewFor
                    metrics: {prometheusRule: {gangDegradedFor: 10}} | /metrics/prometheusRule/gangDegradedFor
                    metrics: {prometheusRule: {runbookUrl: here}} | /metrics/prometheusRule/runbookUrl
                    networkPolicy: {dnsPorts: 53}                 | /networkPolicy/dnsPorts
                    networkPolicy: {apiServerPorts: []}           | /networkPolicy/apiServerPorts
                    networkPolicy: {apiServerPorts: [https]}      | /networkPolicy/apiServerPorts/0
                    """)
    void whatTheSchemaDoesNotKnowIsRefusedWithItsPlace(String values, String place) {
        assertThatThrownBy(() -> Chart.render(values))
                .hasMessageContaining("values don't meet the specifications of the schema")
                .hasMessageContaining(
                        place.startsWith("/")
                                ? "at '" + place + "': "
                                : "additional properties '" + place + "' not allowed");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {observe: true, replicas: 1, page: {enabled: true}}                                    | without asking for a token
                    replicas: 11                                                                           | set replicas to 10 at most
                    shards: {across: Refuse}                                                               | set count, or nodeLabel and values
                    shards: {count: 2, nodeLabel: pool, values: [a]}                                       | leave count out
                    config: {shards: {count: 2}}                                                           | use the value shards
                    {replicas: 1, shards: {count: 2}, config: {leaderElection: {leaderElect: false}}}      | keep the election
                    {shards: {nodeLabel: pool, values: [a]}, rebalance: {enabled: true}}                   | rebalance.enabled is true and there are shards
                    {shards: {count: 2}, record: {enabled: true}}                                          | record.enabled is true and there are shards
                    config: {leaderElection: {leaderElect: false}}                                         | all replicas would schedule at once
                    metrics: {serviceMonitor: {enabled: true}, podMonitor: {enabled: true}}                | scraped twice
                    metrics: {podMonitor: {enabled: true}}                                                 | metrics.podMonitor.authorization is empty
                    serviceAccount: {create: false}                                                        | set serviceAccount.name
                    {serviceAccount: {create: false}, rbac: {create: false}}                               | set serviceAccount.name
                    extraVolumes: [{name: tmp, emptyDir: {}}]                                              | extraVolumes has one named tmp, as the chart has itself
                    extraVolumes: [{name: config, emptyDir: {}}]                                           | give it another name
                    extraVolumes: [{name: tls, emptyDir: {}}]                                              | give it another name
                    extraVolumes: [{name: plugins, emptyDir: {}}]                                          | give it another name
                    {extraVolumes: [{name: a}], extraVolumeMounts: [{name: a, mountPath: /plugins/more}]}   | choose another mountPath
                    {plugins: {images: [{name: a, image: x}], volume: {emptyDir: {}}}}                     | plugins has images and a volume
                    {plugins: {images: [{name: a, image: x}, {name: a, image: z}]}}                        | plugins.images has two named a
                    extraVolumes: [{name: a, emptyDir: {}}, {name: a, emptyDir: {}}]                       | extraVolumes has two named a
                    extraVolumeMounts: [{name: a, mountPath: /a}]                                          | which is not in extraVolumes
                    {extraVolumes: [{name: a}], extraVolumeMounts: [{name: a, mountPath: /tmp}]}           | mounts a at /tmp, where something else is
                    {extraVolumes: [{name: a}], extraVolumeMounts: [{name: a, mountPath: /etc/evenkeel/}]} | choose another mountPath
                    {extraVolumes: [{name: a}], extraVolumeMounts: [{name: a, mountPath: /etc/evenkeel-tls/a}]} | choose another mountPath
                    {extraVolumes: [{name: a}], extraVolumeMounts: [{name: a, mountPath: /a}, {name: a, mountPath: /a}]} | choose another mountPath
                    service: {ipFamilies: [IPv6, IPv4]}                                                    | set PreferDualStack or RequireDualStack
                    service: {ipFamilies: [IPv6, IPv4], ipFamilyPolicy: SingleStack}                       | service.ipFamilies has two families
                    schedulerName: evenkeel                                                                | could not start while it is not running
                    terminationGracePeriodSeconds: 20                                                      | killed before its grace is over
                    shutdownGrace: 29.5s500ms                                                              | terminationGracePeriodSeconds is 30 and shutdownGrace is 29.5s500ms
                    shutdownGrace: 1m                                                                      | terminationGracePeriodSeconds is 30 and shutdownGrace is 1m
                    podDisruptionBudget: {maxUnavailable: 100%}                                            | maxUnavailable is 100% of 2 replicas
                    podDisruptionBudget: {maxUnavailable: 51%}                                             | maxUnavailable is 51% of 2 replicas
                    podDisruptionBudget: {maxUnavailable: 2}                                               | maxUnavailable is 2 of 2 replicas
                    {replicas: 3, podDisruptionBudget: {maxUnavailable: 4}}                                | a drain could take all of them at once
                    podDisruptionBudget: {maxUnavailable: 0}                                               | every drain of a replica's node would wait for ever
                    podDisruptionBudget: {maxUnavailable: 0%}                                              | maxUnavailable is 0%: every drain
                    {replicas: 1, strategy: {rollingUpdate: {maxSurge: 0}}}                                | maxSurge 0 and maxUnavailable 0 for 1 replicas
                    {replicas: 1, strategy: {rollingUpdate: {maxSurge: 0%, maxUnavailable: 1}}}            | raise maxSurge, or set strategy.type to Recreate
                    strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 0}}                            | none may go before another comes
                    strategy: {rollingUpdate: {maxSurge: 0%, maxUnavailable: 0}}                           | maxSurge 0% and maxUnavailable 0 for 2 replicas
                    """)
    void valuesThatContradictEachOtherAreRefusedWithTheRemedy(String values, String message) {
        assertThatThrownBy(() -> Chart.render(values)).hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"v1.2", "2nd"})
    void aReleaseWhoseNameIsNoServicesIsRefused(String release) {
        assertThatThrownBy(() -> Chart.render(Target.USUAL.named(release), ""))
                .hasMessageContaining("the objects would be named \"" + release + "-evenkeel\"")
                .hasMessageContaining("fullnameOverride");
        assertThatCode(() -> Chart.render(Target.USUAL.named(release), "fullnameOverride: other"))
                .doesNotThrowAnyException();
    }

    /** What is as near to the above as can be and makes sense. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{serviceAccount: {create: false, name: default}}",
                "{service: {ipFamilies: [IPv6]}}",
                "{service: {ipFamilies: [IPv6], ipFamilyPolicy: SingleStack}}",
                "{terminationGracePeriodSeconds: 21}",
                "{shutdownGrace: 29s999ms}",
                "{shutdownGrace: 1m, terminationGracePeriodSeconds: 61}",
                "{shutdownGrace: 1.5h, terminationGracePeriodSeconds: 5401}",
                "{podDisruptionBudget: {maxUnavailable: 50%}}",
                "{replicas: 3, podDisruptionBudget: {maxUnavailable: 2}}",
                "{replicas: 3, podDisruptionBudget: {maxUnavailable: 66%}}",
                "{podDisruptionBudget: {enabled: false, maxUnavailable: 100%}}",
                "{replicas: 1, podDisruptionBudget: {maxUnavailable: 1}}",
                "{replicas: 1, podDisruptionBudget: {maxUnavailable: 0}}",
                "{podDisruptionBudget: {maxUnavailable: 1%}}",
                "{podDisruptionBudget: {enabled: false, maxUnavailable: 0}}",
                "{strategy: {rollingUpdate: {maxSurge: 0}}}",
                "{strategy: {rollingUpdate: {maxUnavailable: 0}}}",
                "{strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: null}}}",
                "{replicas: 1, strategy: {rollingUpdate: {maxSurge: null}}}",
                "{replicas: 1, strategy: {rollingUpdate: null}}",
                "{replicas: 10}",
                "{replicas: 66, shards: {count: 64}}",
                "{shards: {count: 1}, rebalance: {enabled: true}}",
                "{shards: {count: 2}, why: {enabled: true}, page: {enabled: true}, whatifApi: {enabled: true}}",
                "{commonLabels: {example.com/A_b.c: '', d: E_f.g-1}, nodeSelector: {node-role.kubernetes.io/worker: ''}}",
                "{podAnnotations: {example.com/a: 'any text, at all'}}",
                "{livenessProbe: {successThreshold: 1, terminationGracePeriodSeconds: 5}}",
                "{readinessProbe: {successThreshold: 2}}",
                "{extraVolumes: [{name: a}], extraVolumeMounts: [{name: a, mountPath: /tmp/a}, {name: a, mountPath: /a}]}",
                "{topologySpreadConstraints: [{maxSkew: 1, topologyKey: a, whenUnsatisfiable: DoNotSchedule, minDomains: 2}]}",
                "{networkPolicy: {ingressFrom: [{podSelector: {matchExpressions: [{key: a, operator: In, values: [b]}]}}]}}",
                "{image: {repository: 'localhost:5000/a/b_c__d-e.f'}}",
                "{image: {repository: '[::1]:5000/evenkeel'}}",
                "{resources: {requests: {cpu: 0.5, memory: 1073741824}, limits: {memory: 1.5e9, cpu: '2', ephemeral-storage: 10M}}}",
                "{metrics: {readers: [{name: prometheus.k8s, namespace: monitoring}]}}",
                "{replicas: 1, strategy: {type: Recreate, rollingUpdate: {maxSurge: 0}}}",
                "{config: {leaderElection: {leaseDuration: 1m0.5s, renewDeadline: '0', retryPeriod: 500ms}}}"
            })
    void theRestIsTaken(String values) {
        assertThatCode(() -> Chart.render(values)).doesNotThrowAnyException();
    }

    /** That the first of those that are tried is taken is what {@link OpenApiTest} shows. */
    @Test
    void aServerOlderThanWhatIsTriedIsRefused() {
        assertThatThrownBy(() -> Chart.render(Target.USUAL.on("v1.29.15"), ""))
                .hasMessageContaining("requires kubeVersion: >=1.30.0-0");
    }
}
