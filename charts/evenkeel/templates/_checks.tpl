{{/* Values that contradict each other, which a schema cannot tell. */}}
{{- define "evenkeel.checks" -}}
{{- $election := include "evenkeel.leaderElection" . | fromYaml -}}
{{- if and (gt (int .Values.replicas) 1) (not $election.leaderElect) -}}
{{- fail (printf "replicas is %d and config.leaderElection.leaderElect is false: all replicas would schedule at once; set replicas to 1 or keep the election" (int .Values.replicas)) -}}
{{- end -}}
{{- if and .Values.metrics.serviceMonitor.enabled .Values.metrics.podMonitor.enabled -}}
{{- fail "metrics.serviceMonitor.enabled and metrics.podMonitor.enabled: every replica would be scraped twice; enable one of them" -}}
{{- end -}}
{{- if and .Values.metrics.podMonitor.enabled (not .Values.metrics.podMonitor.authorization) -}}
{{- fail "metrics.podMonitor.authorization is empty: a PodMonitor cannot use Prometheus' own token; name a Secret with one, or enable metrics.serviceMonitor instead" -}}
{{- end -}}
{{- if and .Values.schedulerName (has .Values.schedulerName (include "evenkeel.profiles" . | fromYamlArray)) -}}
{{- fail (printf "schedulerName is %q, one of Evenkeel's own profiles: it could not start while it is not running; leave it empty" .Values.schedulerName) -}}
{{- end -}}
{{- range $flag, $value := dict "--config" "config" "--secure-port" "service.port" "--logging-format" "logging.format" "--v" "logging.verbosity" "-v" "logging.verbosity" "--shutdown-grace" "shutdownGrace" "--tls-cert-file" "tls.secretName" "--tls-private-key-file" "tls.secretName" -}}
{{- range $.Values.extraArgs -}}
{{- if eq $flag (first (splitList "=" .)) -}}
{{- fail (printf "extraArgs has %s, which the chart sets itself: use the value %s" $flag $value) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end }}

{{/* The names that the profiles answer to, as a YAML list. */}}
{{- define "evenkeel.profiles" -}}
{{- $names := list -}}
{{- range (include "evenkeel.configuration" . | fromYaml).profiles -}}
{{- $names = append $names (default "default-scheduler" .schedulerName) -}}
{{- end -}}
{{- toYaml $names }}
{{- end }}
