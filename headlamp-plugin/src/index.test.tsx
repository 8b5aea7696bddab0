import { isValidElement } from 'react';
import { expect, it, vi } from 'vitest';
import { PodPlacement } from './PodPlacement';

const registered = vi.hoisted(() => ({
  registerDetailsViewSection: vi.fn(),
  registerRoute: vi.fn(),
  registerSidebarEntry: vi.fn(),
}));

vi.mock('@kinvolk/headlamp-plugin/lib', async () => ({
  ...(await import('./standIns')),
  ...registered,
}));

it('adds a section to the page of a pod, and a page with its place in the sidebar', async () => {
  await import('./index');

  const [section] = registered.registerDetailsViewSection.mock.calls[0];
  const metadata = { name: 'web', namespace: 'shop', resourceVersion: '7' };
  const shown = section({ resource: { kind: 'Pod', metadata, cluster: 'east' } });
  expect(isValidElement(shown) && shown.type).toBe(PodPlacement);
  expect(shown.props).toEqual({ namespace: 'shop', name: 'web', cluster: 'east', version: '7' });
  expect(section({ resource: { kind: 'Node', metadata } })).toBeNull();
  const [entry] = registered.registerSidebarEntry.mock.calls[0];
  expect(registered.registerRoute).toHaveBeenCalledWith(
    expect.objectContaining({ path: entry.url, sidebar: entry.name })
  );
});
