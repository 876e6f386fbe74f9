/** The small coin beside a balance. */
export function CoinGlyph({ size = 20 }: { size?: number }) {
  return (
    <svg
      viewBox="0 0 32 32"
      width={size}
      height={size}
      aria-hidden="true"
      style={{ display: 'block', flex: 'none' }}
    >
      <circle cx="16" cy="16" r="15.4" fill="var(--e-coin-edge)" />
      <circle cx="16" cy="16" r="13.6" fill="var(--e-coin)" />
      <path
        d="M10.4 16.3H21.6A5.75 5.75 0 1 0 19.9 20.4"
        fill="none"
        stroke="var(--e-on-coin)"
        strokeWidth="3"
        strokeLinecap="round"
      />
    </svg>
  );
}
