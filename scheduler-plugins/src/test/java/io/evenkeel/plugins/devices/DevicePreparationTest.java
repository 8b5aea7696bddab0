package io.evenkeel.plugins.devices;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.ObjectPatch;
import io.evenkeel.api.ObjectPatch.Form;
import io.evenkeel.api.Preparation.ObjectName;
import io.evenkeel.api.Preparation.Progress;
import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.cluster.ClusterDump;
import io.evenkeel.cluster.index.ObjectStore;
import io.evenkeel.framework.ReversiblePreparation.Notice;
import io.evenkeel.model.Annotations;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodStatus.Mapping;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.device.DeviceAllocation;
import io.evenkeel.model.device.ResourceClaim;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.model.value.Labels;
import io.evenkeel.model.write.Tree;
import io.evenkeel.plugins.PluginHarness;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Pod p goes to n1 with gpu-0, for its claim c. */
class DevicePreparationTest {
    private static final Pod POD = PodBuilder.pod("ns", "p").uid("uid-p").build();
    private static final Duration LIMIT = Duration.ofSeconds(600);
    private static final String P = "{'resource':'pods','name':'p','uid':'uid-p'}";
    private static final String Q = "{'resource':'pods','name':'q','uid':'uid-q'}";
    private static final String GPU = """
            'allocation':{'devices':{
              'results':[{'request':'gpu','driver':'gpu.example.com','pool':'n1','device':'gpu-0'%s}],
              'config':[{'source':'FromClass','opaque':{'driver':'gpu.example.com','parameters':{'mode':7}}},
               {'source':'FromClaim','requests':['gpu'],'opaque':{'driver':'gpu.example.com','parameters':{'mode':8}}}]},
             'nodeSelector':{'nodeSelectorTerms':[{'matchFields':[
               {'key':'metadata.name','operator':'In','values':['n1']}]}]}},
            """;
    private static final String PLAIN = GPU.formatted("");
    private static final String ATTACHED =
            GPU.formatted(",'bindingConditions':['Attached'],'bindingFailureConditions':['Lost']");

    private final PluginHarness cluster = PluginHarness.cluster();
    private final ObjectStore objects = cluster.state().view().objects();
    private final DeviceBook book = DeviceBook.of(cluster.state().view());

    /** A claim of which the server has this status; single quotes stand for double ones. */
    private ResourceClaim claim(String version, String status) {
        ResourceClaim claim = (ResourceClaim)
                new ObjectReader().read("""
                        {'apiVersion':'resource.k8s.io/v1','kind':'ResourceClaim',
                         'metadata':{'namespace':'ns','name':'c','uid':'uid-c','resourceVersion':'%s'},
                         'spec':{'devices':{'requests':[{'name':'gpu','exactly':{'deviceClassName':'gpu'}}]}},
                         'status':{%s}}""".formatted(version, status).replace('\'', '"'));
        cluster.put(claim);
        return claim;
    }

    private static String reserved(String... consumers) {
        return "'reservedFor':[" + String.join(",", consumers) + "]";
    }

    private static String device(String... conditions) {
        return ",'devices':[{'driver':'gpu.example.com','pool':'n1','device':'gpu-0','conditions':["
                + String.join(",", conditions) + "]}]";
    }

    private static String condition(String type, String status) {
        return "{'type':'%s','status':'%s','reason':'Because','message':'so it is'}".formatted(type, status);
    }

    /** The decision gives the claim its devices. */
    private DevicePreparation giving(String allocation) {
        DeviceAllocation given =
                claim("8", allocation + reserved()).allocation().orElseThrow();
        return preparation(List.of(), List.of(claim("7", "")), List.of(given));
    }

    private DevicePreparation preparation(
            List<ResourceClaim> with, List<ResourceClaim> without, List<DeviceAllocation> given) {
        return preparation(with, without, given, List.of(), true);
    }

    private DevicePreparation preparation(
            List<ResourceClaim> with,
            List<ResourceClaim> without,
            List<DeviceAllocation> given,
            List<Mapping> mappings,
            boolean heedsConditions) {
        DevicePreparation preparation = new DevicePreparation(
                objects, book, POD, "n1", with, without, () -> given, mappings, LIMIT, heedsConditions);
        preparation.writes();
        return preparation;
    }

