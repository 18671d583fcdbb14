import {
  FILTER_OPERATORS,
  FILTER_TYPES,
  type FilterOperator,
  type FilterType,
  type ItemFilter,
} from '../../src/items/item-query'

const OPERATORS: Readonly<Record<FilterOperator, string>> = {
  '=': '=',
  '<>': '≠',
  '<': '<',
  '<=': '≤',
  '>': '>',
  '>=': '≥',
  begins_with: 'begins with',
  contains: 'contains',
  attribute_exists: 'exists',
  attribute_not_exists: 'does not exist',
}

const TYPES: Readonly<Record<FilterType, string>> = {
  S: 'text',
  N: 'number',
  BOOL: 'true or false',
  NULL: 'null',
  B: 'bytes in base64',
}

interface FilterRowsProps {
  readonly filters: readonly ItemFilter[]
  readonly attributes: readonly string[]
  readonly onChange: (filters: readonly ItemFilter[]) => void
}

/** Conditions on attributes. An item has to meet all of them. */
export function FilterRows({ filters, attributes, onChange }: FilterRowsProps) {
  if (filters.length === 0) return null
  const change = (at: number, part: Partial<ItemFilter>) =>
    onChange(filters.map((filter, to) => (to === at ? { ...filter, ...part } : filter)))
  return (
    <ul class="filters" aria-label="Filters">
      <datalist id="item-attributes">
        {attributes.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {filters.map((filter, at) => (
        <FilterRow
          key={at}
          number={at + 1}
          filter={filter}
          onChange={(part) => change(at, part)}
          onRemove={() => onChange(filters.filter((_, to) => to !== at))}
        />
      ))}
    </ul>
  )
}

interface FilterRowProps {
  readonly number: number
  readonly filter: ItemFilter
  readonly onChange: (part: Partial<ItemFilter>) => void
  readonly onRemove: () => void
}

function FilterRow({ number, filter, onChange, onRemove }: FilterRowProps) {
  const { attribute, operator, type, value } = filter
  const hasValue = operator !== 'attribute_exists' && operator !== 'attribute_not_exists'
  return (
    <li>
      <input
        type="text"
        aria-label={`Attribute of filter ${number}`}
        placeholder="attribute"
        list="item-attributes"
        value={attribute}
        onInput={({ currentTarget }) => onChange({ attribute: currentTarget.value })}
      />
      <select
        aria-label={`Comparison of filter ${number}`}
        value={operator}
        onChange={({ currentTarget }) =>
          onChange({ operator: FILTER_OPERATORS.find((each) => each === currentTarget.value) ?? '=' })
        }
      >
        {FILTER_OPERATORS.map((each) => (
          <option key={each} value={each}>
            {OPERATORS[each]}
          </option>
        ))}
      </select>
      {hasValue && (
        <>
          <select
            aria-label={`Type of filter ${number}`}
            value={type}
            onChange={({ currentTarget }) =>
              onChange({ type: FILTER_TYPES.find((each) => each === currentTarget.value) ?? 'S' })
            }
          >
            {FILTER_TYPES.map((each) => (
              <option key={each} value={each}>
                {TYPES[each]}
              </option>
            ))}
          </select>
          {type !== 'NULL' && (
            <input
              type="text"
              aria-label={`Value of filter ${number}`}
              placeholder={type === 'BOOL' ? 'true' : 'value'}
              value={value}
              onInput={({ currentTarget }) => onChange({ value: currentTarget.value })}
            />
          )}
        </>
      )}
      <button type="button" aria-label={`Remove filter ${number}`} onClick={onRemove}>
        Remove
      </button>
    </li>
  )
}
