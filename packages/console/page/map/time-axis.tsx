import type { ConsoleCapacity, HeatEvent, HeatMap } from '../../src/api/heat-map'
import { clockTime, dayTime } from '../format/figures'
import { shortKeyText } from '../format/redact'
import { changeText } from '../shards/change-text'
import { columnOf, type Geometry } from './geometry'

/** Labels that are this far apart have room between them. */
const LABEL_PIXELS = 96
/** Labels that are this far apart do not touch. */
const LEAST_LABEL_PIXELS = 60
/** A narrow map has as many labels, closer together. */
const LEAST_LABELS = 3
const STEPS = [1, 5, 10, 15, 30, 60, 300, 600, 1_800, 3_600, 7_200, 21_600, 43_200, 86_400, 172_800, 604_800]
/** Events that are closer share a mark. */
const MARK_PIXELS = 14
/** The tip of a mark with many events has the latest of them. */
const SHOWN_EVENTS = 8

/** The times below the map, and the events above them. */
export function TimeAxis({ of, geometry }: { readonly of: HeatMap; readonly geometry: Geometry }) {
  const { columnWidth, width } = geometry
  const at = (time: number) => columnOf(of, time) * columnWidth
  return (
    <div class="time-axis">
      <ul class="events" aria-label="Events">
        {marksOf(of.events, at, width).map(({ x, events }) => (
          <li key={`${events[0]?.at} ${events[0]?.type}`} style={{ left: `${x}px` }}>
            <button
              type="button"
              class={`event ${x > width / 2 ? 'to-left' : 'to-right'}`}
              aria-label={events.map(eventText).join('; ')}
              style={{ '--room': `${Math.round(Math.max(x, width - x))}px` }}
              data-tip={events.slice(-SHOWN_EVENTS).map(eventText).join('\n')}
            >
              {events.length > 1 ? events.length : MARKS[events[0]?.type ?? 'split']}
            </button>
          </li>
        ))}
      </ul>
      <div class="ticks" aria-hidden="true">
        {ticksOf(of, width).map((time) => (
          <span key={time} style={{ left: `${at(time)}px` }}>
            {of.seconds * of.columns > 90_000 ? dayTime(time) : clockTime(time, of.seconds < 60)}
          </span>
        ))}
      </div>
    </div>
  )
}

const MARKS: Readonly<Record<HeatEvent['type'], string>> = {
  scaled: '▲',
  split: '◆',
  'split-refused': '◇',
  'index-full': '■',
  capacity: '●',
}

function eventText(event: HeatEvent): string {
  const at = clockTime(event.at)
  switch (event.type) {
    case 'scaled':
      return `${at} ${shortKeyText(event.key)}: ${changeText(event)}`
    case 'split':
      return `${at} partition ${event.partition} was split into ${event.partition} and ${event.into}, because of ${event.reason}`
    case 'split-refused':
      return `${at} partition ${event.partition} was not split: ${event.reason}`
    case 'index-full':
      return `${at} the queue of the index ${event.index} became full: writes of the table are refused`
    case 'capacity':
      return `${at} capacity changed from ${capacityText(event.from)} to ${capacityText(event.to)}`
  }
}

function capacityText({ billingMode, readUnits, writeUnits }: ConsoleCapacity): string {
  const units = [
    ...(writeUnits === undefined ? [] : [`${writeUnits} write`]),
    ...(readUnits === undefined ? [] : [`${readUnits} read`]),
  ]
  const mode = billingMode === 'PROVISIONED' ? 'provisioned' : 'on-demand'
  if (units.length === 0) return mode
  return `${mode}${mode === 'on-demand' ? ', at most' : ','} ${units.join(' and ')} units/s`
}

function marksOf(events: readonly HeatEvent[], at: (time: number) => number, width: number) {
  const marks: { x: number; events: HeatEvent[] }[] = []
  for (const event of [...events].sort((a, b) => a.at - b.at)) {
    const x = at(event.at)
    if (x < 0 || x > width) continue
    const last = marks.at(-1)
    if (last !== undefined && x - last.x < MARK_PIXELS) last.events.push(event)
    else marks.push({ x, events: [event] })
  }
  return marks
}

function ticksOf({ from, seconds, columns }: HeatMap, width: number): readonly number[] {
  const span = seconds * columns
  const distance = Math.min(LABEL_PIXELS, Math.max(LEAST_LABEL_PIXELS, width / LEAST_LABELS))
  const least = (span / Math.max(1, width)) * distance
  const step = 1_000 * (STEPS.find((each) => each >= least) ?? span)
  const ticks: number[] = []
  for (
    let time = Math.ceil(from / step) * step;
    time < from + span * 1_000 * (1 - LEAST_LABEL_PIXELS / Math.max(1, width));
    time += step
  ) {
    ticks.push(time)
  }
  return ticks
}
