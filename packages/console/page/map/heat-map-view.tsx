import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { HeatMap } from '../../src/api/heat-map'
import { room } from '../state/data'
import { theme } from '../state/theme'
import { followTime, isZoomed, show, view } from '../state/view'
import { cellText } from './cell'
import { drawMap } from './draw-map'
import { columnOf, geometryOf, type Place, placeAt, ROW_HEIGHTS, timeOf } from './geometry'
import type { ShownMap } from './grid'
import { ColumnHistogram } from './histograms'
import { Crosshair, EventLine, Selection } from './marks'
import { moved } from './moved'
import { RowLabels } from './row-labels'
import { TimeAxis } from './time-axis'
import { Tooltip } from './tooltip'
import { zoomBy, zoomTo } from './zoom'

/** A column narrower than this cannot be pointed at. */
const COLUMN_PIXELS = 3
/** What is around the map in the window: header, legend, axis. */
const AROUND_PIXELS = 420
const MIN_HEIGHT_PIXELS = 260
const MAX_ROWS = 1_500
/** A drag shorter than this is a click. */
const DRAG_PIXELS = 6

/** A pinned cell. Its place changes while time passes and rows come and go. */
interface Pin {
  readonly row: string
  readonly at: number
}

function pinOf({ row, column }: Place, of: HeatMap): Pin {
  return { row: of.rows[row]?.id ?? '', at: timeOf(of, column) }
}

/** `undefined` while the cell is outside of the map. */
function placeOf({ row: id, at }: Pin, of: HeatMap): Place | undefined {
  const row = of.rows.findIndex((each) => each.id === id)
  const column = Math.floor(columnOf(of, at) + 1e-6)
  return row < 0 || column < 0 || column >= of.columns ? undefined : { row, column }
}

