{{/* How many replicas may go, and come, at once. */}}

{{/* A number or a share of all replicas, rounded up; handed in are what is said and the replicas. */}}
{{- define "evenkeel.count" -}}
{{- $said := index . 0 | toString -}}
{{- $count := index . 0 | int64 -}}
{{- if hasSuffix "%" $said -}}
{{- $count = div (add (mul (index . 1 | int64) (trimSuffix "%" $said | int64)) 99) 100 -}}
{{- end -}}
{{- $count }}
{{- end }}

{{/* A single replica goes only when another is ready; rollingUpdate means nothing, and is refused, with another type. */}}
{{- define "evenkeel.strategy" -}}
{{- $strategy := deepCopy .Values.strategy -}}
{{- if ne $strategy.type "RollingUpdate" -}}
{{- $strategy = omit $strategy "rollingUpdate" -}}
{{- else if and (eq (int .Values.replicas) 1) $strategy.rollingUpdate -}}
{{- $_ := set $strategy.rollingUpdate "maxUnavailable" 0 -}}
{{- end -}}
{{- toYaml $strategy }}
{{- end }}

{{/* Where no replica may go and none come, no update begins. Kubernetes has 25% of its own for what is not said. */}}
{{- define "evenkeel.checkStrategy" -}}
{{- $rolling := default dict (include "evenkeel.strategy" . | fromYaml).rollingUpdate -}}
{{- $surge := default "25%" (get $rolling "maxSurge" | toString) -}}
{{- $gone := default "25%" (get $rolling "maxUnavailable" | toString) -}}
{{- if and (has $surge (list "0" "0%")) (has $gone (list "0" "0%")) -}}
{{- fail (printf "strategy.rollingUpdate is maxSurge %s and maxUnavailable %s for %d replicas: none may go before another comes, and none may come; raise maxSurge, or set strategy.type to Recreate" $surge $gone (int .Values.replicas)) -}}
{{- end -}}
{{- end }}

{{/* A budget that lets all replicas go at once, or none ever. */}}
{{- define "evenkeel.checkDisruption" -}}
{{- $replicas := int64 .Values.replicas -}}
{{- $budget := .Values.podDisruptionBudget -}}
{{- if and $budget.enabled (gt $replicas 1) -}}
{{- $gone := include "evenkeel.count" (list $budget.maxUnavailable $replicas) | int64 -}}
{{- if ge $gone $replicas -}}
{{- fail (printf "podDisruptionBudget.maxUnavailable is %s of %d replicas: a drain could take all of them at once; set it lower, or podDisruptionBudget.enabled to false" (toString $budget.maxUnavailable) $replicas) -}}
{{- end -}}
{{- if eq $gone 0 -}}
{{- fail (printf "podDisruptionBudget.maxUnavailable is %s: every drain of a replica's node would wait for ever; set it to 1 or more" (toString $budget.maxUnavailable)) -}}
{{- end -}}
{{- end -}}
{{- end }}
