{{/* The KubeSchedulerConfiguration, as YAML: the chart's own fields with .Values.config over them. */}}
{{- define "evenkeel.configuration" -}}
{{- $profile := dict "schedulerName" "evenkeel" -}}
{{- if include "evenkeel.installsPolicies" . -}}
{{- $_ := set $profile "plugins" (dict "multiPoint" (dict "enabled" (list (dict "name" "PlacementPolicy")))) -}}
{{- end -}}
{{- $defaults := dict
  "apiVersion" "kubescheduler.config.k8s.io/v1"
  "kind" "KubeSchedulerConfiguration"
  "leaderElection" (dict
    "leaderElect" true
    "resourceName" (include "evenkeel.fullname" .)
    "resourceNamespace" .Release.Namespace)
  "clientConnection" (dict "qps" 200 "burst" 400)
  "profiles" (list $profile)
-}}
{{- with .Values.shards -}}
{{- $_ := set $defaults "shards" . -}}
{{- end -}}
{{- toYaml (mergeOverwrite $defaults (deepCopy (default dict .Values.config))) }}
{{- end }}

{{/*
The leader election that the configuration asks for: leaderElect, resourceName, resourceNamespace. Evenkeel takes
kube-scheduler's own Lease to mean "evenkeel", so that the two never take turns.
*/}}
{{- define "evenkeel.leaderElection" -}}
{{- $election := (include "evenkeel.configuration" . | fromYaml).leaderElection -}}
{{- if eq $election.resourceName "kube-scheduler" -}}
{{- $_ := set $election "resourceName" "evenkeel" -}}
{{- end -}}
{{- toYaml $election }}
{{- end }}

{{/* How many shards there are, which is 1 where all nodes are in one engine. */}}
{{- define "evenkeel.shards" -}}
{{- $shards := default dict .Values.shards -}}
{{- if $shards.values -}}
{{- add 1 (len $shards.values) -}}
{{- else -}}
{{- default 1 $shards.count | int -}}
{{- end -}}
{{- end }}

{{/* "true" where there are several. */}}
{{- define "evenkeel.isSharded" -}}
{{- if gt (include "evenkeel.shards" . | int) 1 }}true{{ end -}}
{{- end }}

{{/*
The Leases by which replicas agree who schedules what, as a YAML list. Where `shards` is set these are of as many shards as there may be:
during a rollout, replicas hold those of what was said before.
*/}}
{{- define "evenkeel.leases" -}}
{{- $election := include "evenkeel.leaderElection" . | fromYaml -}}
{{- $names := list $election.resourceName -}}
{{- if .Values.shards -}}
{{- range $shard := until 64 -}}
{{- $names = append $names (printf "%s-shard-%d" $election.resourceName $shard) -}}
{{- end -}}
{{- end -}}
{{- toJson $names -}}
{{- end }}

{{/* What shards do not go together with. */}}
{{- define "evenkeel.checkShards" -}}
{{- $shards := default dict .Values.shards -}}
{{- if hasKey (default dict .Values.config) "shards" -}}
{{- fail "config.shards is set, which the chart goes by elsewhere too: use the value shards" -}}
{{- end -}}
{{- if and $shards (not (or $shards.count $shards.nodeLabel)) -}}
{{- fail "shards has neither a count nor a nodeLabel: set count, or nodeLabel and values" -}}
{{- end -}}
{{- if and $shards.count $shards.nodeLabel -}}
{{- fail "shards has a count and a nodeLabel: values say how many shards there are; leave count out" -}}
{{- end -}}
{{- if include "evenkeel.isSharded" . -}}
{{- $election := include "evenkeel.leaderElection" . | fromYaml -}}
{{- if not $election.leaderElect -}}
{{- fail "config.leaderElection.leaderElect is false and there are shards: Leases say who schedules which; keep the election" -}}
{{- end -}}
{{- if .Values.rebalance.enabled -}}
{{- fail "rebalance.enabled is true and there are shards: run `evenkeel rebalance run` beside them (docs/shards.md), or set one of them" -}}
{{- end -}}
{{- if .Values.record.enabled -}}
{{- fail "record.enabled is true and there are shards: a record is of one engine that has all (docs/shards.md); set one of them" -}}
{{- end -}}
{{- else if gt (int .Values.replicas) 10 -}}
{{- fail (printf "replicas is %d and there are no shards: one replica schedules, and the others only watch; set replicas to 10 at most" (int .Values.replicas)) -}}
{{- end -}}
{{- end }}