export function HeatMapView({ of }: { readonly of: ShownMap }) {
  const plot = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const [width, setWidth] = useState(600)
  const [cursor, setCursor] = useState<Place | undefined>()
  const [pin, setPin] = useState<Pin | undefined>()
  const [dragged, setDragged] = useState<{ from: Place; to: Place } | undefined>()
  const { density, colour, by } = view.value
  const geometry = geometryOf(of, width, density)
  const pinned = pin === undefined ? undefined : placeOf(pin, of)
  const setPinned = (place: Place | undefined) => setPin(place === undefined ? undefined : pinOf(place, of))
  const currentTheme = theme.value

  useLayoutEffect(() => {
    const element = plot.current
    if (element === null) return
    const measure = () => {
      const wide = element.clientWidth
      setWidth(wide)
      const high = Math.max(MIN_HEIGHT_PIXELS, innerHeight - AROUND_PIXELS)
      const rows = Math.min(MAX_ROWS, Math.floor(high / ROW_HEIGHTS[density]))
      const columns = Math.max(30, Math.min(600, Math.floor(wide / COLUMN_PIXELS)))
      const known = room.peek()
      if (known.rows !== rows || known.columns !== columns) room.value = { rows, columns }
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    addEventListener('resize', measure)
    return () => {
      observer.disconnect()
      removeEventListener('resize', measure)
    }
  }, [density])

  useEffect(() => {
    if (canvas.current !== null) drawMap(canvas.current, of, geometry, currentTheme, colour === 'relative')
  }, [of, width, density, currentTheme, colour])

  const pointed = (event: PointerEvent | MouseEvent) => {
    const box = canvas.current?.getBoundingClientRect()
    return placeAt(geometry, of, event.clientX - (box?.left ?? 0), event.clientY - (box?.top ?? 0))
  }
  const start = useRef<{ x: number; y: number; place: Place } | undefined>(undefined)
  const press = (event: PointerEvent) => {
    if (event.button !== 0) return
    start.current = { x: event.clientX, y: event.clientY, place: pointed(event) }
    canvas.current?.setPointerCapture(event.pointerId)
  }
  const move = (event: PointerEvent) => {
    const place = pointed(event)
    const from = start.current
    if (from === undefined) return setCursor(place)
    if (Math.hypot(event.clientX - from.x, event.clientY - from.y) > DRAG_PIXELS || dragged !== undefined) {
      setDragged({ from: from.place, to: place })
    }
  }
  const release = (event: PointerEvent) => {
    if (start.current === undefined) return
    start.current = undefined
    if (dragged === undefined) return setPinned(pointed(event))
    select(dragged)
  }
  const cancel = () => {
    start.current = undefined
    setDragged(undefined)
  }

  useEffect(() => {
    const element = canvas.current
    // Not passive, because the page must not scroll as well. Without Ctrl or Shift a wheel scrolls, as everywhere.
    const turn = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.shiftKey && !event.metaKey) return
      event.preventDefault()
      zoomBy(of, pointed(event).column, (event.deltaY || event.deltaX) > 0 ? 1.25 : 0.8)
    }
    element?.addEventListener('wheel', turn, { passive: false })
    return () => element?.removeEventListener('wheel', turn)
  }, [of, width, density])

  const select = ({ from, to }: { readonly from: Place; readonly to: Place }) => {
    zoomTo(of, from, to, by === 'key')
    setDragged(undefined)
  }
  const type = (event: KeyboardEvent) => {
    // Its buttons have keys of their own.
    if (event.target !== event.currentTarget && event.key !== 'Escape') return
    const at = cursor ?? { row: 0, column: of.columns - 1 }
    const next = moved(event.key, at, of)
    if (next !== undefined) {
      setCursor(next)
      setDragged(event.shiftKey ? { from: dragged?.from ?? at, to: next } : undefined)
    } else if (event.key === 'Enter' && dragged !== undefined) select(dragged)
    else if (event.key === 'Escape' && dragged !== undefined) setDragged(undefined)
    else if (event.key === 'Enter') setPinned(at)
    else if (event.key === ' ') toggleRow(of, at.row)
    else if (event.key === '+' || event.key === '=') zoomBy(of, at.column, 0.5)
    else if (event.key === '-') zoomBy(of, at.column, 2)
    else if (event.key === '0') followTime()
    else if (event.key === 'Escape' && pin !== undefined) setPinned(undefined)
    else if (event.key === 'Escape' && isZoomed.value) followTime()
    else return
    event.preventDefault()
  }

  const shown = pinned ?? cursor
  return (
    <div class="heat-map">
      <ColumnHistogram of={of} geometry={geometry} />
      <RowLabels of={of} geometry={geometry} onOpen={(row) => toggleRow(of, row)} />
      <div class="plot" ref={plot}>
        <div
          class="cells"
          role="application"
          aria-roledescription="heat map"
          aria-label="Heat map: time across, keys down"
          aria-describedby="map-help map-cell"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: It takes the keys of an application, as its role says.
          tabIndex={0}
          style={{ height: `${geometry.height}px` }}
          onKeyDown={type}
          onBlur={() => {
            setCursor(undefined)
            cancel()
          }}
        >
          <canvas
            ref={canvas}
            style={{ width: `${width}px`, height: `${geometry.height}px` }}
            onPointerDown={press}
            onPointerMove={move}
            onPointerUp={release}
            onPointerCancel={cancel}
            onPointerLeave={() => setCursor(undefined)}
          />
          {of.events.map((event) => (
            <EventLine key={`${event.at} ${event.type}`} x={columnOf(of, event.at) * geometry.columnWidth} />
          ))}
          {shown !== undefined && <Crosshair geometry={geometry} place={shown} />}
          {dragged !== undefined && <Selection geometry={geometry} {...dragged} />}
          {shown !== undefined && dragged === undefined && (
            <Tooltip
              of={of}
              geometry={geometry}
              place={shown}
              isPinned={pinned !== undefined}
              onClose={() => setPinned(undefined)}
            />
          )}
        </div>
        <TimeAxis of={of} geometry={geometry} />
      </div>
      <p id="map-help" class="unseen">
        Arrow keys move between cells, Enter pins one, Space opens a row, plus and minus zoom, 0 shows all.
        Shift and arrow keys select a rectangle, and Enter shows it alone.
      </p>
      <p id="map-cell" class="unseen" aria-live="polite">
        {cursor === undefined ? '' : cellText(of, cursor)}
      </p>
    </div>
  )
}

function toggleRow({ rows }: HeatMap, at: number): void {
  const row = rows[at]
  if (row === undefined || !row.folds) return
  const others = view.peek().open.filter((id) => id !== row.id)
  show({ open: row.isOpen ? others : [...others, row.id] })
}
