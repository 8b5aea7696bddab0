/**
 * Volumes: claims are bound to them, made of templates, and provisioned for. What writes a claim or a volume is here; pods
 * are made elsewhere.
 */
@NullMarked
package io.evenkeel.hollow.volume;

import org.jspecify.annotations.NullMarked;
