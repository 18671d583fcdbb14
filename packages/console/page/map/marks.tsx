import type { Geometry, Place } from './geometry'

/** When something happened, across all rows. */
export function EventLine({ x }: { readonly x: number }) {
  return x < 0 ? null : <i class="event-line" style={{ left: `${x}px` }} />
}

/** Around the cell that is pointed at. */
export function Crosshair({ geometry, place }: { readonly geometry: Geometry; readonly place: Place }) {
  const { rowHeight, columnWidth } = geometry
  const box = {
    left: `${place.column * columnWidth}px`,
    width: `${Math.max(2, columnWidth)}px`,
    top: `${place.row * rowHeight}px`,
  }
  return <i class="crosshair" style={{ ...box, height: `${rowHeight}px` }} />
}

/** The rectangle that is being selected. */
export function Selection({
  geometry,
  from,
  to,
}: {
  readonly geometry: Geometry
  readonly from: Place
  readonly to: Place
}) {
  const { rowHeight, columnWidth } = geometry
  const box = (a: number, b: number, size: number) => [Math.min(a, b) * size, (Math.abs(a - b) + 1) * size]
  const [left, width] = box(from.column, to.column, columnWidth)
  const [top, height] = box(from.row, to.row, rowHeight)
  return (
    <i
      class="selection"
      style={{ left: `${left}px`, width: `${width}px`, top: `${top}px`, height: `${height}px` }}
    />
  )
}
