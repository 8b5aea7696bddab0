package io.evenkeel.tools.why;

import io.evenkeel.api.ChangeKind;
import io.evenkeel.framework.run.Objection;
import io.evenkeel.framework.why.Account;
import io.evenkeel.framework.why.Change.PatchOperation;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.write.ObjectWriter;
import io.evenkeel.model.write.Tree;
import io.evenkeel.tools.why.PodReport.State;
import io.evenkeel.whatif.why.Answer;
import io.evenkeel.whatif.why.Answer.Funnel;
import io.evenkeel.whatif.why.Answer.IneffectiveChange;
import io.evenkeel.whatif.why.Answer.NearNode;
import io.evenkeel.whatif.why.PodQuestions.Placement;
import io.evenkeel.whatif.why.Remedy;
import io.evenkeel.whatif.why.Remedy.Edit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The answer as a line of JSON; docs/why.md describes its fields. */
final class JsonWhy {
    private static final int VERSION = 1;
    private static final Commands COMMANDS = new Commands(List.of());
    private static final String NODE = "node";
    private static final String PLUGIN = "plugin";
    private static final String MESSAGE = "message";

    private JsonWhy() {}

    static Tree tree(PodReport report) {
        Tree tree = new Tree()
                .put("version", VERSION)
                .putNonEmpty("scenario", report.scenario())
                .put("pod", report.pod())
                .putNonEmpty("alike", report.alike())
                .putNonEmpty("remarks", report.remarks(), PodReport.Remark::text)
                .putPresent("queue", report.queued().map(JsonWhy::queue))
                .putPresent("seen", report.seen().map(PodReport.Seen::tree));
        put(report.state(), tree);
        return tree;
    }

    private static void put(State state, Tree tree) {
        switch (state) {
            case State.Waits(var message, var answer) -> {
                tree.put("state", "waits").put(MESSAGE, message);
                put(answer, tree);
            }
            case State.GangWaits(var message, var gang, var answer) -> {
                tree.put("state", "gangWaits").put(MESSAGE, message).put("gang", gang(gang));
                answer.ifPresent(ofMember -> {
                    tree.put("member", ofMember.pod().key());
                    put(ofMember, tree);
                });
            }
            case State.Fits(var node) -> tree.put("state", "fits").put(NODE, node);
            case State.Retried(var node, var shown, var because) ->
                tree.put("state", "retried").put(NODE, node).put(MESSAGE, shown).put("because", because);
            case State.OnItsWay(var node, var waitsFor) ->
                tree.put("state", "onItsWay").put(NODE, node).put("waitsFor", waitsFor);
            case State.Held(var plugin, var why) ->
                tree.put("state", "held").put(PLUGIN, plugin).put(MESSAGE, why);
            case State.Failed(var message) -> tree.put("state", "failed").put(MESSAGE, message);
            case State.Unattended(var why, var judged) -> {
                Tree ofJudged = new Tree();
                put(judged, ofJudged);
                tree.put("state", "unattended").put(MESSAGE, why).put("judged", ofJudged);
            }
            case State.Leaving _ -> tree.put("state", "leaving");
            case State.InPlace(var placement) -> {
                tree.put("state", "inPlace");
                put(placement, tree);
            }
        }
    }

    private static Tree gang(PodReport.Gang gang) {
        return new Tree()
                .putNonEmpty(PLUGIN, gang.plugin())
                .put("name", gang.name())
                .put("needed", gang.needed())
                .put("inPlace", gang.inPlace())
                .put("waiting", gang.waiting());
    }

    private static Tree queue(QueuedPod queued) {
        return new Tree()
                .put("name", queued.queue())
                .put("attempts", queued.attempts())
                .put("seconds", queued.since().toMillis() / 1e3)
                .putPresent("nextTrySeconds", queued.nextTry().map(time -> time.toMillis() / 1e3))
                .putNonEmpty("nominatedNode", queued.nominatedNode());
    }

    private static void put(Answer answer, Tree tree) {
        tree.put("funnel", funnel(answer.funnel()))
                .put("constraints", answer.rules(), JsonWhy::rule)
                .put("nearest", answer.nearest(), JsonWhy::nearNode)
                .put("remedies", answer.remedies(), remedy -> remedy(remedy, answer.pod()));
        if (answer.untold() > 0) {
            tree.put("moreRemedies", answer.untold());
        }
        tree.put("inVain", answer.inVain(), JsonWhy::vain)
                .put(
                        "awaited",
                        answer.awaited(),
                        awaited -> new Tree()
                                .put(PLUGIN, awaited.plugin())
                                .put("changes", awaited.changes(), ChangeKind::label));
    }

    private static Tree funnel(Funnel funnel) {
        return new Tree()
                .put("nodes", funnel.nodes())
                .putPresent(
                        "preFilter",
                        funnel.outright()
                                .map(objection -> new Tree()
                                        .put(PLUGIN, objection.plugin())
                                        .put("reason", objection.status().message())))
                .put(
                        "steps",
                        funnel.steps(),
                        step -> new Tree()
                                .put(PLUGIN, step.plugin())
                                .put("rejected", step.rejected())
                                .put("reasons", step.reasons())
                                .put("left", step.left()))
                .put(MESSAGE, funnel.message());
    }

    private static Tree nearNode(NearNode node) {
        return new Tree()
                .put(NODE, node.name())
                .put("objections", node.objections(), JsonWhy::objection)
                .put("lacks", node.lacks());
    }

    private static Tree vain(IneffectiveChange vain) {
        return new Tree()
                .put("kind", vain.change().kind().fieldName())
                .put("text", vain.change().text())
                .put("because", vain.because());
    }