    private static void allWritten(DevicePreparation preparation) {
        preparation.writes().forEach(write -> preparation.wrote(write, "as-written", "8", 0));
    }

    private static String json(ObjectPatch patch) {
        return new Tree().put("changes", patch.changes()).json().replace('"', '\'');
    }

    private static void assertWaits(DevicePreparation preparation) {
        assertThat(preparation.progress())
                .isEqualTo(new Progress.Waiting(Set.of(new ObjectName("ResourceClaim", "ns/c"))));
    }

    @Test
    void theFinalizerComesBeforeTheDevices() {
        DevicePreparation preparation = giving(PLAIN);

        assertThat(preparation.writes()).extracting(ObjectPatch::form).containsExactly(Form.MERGE_LISTS, Form.STATUS);
        assertThat(preparation.writes()).allSatisfy(write -> {
            assertThat(write.object().resourceVersion()).isEqualTo("7");
            assertThat(write.kind().plural()).isEqualTo("resourceclaims");
        });
        assertThat(json(preparation.writes().getFirst()))
                .isEqualTo("{'changes':{'metadata':{'finalizers':['resource.kubernetes.io/delete-protection']}}}");
        assertThat(json(preparation.writes().getLast()))
                .isEqualTo("{'changes':{'status':{"
                        + PLAIN.replaceAll("\\s*\\n\\s*", "").replaceAll("}},$", "},'allocationTimestamp':'NOW'},")
                        + "'reservedFor':[%s]}}}"
                                .formatted(sorted(json(preparation.writes().getLast()))));
    }

    /** The members of a map of the JDK have another order in each process. */
    private static String sorted(String json) {
        String consumer = json.replaceAll(".*'reservedFor':\\[(.*)]}}}", "$1");
        assertThat(consumer.split("[{},]")).contains("'resource':'pods'", "'name':'p'", "'uid':'uid-p'");
        return consumer;
    }

    @Test
    void whatTheServerHasWrittenNeedsNotBeSeenWhereNothingIsAwaited() {
        DevicePreparation preparation = giving(PLAIN);
        assertThat(preparation.notice()).isEmpty();
        allWritten(preparation);
        assertThat(preparation.progress()).isEqualTo(Progress.DONE);
    }

    @Test
    void aClaimWithDevicesIsEnteredInWhateverVersionItIs() {
        DevicePreparation preparation = preparation(List.of(claim("7", PLAIN + reserved(Q))), List.of(), List.of());

        assertThat(preparation.writes()).hasSize(1);
        ObjectMeta object = preparation.writes().getFirst().object();
        assertThat(object.resourceVersion()).isEmpty();
        assertThat(object.uid()).isEqualTo("uid-c");
        assertThat(json(preparation.writes().getFirst()))
                .contains("'uid':'uid-p'")
                .doesNotContain("allocation");

        preparation.wrote(preparation.writes().getFirst(), "", "8", 0);
        assertWaits(preparation);
        claim("8", PLAIN + reserved(Q, P));
        assertThat(preparation.progress()).isEqualTo(Progress.DONE);
    }

    @Test
    void aClaimThatHasOtherDevicesMeanwhileIsOfNoUse() {
        DevicePreparation preparation = preparation(List.of(claim("7", PLAIN + reserved())), List.of(), List.of());
        claim("9", PLAIN.replace("gpu-0", "gpu-1") + reserved(P));
        assertThat(preparation.progress())
                .isEqualTo(new Progress.Failed("claim ns/c got allocated elsewhere in the meantime"));
    }

    @Test
    void aClaimThatIsGoneIsOfNoUse() {
        DevicePreparation preparation = preparation(List.of(claim("7", PLAIN + reserved())), List.of(), List.of());
        cluster.remove(claim("8", ""));
        assertThat(preparation.progress()).isEqualTo(new Progress.Failed("resourceclaim \"ns/c\" not found"));
    }

