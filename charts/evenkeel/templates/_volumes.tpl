{{/* The chart's own volumes and where they are mounted have to stay so; what is mounted besides has to be there. */}}
{{- define "evenkeel.checkVolumes" -}}
{{- $own := dict "config" "/etc/evenkeel" "tmp" "/tmp" "tls" "/etc/evenkeel-tls" "plugins" "/plugins" "record" "/record" -}}
{{- $names := list -}}
{{- range .Values.extraVolumes -}}
{{- if hasKey $own .name -}}
{{- fail (printf "extraVolumes has one named %s, as the chart has itself: give it another name" .name) -}}
{{- end -}}
{{- if has .name $names -}}
{{- fail (printf "extraVolumes has two named %s: give one of them another name" .name) -}}
{{- end -}}
{{- $names = append $names .name -}}
{{- end -}}
{{- $paths := list -}}
{{- range .Values.extraVolumeMounts -}}
{{- $path := clean .mountPath -}}
{{- if not (has .name $names) -}}
{{- fail (printf "extraVolumeMounts has %s, which is not in extraVolumes: add it there" .name) -}}
{{- end -}}
{{- if or (has $path (concat (values $own) $paths)) (hasPrefix "/etc/evenkeel/" $path) (hasPrefix "/etc/evenkeel-tls/" $path) (hasPrefix "/plugins/" $path) (hasPrefix "/record/" $path) -}}
{{- fail (printf "extraVolumeMounts mounts %s at %s, where something else is: choose another mountPath" .name .mountPath) -}}
{{- end -}}
{{- $paths = append $paths $path -}}
{{- end -}}
{{- end }}

{{/* Whether the run is recorded: an observer decides nothing. */}}
{{- define "evenkeel.isRecorded" -}}
{{- if and .Values.record.enabled (not .Values.observe) -}}
true
{{- end -}}
{{- end }}
