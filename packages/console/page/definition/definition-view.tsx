import { useState } from 'preact/hooks'
import {
  definitionInput,
  type GlobalIndexDescription,
  type IndexDescription,
  type TableDescription,
} from '../../src/definitions/table-definition'
import { type KeyDescription, type KeyElement, keyTypeOf } from '../../src/items/item'
import { useDescription } from '../dynamodb/use-description'
import { CopyButton } from '../format/copy-button'
import { bytesText, figure } from '../format/figures'
import { tables } from '../state/data'
import { showTable, view } from '../state/view'
import { Waiting } from '../state/waiting'
import { DeleteTables, PurgeTables } from '../tables/table-changes'
import { Facts } from './facts'
import { useTimeToLive } from './use-time-to-live'
import './definition.css'

/** The definition of a table: keys, capacity, indexes, stream, time to live; and what can be done with the table as a whole. */
export function DefinitionView() {
  const { description, failure, refresh } = useDescription()
  const timeToLive = useTimeToLive()
  if (failure !== undefined) {
    return (
      <p class="failure" role="alert">
        {failure}
      </p>
    )
  }
  if (description === undefined) return <Waiting />
  return (
    <section class="definition" aria-label="Definition">
      <Facts of={factsOf(description, timeToLive)} />
      <Indexes described={description} />
      <Actions described={description} onChanged={refresh} />
      <Json described={description} />
    </section>
  )
}

function factsOf(described: TableDescription, timeToLive: string): readonly (readonly [string, string])[] {
  const { TableStatus, TableArn, CreationDateTime, StreamSpecification, LatestStreamArn } = described
  const isStream = StreamSpecification?.StreamEnabled === true
  return [
    ['Key', keyText(described, described.KeySchema)],
    ['Capacity', capacityText(described)],
    ['Items', `${figure(described.ItemCount ?? 0)}, ${bytesText(described.TableSizeBytes ?? 0)}`],
    ['Time to live', timeToLive],
    ['Stream', isStream ? (StreamSpecification.StreamViewType ?? 'on') : 'off'],
    ['Deletion protection', described.DeletionProtectionEnabled === true ? 'on' : 'off'],
    ['Class', described.TableClassSummary?.TableClass ?? 'STANDARD'],
    ['Status', TableStatus ?? ''],
    ['Created', CreationDateTime === undefined ? '' : new Date(CreationDateTime * 1_000).toISOString()],
    ['ARN', TableArn ?? ''],
    ...(isStream && LatestStreamArn !== undefined ? [['Stream ARN', LatestStreamArn] as const] : []),
  ]
}

function keyText(described: KeyDescription, schema: readonly KeyElement[]): string {
  return schema
    .map(({ AttributeName, KeyType }) => {
      const type = keyTypeOf(described, AttributeName)
      return `${AttributeName} (${type}, ${KeyType === 'HASH' ? 'partition' : 'sort'})`
    })
    .join(', ')
}

type Capacity = Pick<
  GlobalIndexDescription,
  'ProvisionedThroughput' | 'OnDemandThroughput' | 'WarmThroughput'
>

function capacityText(of: Capacity & Pick<TableDescription, 'BillingModeSummary'>): string {
  const { ProvisionedThroughput, OnDemandThroughput, WarmThroughput } = of
  const units = (reads: number | undefined, writes: number | undefined) =>
    `${figure(reads ?? 0)} read and ${figure(writes ?? 0)} write units/s`
  const { ReadCapacityUnits, WriteCapacityUnits } = ProvisionedThroughput ?? {}
  const isProvisioned = (WriteCapacityUnits ?? 0) > 0 || (ReadCapacityUnits ?? 0) > 0
  const { MaxReadRequestUnits, MaxWriteRequestUnits } = OnDemandThroughput ?? {}
  const most =
    OnDemandThroughput === undefined ? '' : `, at most ${units(MaxReadRequestUnits, MaxWriteRequestUnits)}`
  const warm =
    WarmThroughput === undefined
      ? ''
      : `, warm: ${units(WarmThroughput.ReadUnitsPerSecond, WarmThroughput.WriteUnitsPerSecond)}`
  return isProvisioned
    ? `provisioned: ${units(ReadCapacityUnits, WriteCapacityUnits)}${warm}`
    : `on-demand${most}${warm}`
}

function Indexes({ described }: { readonly described: TableDescription }) {
  const { GlobalSecondaryIndexes: globals = [], LocalSecondaryIndexes: locals = [] } = described
  if (globals.length + locals.length === 0) return <p class="hint">The table has no secondary index.</p>
  const row = (index: IndexDescription, kind: string, capacity: string) => (
    <tr key={index.IndexName}>
      <th scope="row">{index.IndexName}</th>
      <td>{kind}</td>
      <td>{keyText(described, index.KeySchema)}</td>
      <td>
        {index.Projection?.ProjectionType} {index.Projection?.NonKeyAttributes?.join(', ')}
      </td>
      <td>{capacity}</td>
      <td>
        {figure(index.ItemCount ?? 0)}, {bytesText(index.IndexSizeBytes ?? 0)}
      </td>
    </tr>
  )
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: The keyboard must be able to scroll it where it is too wide.
    <section class="scrolls" aria-label="Table of indexes" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {['Index', 'Kind', 'Key', 'Projection', 'Capacity', 'Items'].map((name) => (
              <th scope="col" key={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {globals.map((index) => row(index, 'global', capacityText(index)))}
          {locals.map((index) => row(index, 'local', 'of the table'))}
        </tbody>
      </table>
    </section>
  )
}

interface ActionsProps {
  readonly described: TableDescription
  readonly onChanged: () => void
}

function Actions({ described, onChanged }: ActionsProps) {
  const [asked, ask] = useState<'purge' | 'delete' | undefined>()
  const { region } = view.value
  const readOnly = tables.value?.offers?.readOnly
  if (readOnly !== undefined) return <p class="hint">{readOnly}</p>
  const places = [{ region, name: described.TableName }]
  return (
    <div class="page-actions">
      <button type="button" class="danger" onClick={() => ask('purge')}>
        Purge …
      </button>
      <button type="button" class="danger" onClick={() => ask('delete')}>
        Delete table …
      </button>
      {asked === 'purge' && (
        <PurgeTables
          places={places}
          onClose={() => {
            ask(undefined)
            onChanged()
          }}
        />
      )}
      {asked === 'delete' && (
        <DeleteTables
          places={places}
          onClose={() => ask(undefined)}
          onDeleted={() => showTable({ tab: 'tables', table: '' })}
        />
      )}
    </div>
  )
}

function Json({ described }: { readonly described: TableDescription }) {
  const [isInput, setIsInput] = useState(true)
  const text = JSON.stringify(isInput ? definitionInput(described) : described, undefined, 2)
  return (
    <section aria-labelledby="definition-json-title">
      <h3 id="definition-json-title">JSON</h3>
      <div class="page-actions">
        <fieldset class="choice">
          <legend>Of</legend>
          <button type="button" aria-pressed={isInput} onClick={() => setIsInput(true)}>
            CreateTable
          </button>
          <button type="button" aria-pressed={!isInput} onClick={() => setIsInput(false)}>
            DescribeTable
          </button>
        </fieldset>
        <CopyButton text={text} name="Copy JSON" />
      </div>
      <textarea class="definition-json" aria-label="Definition as JSON" rows={20} readOnly value={text} />
    </section>
  )
}
