import { type DragEvent, useState } from 'react';

/** Where a dragged row is put: above or below another one. */
export type RowPlace = { side: 'above' | 'below'; id: string };

/** Moves of rows, where the list shows them in the order that operators set. */
export type RowOrder<Row> = {
  /** By one place, or beside another row. */
  move: (row: Row, to: 'up' | 'down' | RowPlace) => void;
  /** The name of the grip by which a row is dragged. */
  grip: string;
  keys: { up: string; down: string };
};

/**
 * Dragging rows by their grips. It is for the mouse alone: the keys and the sheet's buttons do the same, because a
 * keyboard, a screen reader and a finger can't drag.
 */
export function useRowDrag<Row extends { id: string }>(order: RowOrder<Row> | undefined) {
  const [dragged, setDragged] = useState<Row | null>(null);
  const [place, setPlace] = useState<RowPlace | null>(null);
  const end = () => {
    setDragged(null);
    setPlace(null);
  };
  return {
    gripProps: (row: Row) => ({
      draggable: true,
      onDragStart: (event: DragEvent<HTMLElement>) => {
        event.dataTransfer.effectAllowed = 'move';
        event.dataTransfer.setData('text/plain', row.id);
        const line = event.currentTarget.closest('tr');
        if (line !== null) event.dataTransfer.setDragImage(line, 0, 0);
        setDragged(row);
      },
      onDragEnd: end,
    }),
    rowProps: (row: Row) =>
      dragged === null
        ? {}
        : {
            'data-drop': place?.id === row.id && row.id !== dragged.id ? place.side : undefined,
            onDragOver: (event: DragEvent<HTMLElement>) => {
              event.preventDefault();
              const { top, height } = event.currentTarget.getBoundingClientRect();
              const side = event.clientY < top + height / 2 ? 'above' : 'below';
              if (place?.id !== row.id || place.side !== side) setPlace({ id: row.id, side });
            },
            onDrop: (event: DragEvent<HTMLElement>) => {
              event.preventDefault();
              if (place !== null && place.id !== dragged.id) order?.move(dragged, place);
              end();
            },
          },
  };
}

export type RowDrag<Row extends { id: string }> = ReturnType<typeof useRowDrag<Row>>;
