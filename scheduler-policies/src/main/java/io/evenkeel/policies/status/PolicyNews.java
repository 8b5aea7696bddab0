package io.evenkeel.policies.status;

import io.evenkeel.engine.ObjectEvent;
import io.evenkeel.kube.api.EventSink;
import io.evenkeel.kube.api.EventSink.Regarding;
import io.evenkeel.model.policy.PolicyStatus;
import io.evenkeel.model.policy.PolicyStatus.PolicyCondition;
import io.evenkeel.model.policy.PolicyStatus.RelaxedDomain;
import io.evenkeel.model.policy.PolicyStatus.RememberedDomain;
import io.evenkeel.policies.ReadablePolicy;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells of conditions that have turned: an event about the policy, and a line of the log.
 *
 * @param controller the profile that events are by
 */
record PolicyNews(EventSink events, String controller) {
    private static final Logger log = LoggerFactory.getLogger(PolicyNews.class);
    private static final String ACTION = "Checking";

    /** That it became False; or that it is True again, having been False. */
    void turned(ReadablePolicy policy, Finding finding, Optional<PolicyCondition> before) {
        boolean isFalse = finding.status().equals("False");
        boolean isOver = finding.status().equals("True")
                && before.filter(PolicyCondition::isFalse).isPresent();
        if (isFalse || isOver) {
            finding.type().event(isFalse).ifPresent(reason -> tell(policy, finding, isFalse, reason));
        }
    }

    /** That pods need not wait for a domain, or have to again. */
    void turned(ReadablePolicy policy, Relaxations.Turn turn) {
        RelaxedDomain domain = turn.domain();
        log.atInfo()
                .setMessage(turn.isRelaxed() ? "Policy is relaxed" : "Policy is strict again")
                .addKeyValue("kind", policy.policy().kindName())
                .addKeyValue("policy", policy.policy().meta().key())
                .addKeyValue("topologyKey", domain.topologyKey())
                .addKeyValue("domain", domain.domain())
                .addKeyValue("reason", domain.reason())
                .addKeyValue("since", domain.since())
                .log();
        String place = domain.domain() + " of " + domain.topologyKey();
        events.recordEvent(
                Regarding.object(policy.kind(), policy.policy().meta()),
                new ObjectEvent(
                        turn.isRelaxed() ? ObjectEvent.Type.WARNING : ObjectEvent.Type.NORMAL,
                        turn.isRelaxed() ? "PolicyRelaxed" : "PolicyStrict",
                        ACTION,
                        turn.isRelaxed()
                                ? "pods need not wait for " + place + ", where some have found no node since "
                                        + domain.since() + ": " + domain.reason()
                                : "pods have to wait for " + place + " again, where some had found no node since "
                                        + domain.since() + ": " + domain.reason(),
                        controller));
    }

    /** That a domain without nodes does not count any more. */
    void forgotten(ReadablePolicy policy, RememberedDomain domain) {
        log.atInfo()
                .setMessage("Policy forgets a domain")
                .addKeyValue("kind", policy.policy().kindName())
                .addKeyValue("policy", policy.policy().meta().key())
                .addKeyValue("topologyKey", domain.topologyKey())
                .addKeyValue("domain", domain.domain())
                .addKeyValue("since", domain.goneSince())
                .log();
        events.recordEvent(
                Regarding.object(policy.kind(), policy.policy().meta()),
                new ObjectEvent(
                        ObjectEvent.Type.NORMAL,
                        "PolicyDomainForgotten",
                        ACTION,
                        "forgets " + domain.domain() + " of " + domain.topologyKey()
                                + ", in which no node has been open to its pods since " + domain.goneSince(),
                        controller));
    }

    void tooManyToRemember(ReadablePolicy policy) {
        log.atWarn()
                .setMessage("Policy does not remember all domains")
                .addKeyValue("kind", policy.policy().kindName())
                .addKeyValue("policy", policy.policy().meta().key())
                .addKeyValue("most", PolicyStatus.MOST_DOMAINS)
                .log();
    }

    private void tell(ReadablePolicy policy, Finding finding, boolean isFalse, String reason) {
        (isFalse
                        ? log.atWarn().setMessage("Policy condition has become false")
                        : log.atInfo().setMessage("Policy condition is true again"))
                .addKeyValue("kind", policy.policy().kindName())
                .addKeyValue("policy", policy.policy().meta().key())
                .addKeyValue("condition", finding.type().apiName())
                .addKeyValue("reason", finding.reason())
                .addKeyValue("message", finding.message())
                .log();
        events.recordEvent(
                Regarding.object(policy.kind(), policy.policy().meta()),
                new ObjectEvent(
                        isFalse ? ObjectEvent.Type.WARNING : ObjectEvent.Type.NORMAL,
                        reason,
                        ACTION,
                        finding.message(),
                        controller));
    }
}
