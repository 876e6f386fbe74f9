/** The Dash icon, drawn in the style of the outline icons. */
export function DashIcon({ size = 20, stroke = 1.75 }: { size?: number; stroke?: number }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth={stroke}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d="M8 6h6.2c3.6 0 5.6 2.3 4.8 5.6-.9 3.8-3.7 6.4-7.6 6.4H5.6" />
      <path d="M4.4 12h6.2" />
    </svg>
  );
}
