/** Steps through JSON trees, and changes them. Knows no Kubernetes. */
@NullMarked
package io.evenkeel.model.json;

import org.jspecify.annotations.NullMarked;
