import {
  K8s,
  registerDetailsViewSection,
  registerRoute,
  registerSidebarEntry,
} from '@kinvolk/headlamp-plugin/lib';
import { PodPlacement } from './PodPlacement';
import { SpreadAndWaiting } from './SpreadAndWaiting';

const PAGE = 'evenkeel-spread-and-waiting';

registerDetailsViewSection(({ resource }) =>
  resource?.kind === 'Pod' ? (
    <PodPlacement
      namespace={resource.metadata.namespace ?? ''}
      name={resource.metadata.name}
      cluster={resource.cluster}
      version={resource.metadata.resourceVersion}
    />
  ) : null
);

registerSidebarEntry({
  parent: 'workloads',
  name: PAGE,
  label: 'Spread and waiting',
  url: '/evenkeel',
});

function Page() {
  const [namespaces] = K8s.ResourceClasses.Namespace.useList();
  return (
    <SpreadAndWaiting
      namespaces={(namespaces ?? []).map(namespace => namespace.metadata.name)}
      cluster={K8s.useCluster() ?? undefined}
    />
  );
}

registerRoute({ path: '/evenkeel', sidebar: PAGE, name: PAGE, exact: true, component: Page });
