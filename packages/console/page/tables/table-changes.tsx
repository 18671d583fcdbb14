import type { TableDescription } from '../../src/definitions/table-definition'
import { purgeTable } from '../../src/items/purge-table'
import { ConfirmDialog } from '../dialog/confirm-dialog'
import { callIn } from '../dynamodb/call'
import { sleep } from '../dynamodb/sleep'
import { figure } from '../format/figures'
import { tables } from '../state/data'

/** A table of the endpoint. */
export interface TablePlace {
  readonly region: string
  readonly name: string
}

interface TableChangesProps {
  readonly places: readonly TablePlace[]
  readonly onClose: () => void
}

/** Deletes all items of tables, after a question. */
export function PurgeTables({ places, onClose }: TableChangesProps) {
  const purge = async (onProgress: (text: string) => void, signal: AbortSignal) => {
    for (const { region, name } of places) {
      const { Table } = await callIn<{ Table: TableDescription }>(region, 'DescribeTable', {
        TableName: name,
      })
      await purgeTable((operation, input) => callIn(region, operation, input), Table, {
        sleep,
        signal,
        onProgress: (items) => onProgress(`${name}: ${figure(items)} items deleted`),
      })
    }
  }
  return (
    <ConfirmDialog
      title={titleOf('Purge', places)}
      word={wordOf(places)}
      action="Delete all items for good"
      onConfirm={purge}
      onClose={onClose}
    >
      <p>
        All items of {namesOf(places)} will be deleted, which takes a write unit for each KB of them. The
        tables with their settings stay.
      </p>
      <ShardMapWarning places={places} />
    </ConfirmDialog>
  )
}

/** Deletes tables, after a question. */
export function DeleteTables({
  places,
  onClose,
  onDeleted,
}: TableChangesProps & { readonly onDeleted: () => void }) {
  const remove = async (onProgress: (text: string) => void, signal: AbortSignal) => {
    for (const { region, name } of places) {
      signal.throwIfAborted()
      onProgress(`Deleting ${name}`)
      await callIn(region, 'DeleteTable', { TableName: name })
    }
    onDeleted()
  }
  return (
    <ConfirmDialog
      title={titleOf('Delete', places)}
      word={wordOf(places)}
      action={places.length === 1 ? 'Delete the table for good' : 'Delete the tables for good'}
      onConfirm={remove}
      onClose={onClose}
    >
      <p>{namesOf(places)} will be deleted with all items, indexes and settings.</p>
      <ShardMapWarning places={places} />
    </ConfirmDialog>
  )
}

/** Without its shard map, the library refuses to use a sharded table. */
function ShardMapWarning({ places }: Pick<TableChangesProps, 'places'>) {
  const isHere = (place: TablePlace) =>
    places.some(({ region, name }) => region === place.region && name === place.name)
  const lost = (tables.value?.tables ?? []).filter(
    ({ region, name, shardMap }) =>
      shardMap !== undefined && isHere({ region, name: shardMap }) && !isHere({ region, name }),
  )
  return lost.length === 0 ? null : (
    <p class="failure">
      This is the shard map of {lost.map(({ name }) => name).join(', ')}. Applications cannot find their items
      without it, and the library refuses to use the table.
    </p>
  )
}

function titleOf(verb: string, places: readonly TablePlace[]): string {
  return places.length === 1 ? `${verb} ${places[0]?.name}` : `${verb} ${places.length} tables`
}

/** The name of the table, or how many there are. */
function wordOf(places: readonly TablePlace[]): string {
  return places.length === 1 ? (places[0]?.name ?? '') : `${places.length} tables`
}

function namesOf(places: readonly TablePlace[]): string {
  return places.map(({ name }) => name).join(', ')
}
