import {
  FILTER_OPERATORS,
  FILTER_TYPES,
  type FilterOperator,
  type FilterType,
  type ItemFilter,
  lacksAttribute,
  NAME_THE_ATTRIBUTE,
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
  /** Whether to say at each filter why it is refused. */
  readonly isRefused: boolean
  readonly onChange: (filters: readonly ItemFilter[]) => void
}

/** Conditions on attributes. An item has to meet all of them. */
export function FilterRows({ filters, attributes, isRefused, onChange }: FilterRowsProps) {
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
          isRefused={isRefused && lacksAttribute(filter)}
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
  readonly isRefused: boolean
  readonly onChange: (part: Partial<ItemFilter>) => void
  readonly onRemove: () => void
}

/** The field for the attribute of a filter, counted from 0. */
export function attributeField(form: HTMLElement, at: number): HTMLElement | null {
  return form.querySelectorAll<HTMLElement>('.filters .attribute').item(at)
}

function FilterRow({ number, filter, isRefused, onChange, onRemove }: FilterRowProps) {
  const { attribute, operator, type, value } = filter
  const hasValue = operator !== 'attribute_exists' && operator !== 'attribute_not_exists'
  const refusal = `refusal-of-filter-${number}`
  return (
    <li>
      <input
        type="text"
        class="attribute"
        aria-label={`Attribute of filter ${number}`}
        aria-invalid={isRefused}
        aria-describedby={isRefused ? refusal : undefined}
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
      {isRefused && (
        <p id={refusal} class="refusal" role="alert">
          {NAME_THE_ATTRIBUTE}
        </p>
      )}
    </li>
  )
}
