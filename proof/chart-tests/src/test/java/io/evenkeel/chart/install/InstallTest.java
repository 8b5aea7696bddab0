package io.evenkeel.chart.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.google.gson.JsonObject;
import io.evenkeel.chart.helm.Chart;
import io.evenkeel.chart.helm.Manifest;
import io.evenkeel.chart.helm.Release;
import io.evenkeel.chart.helm.Yaml;
import io.evenkeel.hollow.Faults.RequestMatch;
import io.evenkeel.hollow.HollowOptions;
import io.evenkeel.hollow.controller.HollowWorld;
import io.evenkeel.hollow.controller.WorldOptions;
import io.evenkeel.hollow.controller.WorldOptions.Capacity;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.model.json.Trees;
import io.evenkeel.rotation.Rotated;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Helm at work on a cluster that lives: its pods are started, but nothing runs in them. */
@Rotated(2)
class InstallTest {
    private static final String NAMESPACE = "kube-system";
    private static final Path RIGHTS = Path.of("../..", "docs", "examples", "rbac.yaml");
    private static final String CHECKSUM = "checksum/config";

    private final HollowWorld world = HollowWorld.start(WorldOptions.DEFAULT
            .withServer(HollowOptions.DEFAULT)
            .withNodes(3, 3, Capacity.DEFAULT)
            .withDefaultScheduler(true));

    private Release release = new Release(Path.of(""));

    @BeforeEach
    void findTheCluster(@TempDir Path folder) throws IOException {
        release = new Release(world.cluster().writeKubeconfig(folder.resolve("kubeconfig")));
    }

    @AfterEach
    void close() {
        world.close();
    }

    @Test
    void allThatIsRenderedIsThere() throws InterruptedException {
        String said = release.install("networkPolicy: {enabled: true}");

        assertThat(objectsOfTheRelease().map(Manifest::toString))
                .containsExactlyInAnyOrderElementsOf(Chart.render("networkPolicy: {enabled: true}").all().stream()
                        .map(Manifest::toString)
                        .toList());
        world.settle();
        assertThat(pods())
                .hasSize(2)
                .allMatch(pod -> pod.text("status", "phase").equals("Running"));
        assertThat(said).contains("kubectl -n kube-system rollout status deployment/evenkeel");
    }

    /** As docs/install.md says: whoever gives rights makes the ServiceAccount as well. */
    @Test
    void rightsMayBeGivenBySomebodyElse() throws IOException, InterruptedException {
        Yaml.documents(Files.readString(RIGHTS))
                .forEach(object -> world.objects().create(object.toString()));
        assertThatThrownBy(() -> release.install("rbac: {create: false}"))
                .hasMessageContaining("ServiceAccount \"evenkeel\" in namespace \"kube-system\" exists");
        release.install("{rbac: {create: false}, serviceAccount: {create: false, name: evenkeel}}");
        world.settle();
        assertThat(pods())
                .hasSize(2)
                .allMatch(pod -> pod.text("status", "phase").equals("Running")
                        && pod.text("spec", "serviceAccountName").equals("evenkeel"));
        assertThat(objectsOfTheRelease().map(Manifest::kind))
                .doesNotContain("ServiceAccount", "Role", "RoleBinding", "ClusterRole", "ClusterRoleBinding");
    }

    @Test
    void whoseServiceAccountThatIsIsSaid() {
        assertThat(release.install("rbac: {create: false}")).contains("serviceAccount.create=false");
    }

    /** Replicas that ask for a profile of their own wait for themselves. */
    @Test
    void thatTheFirstReplicaNeedsANodeByHandIsSaid() {
        String profiles = "config: {profiles: [{schedulerName: default-scheduler}]}";
        assertThat(release.install(profiles)).contains("docs/default-scheduler.md");
        release.uninstall();
        assertThat(release.install("{schedulerName: other, " + profiles + "}"))
                .contains("or stop kube-scheduler.")
                .doesNotContain("docs/default-scheduler.md");
    }

    /** Only releases are published; a checkout between two of them runs what it builds. */
    @Test
    void thatNoImageOfTheVersionIsPublishedIsSaidWithTheWayToBuildOne() {
        boolean isRelease = !Chart.read("Chart.yaml").contains("-SNAPSHOT");

        assertThat(release.install("").contains("./mvnw -pl ship/image jib:buildTar"))
                .isNotEqualTo(isRelease);
    }

    @Test
    void ofAnotherImageNothingIsSaid() {
        assertThat(release.install("image: {repository: registry.example/evenkeel, tag: mine}"))
                .doesNotContain("jib:buildTar");
    }

    @Test
    void anotherConfigurationMeansOtherPods() throws InterruptedException {
        release.install("");
        String before = checksum();

        release.upgrade("config: {percentageOfNodesToScore: 50}");

        world.settle();
        assertThat(checksum()).isNotEqualTo(before);
        assertThat(pods())
                .hasSize(2)
                .allMatch(pod ->
                        pod.strings("metadata", "annotations").get(CHECKSUM).equals(checksum()));
        assertThat(configuration()).contains("percentageOfNodesToScore: 50");
    }

    @Test
    void theSamePodsStayWhereNothingOfTheirsChanges() throws InterruptedException {
        release.install("");
        world.settle();
        List<Manifest> before = pods();

        release.upgrade("metrics: {dashboard: {enabled: true}}");

        world.settle();
        assertThat(pods())
                .extracting(Manifest::name)
                .isEqualTo(before.stream().map(Manifest::name).toList());
    }