    @Test
    void newsOfBeforeDoNotTellThatThePodIsEntered() {
        DevicePreparation preparation = preparation(List.of(claim("7", PLAIN + reserved(P))), List.of(), List.of());
        assertThat(preparation.writes()).hasSize(1);
        preparation.wrote(preparation.writes().getFirst(), "", "10", 0);
        assertWaits(preparation);
        claim("10", PLAIN + reserved(P));
        assertThat(preparation.progress()).isEqualTo(Progress.DONE);
    }

    @Test
    void devicesAreAwaitedUntilAllTheirConditionsAreTrue() {
        DevicePreparation preparation = giving(ATTACHED);
        assertThat(preparation.notice())
                .contains(
                        new Notice("BindingConditionsPending", "waiting for binding conditions for device on node n1"));
        assertThat(preparation.drivers()).containsExactly("gpu.example.com");
        allWritten(preparation);
        assertWaits(preparation);
        claim("9", ATTACHED + reserved(P));
        assertWaits(preparation);
        claim("10", ATTACHED + reserved(P) + device(condition("Attached", "False"), condition("Lost", "False")));
        assertWaits(preparation);
        claim("11", ATTACHED + reserved(P) + device(condition("Attached", "True"), condition("Lost", "False")));
        assertThat(preparation.progress()).isEqualTo(Progress.DONE);
    }

    @Test
    void aFailureIsToldAndTheDevicesAreGivenBack() {
        DevicePreparation preparation = giving(ATTACHED);
        allWritten(preparation);
        claim("9", ATTACHED + reserved(P) + device(condition("Attached", "True"), condition("Lost", "True")));
        assertThat(preparation.progress())
                .isEqualTo(new Progress.Failed("claim c binding failed: reason=Because, message=\"so it is\""));

        assertThat(preparation.undo()).hasSize(1);
        assertThat(preparation.undo().getFirst().object().resourceVersion()).isEqualTo("9");
        assertThat(json(preparation.undo().getFirst()))
                .isEqualTo("{'changes':{'status':{'allocation':null,'reservedFor':null,'devices':null}}}");
    }

    @Test
    void devicesThatTookTooLongAreGivenBackUnlessOthersWaitForThem() {
        DevicePreparation preparation = giving(ATTACHED);
        allWritten(preparation);
        claim("9", ATTACHED + reserved(P));
        assertWaits(preparation);
        assertThat(preparation.lateness()).isEqualTo("device binding timeout: context deadline exceeded");
        assertThat(json(preparation.undo().getFirst())).contains("'allocation':null");

        claim("10", ATTACHED + reserved(P, Q));
        assertThat(json(preparation.undo().getFirst()))
                .contains("'$patch':'delete'")
                .contains("'uid':'uid-p'");

        assertThat(book.isGivenUp(claim("11", ATTACHED + reserved()))).isTrue();
        assertThat(ClusterDump.of(cluster.state().view())).contains("claim uid-c waits no more for [gpu-0]");
        claim("12", "");
        assertThat(ClusterDump.of(cluster.state().view())).doesNotContain("waits no more");
        assertThat(book.isGivenUp(claim("13", ATTACHED + reserved()))).isFalse();
    }

    /** By a scheduler that has stopped meanwhile, or for another pod. */
    @Test
    void theTimeOfDevicesThatWereAllocatedBeforeIsCountedFromThen() {
        String since =
                ATTACHED.replace("'allocation':{", "'allocation':{'allocationTimestamp':'1970-01-01T00:01:40Z',");
        DevicePreparation preparation = preparation(List.of(claim("7", since + reserved(Q))), List.of(), List.of());
        preparation.wrote(preparation.writes().getFirst(), "", "8", 130);
        assertWaits(preparation);
        assertThat(preparation.timeLimit())
                .as("it may not be the claim's device any more")
                .isEqualTo(LIMIT);

        claim("8", since + reserved(Q, P));
        assertWaits(preparation);
        assertThat(preparation.timeLimit()).isEqualTo(LIMIT.minusSeconds(30));
        assertThat(preparation.lateness()).isEqualTo("device binding timeout: claim=c");

        preparation.wrote(preparation.writes().getFirst(), "", "9", 1_000_000);
        assertThat(preparation.timeLimit()).isZero();
    }

