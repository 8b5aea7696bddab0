// What why.evenkeel.io/v1alpha1 answers, as far as it is shown. docs/why.schema.json of Evenkeel has each field.
import { ApiProxy } from '@kinvolk/headlamp-plugin/lib';
import { useEffect, useState } from 'react';

export interface Objection {
  plugin: string;
  reasons: string[];
}

export type Change =
  | { object: string; patch: unknown[] }
  | { add: Record<string, unknown> }
  | { remove: string };

export interface Remedy {
  text: string;
  node: string;
  changes: Change[];
  command?: string;
}

export interface Domain {
  domain: string;
  matching: number;
  skew?: number;
  allowed?: boolean;
}

export interface Counted {
  plugin: string;
  text: string;
  maxSkew?: number;
  domains?: Domain[];
}

export interface Scores {
  node: string;
  total: number;
  [plugin: string]: number | string;
}

/** What is said of a pod, by its state. What goes with which state says the schema. */
export interface Judgement {
  state: string;
  message?: string;
  because?: string;
  plugin?: string;
  node?: string;
  waitsFor?: string;
  feasible?: number;
  scores?: Scores;
  objections?: Objection[];
  others?: Scores[];
  member?: string;
  funnel?: {
    nodes: number;
    preFilter?: { plugin: string; reason: string };
    steps: {
      plugin: string;
      rejected: number;
      reasons: Partial<Record<string, number>>;
      left: number;
    }[];
  };
  constraints?: Counted[];
  nearest?: { node: string; lacks: string[] }[];
  remedies?: Remedy[];
  moreRemedies?: number;
  inVain?: { text: string; because: string }[];
}

export interface Answer extends Judgement {
  pod: string;
  alike?: string[];
  remarks?: string[];
  queue?: { name: string; attempts: number; seconds: number; nextTrySeconds?: number };
  judged?: Judgement;
}

export interface Spread {
  namespace: string;
  kind: string;
  name: string;
  wanted: number;
  placed: number;
  waiting: number;
  constraints: {
    topologyKey: string;
    whenUnsatisfiable: string;
    allowed: number;
    skew: number;
    byDefault: boolean;
    domains: { value: string; pods: number }[];
    moreDomains: number;
  }[];
}

interface Item<T> {
  metadata: { name: string; namespace: string };
  status: T;
}

export type Placement = Item<Answer>;

export interface List<T> {
  metadata: { remainingItemCount?: number };
  items: Item<T>[];
}

/** Why there is no answer. */
export interface Problem {
  kind: 'notServed' | 'forbidden' | 'notReady' | 'noPod' | 'failed';
  message: string;
}

export type Asked<T> = { answer: T } | { problem: Problem } | 'asking';

const ROOT = '/apis/why.evenkeel.io/v1alpha1';
const SECONDS_BETWEEN = 15;
/** A question waits 15 s for its turn, and 10 s for its answer. */
const PATIENCE_MILLISECONDS = 30_000;

export function placementPath(namespace: string, pod: string): string {
  return `${ROOT}/namespaces/${namespace}/pods/${pod}/placement`;
}

/** Of a namespace, or of all where there is none. */
export function listPath(resource: 'placements' | 'spreads', namespace?: string): string {
  return namespace
    ? `${ROOT}/namespaces/${encodeURIComponent(namespace)}/${resource}`
    : `${ROOT}/${resource}`;
}

/** Headlamp's error has the status's text, and behind it the message of the Status, or "undefined" where there is none. */
export function problemOf(error: unknown): Problem {
  const { status, message } = error as { status?: number; message: string };
  const [text, ...behind] = message.split(' - ');
  const said = behind.join(' - ').replace(/^undefined$/, '');
  switch (status) {
    case 403:
      return { kind: 'forbidden', message: said };
    case 404:
      return { kind: /^pods "/.test(said) ? 'noPod' : 'notServed', message: said };
    case 429:
    case 503:
    case 504:
      return { kind: 'notReady', message: said };
    default:
      return { kind: 'failed', message: said || text };
  }
}

/** The answer of a path, asked for again from time to time while somebody looks, and when the version changes. */
export function useAnswer<T>(path: string, cluster?: string, version?: string): Asked<T> {
  const [asked, setAsked] = useState<{ path: string; is: Asked<T> }>({ path, is: 'asking' });
  useEffect(() => {
    let isWanted = true;
    const ask = async () => {
      try {
        // a replica that does not know the user is no reason to log out of the cluster
        const answer = await ApiProxy.request(
          path,
          { timeout: PATIENCE_MILLISECONDS, ...(cluster && { cluster }) },
          false
        );
        if (isWanted) {
          setAsked({ path, is: { answer } });
        }
      } catch (error) {
        if (isWanted) {
          setAsked({ path, is: { problem: problemOf(error) } });
        }
      }
    };
    ask();
    const timer = setInterval(
      () => document.visibilityState === 'visible' && ask(),
      SECONDS_BETWEEN * 1000
    );
    return () => {
      isWanted = false;
      clearInterval(timer);
    };
  }, [path, cluster, version]);
  return asked.path === path ? asked.is : 'asking';
}
