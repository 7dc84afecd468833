import { lazy, Suspense } from 'react';
import { loadPart } from '../../data/load.ts';
import type { PlotData } from './plot-data.ts';

const Drawing = lazy(async () => ({ default: (await loadPart(() => import('./plot-drawing.tsx'))).PlotDrawing }));

/** The plot library loads on first use. Until then, the minimum height keeps the page from jumping. */
export const Plot = (data: PlotData) => (
  <figure className="plot" style={{ minHeight: data.height ?? 160 }}>
    <figcaption>{data.label}</figcaption>
    <Suspense fallback={null}>
      <Drawing {...data} />
    </Suspense>
  </figure>
);
