import type { IndexField } from '../../src/definitions/table-form'
import { KeyFields } from './key-fields'

interface IndexFieldsProps {
  readonly number: number
  readonly index: IndexField
  readonly onChange: (part: Partial<IndexField>) => void
  readonly onRemove: () => void
}

/** A secondary index of a new table. */
export function IndexFields({ number, index, onChange, onRemove }: IndexFieldsProps) {
  const { name, kind, partition, sort, projection, included } = index
  return (
    <fieldset class="group">
      <legend>Index {number}</legend>
      <label>
        Name
        <input
          type="text"
          required
          value={name}
          onInput={({ currentTarget }) => onChange({ name: currentTarget.value })}
        />
      </label>
      <label>
        Kind
        <select
          value={kind}
          onChange={({ currentTarget }) =>
            onChange({ kind: currentTarget.value === 'local' ? 'local' : 'global' })
          }
        >
          <option value="global">global</option>
          <option value="local">local: with the partition key of the table</option>
        </select>
      </label>
      {kind === 'global' && (
        <KeyFields
          name="Partition key"
          field={partition}
          isRequired
          onChange={(field) => onChange({ partition: field })}
        />
      )}
      <KeyFields
        name="Sort key"
        field={sort}
        isRequired={kind === 'local'}
        onChange={(field) => onChange({ sort: field })}
      />
      <label>
        Projection
        <select
          value={projection}
          onChange={({ currentTarget: { value } }) =>
            onChange({ projection: value === 'KEYS_ONLY' || value === 'INCLUDE' ? value : 'ALL' })
          }
        >
          <option value="ALL">all attributes</option>
          <option value="KEYS_ONLY">keys only</option>
          <option value="INCLUDE">keys and some attributes</option>
        </select>
      </label>
      {projection === 'INCLUDE' && (
        <label>
          Attributes, with commas between them
          <input
            type="text"
            required
            value={included}
            onInput={({ currentTarget }) => onChange({ included: currentTarget.value })}
          />
        </label>
      )}
      <button type="button" class="remove" onClick={onRemove}>
        Remove the index
      </button>
    </fieldset>
  )
}
