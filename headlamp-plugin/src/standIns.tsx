// What Headlamp gives to a plugin when it runs, in plain HTML: its own modules do not load outside of it.
import { configure } from '@testing-library/react';
import axe from 'axe-core';
import { ReactNode } from 'react';
import { vi } from 'vitest';

// no test judges by a clock
configure({ asyncUtilTimeout: 600_000 });

export const ApiProxy = { request: vi.fn() };

export const CommonComponents = {
  Loader: ({ title }: { title: string }) => <progress aria-label={title} />,
  SectionBox: ({ title, children }: { title: string; children: ReactNode }) => (
    <div>
      <h2>{title}</h2>
      {children}
    </div>
  ),
  StatusLabel: ({ status, children }: { status: string; children: ReactNode }) => (
    <span data-status={status}>{children}</span>
  ),
  Link: ({
    routeName,
    params,
    children,
  }: {
    routeName: string;
    params: Record<string, string>;
    children: ReactNode;
  }) => <a href={`/${routeName}/${params.namespace}/${params.name}`}>{children}</a>,
};

/** As ApiProxy.request fails: the status's text, and the message of the Status in the body. */
export function refused(status: number, text: string, message?: string): Error {
  return Object.assign(new Error(`${text} - ${message}`), { status });
}

/** What is hard to use for some. Colours are Headlamp's. */
export async function barriers(shown: Element): Promise<string[]> {
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null); // jsdom has none
  const rules = { 'color-contrast': { enabled: false } };
  return (await axe.run(shown, { rules })).violations.map(each => each.help);
}