    @Test
    void aPodThatIsNotBoundIsTakenOutAgain() {
        DevicePreparation preparation = giving(PLAIN);
        assertThat(preparation.undo()).isEmpty();
        assertThat(preparation.unwritten()).hasSize(1);

        preparation.wrote(preparation.writes().getFirst(), "", "8", 0);
        assertThat(preparation.undo()).isEmpty();
        assertThat(preparation.unwritten()).hasSize(1);

        preparation.wrote(preparation.writes().getLast(), "", "9", 0);
        assertThat(preparation.unwritten()).isEmpty();
        assertThat(preparation.undo()).hasSize(1);
        assertThat(preparation.undo().getFirst().form()).isEqualTo(Form.STATUS);
        assertThat(preparation.undo().getFirst().object().resourceVersion()).isEmpty();
        assertThat(json(preparation.undo().getFirst()))
                .contains("'$patch':'delete'")
                .contains("'uid':'uid-p'");
    }

    @Test
    void whatIsWrittenIsKeptUntilTheServerShowsThatVersion() {
        DeviceAllocation given = claim("6", PLAIN + reserved()).allocation().orElseThrow();
        ResourceClaim claim = claim("7", "");
        DevicePreparation preparation = preparation(List.of(), List.of(claim), List.of(given));
        book.assume(claim, given);
        preparation.wrote(preparation.writes().getLast(), "", "10", 0);

        claim("9", "");
        assertThat(book.assumed(claim)).isPresent();
        claim("11", "");
        assertThat(book.assumed(claim)).as("somebody has taken them away again").isEmpty();

        book.assume(claim, given);
        cluster.remove(claim);
        assertThat(book.assumed(claim)).isEmpty();
        assertThat(ClusterAudit.differences(cluster.state().view())).isEmpty();
    }

    /** News of the finalizer may come after the answer to the write of the devices. */
    @Test
    void whatIsWrittenIsKeptUntilTheServerShowsALaterVersionWhereItDidNotSayWhich() {
        DeviceAllocation given = claim("6", PLAIN + reserved()).allocation().orElseThrow();
        ResourceClaim claim = claim("7", "");
        DevicePreparation preparation = preparation(List.of(), List.of(claim), List.of(given));
        book.assume(claim, given);
        preparation.wrote(preparation.writes().getFirst(), "uid-c", "9", 0);
        preparation.wrote(preparation.writes().getLast(), "", "", 0);

        claim("9", "");
        assertThat(book.assumed(claim)).isPresent();
        claim("10", "");
        assertThat(book.assumed(claim)).isEmpty();
    }

    @Test
    void aRefusalSaysWhatWasToBeWritten() {
        DevicePreparation preparation = giving(PLAIN);
        assertThat(preparation.writes())
                .extracting(write -> preparation.refusal(write, "no"))
                .containsExactly("add finalizer to claim ns/c: no", "add allocation and reservation to claim ns/c: no");
        DevicePreparation other = preparation(List.of(claim("7", PLAIN + reserved())), List.of(), List.of());
        assertThat(other.refusal(other.writes().getFirst(), "no")).isEqualTo("add reservation to claim ns/c: no");
    }

    @Test
    void conditionsCountForNothingWhereTheirGateIsOff() {
        DeviceAllocation given = claim("8", ATTACHED + reserved()).allocation().orElseThrow();
        DevicePreparation preparation =
                preparation(List.of(), List.of(claim("7", "")), List.of(given), List.of(), false);
        assertThat(preparation.notice()).isEmpty();
        assertThat(json(preparation.writes().getLast())).doesNotContain("allocationTimestamp");
        assertThat(preparation.progress()).isEqualTo(Progress.DONE);
    }

    /** A claim that the scheduler makes for the pod: it is not there yet. */
    private DevicePreparation making(String allocation) {
        DeviceAllocation given =
                claim("8", allocation + reserved()).allocation().orElseThrow();
        ResourceClaim shown = claim("8", "");
        cluster.remove(shown);
        ResourceClaim made = new ResourceClaim(own("", ""), shown.spec(), Optional.empty(), List.of(), List.of());
        return preparation(
                List.of(),
                List.of(made),
                List.of(given),
                List.of(new Mapping("c0", "example.com/gpu", "container-0-request-0")),
                true);
    }

