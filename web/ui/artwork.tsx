import clsx from 'clsx';
import styles from './artwork.module.css';

type ArtworkProps = {
  /** The stored picture; without one a quilt is drawn from the id, always the same. */
  imageUrl: string | null;
  id: string;
  className?: string | undefined;
};

/** The picture of an offer, cropped to its place. It only decorates, so it has no text. */
export function Artwork({ imageUrl, id, className }: ArtworkProps) {
  return (
    <span className={clsx(styles.frame, className)}>
      {imageUrl === null ? (
        <Quilt id={id} />
      ) : (
        <img src={imageUrl} alt="" width={104} height={76} loading="lazy" decoding="async" />
      )}
    </span>
  );
}

const CELL = 40;
const COLUMNS = 4;
const ROWS = 3;

/** A ground and the colours on it: green, slate and warm grey, never amber, which means money. */
const palettes = [
  ['var(--e-green-soft)', 'var(--e-wait)', 'var(--e-bar)', 'var(--e-cover)'],
  ['var(--e-sunk)', 'var(--e-bar)', 'var(--e-line-strong)', 'var(--e-cover)'],
  ['var(--e-wait-soft)', 'var(--e-wait)', 'var(--e-cover)', 'var(--e-bar)'],
  ['var(--e-cover)', 'var(--e-wait-soft)', 'var(--e-bar)', 'var(--e-green-soft)'],
  ['var(--e-wait)', 'var(--e-bar)', 'var(--e-green-soft)', 'var(--e-wait-soft)'],
] as const;

/** Whole numbers from 0 below a bound, always the same for a text (FNV-1a, then xorshift). */
function numbersOf(text: string): (bound: number) => number {
  let state = 2_166_136_261;
  for (const character of text) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 16_777_619);
  state ||= 1;
  return (bound) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % bound;
  };
}

/** The shapes of a cell, from its upper left corner: quarter and half circles, a block, a disc and ticks. */
const shapes: readonly ((x: number, y: number) => string)[] = [
  (x, y) => `M${x} ${y}h40a40 40 0 0 1 -40 40z`,
  (x, y) => `M${x + 40} ${y}v40a40 40 0 0 1 -40 -40z`,
  (x, y) => `M${x + 40} ${y + 40}h-40a40 40 0 0 1 40 -40z`,
  (x, y) => `M${x} ${y + 40}v-40a40 40 0 0 1 40 40z`,
  (x, y) => `M${x} ${y}a20 20 0 0 0 40 0z`,
  (x, y) => `M${x} ${y + 40}a20 20 0 0 1 40 0z`,
  (x, y) => `M${x} ${y}h40v40h-40z`,
  (x, y) => `M${x + 6} ${y + 20}a14 14 0 1 1 28 0a14 14 0 1 1 -28 0z`,
  (x, y) => [2, 8, 14, 20, 26, 32, 38].map((at) => `M${x + at} ${y + 8}h2v24h-2z`).join(''),
];

/** One cell in four stays empty. */
const EMPTY_OF = 4;

/** The paths of a quilt by colour. */
function quiltOf(id: string): { ground: string; paths: [colour: string, path: string][] } {
  const next = numbersOf(id);
  const [ground, ...inks] = palettes[next(palettes.length)] ?? palettes[0];
  const paths = new Map<string, string>();
  for (let cell = 0; cell < COLUMNS * ROWS; cell += 1) {
    const [ink = inks[0], shape] = [inks[next(inks.length)], shapes[next(shapes.length)]];
    if (shape === undefined || next(EMPTY_OF) === 0) continue;
    const drawn = shape((cell % COLUMNS) * CELL, Math.floor(cell / COLUMNS) * CELL);
    paths.set(ink, `${paths.get(ink) ?? ''}${drawn}`);
  }
  return { ground, paths: [...paths] };
}

function Quilt({ id }: { id: string }) {
  const { ground, paths } = quiltOf(id);
  return (
    <svg viewBox="0 0 160 120" preserveAspectRatio="xMidYMid slice" aria-hidden="true" focusable="false">
      <rect width="160" height="120" fill={ground} />
      {paths.map(([ink, path]) => (
        <path key={ink} fill={ink} d={path} />
      ))}
    </svg>
  );
}
