import { Readable } from 'node:stream'

/** Above the largest answer of the API, a batch of 16 MB in base64 and JSON. */
export const MAX_ANSWER_BYTES = 64 * 1024 * 1024

/** Reads the body of a response. Nearly all come in one piece. */
export async function readAnswer(body: unknown): Promise<Buffer> {
  // PooledConnections and request handlers in this process answer with the body itself.
  if (Buffer.isBuffer(body)) return body
  if (body instanceof Uint8Array || typeof body === 'string') return Buffer.from(body)
  if (!(body instanceof Readable)) throw new TypeError('The response of the upstream has no readable body.')
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    const piece = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk)
    bytes += piece.length
    if (bytes > MAX_ANSWER_BYTES) {
      throw new RangeError(`The response of the upstream is larger than ${MAX_ANSWER_BYTES} bytes.`)
    }
    chunks.push(piece)
  }
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)
}