    /** As docs/install.md says: between the leaders by one Lease and by another there is none. */
    @Test
    void allReplicasMayGoBeforeOthersComeForAnotherLease() throws InterruptedException {
        release.install("");
        world.settle();
        release.upgrade("replicas: 0");
        world.settle();
        assertThat(pods()).isEmpty();
        release.upgradeAnew("config: {leaderElection: {resourceName: other}}");
        world.settle();
        assertThat(pods())
                .hasSize(2)
                .allMatch(pod -> pod.text("status", "phase").equals("Running"));
        assertThat(configuration()).contains("resourceName: other");
    }

    @Test
    void valuesAreKeptOnlyWhereThatIsSaid() {
        release.install("image: {repository: registry.example/evenkeel}");
        release.upgrade("config: {percentageOfNodesToScore: 50}");
        assertThat(image()).startsWith("registry.example/evenkeel:");

        release.upgradeAnew("config: {percentageOfNodesToScore: 50}");
        assertThat(image()).startsWith("ghcr.io/");
    }

    /** The upgrade has taken place when the connection breaks, so that there is something to go back from. */
    @Test
    void rolledBackAllIsAsBefore() throws InterruptedException {
        release.install("");
        String before = checksum();
        String configuredBefore = configuration();
        world.cluster().faults().dropNextAnswers(1, new RequestMatch("patch", "deployments"));

        assertThatThrownBy(() -> release.upgradeOrRollBack("config: {percentageOfNodesToScore: 50}"))
                .hasMessageContaining("has been rolled back due to atomic being set");

        world.settle();
        assertThat(checksum()).isEqualTo(before);
        assertThat(configuration()).isEqualTo(configuredBefore);
        assertThat(pods())
                .hasSize(2)
                .allMatch(pod ->
                        pod.strings("metadata", "annotations").get(CHECKSUM).equals(before));
        assertThat(release.history())
                .extracting(Release.Revision::number, Release.Revision::status)
                .containsExactly(tuple(1, "superseded"), tuple(2, "failed"), tuple(3, "deployed"));
        assertThat(release.history())
                .last()
                .extracting(Release.Revision::description)
                .isEqualTo("Rollback to 1");
    }

    /** What {@code helm rollback} does, which Helm in this process cannot: the values of then make what was then. */
    @Test
    void aRevisionsValuesMakeThatRevisionAgain() throws InterruptedException {
        release.install("{image: {repository: registry.example/evenkeel}, networkPolicy: {enabled: true}}");
        Map<String, JsonObject> before = described();
        release.upgrade("{replicas: 3, config: {percentageOfNodesToScore: 50}, networkPolicy: {enabled: false}}");
        assertThat(described()).isNotEqualTo(before);

        release.upgradeAnew(release.values(1));

        assertThat(described()).isEqualTo(before);
        world.settle();
        assertThat(pods()).hasSize(2);
        assertThat(release.history())
                .extracting(Release.Revision::status)
                .containsExactly("superseded", "superseded", "deployed");
    }

    @Test
    void nothingIsLeftOfWhatHelmMade() throws InterruptedException {
        Set<String> before = everything();
        release.install("networkPolicy: {enabled: true}");
        world.settle();

        release.uninstall();

        world.settle();
        assertThat(everything()).isEqualTo(before);
    }

    private Manifest deployment() {
        return new Manifest(Trees.parse(world.objects()
                .get(ResourceTable.DEPLOYMENTS, NAMESPACE, "evenkeel")
                .orElseThrow()));
    }

    private String checksum() {
        return deployment().text("spec", "template", "metadata", "annotations", CHECKSUM);
    }

    private String image() {
        return Trees.text(
                deployment().objects("spec", "template", "spec", "containers").getFirst(), "image");
    }

    private String configuration() {
        ResourceType configMaps = ResourceTable.find("", "v1", "configmaps").orElseThrow();
        return new Manifest(Trees.parse(
                        world.objects().get(configMaps, NAMESPACE, "evenkeel").orElseThrow()))
                .text("data", "config.yaml");
    }

    private List<Manifest> pods() {
        return objects(ResourceTable.PODS);
    }

    /** What is labelled as the release's, other than what its Deployment has made. */
    private Stream<Manifest> objectsOfTheRelease() {
        return ResourceTable.ALL.stream()
                .filter(ResourceType::stored)
                .flatMap(type -> objects(type).stream())
                .filter(object -> "Helm".equals(object.labels().get("app.kubernetes.io/managed-by")));
    }

    /** What the release's objects say, without what the cluster notes down of them. */
    private Map<String, JsonObject> described() {
        return objectsOfTheRelease().collect(Collectors.toMap(Manifest::toString, object -> {
            JsonObject said = object.tree().deepCopy();
            said.remove("metadata");
            said.remove("status");
            return said;
        }));
    }

    private Set<String> everything() {
        return ResourceTable.ALL.stream()
                .filter(ResourceType::stored)
                .flatMap(type -> objects(type).stream())
                .map(Manifest::toString)
                .collect(Collectors.toSet());
    }

    private List<Manifest> objects(ResourceType type) {
        return world.objects().list(type, "").stream()
                .map(Trees::parse)
                .map(Manifest::new)
                .toList();
    }
}
