/** The mark: a coin with the letter e. Where it is the brand's, the server puts an operator's logo in its place. */
export function Mark({ size = 28, isBrand = false }: { size?: number; isBrand?: boolean }) {
  return (
    <svg
      {...(isBrand ? { 'data-brand-mark': '' } : {})}
      viewBox="0 0 32 32"
      width={size}
      height={size}
      aria-hidden="true"
      style={{ display: 'block', flex: 'none' }}
    >
      <circle cx="16" cy="16" r="15" fill="var(--e-cover)" />
      <circle
        cx="16"
        cy="16"
        r="12.2"
        fill="none"
        stroke="var(--e-on-cover-2)"
        strokeWidth="1.1"
        strokeDasharray="1 1.737"
        opacity=".75"
      />
      <path
        d="M10.4 16.3H21.6A5.75 5.75 0 1 0 19.9 20.4"
        fill="none"
        stroke="var(--e-on-cover)"
        strokeWidth="2.7"
        strokeLinecap="round"
      />
    </svg>
  );
}
