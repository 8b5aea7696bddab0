{{/* What PlacementPolicies and ClusterPlacementPolicies say: the schemas of both definitions, but for what tells them apart. */}}

{{/* The keys and values that labels can have. */}}
{{- define "evenkeel.patternOfKey" -}}
^([a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$
{{- end }}

{{- define "evenkeel.schemaOfKey" -}}
type: string
minLength: 1
maxLength: 317
pattern: '{{ include "evenkeel.patternOfKey" . }}'
x-kubernetes-validations:
- rule: "self.indexOf('/') <= 253"
  message: has a prefix of more than 253 characters
{{- end }}

{{- define "evenkeel.schemaOfValue" -}}
type: string
maxLength: 63
pattern: '^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$'
{{- end }}

{{/* The value of a label that is a domain's: of none without a name. */}}
{{- define "evenkeel.schemaOfDomain" -}}
type: string
minLength: 1
maxLength: 63
pattern: '^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$'
{{- end }}

{{/* A label selector. Its lists are bounded, as what checks them may not cost an API server more than so much. */}}
{{- define "evenkeel.schemaOfSelector" -}}
type: object
x-kubernetes-map-type: atomic
properties:
  matchLabels:
    type: object
    maxProperties: 64
    additionalProperties:
      {{- include "evenkeel.schemaOfValue" . | nindent 6 }}
    x-kubernetes-validations:
    - rule: "self.all(key, key.matches('{{ include "evenkeel.patternOfKey" . }}') && key.indexOf('/') <= 253)"
      message: has a key that no label can have
  matchExpressions:
    type: array
    maxItems: 32
    x-kubernetes-list-type: atomic
    items:
      type: object
      required: [key, operator]
      properties:
        key:
          {{- include "evenkeel.schemaOfKey" . | nindent 10 }}
        operator: {type: string, enum: [In, NotIn, Exists, DoesNotExist]}
        values:
          type: array
          maxItems: 128
          x-kubernetes-list-type: atomic
          items:
            {{- include "evenkeel.schemaOfValue" . | nindent 12 }}
      x-kubernetes-validations:
      - rule: "(self.operator in ['In', 'NotIn']) == (has(self.values) && size(self.values) > 0)"
        message: values belong to In and NotIn, which need some
{{- end }}

{{/* A number of at least 1; handed in are what it limits and the largest it may be. */}}
{{- define "evenkeel.schemaOfLimit" -}}
type: integer
format: int32
minimum: 1
maximum: {{ index . 1 | int64 }}
description: {{ index . 0 }}
{{- end }}

{{- define "evenkeel.schemaOfRule" -}}
type: object
description: Limits of how the pods are distributed over the domains of a label of nodes. What is absent limits nothing.
required: [topologyKey]
properties:
  topologyKey:
    {{- include "evenkeel.schemaOfKey" . | nindent 4 }}
    description: The label of nodes whose values are the domains. Nodes without it take none of the pods.
  maxPods:
    {{- include "evenkeel.schemaOfLimit" (list "How many of the pods a domain may have." 2147483647) | nindent 4 }}
  maxPercent:
    {{- include "evenkeel.schemaOfLimit" (list "How many of a hundred of the pods a domain may have, rounded up." 100) | nindent 4 }}
  maxDomains:
    {{- include "evenkeel.schemaOfLimit" (list "How many domains may have any of the pods." 2147483647) | nindent 4 }}
  maxSkew:
    {{- include "evenkeel.schemaOfLimit" (list "How many more of the pods a domain may have than the one with the fewest, of those that may have any." 2147483647) | nindent 4 }}
  whenUnsatisfiable:
    type: string
    enum: [DoNotSchedule, ScheduleAnyway]
    description: Whether a pod waits where no node keeps the limits, which is so where this is absent, or the nodes that keep them best go before all others.
  matchLabelKeys:
    type: array
    maxItems: 16
    x-kubernetes-list-type: set
    items:
      {{- include "evenkeel.schemaOfKey" . | nindent 6 }}
    description: Labels by which the pods are told apart; one counts only those that have the same values as itself, as of pod-template-hash those of its own revision.
  knownDomains:
    type: array
    maxItems: 100
    x-kubernetes-list-type: set
    items:
      {{- include "evenkeel.schemaOfDomain" . | nindent 6 }}
    description: Domains that there are, even while no node is in them; for maxSkew.
  relaxAfterSeconds:
    {{- include "evenkeel.schemaOfLimit" (list "After how long a pod need not wait any longer for domains in which nothing has room for it; for maxSkew." 2147483647) | nindent 4 }}
  rememberDomainsSeconds:
    {{- include "evenkeel.schemaOfLimit" (list "For how long a domain counts as known after the last node went that was open to the pods; for maxSkew." 2147483647) | nindent 4 }}
  mustUse:
    type: array
    maxItems: 100
    x-kubernetes-list-type: set
    items:
      {{- include "evenkeel.schemaOfDomain" . | nindent 6 }}
    description: Domains each of which has a pod before another one has a second.
  weights:
    type: array
    maxItems: 100
    x-kubernetes-list-type: map
    x-kubernetes-list-map-keys: [domain]
    description: By which the pods are apportioned to the domains. Those without a weight get none.
    items:
      type: object
      required: [domain, weight]
      properties:
        domain:
          {{- include "evenkeel.schemaOfDomain" . | nindent 10 }}
        weight: {type: integer, format: int32, minimum: 0, maximum: 1000000}
    x-kubernetes-validations:
    - rule: "size(self) == 0 || self.exists(part, part.weight > 0)"
      message: are all 0
x-kubernetes-validations:
- rule: "has(self.maxPods) || has(self.maxPercent) || has(self.maxDomains) || has(self.maxSkew) || (has(self.mustUse) && size(self.mustUse) > 0) || (has(self.weights) && size(self.weights) > 0)"
  message: limits nothing
- rule: "!has(self.mustUse) || !has(self.maxDomains) || size(self.mustUse) <= self.maxDomains"
  message: mustUse has more domains than maxDomains
- rule: "!has(self.whenUnsatisfiable) || self.whenUnsatisfiable == 'DoNotSchedule' || (has(self.maxSkew) && !has(self.maxPods) && !has(self.maxPercent) && !has(self.maxDomains) && (!has(self.mustUse) || size(self.mustUse) == 0) && (!has(self.weights) || size(self.weights) == 0) && !has(self.relaxAfterSeconds))"
  message: whenUnsatisfiable may be ScheduleAnyway of maxSkew alone
- rule: "has(self.maxSkew) || (!has(self.relaxAfterSeconds) && (!has(self.knownDomains) || size(self.knownDomains) == 0) && !has(self.rememberDomainsSeconds))"
  message: relaxAfterSeconds, knownDomains and rememberDomainsSeconds are for maxSkew
{{- end }}

{{/* What the leader writes. Its lists are as it writes them: nobody else does. */}}
{{- define "evenkeel.schemaOfPolicyStatus" -}}
type: object
description: How the pods are distributed, as the leading scheduler sees it.
properties:
  observedGeneration: {type: integer, format: int64}
  pods: {type: integer, format: int64, description: "Pods of the policy that are on nodes."}
  waiting: {type: integer, format: int32, description: Pods that it is about and that wait for a node.}
  rules:
    type: array
    x-kubernetes-list-type: atomic
    description: The distribution over the domains of each rule.
    items:
      type: object
      required: [topologyKey]
      properties:
        topologyKey: {type: string}
        domains:
          type: array
          x-kubernetes-list-type: atomic
          description: The fullest first, fifty at most.
          items:
            type: object
            required: [domain, pods]
            properties:
              domain: {type: string}
              pods: {type: integer, format: int32}
        moreDomains: {type: integer, format: int32, description: Domains that are not named.}
        fewest: {type: integer, format: int32, description: "Pods in the domain with the fewest, of the kind of pods that is spread least evenly."}
        most: {type: integer, format: int32, description: "Pods in the domain with the most, of the same kind."}
        skew: {type: integer, format: int32, description: The most less the fewest.}
  relaxed:
    type: array
    maxItems: 100
    x-kubernetes-list-type: atomic
    description: Domains for which pods need not wait, as some have found no node there, for the reason that is named.
    items:
      type: object
      required: [topologyKey, domain]
      properties:
        topologyKey: {type: string}
        domain: {type: string}
        reason: {type: string}
        since: {type: string, format: date-time}
  remembered:
    type: array
    maxItems: 100
    x-kubernetes-list-type: atomic
    description: Domains that are remembered. One that has lost its last open node counts for as long as rememberDomainsSeconds says.
    items:
      type: object
      required: [topologyKey, domain]
      properties:
        topologyKey: {type: string}
        domain: {type: string}
        goneSince: {type: string, format: date-time, description: Absent while a node there is open to the pods.}
  conditions:
    type: array
    x-kubernetes-list-type: map
    x-kubernetes-list-map-keys: [type]
    description: Accepted, Satisfied, Satisfiable and SeenByAutoscaler; of policies with relaxAfterSeconds Strict, too.
    items:
      type: object
      required: [type, status, lastTransitionTime, reason, message]
      properties:
        type: {type: string, maxLength: 316}
        status: {type: string, enum: ["True", "False", "Unknown"]}
        observedGeneration: {type: integer, format: int64}
        lastTransitionTime: {type: string, format: date-time}
        reason: {type: string, minLength: 1, maxLength: 1024}
        message: {type: string, maxLength: 32768}
{{- end }}

{{/* A definition's one version; handed in are what a policy is, of which namespaces, and what it has to say. */}}
{{- define "evenkeel.versionOfPolicies" -}}
name: v1alpha1
served: true
storage: true
subresources:
  status: {}
additionalPrinterColumns:
- {name: Selector, type: string, jsonPath: .spec.selector.matchLabels}
- {name: Over, type: string, jsonPath: ".spec.rules[*].topologyKey"}
- {name: Pods, type: integer, jsonPath: .status.pods}
- {name: Waiting, type: integer, jsonPath: .status.waiting}
- {name: Satisfied, type: string, jsonPath: ".status.conditions[?(@.type==\"Satisfied\")].status"}
- {name: Age, type: date, jsonPath: .metadata.creationTimestamp}
schema:
  openAPIV3Schema:
    type: object
    description: {{ .policy }}
    required: [spec]
    properties:
      spec:
        type: object
        required: {{ toJson .required }}
        properties:
          selector:
            description: The pods that it is about.
            {{- include "evenkeel.schemaOfSelector" . | nindent 12 }}
          namespaceSelector:
            description: {{ .namespaces }}
            {{- include "evenkeel.schemaOfSelector" . | nindent 12 }}
          {{- if .countsNamespaces }}
          countNamespaces:
            type: string
            enum: [Together, Separately]
            description: Whether a pod counts those of all these namespaces, or those of its own, so that each namespace has the policy for itself. Together where this is absent.
          {{- end }}
          leavingPods:
            type: string
            enum: [Count, Ignore]
            description: Whether pods count that are about to leave, being on a cordoned node or marked as a target of disruption. They do where this is absent.
          podDeletionCost:
            type: string
            enum: [Unmanaged, Managed]
            description: Whether pods are told by the annotation controller.kubernetes.io/pod-deletion-cost in which order a ReplicaSet that is scaled down deletes them, so that the others stay spread. They are not where this is absent.
          rules:
            type: array
            minItems: 1
            maxItems: 16
            x-kubernetes-list-type: atomic
            description: All of them are kept.
            items:
              {{- include "evenkeel.schemaOfRule" . | nindent 14 }}
      status:
        {{- include "evenkeel.schemaOfPolicyStatus" . | nindent 8 }}
{{- end }}

{{/* Not empty where this release installs the definitions: an observer places no pods. */}}
{{- define "evenkeel.installsPolicies" -}}
{{- if and (default dict .Values.policies).enabled (not .Values.observe) }}yes{{ end -}}
{{- end }}

{{/* Whether it may patch pods, and is held to two annotations. */}}
{{- define "evenkeel.patchesPods" -}}
{{- if or (include "evenkeel.writesDeletionCosts" .) (include "evenkeel.surges" .) }}yes{{ end -}}
{{- end }}

{{/* Whether it may patch Deployments, and is held to their replicas. */}}
{{- define "evenkeel.surges" -}}
{{- if and .Values.rbac.create .Values.rebalance.enabled .Values.rebalance.surge }}yes{{ end -}}
{{- end }}

{{- define "evenkeel.writesDeletionCosts" -}}
{{- if and .Values.rbac.create (default dict .Values.policies).podDeletionCost (not .Values.observe) (include "evenkeel.profilesThatEnable" (list . "PlacementPolicy")) }}yes{{ end -}}
{{- end }}

{{/* Definitions without a plugin that keeps policies are refused: the API server would accept policies, and no pod be limited. */}}
{{- define "evenkeel.checkPolicies" -}}
{{- if and (include "evenkeel.installsPolicies" .) (not (include "evenkeel.profilesThatEnable" (list . "PlacementPolicy"))) -}}
{{- fail "policies.enabled is true and no profile of config.profiles enables the plugin PlacementPolicy: policies would be taken and kept by nobody; enable it in plugins.multiPoint of a profile" -}}
{{- end -}}
{{- end }}
