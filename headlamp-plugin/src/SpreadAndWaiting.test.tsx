import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import placements from './answers/placements.json';
import spreads from './answers/spreads.json';
import { SpreadAndWaiting } from './SpreadAndWaiting';
import { ApiProxy, barriers, refused } from './standIns';
import { Answer, List, Spread } from './why';

vi.mock('@kinvolk/headlamp-plugin/lib', () => import('./standIns'));

const CAUSES: List<Answer> = placements;
const SPREADS: List<Spread> = spreads;
const ROOT = '/apis/why.evenkeel.io/v1alpha1';

/** Who may ask about namespace shop alone. */
async function tenant(path: string) {
  switch (path) {
    case `${ROOT}/namespaces/shop/placements`:
      return CAUSES;
    case `${ROOT}/namespaces/shop/spreads`:
      return SPREADS;
    default:
      throw refused(403, 'Forbidden', 'you may not');
  }
}

beforeEach(() => {
  ApiProxy.request.mockReset();
});

it('shows what keeps pods waiting, most pods first, and how workloads are spread', async () => {
  ApiProxy.request.mockImplementation(async (path: string) =>
    path === `${ROOT}/spreads` ? SPREADS : CAUSES
  );
  const { container } = render(<SpreadAndWaiting namespaces={['shop']} />);

  const causes = await screen.findByRole('table', { name: 'Causes that keep pods waiting' });
  expect(within(causes).getAllByRole('row')).toHaveLength(1 + CAUSES.items.length);
  expect(within(causes).getByRole('link', { name: 'shop/web-1-4' }).getAttribute('href')).toBe(
    '/pod/shop/web-1-4'
  );
  within(causes).getByText(/^It waits: 0\/3 nodes are available: 3 Insufficient cpu\./);

  const workloads = screen.getByRole('table', { name: 'Workloads with their spread' });
  const web = within(workloads).getByText('Deployment shop/web').closest('tr')!;
  expect(
    within(web)
      .getAllByRole('cell')
      .map(cell => cell.textContent)
  ).toEqual([
    'Deployment shop/web',
    '5',
    '4',
    '1',
    'topology.kubernetes.io/zone, DoNotSchedule',
    '2 of 1: too much',
    'zone-a: 2, zone-b: 2, zone-c: 0',
  ]);
  expect(await barriers(container)).toEqual([]);
});

it('asks about one namespace where the user may not ask about all', async () => {
  const user = userEvent.setup();
  ApiProxy.request.mockImplementation(tenant);
  render(<SpreadAndWaiting namespaces={['bank', 'shop']} />);

  await screen.findByText(
    /right to list placements of why\.evenkeel\.io in all namespaces, or choose one/
  );
  await user.type(
    screen.getByRole('combobox', { name: 'Namespace, or none for all' }),
    'shop{Enter}'
  );

  await screen.findByRole('table', { name: 'Causes that keep pods waiting' });
  await screen.findByRole('table', { name: 'Workloads with their spread' });
});

it('says so where nothing waits and nothing is there', async () => {
  ApiProxy.request.mockResolvedValue({ metadata: {}, items: [] });
  render(<SpreadAndWaiting namespaces={[]} />);

  await screen.findByText('No pod waits for this Evenkeel.');
  screen.getByText('There are no workloads.');
});

it('says how much is not told', async () => {
  ApiProxy.request.mockImplementation(async (path: string) => ({
    ...(path === `${ROOT}/spreads` ? SPREADS : CAUSES),
    metadata: { remainingItemCount: 7 },
  }));
  render(<SpreadAndWaiting namespaces={[]} />);

  await screen.findByText('7 more causes are not told here.');
  screen.getByText('7 more workloads are not told here.');
});
