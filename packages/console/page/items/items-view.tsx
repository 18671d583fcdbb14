import { useEffect, useState } from 'preact/hooks'
import type { TableDescription } from '../../src/definitions/table-definition'
import { type JsonItem, keysOf, primaryKeyOf } from '../../src/items/item'
import { type ItemPage, type PageStart, pageReader, type ReadPage } from '../../src/items/item-pages'
import { type ItemQuery, parseItemQuery, printItemQuery } from '../../src/items/item-query'
import { itemRequest, requireAttributes } from '../../src/items/item-request'
import { type ItemShardMap, logicalKey, placeOf, ruleOf } from '../../src/items/logical-key'
import { logicalPageReader } from '../../src/items/logical-pages'
import { call } from '../dynamodb/call'
import { useDescription } from '../dynamodb/use-description'
import { figure } from '../format/figures'
import { connections, tables } from '../state/data'
import { messageOf } from '../state/message-of'
import { show, view } from '../state/view'
import { Waiting } from '../state/waiting'
import { ExportButtons } from './export-button'
import { ItemEditor } from './item-editor'
import { attributesOf, ItemTable } from './item-table'
import { QueryForm } from './query-form'
import { useShardMap } from './use-shard-map'
import './items.css'

/** Items on a page that is read for an export. */
const EXPORT_ITEMS = 1_000

/** The items of a table or an index: browsed, queried, edited, deleted and exported. */
export function ItemsView() {
  const { description, failure } = useDescription()
  const map = useShardMap(description?.KeySchema[0]?.AttributeName ?? '')
  if (failure !== undefined) {
    return (
      <p class="failure" role="alert">
        {failure}
      </p>
    )
  }
  if (description === undefined || map === undefined) return <Waiting />
  const { region, index, items } = view.value
  return (
    <Items
      key={`${region}/${description.TableName}/${index} ${items}`}
      described={description}
      map={map === 'none' ? undefined : map}
    />
  )
}

interface ItemsProps {
  readonly described: TableDescription
  readonly map: ItemShardMap | undefined
}

function Items({ described, map }: ItemsProps) {
  const { index, items: text } = view.value
  const query = parseItemQuery(text)
  /** Where each page so far began. */
  const [starts, setStarts] = useState<readonly (PageStart | undefined)[]>([undefined])
  const [page, setPage] = useState<ItemPage | undefined>()
  const [failure, setFailure] = useState<string | undefined>()
  const [edited, setEdited] = useState<JsonItem | 'new' | undefined>()
  const [changes, setChanges] = useState(0)
  const start = starts.at(-1)
  useEffect(() => {
    const work = new AbortController()
    setFailure(undefined)
    readerOf(described, index, query, map)
      .then((read) => read(start, work.signal))
      .then(
        (answer) => !work.signal.aborted && setPage(answer),
        (error: unknown) => !work.signal.aborted && setFailure(messageOf(error)),
      )
    return () => work.abort(new Error('Other items are wanted.'))
  }, [described, index, text, map, start, changes, connections.value])
  useLinkedItem(described, setEdited, setFailure)
  const search = (wanted: ItemQuery) => {
    setPage(undefined)
    setStarts([undefined])
    // The same query reads again.
    setChanges((count) => count + 1)
    show({ items: printItemQuery(wanted), item: '' }, true)
  }
  const close = () => {
    setEdited(undefined)
    show({ item: '' })
  }
  const readOnly = tables.value?.offers?.readOnly
  const indexKeys = keysOf(described, index)
  const found = page?.items ?? []
  const place = { described, isSharded: map !== undefined }
  return (
    <section class="items" aria-label="Items">
      <QueryForm
        keys={indexKeys}
        query={query}
        attributes={attributesOf(found)}
        isSharded={map !== undefined && index === ''}
        onSearch={search}
      />
      {failure !== undefined && (
        <p class="failure" role="alert">
          {failure}
        </p>
      )}
      <div class="pager">
        <button type="button" disabled={starts.length === 1} onClick={() => setStarts(starts.slice(0, -1))}>
          Previous page
        </button>
        <button
          type="button"
          disabled={page?.next === undefined}
          onClick={() => setStarts([...starts, page?.next])}
        >
          Next page
        </button>
        <span role="status">{statusText(starts.length, page, failure !== undefined)}</span>
        <ExportButtons
          table={described.TableName}
          found={found}
          reader={() => readerOf(described, index, { ...query, pageItems: EXPORT_ITEMS }, map)}
        />
        {index === '' && readOnly === undefined && (
          <button type="button" onClick={() => setEdited('new')}>
            New item
          </button>
        )}
      </div>
      {readOnly !== undefined && <p class="hint">{readOnly}</p>}
      {page !== undefined && found.length === 0 && (
        <p class="hint large">
          {page.next === undefined
            ? 'No item was found.'
            : 'None of the items that were read matches. Go to the next page to continue.'}
        </p>
      )}
      <ItemTable
        keys={keysOf(described, '')}
        indexKeys={indexKeys}
        found={found}
        placeOf={map === undefined ? undefined : (item) => placeOf(item, map, ruleOf(map))}
        onOpen={(item) => {
          setEdited(item)
          if (index === '') show({ item: JSON.stringify(primaryKeyOf(described, item)) })
        }}
      />
      {edited !== undefined && (
        <ItemEditor
          place={place}
          item={edited}
          readOnly={
            index === ''
              ? readOnly
              : 'Items cannot be changed through an index. Choose the table itself to change them.'
          }
          onChanged={() => {
            close()
            setChanges((count) => count + 1)
          }}
          onClose={close}
        />
      )}
    </section>
  )
}

function statusText(number: number, page: ItemPage | undefined, isFailed: boolean): string {
  if (page !== undefined) return pageText(number, page)
  return isFailed ? '' : 'Loading …'
}

function pageText(number: number, { items, evaluated, readUnits }: ItemPage): string {
  const read = evaluated > items.length ? ` of ${figure(evaluated)} that were read` : ''
  return `Page ${number}: ${figure(items.length)} items${read}, ${figure(readUnits)} read units`
}

/** The reader of a query: of all shards, if it is about a logical key. */
async function readerOf(
  described: TableDescription,
  index: string,
  query: ItemQuery,
  map: ItemShardMap | undefined,
): Promise<ReadPage> {
  // Before the shard map is asked for the key.
  requireAttributes(query)
  const logical = query.partition[0] ?? ''
  if (map === undefined || index !== '' || !query.isLogical || logical === '') {
    return pageReader(call, itemRequest(described, index, query), query.pageItems)
  }
  return logicalPageReader(call, described, query, await logicalKey(call, map, logical))
}

/** @throws Error for an address that was cut or typed */
function linkedKey(item: string): unknown {
  try {
    return JSON.parse(item)
  } catch (cause) {
    const message = `The address names the item '${item}', which is not a key as JSON. Open an item of the table instead.`
    throw new Error(message, { cause })
  }
}

/** Opens the item of the address. */
function useLinkedItem(
  { TableName }: TableDescription,
  open: (item: JsonItem) => void,
  fail: (text: string) => void,
): void {
  useEffect(() => {
    const { item } = view.peek()
    if (item === '') return
    const read = async () => {
      const { Item } = await call<{ readonly Item?: JsonItem }>('GetItem', {
        TableName,
        Key: linkedKey(item),
        ConsistentRead: true,
      })
      if (Item === undefined) throw new Error(`There is no item with the key ${item}.`)
      open(Item)
    }
    read().catch((error: unknown) => fail(messageOf(error)))
  }, [TableName])
}
