import { useState } from 'preact/hooks'
import type { ItemKeys } from '../../src/items/item'
import {
  ANY_SORT_KEY,
  type ItemQuery,
  lacksAttribute,
  NO_FILTER,
  PAGE_SIZES,
  SORT_OPERATORS,
  type SortCondition,
} from '../../src/items/item-query'
import { hasPartitionKey } from '../../src/items/item-request'
import { attributeField, FilterRows } from './filter-rows'

interface QueryFormProps {
  readonly keys: ItemKeys
  readonly query: ItemQuery
  /** The attributes of the items that are shown, for filters. */
  readonly attributes: readonly string[]
  /** Whether keys of the table have suffixes, so that a logical key can be asked for. */
  readonly isSharded: boolean
  readonly onSearch: (query: ItemQuery) => void
}

/** The conditions of a query. Without a partition key, it scans. */
export function QueryForm({ keys, query, attributes, isSharded, onSearch }: QueryFormProps) {
  const [draft, setDraft] = useState(query)
  /** Whether the draft was refused, so that it is said at the filters why. */
  const [isRefused, setRefused] = useState(query.filters.some(lacksAttribute))
  const change = (part: Partial<ItemQuery>) => setDraft({ ...draft, ...part })
  const isQuery = hasPartitionKey(draft, keys.partition)
  return (
    <form
      class="query"
      aria-label="Query"
      onSubmit={(event) => {
        event.preventDefault()
        const refused = draft.filters.findIndex(lacksAttribute)
        setRefused(refused >= 0)
        if (refused < 0) onSearch(draft)
        else attributeField(event.currentTarget, refused)?.focus()
      }}
    >
      <div class="toolbar">
        {keys.partition.map((name, at) => (
          <label key={name}>
            {name}
            <input
              type="text"
              value={draft.partition[at] ?? ''}
              placeholder="all"
              onInput={({ currentTarget: { value } }) =>
                change({
                  partition: keys.partition.map((_, to) => (to === at ? value : (draft.partition[to] ?? ''))),
                })
              }
            />
          </label>
        ))}
        {isSharded && (
          <label>
            <input
              type="checkbox"
              checked={draft.isLogical}
              onChange={({ currentTarget }) => change({ isLogical: currentTarget.checked })}
            />
            All shards of the key
          </label>
        )}
        {keys.sort.map((name, at) => (
          <SortField
            key={name}
            name={name}
            condition={draft.sort[at] ?? ANY_SORT_KEY}
            onChange={(condition) =>
              change({
                sort: keys.sort.map((_, to) => (to === at ? condition : (draft.sort[to] ?? ANY_SORT_KEY))),
              })
            }
          />
        ))}
        {keys.sort.length > 0 && (
          <label>
            <input
              type="checkbox"
              checked={draft.isDescending}
              onChange={({ currentTarget }) => change({ isDescending: currentTarget.checked })}
            />
            Newest first
          </label>
        )}
      </div>
      <FilterRows
        filters={draft.filters}
        attributes={attributes}
        isRefused={isRefused}
        onChange={(filters) => change({ filters })}
      />
      <div class="page-actions">
        <button type="submit" class="primary">
          {isQuery ? 'Query' : 'Scan'}
        </button>
        <button type="button" onClick={() => change({ filters: [...draft.filters, NO_FILTER] })}>
          Add filter
        </button>
        <label class="page-size">
          Items on a page
          <select
            value={String(draft.pageItems)}
            onChange={({ currentTarget }) => change({ pageItems: Number(currentTarget.value) })}
          >
            {PAGE_SIZES.map((size) => (
              <option key={size} value={String(size)}>
                {size}
              </option>
            ))}
          </select>
        </label>
      </div>
    </form>
  )
}

const SORT_WORDS: Readonly<Record<SortCondition['operator'], string>> = {
  '=': '=',
  '<': '<',
  '<=': '≤',
  '>': '>',
  '>=': '≥',
  between: 'between',
  begins_with: 'begins with',
}

interface SortFieldProps {
  readonly name: string
  readonly condition: SortCondition
  readonly onChange: (condition: SortCondition) => void
}

function SortField({ name, condition, onChange }: SortFieldProps) {
  const { operator, value, upper } = condition
  return (
    <span class="condition">
      <label>
        {name}
        <select
          aria-label={`How ${name} is compared`}
          value={operator}
          onChange={({ currentTarget }) =>
            onChange({
              ...condition,
              operator: SORT_OPERATORS.find((each) => each === currentTarget.value) ?? '=',
            })
          }
        >
          {SORT_OPERATORS.map((each) => (
            <option key={each} value={each}>
              {SORT_WORDS[each]}
            </option>
          ))}
        </select>
      </label>
      <input
        type="text"
        aria-label={`${name} ${SORT_WORDS[operator]}`}
        value={value}
        placeholder="any"
        onInput={({ currentTarget }) => onChange({ ...condition, value: currentTarget.value })}
      />
      {operator === 'between' && (
        <>
          {' and '}
          <input
            type="text"
            aria-label={`${name} at most`}
            value={upper}
            onInput={({ currentTarget }) => onChange({ ...condition, upper: currentTarget.value })}
          />
        </>
      )}
    </span>
  )
}
