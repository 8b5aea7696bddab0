{{/* Where there are metrics to read, as a JSON list. */}}
{{- define "evenkeel.metricsPaths" -}}
{{- $paths := list "/metrics" }}
{{- if .Values.metrics.slis }}{{ $paths = append $paths "/metrics/slis" }}{{ end }}
{{- if .Values.metrics.resources }}{{ $paths = append $paths "/metrics/resources" }}{{ end }}
{{- toJson $paths }}
{{- end }}

{{/* What ServiceMonitor and PodMonitor say alike of an endpoint; handed in are its path and the monitor's values. */}}
{{- define "evenkeel.monitoredEndpoint" -}}
{{- $path := index . 0 }}
{{- with index . 1 -}}
port: https
path: {{ $path }}
scheme: https
tlsConfig:
  {{- toYaml (default dict .tlsConfig) | nindent 2 }}
{{- with .authorization }}
authorization:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .interval }}
interval: {{ . }}
{{- end }}
{{- with .scrapeTimeout }}
scrapeTimeout: {{ . }}
{{- end }}
{{- $relabelings := default list .relabelings }}
{{- if ne $path "/metrics" }}
{{- /* a target of its own, or its `up` would be the other's */}}
{{- $relabelings = prepend $relabelings (dict "sourceLabels" (list "__metrics_path__") "targetLabel" "metrics_path") }}
{{- end }}
{{- with $relabelings }}
relabelings:
{{- toYaml . | nindent 0 }}
{{- end }}
{{- with .metricRelabelings }}
metricRelabelings:
{{- toYaml . | nindent 0 }}
{{- end }}
{{- end }}
{{- end }}

{{/* Chooses this release's metrics. The monitors name the job after the release. */}}
{{- define "evenkeel.metricsSelector" -}}
{{- default (printf "job=%q,namespace=%q" .Release.Name .Release.Namespace) .Values.metrics.prometheusRule.selector }}
{{- end }}

{{/* Where it is written what to do about an alert; handed in are the context and the alert's name. */}}
{{- define "evenkeel.runbook" -}}
{{- with (index . 0).Values.metrics.prometheusRule.runbookUrl -}}
runbook_url: {{ printf "%s#%s" . (index $ 1 | lower) | quote }}
{{- end -}}
{{- end }}