    private static ObjectMeta own(String uid, String version) {
        return new ObjectMeta(
                "ns",
                "p-extended-resources-x",
                uid,
                Labels.EMPTY,
                Labels.of(Annotations.EXTENDED_RESOURCE_CLAIM, "true"),
                Optional.of(new OwnerReference("v1", "Pod", "p", "uid-p")),
                false,
                version,
                0);
    }

    @Test
    void theClaimOfExtendedResourcesIsMadeAndThePodSaysWhichItIsBeforeItGetsItsDevices() {
        DevicePreparation preparation = making(PLAIN);

        assertThat(preparation.writes())
                .extracting(write -> write.form() + " " + write.kind().name() + " "
                        + write.object().key())
                .containsExactly(
                        "CREATE ResourceClaim ns/p-extended-resources-x",
                        "STATUS Pod ns/p",
                        "STATUS ResourceClaim ns/p-extended-resources-x");
        assertThat(json(preparation.writes().getFirst()))
                .contains(
                        "'annotations':{'resource.kubernetes.io/extended-resource-claim':'true'}",
                        "'finalizers':['resource.kubernetes.io/delete-protection']",
                        "'controller':true",
                        "'uid':'uid-p'",
                        "'spec':{'devices':{'requests':[{'name':'gpu','exactly':{'deviceClassName':'gpu','count':1}}]}}");
        assertThat(json(preparation.writes().get(1)))
                .contains(
                        "'resourceClaimName':'p-extended-resources-x'",
                        "'containerName':'c0'",
                        "'resourceName':'example.com/gpu'",
                        "'requestName':'container-0-request-0'");
        assertThat(json(preparation.writes().getLast())).contains("'allocation':{", "'reservedFor':[{");
        assertThat(preparation.writes())
                .extracting(write -> preparation.refusal(write, "no"))
                .containsExactly(
                        "create claim for extended resources ns/p-extended-resources-x: no",
                        "update pod ns/p ExtendedResourceClaimStatus: no",
                        "add allocation and reservation to claim ns/p-extended-resources-x: no");
    }

    @Test
    void theClaimThatWasMadeGoesWithTheDecision() {
        DevicePreparation preparation = making(PLAIN);
        assertThat(preparation.undo()).isEmpty();
        assertThat(preparation.unwritten()).hasSize(1);
        allWritten(preparation);

        assertThat(preparation.unwritten())
                .as("of claims whose devices may be others' before it is deleted")
                .isEmpty();
        assertThat(preparation.undo()).extracting(ObjectPatch::form).containsExactly(Form.MERGE_LISTS, Form.DELETE);
        assertThat(json(preparation.undo().getFirst()))
                .isEqualTo("{'changes':{'metadata':{'$deleteFromPrimitiveList/finalizers':"
                        + "['resource.kubernetes.io/delete-protection']}}}");
        assertThat(preparation.undo()).allSatisfy(patch -> {
            assertThat(patch.object().resourceVersion()).isEmpty();
            assertThat(patch.object().uid())
                    .as("of one that has taken its name")
                    .isEqualTo("as-written");
        });
    }

    @Test
    void aUsersClaimWithTheAnnotationIsAsAnyOther() {
        ResourceClaim shown = claim("8", PLAIN + reserved());
        ResourceClaim users =
                new ResourceClaim(own("uid-x", "7"), shown.spec(), Optional.empty(), List.of(), List.of());
        cluster.put(users);
        DevicePreparation preparation = preparation(
                List.of(), List.of(users), List.of(shown.allocation().orElseThrow()));

        assertThat(preparation.writes()).extracting(ObjectPatch::form).containsExactly(Form.MERGE_LISTS, Form.STATUS);
        allWritten(preparation);
        assertThat(preparation.unwritten()).isEmpty();
        assertThat(preparation.undo()).extracting(ObjectPatch::form).containsExactly(Form.STATUS);
    }

