import type { ItemKeys, JsonItem, JsonValue } from '../../src/items/item'
import type { FoundItem } from '../../src/items/item-pages'
import { visibleText } from '../../src/items/visible-text'
import { keyText } from '../format/redact'
import { view } from '../state/view'
import { timeText, typeOf, valueText } from './value-text'

/** More columns than these are in the item itself. */
const MAX_COLUMNS = 40

interface ItemTableProps {
  /** The primary key of the table, and the key of the index that is shown. */
  readonly keys: ItemKeys
  readonly indexKeys: ItemKeys
  readonly found: readonly FoundItem[]
  /** The logical key and the shard of an item, in a sharded table. */
  readonly placeOf: ((item: JsonItem) => { logical: string; shard: number } | undefined) | undefined
  readonly onOpen: (item: JsonItem) => void
}

/** The attributes of items, those of keys first. */
export function ItemTable({ keys, indexKeys, found, placeOf, onOpen }: ItemTableProps) {
  const keyNames = [...new Set([...indexKeys.partition, ...indexKeys.sort, ...keys.partition, ...keys.sort])]
  const others = attributesOf(found).filter((name) => !keyNames.includes(name))
  const columns = [...keyNames, ...others].slice(0, MAX_COLUMNS)
  const hidden = keyNames.length + others.length - columns.length
  if (found.length === 0) return null
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: The keyboard must be able to scroll it where it is too wide. */}
      <section class="scrolls" aria-label="Table of items" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">
                <span class="unseen">Item</span>
              </th>
              {placeOf !== undefined && (
                <>
                  <th scope="col">Logical key</th>
                  <th scope="col">Shard</th>
                </>
              )}
              {columns.map((name) => (
                <th scope="col" key={name}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {found.map(({ item }, at) => {
              const key = keyNames.map((name) => valueText(item[name] ?? {})).join(', ')
              const place = placeOf?.(item)
              return (
                <tr key={`${at} ${key}`}>
                  <td>
                    <button type="button" onClick={() => onOpen(item)}>
                      Open<span class="unseen"> {keyText(key)}</span>
                    </button>
                  </td>
                  {placeOf !== undefined && (
                    <>
                      <td>{place === undefined ? '' : keyText(place.logical)}</td>
                      <td>{place?.shard ?? ''}</td>
                    </>
                  )}
                  {columns.map((name) => (
                    <td key={name}>
                      <Value value={item[name]} isKey={keyNames.includes(name)} />
                    </td>
                  ))}
                </tr>
              )
            })}
          </tbody>
        </table>
      </section>
      {hidden > 0 && <p class="hint">{hidden} more attributes are in the items themselves.</p>}
    </>
  )
}

/** The names of all attributes, in order. */
export function attributesOf(found: readonly FoundItem[]): readonly string[] {
  return [...new Set(found.flatMap(({ item }) => Object.keys(item)))].sort()
}

/** Longer text is in the item itself. */
const MAX_TEXT = 1_000

function Value({ value, isKey }: { readonly value: JsonValue | undefined; readonly isKey: boolean }) {
  if (value === undefined) return null
  const text = valueText(value)
  const whole = isKey || view.value.redacted ? keyText(text) : visibleText(text.slice(0, MAX_TEXT + 1))
  const shown = whole.length > MAX_TEXT ? `${whole.slice(0, MAX_TEXT)}…` : whole
  const time = timeText(value)
  return (
    <span title={time === undefined ? shown : `${shown} may be the time ${time}`}>
      <abbr class="type" title="type">
        {typeOf(value)}
      </abbr>{' '}
      {shown}
    </span>
  )
}
