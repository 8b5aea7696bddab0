{{/* What ServiceMonitor and PodMonitor say alike of an endpoint; handed in are the monitor's values. */}}
{{- define "evenkeel.monitoredEndpoint" -}}
port: https
path: /metrics
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
{{- with .relabelings }}
relabelings:
{{- toYaml . | nindent 0 }}
{{- end }}
{{- with .metricRelabelings }}
metricRelabelings:
{{- toYaml . | nindent 0 }}
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
