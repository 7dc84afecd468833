import { type ComponentType, lazy } from 'react';
import type { Scope } from '../client/src/index.ts';
import { loadPart } from './data/load.ts';

/** A page of the console: its path, its shortcut, and the scope it requires. */
type ConsolePage = { path: string; title: string; keys: string; scope?: Scope; Page: ComponentType };

/** Loads the page on first visit. */
const page = (load: () => Promise<{ Page: ComponentType }>): ComponentType =>
  lazy(async () => ({ default: (await loadPart(load)).Page }));

export const PAGES: readonly ConsolePage[] = [
  { path: '/', title: 'Overview', keys: 'g h', Page: page(() => import('./overview/page.tsx')) },
  { path: '/pets', title: 'Pets', keys: 'g p', scope: 'pets:read', Page: page(() => import('./pets/page.tsx')) },
  {
    path: '/orders',
    title: 'Orders',
    keys: 'g o',
    scope: 'orders:read',
    Page: page(() => import('./orders/page.tsx')),
  },
  { path: '/keys', title: 'Keys', keys: 'g k', Page: page(() => import('./keys/page.tsx')) },
  {
    path: '/webhooks',
    title: 'Webhooks',
    keys: 'g w',
    scope: 'webhooks:write',
    Page: page(() => import('./webhooks/page.tsx')),
  },
  {
    path: '/events',
    title: 'Events',
    keys: 'g e',
    scope: 'events:read',
    Page: page(() => import('./events/page.tsx')),
  },
  { path: '/health', title: 'Health', keys: 'g s', scope: 'ops:read', Page: page(() => import('./health/page.tsx')) },
];
