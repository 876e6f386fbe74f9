import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { isTaken } from '#web/admin/kit/keys.ts';
import { operatorPlaces } from './operator-places.ts';

/** How long the letter after `G` is waited for. */
const WAIT_MS = 2_000;
const modifiers = ['Shift', 'Control', 'Alt', 'Meta', 'AltGraph', 'HangulMode', 'CapsLock'];

/**
 * Returns what `G` does: the next key opens the place of its letter. It is heard before any other key of the screen, so
 * that a letter has one meaning. Another key, a press of the pointer or two seconds end the waiting.
 */
export function useGoKeys(): () => void {
  const navigate = useNavigate();
  const waiting = useRef(new AbortController());
  useEffect(() => () => waiting.current.abort(), []);
  return () => {
    waiting.current.abort();
    const controller = new AbortController();
    waiting.current = controller;
    const { signal } = controller;
    const end = () => controller.abort();
    const timer = setTimeout(end, WAIT_MS);
    signal.addEventListener('abort', () => clearTimeout(timer));
    window.addEventListener('pointerdown', end, { signal });
    window.addEventListener(
      'keydown',
      (event) => {
        if (modifiers.includes(event.key)) return;
        end();
        if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || isTaken(event)) return;
        if (!event.code.startsWith('Key')) return;
        event.preventDefault();
        event.stopPropagation();
        const place = operatorPlaces.find(({ letter }) => event.code === `Key${letter}`);
        if (place !== undefined) void navigate({ to: place.path });
      },
      { capture: true, signal },
    );
  };
}
