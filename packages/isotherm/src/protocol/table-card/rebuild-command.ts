/**
 * The command that rebuilds a shard map, for the end of an error's sentence. A rebuild needs all options of the table, which a file has and flags may
 * lack.
 */
export function rebuildCommand(table: string): string {
  return `isotherm shards rebuild --table ${table} --options FILE, where FILE is a module with the table's options as its default export`
}
