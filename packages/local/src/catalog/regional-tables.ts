import type { Table } from '../table/table.js'

/** Tables by their region and name. */
export class RegionalTables {
  /** Two nested maps. Every request looks here, and joining two texts into one key costs more than two lookups. */
  readonly #regions = new Map<string, Map<string, Table>>()

  get all(): readonly Table[] {
    return [...this.#regions.values()].flatMap((tables) => [...tables.values()])
  }

  get(region: string, name: string): Table | undefined {
    return this.#regions.get(region)?.get(name)
  }

  has(table: Table): boolean {
    return this.get(table.region, table.name) === table
  }

  names(region: string): readonly string[] {
    return [...(this.#regions.get(region)?.keys() ?? [])]
  }

  add(table: Table): void {
    const { region, name } = table
    const tables = this.#regions.get(region)
    if (tables === undefined) this.#regions.set(region, new Map([[name, table]]))
    else tables.set(name, table)
  }

  delete({ region, name }: Table): void {
    this.#regions.get(region)?.delete(name)
  }

  clear(): void {
    this.#regions.clear()
  }
}
