import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const DIGITS = 12

/**
 * A name for the library as it is, with what it stands on: another one when a line of its code is another one, and the same when
 * only a comment is. What was found, or not found, with one library says nothing of another.
 */
export async function libraryDigest(): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents:
        "export * from 'isotherm'\nexport { large } from 'isotherm/large'\nexport { counter } from 'isotherm/counter'\nexport { pool } from 'isotherm/pool'\nexport { queue } from 'isotherm/queue'\nexport { rotation } from 'isotherm/rotation'\nexport * from 'isotherm/search'",
      resolveDir: fileURLToPath(new URL('.', import.meta.url)),
    },
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    external: ['@aws-sdk/*'],
    write: false,
    logLevel: 'silent',
  })
  const [output] = outputFiles
  return createHash('sha256')
    .update(output?.contents ?? '')
    .digest('hex')
    .slice(0, DIGITS)
}
