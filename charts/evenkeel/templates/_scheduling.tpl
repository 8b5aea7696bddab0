{{/* Where the replicas themselves go. */}}

{{- define "evenkeel.affinity" -}}
{{- $term := dict
  "topologyKey" "kubernetes.io/hostname"
  "labelSelector" (dict "matchLabels" (include "evenkeel.selectorLabels" . | fromYaml))
-}}
{{- $affinity := dict -}}
{{- if eq .Values.podAntiAffinity "soft" -}}
{{- $weighted := dict "weight" 100 "podAffinityTerm" $term -}}
{{- $_ := set $affinity "podAntiAffinity" (dict "preferredDuringSchedulingIgnoredDuringExecution" (list $weighted)) -}}
{{- else if eq .Values.podAntiAffinity "hard" -}}
{{- $_ := set $affinity "podAntiAffinity" (dict "requiredDuringSchedulingIgnoredDuringExecution" (list $term)) -}}
{{- end -}}
{{- $merged := mergeOverwrite $affinity (deepCopy (default dict .Values.affinity)) -}}
{{- if $merged }}{{ toYaml $merged }}{{ end }}
{{- end }}

{{- define "evenkeel.topologySpreadConstraints" -}}
{{- $own := dict "labelSelector" (dict "matchLabels" (include "evenkeel.selectorLabels" . | fromYaml)) -}}
{{- $constraints := list -}}
{{- range .Values.topologySpreadConstraints -}}
{{- $constraints = append $constraints (hasKey . "labelSelector" | ternary . (merge (deepCopy .) $own)) -}}
{{- end -}}
{{- if $constraints }}{{ toYaml $constraints }}{{ end }}
{{- end }}
