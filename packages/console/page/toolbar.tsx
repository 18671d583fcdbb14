import type { HeatMapGrouping } from '../src/api/heat-map'
import { duration } from './format/figures'
import { map, PUBLISHED_SECONDS, tables } from './state/data'
import { type Density, followTime, isLive, isZoomed, show, type View, view } from './state/view'

const SPANS = [
  [60, '1 min'],
  [300, '5 min'],
  [1_800, '30 min'],
  [10_800, '3 h'],
  [86_400, '1 day'],
  [604_800, '1 week'],
  [2_419_200, '4 weeks'],
] as const
/** Less has hardly a column, where columns are minutes. */
const LEAST_PUBLISHED_SECONDS = 300
const GROUPINGS: readonly (readonly [HeatMapGrouping, string])[] = [
  ['key', 'Keys'],
  ['partition', 'Partitions'],
  ['prefix', 'Prefixes'],
]
const DENSITIES: readonly (readonly [Density, string])[] = [
  ['labels', 'Labelled'],
  ['compact', 'Compact'],
  ['dense', 'Dense'],
]
const COLOURS: readonly (readonly [View['colour'], string])[] = [
  ['absolute', 'Of the limit'],
  ['relative', 'Relative'],
]

/** How the map is drawn, and of which time. */
export function Toolbar() {
  const { last, tab } = view.value
  const isPublished = tables.value?.offers !== undefined
  return (
    <div class="toolbar" role="toolbar" aria-label="View">
      {tab === 'heat' && <Rows />}
      <label>
        Time
        <select
          value={isLive.value ? String(last) : ''}
          onChange={(event) =>
            show({ last: Number(event.currentTarget.value || last), from: undefined, to: undefined }, true)
          }
        >
          {!isLive.value && <option value="">selected span</option>}
          {isLive.value && last > 0 && !SPANS.some(([seconds]) => seconds === last) && (
            <option value={String(last)}>last {duration(last)}</option>
          )}
          <option value="0">{isPublished ? `last ${duration(PUBLISHED_SECONDS)}` : 'up to 5 min'}</option>
          {SPANS.filter(
            ([seconds]) =>
              !isPublished || (seconds > LEAST_PUBLISHED_SECONDS && seconds !== PUBLISHED_SECONDS),
          ).map(([seconds, text]) => (
            <option key={seconds} value={String(seconds)}>
              last {text}
            </option>
          ))}
        </select>
      </label>
      {tab === 'heat' && <Looks />}
      {isZoomed.value && (
        <button type="button" class="primary" onClick={followTime}>
          Back to live
        </button>
      )}
    </div>
  )
}

function Rows() {
  const { by, delimiter, separator } = view.value
  return (
    <>
      <Choice
        name="Rows"
        of={GROUPINGS}
        chosen={by}
        onChoose={(value) => show({ by: value, open: [] }, true)}
      />
      {by === 'prefix' ? (
        <Text
          name="Prefix ends at"
          value={separator}
          onChange={(value) => show({ separator: value, open: [] })}
        />
      ) : (
        <Text
          name="Shard suffix after"
          value={delimiter ?? map.value?.delimiter ?? ''}
          placeholder="none"
          onChange={(value) => show({ delimiter: value, open: [] })}
        />
      )}
    </>
  )
}

function Looks() {
  const { density, colour } = view.value
  return (
    <>
      <Choice name="Colour" of={COLOURS} chosen={colour} onChoose={(value) => show({ colour: value })} />
      <Choice name="Height" of={DENSITIES} chosen={density} onChoose={(value) => show({ density: value })} />
    </>
  )
}

interface ChoiceProps<Of extends string> {
  readonly name: string
  readonly of: readonly (readonly [Of, string])[]
  readonly chosen: Of
  readonly onChoose: (value: Of) => void
}

function Choice<Of extends string>({ name, of, chosen, onChoose }: ChoiceProps<Of>) {
  return (
    <fieldset class="choice">
      <legend>{name}</legend>
      {of.map(([value, text]) => (
        <button key={value} type="button" aria-pressed={chosen === value} onClick={() => onChoose(value)}>
          {text}
        </button>
      ))}
    </fieldset>
  )
}

interface TextProps {
  readonly name: string
  readonly value: string
  readonly placeholder?: string
  readonly onChange: (value: string) => void
}

function Text({ name, value, placeholder = '', onChange }: TextProps) {
  return (
    <label>
      {name}
      <input
        type="text"
        size={4}
        maxLength={16}
        value={value}
        placeholder={placeholder}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </label>
  )
}
