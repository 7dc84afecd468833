import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { noteClick } from './kit/tap.ts';
import './style/console.css';

addEventListener('click', noteClick, { capture: true });

const place = document.getElementById('console');
if (place) createRoot(place).render(<App />);
