import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A file of the built page. */
export interface Asset {
  readonly type: string
  readonly body: Buffer
  readonly tag: string
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
}

const FOLDER = fileURLToPath(new URL('../../site/', import.meta.url))

const NOT_BUILT: Asset = asset(
  '.txt',
  Buffer.from('The page of the console is not built. Run: npm run build\n'),
)

/** The files of the built page by name. There is only `index.html`, with a hint, where it was not built. */
export function readAssets(folder: string = FOLDER): ReadonlyMap<string, Asset> {
  let names: readonly string[]
  try {
    names = readdirSync(folder)
  } catch {
    return new Map([['index.html', NOT_BUILT]])
  }
  return new Map(names.map((name) => [name, asset(extname(name), readFileSync(join(folder, name)))]))
}

function asset(ending: string, body: Buffer): Asset {
  const tag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  return { type: TYPES[ending] ?? 'application/octet-stream', body, tag }
}
