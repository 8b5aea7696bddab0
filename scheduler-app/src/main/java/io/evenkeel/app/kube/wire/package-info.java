/** What all requests to the API server have in common: how JSON and times are written, how a refusal is read. */
@NullMarked
package io.evenkeel.app.kube.wire;

import org.jspecify.annotations.NullMarked;
