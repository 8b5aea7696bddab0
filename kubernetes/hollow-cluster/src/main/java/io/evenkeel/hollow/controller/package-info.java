/** A cluster that lives: the work of kube-controller-manager, of provisioners and of kubelets, as far as a scheduler's clusters need it. */
@NullMarked
package io.evenkeel.hollow.controller;

import org.jspecify.annotations.NullMarked;