    private static Tree remedy(Remedy remedy, Pod pod) {
        return new Tree()
                .put("kind", remedy.kind().fieldName())
                .put("text", remedy.text())
                .put("smallest", remedy.smallest())
                .put("changes", remedy.edits(), JsonWhy::edit)
                .put(NODE, remedy.node())
                .putNonEmpty("command", String.join(" && ", COMMANDS.of(remedy, pod)));
    }

    private static Tree edit(Edit edit) {
        return switch (edit) {
            case Edit.Added(Node node) -> new Tree().put("add", manifest(node));
            case Edit.Added(var other) -> new Tree().put("add", new Tree.Raw(new ObjectWriter().json(other)));
            case Edit.Removed(var object) ->
                new Tree().put("remove", object.kindName() + "/" + object.meta().key());
            case Edit.Patched(var object, var operations) ->
                new Tree().put("object", object).put("patch", operations, JsonWhy::operation);
        };
    }

    static Tree operation(PatchOperation operation) {
        return new Tree()
                .put("op", operation.operation())
                .put("path", operation.path())
                .putPresent("value", operation.value());
    }

    /** A pod's view of its node. */
    private static void put(Placement placement, Tree tree) {
        tree.put(NODE, placement.node()).put("feasible", placement.feasible());
        if (placement.there().isPresent()) {
            tree.put("scores", scored(placement.there().get()));
        } else {
            tree.put("objections", placement.inTheWay(), JsonWhy::objection);
        }
        tree.put("others", placement.best(), JsonWhy::scored).put("constraints", placement.rules(), JsonWhy::rule);
    }

    private static Tree objection(Objection objection) {
        return new Tree()
                .put(PLUGIN, objection.plugin())
                .put("reasons", objection.status().reasons());
    }

    private static Tree scored(Placement.Scored scored) {
        Tree tree = new Tree().put(NODE, scored.node()).put("total", scored.total());
        scored.scores().forEach(tree::put);
        return tree;
    }

    /** A node as the API has it, with what scheduling reads of it. */
    private static Tree manifest(Node node) {
        Tree spec = new Tree();
        if (node.unschedulable()) {
            spec.put("unschedulable", true);
        }
        spec.putNonEmpty(
                "taints",
                node.taints(),
                taint -> new Tree()
                        .put("key", taint.key())
                        .putNonEmpty("value", taint.value())
                        .put("effect", taint.effect().apiName()));
        Map<String, Object> amounts = new TreeMap<>(node.allocatable());
        return new Tree()
                .put("apiVersion", "v1")
                .put("kind", "Node")
                .put(
                        "metadata",
                        new Tree()
                                .put("name", node.name())
                                .put(
                                        "labels",
                                        new TreeMap<String, Object>(
                                                node.labels().asMap())))
                .put("spec", spec)
                .put(
                        "status",
                        new Tree()
                                .put("capacity", amounts)
                                .put("allocatable", amounts)
                                .putNonEmpty("declaredFeatures", List.copyOf(node.declaredFeatures())));
    }

    private static Tree devices(Account.NodeDevices there) {
        return new Tree()
                .putNonEmpty(NODE, there.node())
                .put("devices", there.devices())
                .put("free", there.free())
                .put("lost", there.lost());
    }

    /** A plugin's counts for a rule. */
    private static Tree rule(Answer.Rule rule) {
        Tree tree = new Tree().put(PLUGIN, rule.plugin()).put("text", AccountText.of(rule.account()));
        switch (rule.account()) {
            case Account.Spread spread ->
                tree.put("topologyKey", spread.topologyKey())
                        .put("selector", spread.selector())
                        .put("maxSkew", spread.maxSkew())
                        .put("minDomains", spread.minDomains())
                        .put("self", spread.self())
                        .put("fewest", spread.fewest())
                        .put(
                                "domains",
                                spread.domains(),
                                domain -> new Tree()
                                        .put("domain", domain.value())
                                        .put("matching", domain.matching())
                                        .put("counted", domain.counted())
                                        .put("skew", domain.skew())
                                        .put("allowed", domain.allowed()));
            case Account.Resource resource ->
                tree.put("resource", resource.resource())
                        .put("asked", resource.asked())
                        .put("mostFree", resource.mostFree())
                        .put(NODE, resource.node())
                        .put("freeInAll", resource.freeInAll())
                        .put("nodesShort", resource.nodesShort());
            case Account.Neighbours neighbours ->
                tree.put("topologyKey", neighbours.topologyKey())
                        .put("selector", neighbours.selector())
                        .put(
                                "domains",
                                neighbours.domains(),
                                domain ->
                                        new Tree().put("domain", domain.value()).put("matching", domain.matching()));
            case Account.Places places ->
                tree.put("nodes", places.nodes().size()).put("of", places.of()).put("there", places.there());
            case Account.VolumeLimit limit ->
                tree.put("driver", limit.driver())
                        .put("asked", limit.asked())
                        .put(
                                "nodes",
                                limit.nodes(),
                                node -> new Tree()
                                        .put(NODE, node.node())
                                        .put("attached", node.attached())
                                        .put("more", node.more())
                                        .put("limit", node.limit()));
            case Account.Devices devices ->
                tree.put("claim", devices.claim())
                        .putNonEmpty("request", devices.request())
                        .put("deviceClass", devices.deviceClass())
                        .put("asked", devices.asked())
                        .put("inAll", devices(devices.inAll()))
                        .put("nodes", devices.nodes(), JsonWhy::devices)
                        .put("moreNodes", devices.more())
                        .putNonEmpty("beside", devices.beside())
                        .putNonEmpty("instead", devices.instead())
                        .put("usedBy", devices.users().pods())
                        .put("usedByOthers", devices.users().others());
            case Account.Words _, Account.Mistake _ -> {}
        }
        return tree;
    }
}
