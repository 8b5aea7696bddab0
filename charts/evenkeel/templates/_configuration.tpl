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
