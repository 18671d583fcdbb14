import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const folder = fileURLToPath(new URL('../api/', import.meta.url))
const reports = readdirSync(folder).filter((file) => file.endsWith('.api.md'))

const OPTIONS = /^export interface \w*Options\b.*?^}$/gms
/** A member of the interface itself: its type may continue in lines that are indented more. */
const OPTIONAL = /^ {4}(?:readonly )?(\w+)\?: (.+?);$(?=\n {4}[^\s}]|\n})/gms
const TAKES_UNDEFINED = /(^|\| )(undefined|unknown)$/

const optional = reports.flatMap((file) => {
  const interfaces = readFileSync(`${folder}${file}`, 'utf8').match(OPTIONS) ?? []
  return interfaces.flatMap((text) =>
    [...text.matchAll(OPTIONAL)].map(([, name = '', type = '']) => ({ file, name, type })),
  )
})

/** `{ shardMap: process.env.SHARD_MAP }` compiles under `exactOptionalPropertyTypes`, as it does with the options of the SDK. */
describe('an option that may be missing', () => {
  it('takes undefined', () => {
    expect(optional.length).toBeGreaterThan(250)
    expect(optional.filter(({ type }) => !TAKES_UNDEFINED.test(type))).toEqual([])
  })
})
