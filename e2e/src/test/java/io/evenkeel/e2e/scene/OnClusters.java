package io.evenkeel.e2e.scene;

import static io.evenkeel.e2e.cluster.ClusterKind.HOLLOW;
import static io.evenkeel.e2e.cluster.ClusterKind.K3S;
import static io.evenkeel.e2e.cluster.ClusterKind.KUBECONFIG;

import io.evenkeel.e2e.cluster.ClusterKind;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.ClassTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Runs the class's tests once on each kind of cluster that there is; their parameter is the scene to play in. What a level may answer
 * otherwise than the one before runs once at each.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ClassTemplate
@ExtendWith(ClusterExtension.class)
public @interface OnClusters {
    ClusterKind[] value() default {HOLLOW, K3S, KUBECONFIG};

    boolean atEachLevel() default false;
}
