{{/* Names and labels. */}}

{{- define "evenkeel.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "evenkeel.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" }}
{{- else if contains (include "evenkeel.name" .) .Release.Name }}
{{- .Release.Name | trunc 63 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name (include "evenkeel.name" .) | trunc 63 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{/*
The name of what is not in the release's namespace, where releases of other namespaces may have the same one. Neither part
can contain a dot, so no two pairs of them make one name.
*/}}
{{- define "evenkeel.clusterName" -}}
{{- printf "%s.%s" .Release.Namespace (include "evenkeel.fullname" .) }}
{{- end }}

{{/* The name in a namespace that may be another than the release's; handed in are the context and that namespace. */}}
{{- define "evenkeel.nameIn" -}}
{{- $context := index . 0 -}}
{{- include (eq (index . 1) $context.Release.Namespace | ternary "evenkeel.fullname" "evenkeel.clusterName") $context }}
{{- end }}

{{/* Where the chart does not make it, it has a name: "evenkeel.checks" sees to that. */}}
{{- define "evenkeel.serviceAccountName" -}}
{{- default (include "evenkeel.fullname" .) .Values.serviceAccount.name }}
{{- end }}

{{/* What tells this release's pods from all others. Never changes: a Deployment's selector cannot. */}}
{{- define "evenkeel.selectorLabels" -}}
app.kubernetes.io/name: {{ include "evenkeel.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "evenkeel.labels" -}}
{{- include "evenkeel.labelsAnd" (list . dict) }}
{{- end }}

{{/* The labels of every object and some more; handed in is a list of the context and these. */}}
{{- define "evenkeel.labelsAnd" -}}
{{- $context := index . 0 -}}
{{- $more := index . 1 -}}
{{- $labels := dict
  "helm.sh/chart" (printf "%s-%s" $context.Chart.Name $context.Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-")
  "app.kubernetes.io/version" $context.Chart.AppVersion
  "app.kubernetes.io/managed-by" $context.Release.Service
-}}
{{- $selected := include "evenkeel.selectorLabels" $context | fromYaml -}}
{{- toYaml (mergeOverwrite $labels (deepCopy (default dict $context.Values.commonLabels)) (deepCopy (default dict $more)) $selected) }}
{{- end }}

{{/* The pods' labels. Without the chart's version: a new chart alone is no reason to restart pods. */}}
{{- define "evenkeel.podLabels" -}}
{{- $labels := dict "app.kubernetes.io/version" .Chart.AppVersion -}}
{{- $selected := include "evenkeel.selectorLabels" . | fromYaml -}}
{{- toYaml (mergeOverwrite $labels (deepCopy (default dict .Values.commonLabels)) (deepCopy (default dict .Values.podLabels)) $selected) }}
{{- end }}

{{/* The image by tag, by digest, or by both. */}}
{{- define "evenkeel.image" -}}
{{- $tag := default .Chart.AppVersion .Values.image.tag -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}{{ with .Values.image.tag }}:{{ . }}{{ end }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ $tag }}
{{- end -}}
{{- end }}

{{/* Users, groups and ServiceAccounts as the subjects of a binding. */}}
{{- define "evenkeel.subjects" -}}
{{- range . }}
- kind: {{ .kind }}
  {{- if ne .kind "ServiceAccount" }}
  apiGroup: rbac.authorization.k8s.io
  {{- end }}
  name: {{ .name | quote }}
  {{- with .namespace }}
  namespace: {{ . }}
  {{- end }}
{{- end }}
{{- end }}
