import { readFileSync } from 'node:fs'

const PAGE = new URL('../../../docs/simulation.md', import.meta.url)

/** A row of the table of planted bugs: its name, and the seed that found it. */
const ROW = /^\| (.+?) \| (\d+) \| \d+ \|/gm

/** The seeds that found the planted bugs when all of them were hunted last, by their names. */
export function lastSeeds(): ReadonlyMap<string, number> {
  const rows = readFileSync(PAGE, 'utf8').matchAll(ROW)
  return new Map(Array.from(rows, ([, name = '', seed]) => [name, Number(seed)]))
}
