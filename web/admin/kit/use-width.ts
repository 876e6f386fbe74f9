import { useElementSize } from '@mantine/hooks';
import { useCallback, useState } from 'react';

/** The width of an element in px. It is known before the first paint, because what is shown depends on it. */
export function useWidth() {
  const { ref: observe, width } = useElementSize<HTMLElement>();
  const [firstWidth, setFirstWidth] = useState(0);
  const ref = useCallback(
    (element: HTMLElement | null) => {
      observe(element);
      if (element !== null) setFirstWidth(element.clientWidth);
    },
    [observe],
  );
  return { ref, width: width === 0 ? firstWidth : width };
}
