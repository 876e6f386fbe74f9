/** Calls `act` at most once in `everyMs`. Calls in between are dropped. */
export function throttled<T>(
  everyMs: number,
  act: (value: T) => void,
  now: () => number = () => performance.now(),
): (value: T) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (value) => {
    const at = now();
    if (at - last < everyMs) return;
    last = at;
    act(value);
  };
}

const TARGET_MAX = 200;

type Marked = { tagName: string; id: string; getAttribute(name: string): string | null };

/** Describes the clicked element by tag, role and id. Its text and value are private. */
export function targetOf(target: unknown): string | null {
  const element = nearestControl(target);
  if (element === null) return null;
  const role = element.getAttribute('role');
  const parts = [
    element.tagName.toLowerCase(),
    role === null ? '' : `[${role}]`,
    element.id && `#${element.id}`,
  ];
  return parts.join('').slice(0, TARGET_MAX);
}

type Closest = Marked & { closest?: (selector: string) => Marked | null };

function nearestControl(target: unknown): Marked | null {
  const element = target as Closest | null;
  if (typeof element?.closest !== 'function') return null;
  return element.closest('button, a, input, select, textarea, [role]') ?? element;
}
