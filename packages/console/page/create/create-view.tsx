import { useState } from 'preact/hooks'
import type { TableDescription } from '../../src/definitions/table-definition'
import { createTableInput, NEW_INDEX, NEW_TABLE, type TableForm } from '../../src/definitions/table-form'
import { call } from '../dynamodb/call'
import { sleep } from '../dynamodb/sleep'
import { messageOf } from '../state/message-of'
import { showTable } from '../state/view'
import { IndexFields } from './index-fields'
import { KeyFields } from './key-fields'
import './create.css'

/** Creating a table takes some seconds on the service. */
const LOOKS = 60
const LOOK_MILLISECONDS = 1_000

/** Creates a table, from a form or from the input of CreateTable. */
export function CreateView() {
  const [form, setForm] = useState<TableForm>(NEW_TABLE)
  /** The input as JSON, while it is written as that. */
  const [text, setText] = useState<string | undefined>()
  const [state, setState] = useState<string | undefined>()
  const [failure, setFailure] = useState<string | undefined>()
  const create = async (event: SubmitEvent) => {
    event.preventDefault()
    setFailure(undefined)
    setState('Creating …')
    try {
      const input = text === undefined ? createTableInput(form) : JSON.parse(text)
      await call('CreateTable', input)
      const name: string = input.TableName
      if (text === undefined && form.timeToLive !== '') await setTimeToLive(name, form.timeToLive, setState)
      showTable({ tab: 'items', table: name })
    } catch (error) {
      setFailure(messageOf(error))
    } finally {
      setState(undefined)
    }
  }
  return (
    <form class="create" aria-label="New table" onSubmit={create}>
      <fieldset class="choice">
        <legend>Written as</legend>
        <button type="button" aria-pressed={text === undefined} onClick={() => setText(undefined)}>
          Form
        </button>
        <button
          type="button"
          aria-pressed={text !== undefined}
          onClick={() => setText(JSON.stringify(createTableInput(form), undefined, 2))}
        >
          JSON of CreateTable
        </button>
      </fieldset>
      {text === undefined ? (
        <FormFields form={form} onChange={(part) => setForm({ ...form, ...part })} />
      ) : (
        <textarea
          class="definition-json"
          aria-label="Input of CreateTable"
          rows={24}
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      )}
      {failure !== undefined && (
        <p class="failure" role="alert">
          {failure}
        </p>
      )}
      <div class="page-actions">
        <button type="submit" class="primary" disabled={state !== undefined}>
          Create table
        </button>
        <span role="status">{state}</span>
      </div>
    </form>
  )
}

/** The service sets it on active tables only. */
async function setTimeToLive(
  TableName: string,
  AttributeName: string,
  onState: (text: string) => void,
): Promise<void> {
  const { signal } = new AbortController()
  for (let look = 0; look < LOOKS; look++) {
    const { Table } = await call<{ Table: TableDescription }>('DescribeTable', { TableName })
    if (Table.TableStatus === 'ACTIVE') {
      const TimeToLiveSpecification = { Enabled: true, AttributeName }
      await call('UpdateTimeToLive', { TableName, TimeToLiveSpecification })
      return
    }
    onState(`Waiting until ${TableName} is active`)
    await sleep(LOOK_MILLISECONDS, signal)
  }
  throw new Error(`${TableName} was created, but is not active yet. Set its time to live later.`)
}

interface FormFieldsProps {
  readonly form: TableForm
  readonly onChange: (part: Partial<TableForm>) => void
}

function FormFields({ form, onChange }: FormFieldsProps) {
  return (
    <>
      <fieldset class="group">
        <legend>Table</legend>
        <label>
          Name
          <input
            type="text"
            required
            minLength={3}
            maxLength={255}
            value={form.name}
            onInput={({ currentTarget }) => onChange({ name: currentTarget.value })}
          />
        </label>
        <KeyFields
          name="Partition key"
          field={form.partition}
          isRequired
          onChange={(partition) => onChange({ partition })}
        />
        <KeyFields name="Sort key" field={form.sort} onChange={(sort) => onChange({ sort })} />
      </fieldset>
      <CapacityFields form={form} onChange={onChange} />
      {form.indexes.map((index, at) => (
        <IndexFields
          key={at}
          number={at + 1}
          index={index}
          onChange={(part) =>
            onChange({ indexes: form.indexes.map((each, to) => (to === at ? { ...each, ...part } : each)) })
          }
          onRemove={() => onChange({ indexes: form.indexes.filter((_, to) => to !== at) })}
        />
      ))}
      <div class="page-actions">
        <button type="button" onClick={() => onChange({ indexes: [...form.indexes, NEW_INDEX] })}>
          Add index
        </button>
      </div>
      <OtherFields form={form} onChange={onChange} />
    </>
  )
}

function CapacityFields({ form, onChange }: FormFieldsProps) {
  return (
    <fieldset class="group">
      <legend>Capacity</legend>
      <label>
        Billing
        <select
          value={form.billing}
          onChange={({ currentTarget }) =>
            onChange({ billing: currentTarget.value === 'PROVISIONED' ? 'PROVISIONED' : 'PAY_PER_REQUEST' })
          }
        >
          <option value="PAY_PER_REQUEST">on-demand</option>
          <option value="PROVISIONED">provisioned</option>
        </select>
      </label>
      {form.billing === 'PROVISIONED' &&
        (
          [
            ['readUnits', 'Read units/s'],
            ['writeUnits', 'Write units/s'],
          ] as const
        ).map(([name, title]) => (
          <label key={name}>
            {title}
            <input
              type="number"
              required
              min={1}
              step={1}
              value={form[name]}
              onInput={({ currentTarget }) => onChange({ [name]: currentTarget.valueAsNumber })}
            />
          </label>
        ))}
    </fieldset>
  )
}

const STREAMS: readonly TableForm['stream'][] = [
  '',
  'KEYS_ONLY',
  'NEW_IMAGE',
  'OLD_IMAGE',
  'NEW_AND_OLD_IMAGES',
]

function OtherFields({ form, onChange }: FormFieldsProps) {
  return (
    <fieldset class="group">
      <legend>More</legend>
      <label>
        Time to live: attribute
        <input
          type="text"
          placeholder="off"
          value={form.timeToLive}
          onInput={({ currentTarget }) => onChange({ timeToLive: currentTarget.value })}
        />
      </label>
      <label>
        Stream
        <select
          value={form.stream}
          onChange={({ currentTarget }) =>
            onChange({ stream: STREAMS.find((each) => each === currentTarget.value) ?? '' })
          }
        >
          {STREAMS.map((each) => (
            <option key={each} value={each}>
              {each === '' ? 'off' : each}
            </option>
          ))}
        </select>
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={form.isProtected}
          onChange={({ currentTarget }) => onChange({ isProtected: currentTarget.checked })}
        />
        Deletion protection
      </label>
    </fieldset>
  )
}
