/**
 * A strict binder for YAML and JSON: every value is asked for by name and type, and every misfit is logged with its
 * place and path. Knows YAML, nothing of Kubernetes.
 */
@NullMarked
package io.evenkeel.config.yaml;

import org.jspecify.annotations.NullMarked;
