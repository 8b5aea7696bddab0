{{/* Values that contradict each other, which a schema cannot tell. */}}
{{- define "evenkeel.checks" -}}
{{- $election := include "evenkeel.leaderElection" . | fromYaml -}}
{{- if and .Values.observe (gt (int .Values.replicas) 1) -}}
{{- fail (printf "replicas is %d and observe is true: each replica would observe the same and say so; set replicas to 1" (int .Values.replicas)) -}}
{{- end -}}
{{- if and .Values.page.enabled .Values.observe -}}
{{- fail "page.enabled and observe are true: who observes serves its page without asking for a token; run `evenkeel observe --page` where a kubeconfig is" -}}
{{- end -}}
{{- if and .Values.rebalance.enabled .Values.observe -}}
{{- fail "rebalance.enabled and observe are true: who observes changes nothing; set one of them to false" -}}
{{- end -}}
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
{{- if not (or .Values.serviceAccount.create .Values.serviceAccount.name) -}}
{{- fail "serviceAccount.create is false and serviceAccount.name is empty: that would be the ServiceAccount default, of all pods that name none; set serviceAccount.name" -}}
{{- end -}}
{{- if and (gt (len (default list .Values.service.ipFamilies)) 1) (not (hasSuffix "DualStack" (default "" .Values.service.ipFamilyPolicy))) -}}
{{- fail "service.ipFamilies has two families and service.ipFamilyPolicy is not of dual stack, which an API server refuses; set PreferDualStack or RequireDualStack" -}}
{{- end -}}
{{- include "evenkeel.checkShards" . -}}
{{- include "evenkeel.checkArguments" . -}}
{{- include "evenkeel.checkVolumes" . -}}
{{- include "evenkeel.checkPlugins" . -}}
{{- include "evenkeel.checkPolicies" . -}}
{{- include "evenkeel.checkEnd" . -}}
{{- include "evenkeel.checkStrategy" . -}}
{{- include "evenkeel.checkDisruption" . -}}
{{- include "evenkeel.checkName" . -}}
{{- end }}

{{/* The names that the profiles answer to, as a YAML list. */}}
{{- define "evenkeel.profiles" -}}
{{- $names := list -}}
{{- range (include "evenkeel.configuration" . | fromYaml).profiles -}}
{{- $names = append $names (default "default-scheduler" .schedulerName) -}}
{{- end -}}
{{- toYaml $names }}
{{- end }}

{{/* The node kills what has not ended in time: bindings on their way would be lost. */}}
{{- define "evenkeel.checkEnd" -}}
{{- $seconds := int64 .Values.terminationGracePeriodSeconds -}}
{{- if le (float64 $seconds) (include "evenkeel.seconds" .Values.shutdownGrace | float64) -}}
{{- fail (printf "terminationGracePeriodSeconds is %d and shutdownGrace is %s: a replica would be killed before its grace is over; set terminationGracePeriodSeconds higher" $seconds .Values.shutdownGrace) -}}
{{- end -}}
{{- end }}

{{/* Releases may have names that a Service may not. */}}
{{- define "evenkeel.checkName" -}}
{{- $name := include "evenkeel.fullname" . -}}
{{- if not (regexMatch "^[a-z]([-a-z0-9]*[a-z0-9])?$" $name) -}}
{{- fail (printf "the objects would be named %q, which a Service cannot be: it begins with a letter and has no dots; choose another name with fullnameOverride" $name) -}}
{{- end -}}
{{- end }}
