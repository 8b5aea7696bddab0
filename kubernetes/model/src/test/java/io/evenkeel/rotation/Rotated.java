package io.evenkeel.rotation;

import static org.junit.jupiter.api.extension.ConditionEvaluationResult.disabled;
import static org.junit.jupiter.api.extension.ConditionEvaluationResult.enabled;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * One of so many commits plays the test, or each test of the class; where a test is played with many arguments, each commit plays
 * one of so many of these.
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(Rotated.Turn.class)
public @interface Rotated {
    int value();

    final class Turn implements ExecutionCondition {
        private static final Pattern INVOCATION = Pattern.compile("test-template-invocation:#(\\d+)");

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            if (context.getTestMethod().isEmpty()) {
                return enabled("its tests have their turns");
            }
            Rotated rotated = Objects.requireNonNullElseGet(
                    context.getRequiredTestMethod().getAnnotation(Rotated.class),
                    () -> context.getRequiredTestClass().getAnnotation(Rotated.class));
            Matcher invocation = INVOCATION.matcher(context.getUniqueId());
            boolean many = context.getUniqueId().contains("[test-template:");
            if (many && !invocation.find()) {
                return enabled("its invocations have their turns");
            }
            long part = context.getRequiredTestMethod().getName().hashCode()
                    + (many ? Long.parseLong(invocation.group(1)) : 0);
            return Rotation.hasTurn(part, rotated.value())
                    ? enabled("has its turn")
                    : disabled("another commit's turn");
        }
    }
}