    @Test
    void consumedCapacityIsWrittenAsTheServerWouldWriteIt() {
        DevicePreparation preparation = giving(GPU.formatted(",'consumedCapacity':{'memory':'60G','slots':'64Gi'}"));

        assertThat(json(preparation.writes().getLast())).contains("'memory':'60G'", "'slots':'64Gi'");
    }

    /** Whether it was made may not be known: nothing else has its name. */
    @Test
    void theClaimIsKnownByItsOwnerWhateverItsUid() {
        DevicePreparation preparation = making(ATTACHED);
        ResourceClaim attached =
                claim("9", ATTACHED + reserved(P) + device(condition("Attached", "True"), condition("Lost", "False")));
        cluster.put(new ResourceClaim(
                own("uid-x", "9"), attached.spec(), attached.allocation(), attached.reservedFor(), attached.devices()));

        assertThat(preparation.progress()).isEqualTo(Progress.DONE);
        assertThat(preparation.undo()).hasSize(2);
    }

    @Test
    void aDeviceFailsByItsOwnConditionsAlone() {
        assertThat(DevicePreparation.isFailing(claim("9", ATTACHED + reserved() + device(condition("Lost", "True")))))
                .isTrue();
        assertThat(DevicePreparation.isFailing(claim("9", ATTACHED + reserved() + device(condition("Lost", "False")))))
                .isFalse();
        assertThat(DevicePreparation.isFailing(claim("9", PLAIN + reserved() + device(condition("Lost", "True")))))
                .isFalse();
        assertThat(DevicePreparation.isFailing(claim(
                        "9",
                        ATTACHED
                                + reserved()
                                + device(condition("Lost", "True")).replace("gpu-0", "gpu-1"))))
                .isFalse();
    }

    @Test
    void anotherDevicesConditionsMakeNoneReady() {
        DevicePreparation preparation = giving(ATTACHED);
        allWritten(preparation);
        claim(
                "9",
                ATTACHED + reserved(P) + device(condition("Attached", "True")).replace("gpu-0", "gpu-1"));
        assertWaits(preparation);
        assertThat(preparation.timeLimit()).isEqualTo(Duration.ofSeconds(600));
    }

    @Test
    void anotherClaimThatHasTakenTheNameIsNotIt() {
        DevicePreparation preparation = preparation(List.of(claim("7", PLAIN + reserved())), List.of(), List.of());
        ResourceClaim same = claim("9", PLAIN + reserved(P));
        cluster.put(new ResourceClaim(
                new ObjectMeta("ns", "c", "uid-d", Labels.EMPTY, Labels.EMPTY, Optional.empty(), false, "9", 0),
                same.spec(),
                same.allocation(),
                same.reservedFor(),
                same.devices()));
        assertThat(preparation.progress()).isEqualTo(new Progress.Failed("resourceclaim \"ns/c\" not found"));
        assertThat(preparation.undo()).as("it is not entered there").isEmpty();
    }

    @Test
    void aPodThatIsShownInAClaimIsTakenOutThoughNoAnswerSaidSo() {
        DevicePreparation preparation = giving(PLAIN);
        claim("9", PLAIN + reserved(Q));
        assertThat(preparation.undo()).isEmpty();
        claim("10", PLAIN + reserved(Q, P));
        assertThat(json(preparation.undo().getFirst())).contains("'$patch':'delete'", "'uid':'uid-p'");
    }

    /** The news of it bring the UID. */
    @Test
    void aClaimThatWasMadeUnderAnUnknownUidIsDeletedOnceItIsShown() {
        DevicePreparation preparation = making(PLAIN);
        preparation.wrote(preparation.writes().getFirst(), "", "8", 0);
        assertThat(preparation.undo()).isEmpty();
        ResourceClaim shown = claim("9", PLAIN + reserved());
        cluster.put(new ResourceClaim(own("uid-x", "9"), shown.spec(), Optional.empty(), List.of(), List.of()));
        assertThat(preparation.undo()).extracting(patch -> patch.object().uid()).containsExactly("uid-x", "uid-x");
    }
}
