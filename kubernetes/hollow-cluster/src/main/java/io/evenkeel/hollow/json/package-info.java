/** Reading and building JSON trees. Knows no Kubernetes. */
@NullMarked
package io.evenkeel.hollow.json;

import org.jspecify.annotations.NullMarked;