{{/* "true" where a profile has the plugin DefaultPreemption, as all have that do not disable it. */}}
{{- define "evenkeel.preempts" -}}
{{- range (include "evenkeel.configuration" . | fromYaml).profiles -}}
{{- $plugins := default dict .plugins -}}
{{- $everywhere := default dict $plugins.multiPoint -}}
{{- $there := default dict $plugins.postFilter -}}
{{- $off := include "evenkeel.namesPreemption" $everywhere.disabled -}}
{{- $on := or (not $off) (include "evenkeel.namesPreemption" $everywhere.enabled) -}}
{{- $on = and $on (not (include "evenkeel.namesPreemption" $there.disabled)) -}}
{{- if or $on (include "evenkeel.namesPreemption" $there.enabled) -}}
true
{{- end -}}
{{- end -}}
{{- end }}

{{/* "true" where the list of plugins names DefaultPreemption, or all. */}}
{{- define "evenkeel.namesPreemption" -}}
{{- range . -}}
{{- if has .name (list "DefaultPreemption" "*") -}}
true
{{- end -}}
{{- end -}}
{{- end }}

{{/*
"true" where a profile has one of the plugins that are named behind the context. A profile has each that it does not disable at
multiPoint, and each that it enables at any point.
*/}}
{{- define "evenkeel.hasAnyOf" -}}
{{- $names := rest . -}}
{{- range (include "evenkeel.configuration" (first .) | fromYaml).profiles -}}
{{- $plugins := default dict .plugins -}}
{{- $has := $names -}}
{{- range (default dict $plugins.multiPoint).disabled -}}
{{- $has = ternary list (without $has .name) (eq (default "" .name) "*") -}}
{{- end -}}
{{- range $point, $set := $plugins -}}
{{- range (default dict $set).enabled -}}
{{- $has = append $has .name -}}
{{- end -}}
{{- end -}}
{{- range $has -}}
{{- if has . $names -}}
true
{{- end -}}
{{- end -}}
{{- end -}}
{{- end }}

{{/*
The names of the profiles that enable a plugin which no profile has unless it says so, as a YAML list, empty where none does;
handed in are the context and the plugin.
*/}}
{{- define "evenkeel.profilesThatEnable" -}}
{{- $wanted := last . -}}
{{- $names := list -}}
{{- range (include "evenkeel.configuration" (first .) | fromYaml).profiles -}}
{{- $enabled := false -}}
{{- range $point, $set := .plugins -}}
{{- range (default dict $set).enabled -}}
{{- $enabled = or $enabled (eq (default "" .name) $wanted) -}}
{{- end -}}
{{- end -}}
{{- if $enabled -}}
{{- $names = append $names (default "default-scheduler" .schedulerName) -}}
{{- end -}}
{{- end -}}
{{- if $names }}{{ toYaml $names }}{{ end -}}
{{- end }}

{{/* "true" where feature gates may be on that are on from 1.37 on: where the answers are not 1.36's, or gates are set. */}}
{{- define "evenkeel.hasGatesOf137" -}}
{{- if ne (default "" .Values.emulatedVersion) "1.36" -}}
true
{{- end -}}
{{- range .Values.extraArgs -}}
{{- if eq (include "evenkeel.flag" .) "--feature-gates" -}}
true
{{- end -}}
{{- end -}}
{{- end }}

{{/* A duration such as "1m30s" in seconds. */}}
{{- define "evenkeel.seconds" -}}
{{- $ofUnit := dict "ms" 0.001 "s" 1.0 "m" 60.0 "h" 3600.0 -}}
{{- $seconds := 0.0 -}}
{{- range regexFindAll "[0-9.]+(ms|s|m|h)" . -1 -}}
{{- $unit := regexFind "[a-z]+" . -}}
{{- $seconds = addf $seconds (mulf (trimSuffix $unit . | float64) (get $ofUnit $unit)) -}}
{{- end -}}
{{- $seconds }}
{{- end }}
