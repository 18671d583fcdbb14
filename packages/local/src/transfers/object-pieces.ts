import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { UnreadableObject } from './import-entry.js'

/** The first bytes of a file that gzip has compressed. */
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b])

/**
 * The content of an object, without compression.
 * @throws UnreadableObject when it is compressed in another way
 */
export async function* objectPieces(
  stored: Readable,
  compression: 'NONE' | 'GZIP',
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  if (compression === 'GZIP') yield* decompressed(stored, signal)
  else yield* uncompressed(stored)
}

async function* uncompressed(stored: Readable): AsyncGenerator<Buffer> {
  let isFirst = true
  for await (const piece of stored as AsyncIterable<Buffer>) {
    if (isFirst && piece.subarray(0, GZIP_MAGIC.length).equals(GZIP_MAGIC)) {
      throw new UnreadableObject('The object is compressed with gzip. Set InputCompressionType to GZIP')
    }
    isFirst = false
    yield piece
  }
}

async function* decompressed(stored: Readable, signal: AbortSignal): AsyncGenerator<Buffer> {
  const content = createGunzip()
  // An error of the pipeline is thrown by the iteration as well.
  pipeline(stored, content, { signal }).catch(() => {})
  try {
    for await (const piece of content as AsyncIterable<Buffer>) yield piece
  } catch (error) {
    const code = String(Object(error).code)
    if (!code.startsWith('Z_')) throw error
    throw new UnreadableObject(
      `The object cannot be decompressed with gzip (${code}). Set InputCompressionType to NONE if it is not compressed, or write the object again`,
    )
  }
}
