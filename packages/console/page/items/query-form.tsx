import { useState } from 'preact/hooks'
import type { KeyElement } from './dynamodb'
import type { ItemQuery } from './item-request'

interface QueryFormProps {
  readonly schema: readonly KeyElement[]
  readonly query: ItemQuery
  readonly onSearch: (query: ItemQuery) => void
}

/** The conditions of a query. Without a partition key, it scans. */
export function QueryForm({ schema, query, onSearch }: QueryFormProps) {
  const [draft, setDraft] = useState(query)
  const [hash, range] = schema
  const field = (name: 'partition' | 'sort' | 'attribute' | 'contains', label: string) => (
    <label>
      {label}
      <input
        type="text"
        value={draft[name]}
        onInput={(event) => setDraft({ ...draft, [name]: event.currentTarget.value })}
      />
    </label>
  )
  return (
    <form
      class="toolbar"
      aria-label="Query"
      onSubmit={(event) => {
        event.preventDefault()
        onSearch(draft)
      }}
    >
      {field('partition', hash?.AttributeName ?? '')}
      {range !== undefined && field('sort', `${range.AttributeName} begins with`)}
      {field('attribute', 'Attribute')}
      {field('contains', 'contains')}
      {range !== undefined && (
        <label>
          <input
            type="checkbox"
            checked={draft.isDescending}
            onChange={(event) => setDraft({ ...draft, isDescending: event.currentTarget.checked })}
          />
          Newest first
        </label>
      )}
      <button type="submit" class="primary">
        {draft.partition === '' ? 'Scan' : 'Query'}
      </button>
    </form>
  )
}
