{{/* Out-of-tree plugins: where they come from, and what the values must not say of them. */}}

{{/* Not empty where there are some. */}}
{{- define "evenkeel.hasPlugins" -}}
{{- $plugins := default dict .Values.plugins -}}
{{- if or $plugins.images $plugins.volume }}yes{{ end -}}
{{- end }}

{{/* A container for each image, one after the other, before the scheduler starts. */}}
{{- define "evenkeel.pluginContainers" -}}
{{- with (default dict .Values.plugins).images }}
initContainers:
{{- range . }}
- name: plugins-{{ .name }}
  image: {{ .image | quote }}
  imagePullPolicy: {{ default "IfNotPresent" .pullPolicy }}
  command:
    {{- toYaml (default (list "cp" "-R" "/plugins/." "/to/") .command) | nindent 4 }}
  # no more than the scheduler's, which starts when these have ended: they cost nothing beside it
  resources:
    {{- toYaml (default dict $.Values.resources) | nindent 4 }}
  securityContext:
    {{- toYaml (default dict $.Values.securityContext) | nindent 4 }}
  volumeMounts:
  - name: plugins
    mountPath: /to
{{- end }}
{{- end }}
{{- end }}

{{- define "evenkeel.pluginVolume" -}}
{{- $plugins := default dict .Values.plugins -}}
{{- if include "evenkeel.hasPlugins" . }}
- name: plugins
  {{- toYaml (default (dict "emptyDir" (dict "sizeLimit" "256Mi")) $plugins.volume) | nindent 2 }}
{{- end }}
{{- end }}

{{- define "evenkeel.checkPlugins" -}}
{{- $plugins := default dict .Values.plugins -}}
{{- if and $plugins.images $plugins.volume -}}
{{- fail "plugins has images and a volume: what would be in the volume, and what copied over it? Leave one of them out" -}}
{{- end -}}
{{- $names := list -}}
{{- range $plugins.images -}}
{{- if has .name $names -}}
{{- fail (printf "plugins.images has two named %s: give one of them another name" .name) -}}
{{- end -}}
{{- $names = append $names .name -}}
{{- end -}}
{{- end }}
