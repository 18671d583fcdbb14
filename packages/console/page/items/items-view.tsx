import { useEffect, useState } from 'preact/hooks'
import { figure } from '../format/figures'
import { tables } from '../state/data'
import { view } from '../state/view'
import { call, type Item, type ItemPage, type TableDescription } from './dynamodb'
import { ItemEditor } from './item-editor'
import { type ItemQuery, itemRequest, keySchemaOf } from './item-request'
import { ItemTable } from './item-table'
import { QueryForm } from './query-form'

/** The items of a table or an index: browsed, queried, edited, deleted and exported. */
export function ItemsView() {
  const { table, index } = view.value
  const [described, setDescribed] = useState<TableDescription | undefined>()
  const [failure, setFailure] = useState<string | undefined>()
  const fail = (error: unknown) => setFailure(error instanceof Error ? error.message : String(error))
  useEffect(() => {
    setDescribed(undefined)
    setFailure(undefined)
    call<{ Table: TableDescription }>('DescribeTable', { TableName: table }).then(
      ({ Table }) => setDescribed(Table),
      fail,
    )
  }, [table])
  if (failure !== undefined) {
    return (
      <p class="failure" role="alert">
        {failure}
      </p>
    )
  }
  if (described === undefined) return <p class="hint">Loading …</p>
  return <Items key={`${table}/${index}`} described={described} table={table} index={index} />
}

interface ItemsProps {
  readonly described: TableDescription
  readonly table: string
  readonly index: string
}

function Items({ described, table, index }: ItemsProps) {
  const all: ItemQuery = {
    table,
    index,
    partition: '',
    sort: '',
    attribute: '',
    contains: '',
    isDescending: false,
  }
  const [query, setQuery] = useState(all)
  /** Where each page so far began. */
  const [starts, setStarts] = useState<readonly (Item | undefined)[]>([undefined])
  const [page, setPage] = useState<ItemPage | undefined>()
  const [failure, setFailure] = useState<string | undefined>()
  const [edited, setEdited] = useState<Item | 'new' | undefined>()
  const [changes, setChanges] = useState(0)
  const start = starts.at(-1)
  useEffect(() => {
    let isCurrent = true
    const { operation, input } = itemRequest(described, query)
    const from = start === undefined ? {} : { ExclusiveStartKey: start }
    call<ItemPage>(operation, { ...input, ...from }).then(
      (answer) => {
        if (!isCurrent) return
        setFailure(undefined)
        setPage(answer)
      },
      (error: unknown) => isCurrent && setFailure(error instanceof Error ? error.message : String(error)),
    )
    return () => {
      isCurrent = false
    }
  }, [query, start, changes])
  const search = (wanted: ItemQuery) => {
    setStarts([undefined])
    setQuery({ ...wanted })
  }
  const changed = () => {
    setEdited(undefined)
    setChanges((count) => count + 1)
  }
  const readOnly = tables.value?.offers?.readOnly
  const next = page?.LastEvaluatedKey
  const items = page?.Items ?? []
  return (
    <section class="items" aria-label="Items">
      <QueryForm schema={keySchemaOf(described, index)} query={query} onSearch={search} />
      {failure !== undefined && (
        <p class="failure" role="alert">
          {failure}
        </p>
      )}
      <div class="pager">
        <button type="button" disabled={starts.length === 1} onClick={() => setStarts(starts.slice(0, -1))}>
          Previous page
        </button>
        <button type="button" disabled={next === undefined} onClick={() => setStarts([...starts, next])}>
          Next page
        </button>
        <span role="status">
          {page === undefined ? 'Loading …' : `Page ${starts.length}: ${items.length} items, `}
          {page?.ConsumedCapacity !== undefined &&
            `${figure(page.ConsumedCapacity.CapacityUnits)} read units`}
        </span>
        <button type="button" onClick={() => exportItems(table, items)} disabled={items.length === 0}>
          Export page
        </button>
        {index === '' && readOnly === undefined && (
          <button type="button" onClick={() => setEdited('new')}>
            New item
          </button>
        )}
      </div>
      {readOnly !== undefined && <p class="hint">{readOnly}</p>}
      {page !== undefined && items.length === 0 && <p class="hint">No item on this page.</p>}
      <ItemTable schema={described.KeySchema} items={items} onOpen={setEdited} />
      {edited !== undefined && (
        <ItemEditor
          table={table}
          schema={described.KeySchema}
          item={edited}
          isReadOnly={index !== '' || readOnly !== undefined}
          onChanged={changed}
          onClose={() => setEdited(undefined)}
        />
      )}
    </section>
  )
}

/** A file of lines of DynamoDB JSON, which `isotherm import` reads. */
function exportItems(table: string, items: readonly Item[]): void {
  const lines = items.map((Item) => `${JSON.stringify({ Item })}\n`)
  const url = URL.createObjectURL(new Blob(lines, { type: 'application/x-ndjson' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `${table}.jsonl`
  link.click()
  URL.revokeObjectURL(url)
}
