import {
  Activity,
  HeartPulse,
  KeyRound,
  LayoutDashboard,
  type LucideIcon,
  PawPrint,
  ShoppingBag,
  Tag,
  Webhook,
} from 'lucide-react';
import type { ComponentType } from 'react';
import type { Scope } from '../client/src/index.ts';
import { lazyPart } from './data/load.ts';
import { titles } from './texts.ts';

export type ConsolePage = {
  path: string;
  title: string;
  keys: string;
  icon: LucideIcon;
  group: 'shop' | 'connections';
  scope?: Scope;
  Page: ComponentType;
};

const page = (load: () => Promise<{ Page: ComponentType }>): ComponentType => lazyPart(async () => (await load()).Page);

export const PAGES: readonly ConsolePage[] = [
  {
    path: '/',
    title: titles.overview,
    keys: 'g h',
    icon: LayoutDashboard,
    group: 'shop',
    Page: page(() => import('./overview/page.tsx')),
  },
  {
    path: '/pets',
    title: titles.pets,
    keys: 'g p',
    icon: PawPrint,
    group: 'shop',
    scope: 'pets:read',
    Page: page(() => import('./pets/page.tsx')),
  },
  {
    path: '/orders',
    title: titles.orders,
    keys: 'g o',
    icon: ShoppingBag,
    group: 'shop',
    scope: 'orders:read',
    Page: page(() => import('./orders/page.tsx')),
  },
  {
    path: '/categories',
    title: titles.categories,
    keys: 'g c',
    icon: Tag,
    group: 'shop',
    scope: 'pets:read',
    Page: page(() => import('./categories/page.tsx')),
  },
  {
    path: '/keys',
    title: titles.keys,
    keys: 'g k',
    icon: KeyRound,
    group: 'connections',
    Page: page(() => import('./keys/page.tsx')),
  },
  {
    path: '/webhooks',
    title: titles.webhooks,
    keys: 'g w',
    icon: Webhook,
    group: 'connections',
    scope: 'webhooks:write',
    Page: page(() => import('./webhooks/page.tsx')),
  },
  {
    path: '/events',
    title: titles.events,
    keys: 'g e',
    icon: Activity,
    group: 'connections',
    scope: 'events:read',
    Page: page(() => import('./events/page.tsx')),
  },
  {
    path: '/health',
    title: titles.health,
    keys: 'g s',
    icon: HeartPulse,
    group: 'connections',
    scope: 'ops:read',
    Page: page(() => import('./health/page.tsx')),
  },
];
