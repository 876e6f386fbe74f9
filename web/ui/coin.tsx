/** The coin: heads shows the e, tails the sprout. */
export function Coin({ side = 'heads', size = 104 }: { side?: 'heads' | 'tails'; size?: number }) {
  return (
    <svg
      viewBox="0 0 120 120"
      width={size}
      height={size}
      aria-hidden="true"
      style={{ display: 'block', flex: 'none' }}
    >
      <ellipse cx="60" cy="63" rx="57" ry="57" fill="var(--e-ink)" opacity=".14" />
      <circle cx="60" cy="59" r="57" fill="var(--e-coin-edge)" />
      <circle
        cx="60"
        cy="59"
        r="54.2"
        fill="none"
        stroke="var(--e-coin)"
        strokeWidth="4.4"
        strokeDasharray="1.9 2.356"
      />
      <circle cx="60" cy="59" r="50.5" fill="var(--e-coin)" />
      <circle cx="60" cy="59" r="43" fill="none" stroke="var(--e-coin-edge)" strokeWidth="1.4" />
      {side === 'heads' ? (
        <>
          <circle
            cx="60"
            cy="59"
            r="46.6"
            fill="none"
            stroke="var(--e-coin-edge)"
            strokeWidth="1.8"
            strokeDasharray="0 4.88"
            strokeLinecap="round"
          />
          <path
            d="M39.5 60.5H80.5A21 21 0 1 0 74.4 75.4"
            fill="none"
            stroke="var(--e-on-coin)"
            strokeWidth="8.5"
            strokeLinecap="round"
          />
        </>
      ) : (
        <path
          d="M60 86V54M60 64c0-13-8-21-21-21 0 13 8 21 21 21zM60 55c0-12 7-19 20-19 0 12-7 19-20 19z"
          fill="none"
          stroke="var(--e-on-coin)"
          strokeWidth="6.5"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      )}
    </svg>
  );
}
