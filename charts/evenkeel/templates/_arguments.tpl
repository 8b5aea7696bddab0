{{/*
What extraArgs must not say. A flag comes with its value after "=", as all elements begin with "-". Refused is what the chart
says itself, by another value or for other objects too, and what would leave replicas that nobody reaches or that are not one
scheduler. The rest is for those who give it: --kubeconfig, --context and --master may well mean a server elsewhere, with a
volume of one's own, and --insecure-port is on the loopback address unless told otherwise, so no promise of the chart's breaks.
*/}}
{{- define "evenkeel.checkArguments" -}}
{{- $instead := dict
  "--config" "config"
  "--secure-port" "service.port"
  "--logging-format" "logging.format"
  "--v" "logging.verbosity"
  "-v" "logging.verbosity"
  "--shutdown-grace" "shutdownGrace"
  "--emulated-version" "emulatedVersion"
  "--plugins" "plugins"
  "--why-api" "why.enabled"
  "--page" "page.enabled"
  "--rebalance" "rebalance.enabled"
  "--rebalance-every" "rebalance.every"
  "--rebalance-goal" "rebalance.goal"
  "--rebalance-moves-per-minute" "rebalance.movesPerMinute"
  "--rebalance-cool-down" "rebalance.coolDown"
  "--rebalance-eviction-requests" "rebalance.evictionRequests"
  "--rebalance-surge" "rebalance.surge"
  "--record" "record.enabled"
  "--record-limit" "record.limitMebibytes"
  "--tls-cert-file" "tls.secretName"
  "--tls-private-key-file" "tls.secretName"
  "--leader-elect" "config.leaderElection.leaderElect"
  "--leader-elect-resource-name" "config.leaderElection.resourceName"
  "--leader-elect-resource-namespace" "config.leaderElection.resourceNamespace"
-}}
{{- range .Values.extraArgs -}}
{{- $flag := include "evenkeel.flag" . -}}
{{- with get $instead $flag -}}
{{- fail (printf "extraArgs has %s, which the chart goes by elsewhere too: use the value %s" $flag .) -}}
{{- end -}}
{{- if has $flag (list "--write-config-to" "--once" "--help" "-h" "--version" "-V") -}}
{{- fail (printf "extraArgs has %s, with which replicas would end at once: leave it out, and run it by hand" $flag) -}}
{{- end -}}
{{- if and (eq $flag "--dry-run") (gt (int $.Values.replicas) 1) -}}
{{- fail (printf "replicas is %d and extraArgs has --dry-run, which knows no election: each replica would decide for itself; set replicas to 1" (int $.Values.replicas)) -}}
{{- end -}}
{{- if and (eq $flag "--bind-address") (not (regexMatch "=(0[.]0[.]0[.]0|::|[$][(].+[)])$" .)) -}}
{{- fail (printf "extraArgs has %s, where the probes and the Service would not find each replica: use 0.0.0.0, :: or a variable as $(POD_IP), with extraEnv" .) -}}
{{- end -}}
{{- end -}}
{{- include "evenkeel.checkPaths" . -}}
{{- end }}

{{/* The name of the flag in an argument: up to "=", or up to the value that is glued to a short one, as in -v5. It may have _ for -. */}}
{{- define "evenkeel.flag" -}}
{{- regexFind "^(--[^=]*|-[^-=]?)" . | replace "_" "-" -}}
{{- end }}

{{/* The probes show no token: what they ask for has to be among the paths that anybody may read. */}}
{{- define "evenkeel.checkPaths" -}}
{{- $flag := "--authorization-always-allow-paths" -}}
{{- $open := list -}}
{{- range .Values.extraArgs -}}
{{- if eq $flag (include "evenkeel.flag" .) -}}
{{- $open = concat $open (regexReplaceAll "^[^=]*=" . "" | splitList ",") -}}
{{- end -}}
{{- end -}}
{{- range $asked := list "/livez" "/readyz" -}}
{{- $found := not $open -}}
{{- range $open -}}
{{- $found = or $found (eq . $asked) (and (hasSuffix "*" .) (hasPrefix (trimSuffix "*" .) $asked)) -}}
{{- end -}}
{{- if not $found -}}
{{- fail (printf "extraArgs has %s without %s, which the probes ask for without a token: name it there too" $flag $asked) -}}
{{- end -}}
{{- end -}}
{{- end }}
