import type { KeyField } from '../../src/definitions/table-form'

const TYPES = { S: 'text', N: 'number', B: 'bytes' } as const

interface KeyFieldsProps {
  readonly name: string
  readonly field: KeyField
  readonly isRequired?: boolean
  readonly onChange: (field: KeyField) => void
}

/** The name and the type of a key attribute. */
export function KeyFields({ name, field, isRequired = false, onChange }: KeyFieldsProps) {
  return (
    <>
      <label>
        {name}
        <input
          type="text"
          required={isRequired}
          placeholder={isRequired ? '' : 'none'}
          value={field.name}
          onInput={({ currentTarget }) => onChange({ ...field, name: currentTarget.value })}
        />
      </label>
      <label>
        {name}: type
        <select
          value={field.type}
          onChange={({ currentTarget: { value } }) =>
            onChange({ ...field, type: value === 'N' || value === 'B' ? value : 'S' })
          }
        >
          {Object.entries(TYPES).map(([type, text]) => (
            <option key={type} value={type}>
              {text}
            </option>
          ))}
        </select>
      </label>
    </>
  )
}
