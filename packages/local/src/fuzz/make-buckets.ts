import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** The bucket that exists. */
export const BUCKET = 'bucket-a'

/**
 * Makes a directory with a bucket, for exports and imports. The bucket has objects of every format, and one that is broken.
 *
 * @returns the directory. The caller removes it.
 */
export function makeBuckets(): string {
  const directory = mkdtempSync(join(tmpdir(), 'isotherm-fuzz-'))
  mkdirSync(join(directory, BUCKET))
  const lines = Array.from({ length: 100 }, (_, number) =>
    JSON.stringify({ Item: { pk: { S: 'a' }, sk: { S: `${number}` }, group: { S: 'g' } } }),
  )
  const objects = {
    'items.json': lines.join('\n'),
    'items.json.gz': gzipSync(lines.join('\n')),
    'items.csv': 'pk,sk,group\na,1,g\na,2,"g\n',
    'broken.json': '{"Item":{"pk":{"S":"a"}}}\n{"Item":',
  }
  for (const [key, object] of Object.entries(objects)) writeFileSync(join(directory, BUCKET, key), object)
  return directory
}
