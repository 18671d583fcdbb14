import { keyText } from '../format/redact'
import { view } from '../state/view'
import type { AttributeValue, Item, KeyElement } from './dynamodb'
import { typeOf, valueText } from './value-text'

/** More columns than these are in the item itself. */
const MAX_COLUMNS = 10

interface ItemTableProps {
  readonly schema: readonly KeyElement[]
  readonly items: readonly Item[]
  readonly onOpen: (item: Item) => void
}

export function ItemTable({ schema, items, onOpen }: ItemTableProps) {
  const keys = schema.map(({ AttributeName }) => AttributeName)
  const others = [...new Set(items.flatMap((item) => Object.keys(item)))].filter(
    (name) => !keys.includes(name),
  )
  const columns = [...keys, ...others.sort()].slice(0, MAX_COLUMNS)
  if (items.length === 0) return null
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: The keyboard must be able to scroll it where it is too wide.
    <section class="scrolls" aria-label="Table of items" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((name) => (
              <th scope="col" key={name}>
                {name}
              </th>
            ))}
            <th scope="col">
              <span class="unseen">Item</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {items.map((item, at) => (
            <tr key={`${at} ${JSON.stringify(keys.map((key) => item[key]))}`}>
              {columns.map((name) => (
                <td key={name}>
                  <Value value={item[name]} isKey={keys.includes(name)} />
                </td>
              ))}
              <td>
                <button type="button" onClick={() => onOpen(item)}>
                  Open
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Value({ value, isKey }: { readonly value: AttributeValue | undefined; readonly isKey: boolean }) {
  if (value === undefined) return null
  const text = valueText(value)
  return (
    <>
      <abbr class="type" title="type">
        {typeOf(value)}
      </abbr>{' '}
      {isKey || view.value.redacted ? keyText(text) : text}
    </>
  )
}
