import { IsothermError } from '../../errors/isotherm-error.js'
import { invalidOption } from '../../options/check.js'
import type { TablesByName } from '../../sdk/tables-by-name.js'
import type { TableScaling } from '../table-scaling.js'
import { type MigrateOptions, type MigrationResult, migrate } from './migrate.js'

/** A table whose initial count can be changed, if its processes go by a card. */
interface MaybeMigratable {
  readonly options: { readonly name: string }
  readonly scaling: Pick<TableScaling, 'migratable'>
}

/**
 * Returns the result of `db.migrate(table, options)`.
 * @throws IsothermError `options.invalid` for an unknown table; `shards.fixed` for a table without a shard map
 */
export async function migrateTable(
  tables: TablesByName<MaybeMigratable>,
  name: string,
  options: MigrateOptions,
): Promise<MigrationResult> {
  const table = tables.of(name)
  if (table === undefined) {
    const known = Array.from(tables, (each) => each.options.name).join(', ')
    throw invalidOption('migrate(table)', name, `a table of the options: ${known}`)
  }
  const { migratable } = table.scaling
  if (migratable !== undefined) return migrate(migratable, options)
  throw new IsothermError(
    'shards.fixed',
    `The table ${name} has fixedShards, and no shard map in which processes could follow a change. Give it dynamicShards({ initial, max }) with both at the present count in every process, and migrate it then.`,
    { table: name },
  )
}
