{{/* The KubeSchedulerConfiguration, as YAML: the chart's own fields with .Values.config over them. */}}
{{- define "evenkeel.configuration" -}}
{{- $defaults := dict
  "apiVersion" "kubescheduler.config.k8s.io/v1"
  "kind" "KubeSchedulerConfiguration"
  "leaderElection" (dict
    "leaderElect" true
    "resourceName" (include "evenkeel.fullname" .)
    "resourceNamespace" .Release.Namespace)
  "clientConnection" (dict "qps" 200 "burst" 400)
  "profiles" (list (dict "schedulerName" "evenkeel"))
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
